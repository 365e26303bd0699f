package io.coppice.parts.compress;

import io.coppice.base.bytes.Memory;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.base.hash.Hash128Slot;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Opens frames. Keeps native contexts and scratch memory from one to the next; confined to one
 * thread; the owner closes it.
 *
 * <p>Whatever the bytes say, nothing outside the frame is read and nothing outside the target
 * written.
 */
public final class Decompressor implements AutoCloseable {
  /** Most codecs in one chain. ClickHouse has room for 255; nobody chains more than a few. */
  static final int CODEC_COUNT_LIMIT = 16;

  private final BufferAllocator allocator;
  private final Lz4 lz4 = new Lz4();
  private final ZstdContexts zstd = new ZstdContexts();
  private final FpcBody fpc = new FpcBody();
  private final Hash128Slot slot = new Hash128Slot();
  private final DirectBytes[] scratch;

  /** Scratch memory is taken from {@code allocator}, which must outlive this. */
  public Decompressor(BufferAllocator allocator) {
    this.allocator = allocator;
    this.scratch = new DirectBytes[] {new DirectBytes(allocator), new DirectBytes(allocator)};
  }

  /**
   * Compares the frame at {@code address}, all of it in memory, with its checksum. Do this before
   * memory is allocated for what the frame says to hold.
   *
   * @throws EngineException CHECKSUM_DOESNT_MATCH naming file, offset, expected and found
   */
  public void verify(FrameHeader header, long address, String file, long offset) {
    header.verify(address, slot, file, offset);
  }

  /**
   * Decompresses the frame at {@code address}, whose checksum was verified, to exactly {@code
   * header.uncompressedSizeBytes()} bytes at {@code target}.
   *
   * @param file name for messages
   * @param offset of the frame in that file, for messages
   * @throws EngineException CANNOT_DECOMPRESS, or UNKNOWN_COMPRESSION_METHOD naming the method
   */
  public void decompress(FrameHeader header, long address, long target, String file, long offset) {
    try {
      body(
          header.methodByte(),
          address + FrameHeader.SIZE_BYTES,
          header.frameSizeBytes() - FrameHeader.SIZE_BYTES,
          target,
          header.uncompressedSizeBytes(),
          true);
    } catch (EngineException e) {
      throw e.within(file + ": the frame at " + offset);
    }
  }

  /** {@link #verify} and {@link #decompress}. */
  public void verifyAndDecompress(
      FrameHeader header, long address, long target, String file, long offset) {
    verify(header, address, file, offset);
    decompress(header, address, target, file, offset);
  }

  /**
   * What is inside the frames that fill {@code bytes} from {@code from} to the end. For marks,
   * primary keys, checksums.txt and the like.
   *
   * @param limitBytes most bytes that may come out
   * @throws EngineException as {@link #verify} and {@link #decompress}; TOO_LARGE_SIZE_COMPRESSED
   */
  public byte[] decompressAll(byte[] bytes, int from, String file, long limitBytes) {
    try (DirectBytes in = new DirectBytes(allocator);
        DirectBytes out = new DirectBytes(allocator)) {
      in.append(bytes, from, bytes.length - from);
      long at = 0;
      while (at < in.sizeBytes()) {
        long frame = in.address() + at;
        long offset = from + at;
        FrameHeader header = FrameHeader.read(frame, in.sizeBytes() - at, file, offset);
        verify(header, frame, file, offset);
        if (out.sizeBytes() + header.uncompressedSizeBytes() > limitBytes) {
          throw EngineException.of(
              ErrorCode.TOO_LARGE_SIZE_COMPRESSED,
              "%s: the frames up to %d hold more than %d bytes",
              file,
              offset,
              limitBytes);
        }
        long target = out.reserve(header.uncompressedSizeBytes());
        decompress(header, frame, target, file, offset);
        out.advance(header.uncompressedSizeBytes());
        at += header.frameSizeBytes();
      }
      return out.toByteArray();
    }
  }

