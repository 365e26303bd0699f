/**
 * The database {@code system}: what an engine tells of itself, as rows of tables with ClickHouse's
 * names and columns. Start at {@link io.coppice.query.system.SystemTables}.
 */
package io.coppice.query.system;
