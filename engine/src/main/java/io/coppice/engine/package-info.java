/**
 * What an embedder holds. An {@link io.coppice.engine.Engine} is opened on a data directory, which
 * is ClickHouse's own; its {@link io.coppice.engine.Table}s take Arrow batches and give them back.
 * The only place that starts threads. Start with {@link io.coppice.engine.Engine}.
 */
package io.coppice.engine;