  private void body(
      int methodByte, long source, int sourceSize, long target, int targetSize, boolean outermost) {
    CompressionMethod method = CompressionMethod.of(methodByte).orElse(null);
    if (method == null || !method.readable()) {
      throw EngineException.of(
          ErrorCode.UNKNOWN_COMPRESSION_METHOD,
          "compression method %s is not supported here",
          CompressionMethod.describe(methodByte));
    }
    switch (method) {
      case LZ4 ->
          lz4.decompress(Compressor.view(source, sourceSize), Compressor.view(target, targetSize));
      case ZSTD ->
          zstd.decompress(Compressor.view(source, sourceSize), Compressor.view(target, targetSize));
      case NONE -> {
        Body.expect(
            sourceSize == targetSize, "NONE: %d bytes, expected %d", sourceSize, targetSize);
        Memory.copy(source, target, targetSize);
      }
      case DELTA -> DeltaBody.decode(source, sourceSize, target, targetSize);
      case DOUBLE_DELTA -> DoubleDeltaBody.decode(source, sourceSize, target, targetSize);
      case GORILLA -> GorillaBody.decode(source, sourceSize, target, targetSize);
      case T64 -> T64Body.decode(source, sourceSize, target, targetSize);
      case FPC -> fpc.decode(source, sourceSize, target, targetSize);
      case GCD -> GcdBody.decode(source, sourceSize, target, targetSize);
      case MULTIPLE -> {
        Body.expect(outermost, "a chain inside a chain");
        multiple(source, sourceSize, target, targetSize);
      }
      default -> throw new AssertionError("method " + method);
    }
  }

  private void multiple(long source, int sourceSize, long target, int targetSize) {
    Body.expect(sourceSize >= 1, "Multiple: an empty body");
    int count = Memory.getByte(source) & 0xff;
    Body.expect(
        1 <= count && count <= CODEC_COUNT_LIMIT,
        "Multiple: %d codecs, at most %d",
        count,
        CODEC_COUNT_LIMIT);
    Body.expect(1 + count <= sourceSize, "Multiple: a body of %d bytes", sourceSize);
    long from = source + 1 + count;
    int fromSize = sourceSize - 1 - count;
    for (int i = count - 1; i >= 0; i--) {
      int methodByte = Memory.getByte(source + 1 + i) & 0xff;
      Body.expect(
          fromSize >= FrameHeader.LAYER_HEADER_BYTES, "Multiple: codec %d has no header", i + 1);
      int given = Memory.getByte(from) & 0xff;
      Body.expect(
          given == methodByte,
          "Multiple: codec %d is 0x%02x, expected 0x%02x",
          i + 1,
          given,
          methodByte);
      long layerSize = Memory.getInt(from + 1) & 0xffffffffL;
      Body.expect(
          layerSize == fromSize,
          "Multiple: codec %d claims %d bytes, expected %d",
          i + 1,
          layerSize,
          fromSize);
      long size = Memory.getInt(from + 5) & 0xffffffffL;
      int bodySize = fromSize - FrameHeader.LAYER_HEADER_BYTES;
      long body = from + FrameHeader.LAYER_HEADER_BYTES;
      if (i == 0) {
        Body.expect(size == targetSize, "Multiple: %d bytes, expected %d", size, targetSize);
        body(methodByte, body, bodySize, target, targetSize, false);
      } else {
        // No codec makes its input more than about nine times as large.
        long most = Math.min(FrameHeader.LIMIT_BYTES, 16L * targetSize + 65536);
        Body.expect(
            size <= most,
            "Multiple: codec %d claims to hold %d bytes for %d",
            i + 1,
            size,
            targetSize);
        DirectBytes to = scratch[i % 2];
        to.clear();
        long place = to.reserve(size);
        body(methodByte, body, bodySize, place, (int) size, false);
        from = place;
        fromSize = (int) size;
      }
    }
  }

  /** Gives back scratch memory and contexts. Closing twice is harmless. */
  @Override
  public void close() {
    zstd.close();
    for (DirectBytes bytes : scratch) {
      bytes.close();
    }
  }
}
