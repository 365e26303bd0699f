package io.coppice.base.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A file open for reading at any place. Thread-safe: reads carry their own position. */
public interface ReadableFile extends Closeable {
  long sizeBytes() throws IOException;

  /**
   * Reads from {@code offset} until {@code target} is full or the file ends, and moves its
   * position.
   *
   * @return bytes read; less than asked only at the end of the file, 0 past it
   */
  int read(long offset, ByteBuffer target) throws IOException;

  /** Closing twice is harmless; reading after close throws. */
  @Override
  void close() throws IOException;
}
