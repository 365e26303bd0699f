package io.coppice.merge.run;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.ReadableFile;
import io.coppice.base.disk.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * From which source each merged row is, in a file: a byte a row, in order, of those that did not
 * remain as well.
 *
 * <pre>
 *   low 7 bits   number of the source
 *   high bit     whether the row did not remain
 * </pre>
 *
 * <p>Written once, then read for each column. Confined to one thread; the owner closes it, and the
 * file goes with it.
 */
final class RowSources implements AutoCloseable {
  /** Most sources that there can be. */
  static final int MOST_SOURCES = 127;

  static final int SKIPPED = 0x80;

  /** Blocks of columns end where a buffer does, as ClickHouse's do. */
  static final int BUFFER_BYTES = 1 << 20;

  private final Disk disk;
  private final String path;
  private final WritableFile file;
  private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
  private boolean deleted;

  RowSources(Disk disk, String path) throws IOException {
    this.disk = disk;
    this.path = path;
    this.file = disk.create(path);
  }

  /** Adds rows of a source. */
  void add(int source, int count) throws IOException {
    add((byte) source, count);
  }

  /** Adds a row of a source that does not remain. */
  void skip(int source) throws IOException {
    add((byte) (source | SKIPPED), 1);
  }

  private void add(byte value, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      if (!buffer.hasRemaining()) {
        drain();
      }
      buffer.put(value);
    }
  }

  private void drain() throws IOException {
    buffer.flip();
    file.write(buffer);
    buffer.clear();
  }

  /** No more rows come. */
  void end() throws IOException {
    drain();
    file.close();
  }

  /** Reads them from the start; the caller closes the result. */
  Reader read() throws IOException {
    return new Reader(disk.open(path));
  }

  @Override
  public void close() throws IOException {
    file.close();
    if (!deleted) {
      deleted = true;
      disk.delete(path);
    }
  }

  /** Reads them, a buffer at a time. */
  static final class Reader implements AutoCloseable {
    private final ReadableFile file;
    private final ByteBuffer bytes;
    private long offset;

    private Reader(ReadableFile file) throws IOException {
      this.file = file;
      this.bytes = ByteBuffer.allocate((int) Math.min(BUFFER_BYTES, file.sizeBytes()));
    }

    /** The next buffer of bytes; with nothing remaining at the end. */
    ByteBuffer next() throws IOException {
      bytes.clear();
      offset += file.read(offset, bytes);
      return bytes.flip();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
