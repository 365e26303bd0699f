package io.coppice.parquet;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Util;

/**
 * The bytes of a Parquet file: {@code PAR1}, chunks of columns, the footer in Thrift's compact
 * protocol, its length as 4 bytes little-endian, {@code PAR1}. Confined to one thread.
 */
final class ParquetFile implements AutoCloseable {
  static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
  private static final int TAIL_BYTES = 8;
  private static final int MOST_FOOTER_BYTES = 256 << 20;

  private final FileChannel channel;
  private final long size;

  ParquetFile(Path path) throws IOException {
    channel = FileChannel.open(path, StandardOpenOption.READ);
    size = channel.size();
  }

  private ByteBuffer bytes(long at, int count) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, at + buffer.position()) < 0) {
        throw Damage.broken("it ends within %d bytes from %d on", count, at);
      }
    }
    return buffer.flip();
  }

  FileMetaData footer() throws IOException {
    if (size < MAGIC.length + TAIL_BYTES) {
      throw Damage.broken("it has %d bytes", size);
    }
    ByteBuffer tail = bytes(size - TAIL_BYTES, TAIL_BYTES);
    int length = tail.getInt();
    byte[] magic = new byte[MAGIC.length];
    tail.get(magic);
    if (!Arrays.equals(magic, MAGIC)) {
      throw Damage.broken("it does not end with PAR1");
    }
    if (length <= 0 || length > size - TAIL_BYTES - MAGIC.length || length > MOST_FOOTER_BYTES) {
      throw Damage.broken("a footer of %d bytes, the file has %d", length, size);
    }
    return Util.readFileMetaData(
        new ByteArrayInputStream(bytes(size - TAIL_BYTES - length, length).array()));
  }

  /** The bytes of a range, read bit by bit. */
  InputStream range(long from, long count) throws IOException {
    if (from < MAGIC.length || count < 0 || count > size - TAIL_BYTES - from) {
      throw Damage.broken("a chunk of %d bytes at %d, the file has %d", count, from, size);
    }
    return new Range(from, from + count);
  }

  /** Reads the channel from place to place. */
  private final class Range extends InputStream {
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16).flip();
    private final long end;
    private long next;

    Range(long from, long end) {
      this.next = from;
      this.end = end;
    }

    private boolean fill() throws IOException {
      if (!buffer.hasRemaining()) {
        buffer.clear();
        buffer.limit((int) Math.min(buffer.capacity(), end - next));
        int read = buffer.hasRemaining() ? channel.read(buffer, next) : -1;
        buffer.flip();
        next += Math.max(0, read);
      }
      return buffer.hasRemaining();
    }

    @Override
    public int read() throws IOException {
      return fill() ? buffer.get() & 0xFF : -1;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (!fill()) {
        return -1;
      }
      int count = Math.min(length, buffer.remaining());
      buffer.get(to, offset, count);
      return count;
    }

    @Override
    public int available() {
      return (int) Math.min(Integer.MAX_VALUE, end - next + buffer.remaining());
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
