package io.coppice.parts.scan;

import io.coppice.parts.stream.DirectMemory;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Buffers of one size that files are read into, kept for the next file. A fresh one costs more than
 * what is read into it: the system hands out its pages one fault at a time, and the JVM frees it
 * only when it collects garbage.
 *
 * <p>At most {@link #KEPT} are kept, 8 MiB for the process. Thread-safe.
 */
final class RawBuffers {
  /** Bytes of a buffer: several compressed frames of the default size. */
  static final int SIZE_BYTES = 128 << 10;

  private static final int KEPT = 64;
  private static final ArrayBlockingQueue<ByteBuffer> FREE = new ArrayBlockingQueue<>(KEPT);

  private RawBuffers() {}

  /** A buffer of {@link #SIZE_BYTES} with unspecified content, which the caller gives back. */
  static ByteBuffer take(String what) {
    ByteBuffer buffer = FREE.poll();
    return buffer == null ? DirectMemory.allocate(SIZE_BYTES, what) : buffer.clear();
  }

  /** Takes a buffer back that nobody uses any more; of another size, it is let go. */
  static void give(ByteBuffer buffer) {
    if (buffer.capacity() == SIZE_BYTES) {
      boolean unused = FREE.offer(buffer); // where enough are kept, it goes with the garbage
    }
  }
}
