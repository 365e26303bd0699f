/**
 * Aggregate functions over Arrow batches: states of many groups side by side in growing arrays.
 * Start with {@link io.coppice.parts.aggregate.AggregateFunctions}, which gives an {@link
 * io.coppice.parts.aggregate.Aggregator} for a function and its arguments' types; {@link
 * io.coppice.parts.aggregate.Groups} numbers rows by their keys.
 *
 * <p>Nothing here knows of statements; each object is confined to one thread.
 */
package io.coppice.parts.aggregate;
