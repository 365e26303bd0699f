/**
 * Statements carried out on an engine's tables: queries column by column on Arrow batches, DDL and
 * INSERT. Start with {@link io.coppice.query.Session}.
 *
 * <p>A query is parsed elsewhere; here its names are resolved ({@code Names}), subqueries in its
 * expressions run first, and a chain of {@code Rows} is made of it: scan, filter, groups, columns,
 * distinct rows, order, limits. Each link hands batches on that it owns until the next one. A
 * session and its results belong to one thread at a time; the threads of a scan are the engine's.
 */
package io.coppice.query;
