/**
 * Measurements, each beside other engines in the same run. Start with {@link
 * io.coppice.bench.LineitemScan}; {@code docs/benchmarks} holds recorded runs. Nothing here is used
 * by the engine.
 */
package io.coppice.bench;
