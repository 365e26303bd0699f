package io.coppice.base.hash;

import io.coppice.base.bytes.Memory;
import java.util.Objects;

/**
 * The hash of a file that {@code checksums.txt}, the interserver protocol and backup manifests
 * carry, fed piece by piece.
 *
 * <p>The bytes are cut into chunks of 2048, the last may be shorter; the state starts at zero and
 * becomes {@link CityHash#cityHash128WithSeed} of the chunk with the state as seed. A file without
 * bytes has hash zero. How the bytes were cut among calls does not matter.
 *
 * <p>Confined to one thread. {@link #value()}, {@link #low()} and {@link #high()} answer for the
 * bytes so far and may be followed by more.
 */
public final class FileHash {
  /** ClickHouse's chunk: the size of its hashing buffer when files were first written. */
  private static final int CHUNK_BYTES = 2048;

  private final byte[] rest = new byte[CHUNK_BYTES];
  private final Hash128Slot state = new Hash128Slot();
  private final Hash128Slot answer = new Hash128Slot();
  private int restBytes;
  private long sizeBytes;
  private boolean answered = true;

  /** The hash of nothing yet. */
  public FileHash() {}

  /** Adds {@code size} bytes at {@code address}, which the caller vouches for. */
  public void update(long address, long size) {
    add(null, address, size);
  }

  /** Adds a part of an array. */
  public void update(byte[] bytes, int offset, int size) {
    Objects.checkFromIndexSize(offset, size, bytes.length);
    add(bytes, Memory.arrayOffset(offset), size);
  }

  private void add(byte[] base, long start, long size) {
    if (size == 0) {
      return;
    }
    answered = false;
    sizeBytes += size;
    long at = start;
    long end = start + size;
    if (restBytes > 0) {
      int taken = (int) Math.min(CHUNK_BYTES - restBytes, size);
      Memory.copy(base, at, rest, restBytes, taken);
      restBytes += taken;
      at += taken;
      if (restBytes < CHUNK_BYTES) {
        return;
      }
      chain(rest, Memory.arrayOffset(0), CHUNK_BYTES);
      restBytes = 0;
    }
    while (end - at >= CHUNK_BYTES) {
      chain(base, at, CHUNK_BYTES);
      at += CHUNK_BYTES;
    }
    restBytes = (int) (end - at);
    if (restBytes > 0) {
      Memory.copy(base, at, rest, 0, restBytes);
    }
  }

  private void chain(byte[] base, long at, int size) {
    CityHash.hash128WithSeed(base, at, size, state.low, state.high, state);
  }

  private void answer() {
    if (!answered) {
      answer.set(state.low, state.high);
      if (restBytes > 0) {
        CityHash.hash128WithSeed(
            rest, Memory.arrayOffset(0), restBytes, state.low, state.high, answer);
      }
      answered = true;
    }
  }

  /** The 64 bits stored first, of all bytes so far. */
  public long low() {
    answer();
    return answer.low;
  }

  /** The 64 bits stored after them, of all bytes so far. */
  public long high() {
    answer();
    return answer.high;
  }

  /** The hash of all bytes so far. */
  public Hash128 value() {
    answer();
    return answer.value();
  }

  /** Bytes so far. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /** Forgets everything, to hash another file. */
  public void reset() {
    state.set(0, 0);
    answer.set(0, 0);
    restBytes = 0;
    sizeBytes = 0;
    answered = true;
  }

  /** The file hash of a whole array. */
  public static Hash128 of(byte[] bytes) {
    FileHash hash = new FileHash();
    hash.update(bytes, 0, bytes.length);
    return hash.value();
  }
}
