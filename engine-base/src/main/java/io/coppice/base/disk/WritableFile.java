package io.coppice.base.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A file being written, from start to end. Confined to one thread. */
public interface WritableFile extends Closeable {
  /** Appends what remains of {@code bytes} and moves its position to its limit. */
  void write(ByteBuffer bytes) throws IOException;

  /** Makes everything written so far durable. */
  void sync() throws IOException;

  /** Bytes written so far. */
  long sizeBytes();

  /** Closes without syncing. Closing twice is harmless. */
  @Override
  void close() throws IOException;
}
