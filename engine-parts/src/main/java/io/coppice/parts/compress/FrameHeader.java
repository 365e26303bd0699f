package io.coppice.parts.compress;

import io.coppice.base.bytes.Memory;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.base.hash.CityHash;
import io.coppice.base.hash.Hash128Slot;

/**
 * The head of a compressed frame: what ClickHouse compresses is cut into such frames, one after the
 * other, in {@code .bin} files, compressed marks, checksums.txt, on the wire and in spool files.
 *
 * <pre>
 *   offset  size  field
 *        0    16  CityHash128 of all that follows in this frame, low half first
 *       16     1  method ({@link CompressionMethod})
 *       17     4  c = compressed size, bytes, with these nine bytes (16 to 24) and without the hash
 *       21     4  uncompressed size, bytes
 *       25   c-9  body
 * </pre>
 *
 * <p>The body of method Multiple is a count byte, as many method bytes in order of application, and
 * what the last codec made. Each codec but the first was given what the one before it made: again
 * method, both sizes and body, without a hash.
 *
 * <p>Checked on reading: c is at least 9, the frame ends inside the file, neither size exceeds 1
 * GiB. Nothing else is trusted before the hash was compared: {@link #verify} before you allocate.
 * Golden files: every {@code .bin} of {@code golden/18.16.1} and {@code golden/26.7}.
 *
 * @param methodByte 0 to 255
 * @param frameSizeBytes of the whole frame, with the hash
 * @param uncompressedSizeBytes of what is inside
 */
public record FrameHeader(int methodByte, int frameSizeBytes, int uncompressedSizeBytes) {
  /** Bytes before the body, the hash among them. */
  public static final int SIZE_BYTES = 25;

  /** Bytes of the hash. */
  public static final int CHECKSUM_BYTES = 16;

  /** No frame is larger, compressed or not. ClickHouse has the same limit. */
  public static final int LIMIT_BYTES = 0x40000000;

  /** Bytes of the head that every codec's output has: method and sizes. */
  static final int LAYER_HEADER_BYTES = 9;

  /**
   * Reads the head of a frame. At {@code address} there are {@link #SIZE_BYTES} bytes, or {@code
   * remainingBytes} if that is less.
   *
   * @param remainingBytes from the frame's first byte to the end of the file
   * @param file name for messages
   * @param offset of the frame in that file, for messages
   * @throws EngineException CANNOT_READ_ALL_DATA, TOO_LARGE_SIZE_COMPRESSED or CORRUPTED_DATA
   */
  public static FrameHeader read(long address, long remainingBytes, String file, long offset) {
    if (remainingBytes < SIZE_BYTES) {
      throw EngineException.of(
          ErrorCode.CANNOT_READ_ALL_DATA,
          "%s: the frame at %d has %d bytes, expected at least %d",
          file,
          offset,
          remainingBytes,
          SIZE_BYTES);
    }
    int methodByte = Memory.getByte(address + 16) & 0xff;
    long compressed = Memory.getInt(address + 17) & 0xffffffffL;
    long uncompressed = Memory.getInt(address + 21) & 0xffffffffL;
    if (compressed > LIMIT_BYTES || uncompressed > LIMIT_BYTES) {
      throw EngineException.of(
          ErrorCode.TOO_LARGE_SIZE_COMPRESSED,
          "%s: the frame at %d claims %d bytes, uncompressed %d; at most %d are possible",
          file,
          offset,
          compressed,
          uncompressed,
          LIMIT_BYTES);
    }
    if (compressed < LAYER_HEADER_BYTES) {
      throw EngineException.of(
          ErrorCode.CORRUPTED_DATA,
          "%s: the frame at %d claims %d bytes, expected at least %d",
          file,
          offset,
          compressed,
          LAYER_HEADER_BYTES);
    }
    if (CHECKSUM_BYTES + compressed > remainingBytes) {
      throw EngineException.of(
          ErrorCode.CANNOT_READ_ALL_DATA,
          "%s: the frame at %d claims %d bytes, but the file ends after %d",
          file,
          offset,
          CHECKSUM_BYTES + compressed,
          remainingBytes);
    }
    return new FrameHeader(methodByte, (int) compressed + CHECKSUM_BYTES, (int) uncompressed);
  }

  /**
   * Compares the hash of the frame at {@code address}, all of it in memory, with what it says.
   *
   * @throws EngineException CHECKSUM_DOESNT_MATCH naming file, offset and both
   */
  public void verify(long address, Hash128Slot slot, String file, long offset) {
    CityHash.cityHash128(address + CHECKSUM_BYTES, frameSizeBytes - CHECKSUM_BYTES, slot);
    long low = Memory.getLong(address);
    long high = Memory.getLong(address + 8);
    if (slot.low() != low || slot.high() != high) {
      throw EngineException.of(
          ErrorCode.CHECKSUM_DOESNT_MATCH,
          "%s: the frame at %d (%d bytes, %s) has checksum %s, expected %016x%016x",
          file,
          offset,
          frameSizeBytes,
          CompressionMethod.describe(methodByte),
          slot.value().numberHex(),
          high,
          low);
    }
  }
}
