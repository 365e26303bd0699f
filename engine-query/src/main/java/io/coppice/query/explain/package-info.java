/**
 * EXPLAIN in the words of ClickHouse 26.7: the tree of steps, expressions as it prints them, and
 * conditions as it rewrites them. Nothing here reads data. Start with {@link
 * io.coppice.query.explain.PlanStep}.
 */
package io.coppice.query.explain;
