/**
 * Which parts of a table to merge next. Pure functions: names, sizes, ages and limits come in as
 * arguments, neighbours that belong together come out; no clock, no disk, no thread, and chance
 * only where ClickHouse takes it, from a generator that is handed in. Nothing here owns files or
 * locks; everything is immutable, so that any thread may call it.
 *
 * <p>Start at {@link io.coppice.merge.select.MergeChooser}, which puts the pieces together as
 * ClickHouse 26.7 does; the rule itself is {@link io.coppice.merge.select.SimpleMergeSelector}.
 */
package io.coppice.merge.select;
