package io.coppice.parts.scan;

import io.coppice.parts.stream.DirectMemory;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Buffers of a few sizes that files are read into and frames decompressed to, kept for the next. A
 * fresh one costs more than what is put into it: the JVM fills it with zeros, the system hands out
 * its pages one fault at a time, and it is freed only when garbage is collected.
 *
 * <p>At most {@link #KEPT_BYTES} of each size are kept, 40 MiB for the process. Thread-safe.
 */
final class RawBuffers {
  /** Bytes of the smallest buffer: several compressed frames of the default size. */
  static final int SIZE_BYTES = 128 << 10;

  /** Bytes of the largest buffer that is kept: a frame of the default maximum and its neighbour. */
  static final int MOST_BYTES = 2 << 20;

  private static final int KEPT_BYTES = 8 << 20;
  private static final RawBuffers[] SIZES = {
    new RawBuffers(SIZE_BYTES),
    new RawBuffers(256 << 10),
    new RawBuffers(512 << 10),
    new RawBuffers(1 << 20),
    new RawBuffers(MOST_BYTES)
  };

  private final int bytes;
  private final ArrayBlockingQueue<ByteBuffer> free;

  private RawBuffers(int bytes) {
    this.bytes = bytes;
    this.free = new ArrayBlockingQueue<>(KEPT_BYTES / bytes);
  }

  /**
   * A buffer of at least so many bytes, at most {@link #MOST_BYTES}, with unspecified content,
   * which the caller gives back.
   */
  static ByteBuffer take(long atLeast, String what) {
    for (RawBuffers size : SIZES) {
      if (atLeast <= size.bytes) {
        ByteBuffer buffer = size.free.poll();
        return buffer == null ? DirectMemory.allocate(size.bytes, what) : buffer.clear();
      }
    }
    throw new AssertionError("a buffer of " + atLeast + " bytes");
  }

  /** Takes a buffer back that nobody uses any more; of another size, it is let go. */
  static void give(ByteBuffer buffer) {
    for (RawBuffers size : SIZES) {
      if (buffer.capacity() == size.bytes) {
        boolean unused = size.free.offer(buffer); // where enough are kept, it goes with the garbage
      }
    }
  }
}
