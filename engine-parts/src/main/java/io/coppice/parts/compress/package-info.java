/**
 * The compressed frame, and every codec that can be inside one. Start with {@link
 * io.coppice.parts.compress.FrameHeader} for the bytes, {@link
 * io.coppice.parts.compress.Compressor} and {@link io.coppice.parts.compress.Decompressor} for the
 * work, {@link io.coppice.parts.compress.CodecChain} for what {@code CODEC(…)} says.
 *
 * <p>The only package that knows zstd and lz4. Compressors, decompressors and growing buffers are
 * confined to one thread each; everything else is immutable.
 */
package io.coppice.parts.compress;
