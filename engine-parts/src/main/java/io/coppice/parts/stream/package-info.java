/**
 * Streams of encoded bytes: {@link io.coppice.parts.stream.Sink} out, {@link
 * io.coppice.parts.stream.Source} in, over raw memory. Each belongs to one thread and to whoever
 * made it.
 */
package io.coppice.parts.stream;
