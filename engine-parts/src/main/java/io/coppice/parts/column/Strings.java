package io.coppice.parts.column;

import io.coppice.base.bytes.Memory;
import io.coppice.parts.stream.Sink;
import io.coppice.parts.stream.Source;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;

/**
 * Strings, in one of two forms.
 *
 * <pre>
 *   one stream          per row: varint size, bytes
 *   with size stream    X.size: UInt64 size per row;  X: the bytes of all rows
 * </pre>
 */
final class Strings extends Encoding {
  private static final int SIZES_AT_ONCE = 1024;
  private static final long TRUSTED_BYTES = 1L << 26;

  private final Optional<Substream> sizes;
  private final Substream bytes;
  private final byte[] chunk = new byte[SIZES_AT_ONCE * 8];

  Strings(Optional<Substream> sizes, Substream bytes) {
    this.sizes = sizes;
    this.bytes = bytes;
  }

  @Override
  void dataStreams(List<Substream> to) {
    sizes.ifPresent(to::add);
    to.add(bytes);
  }

  @Override
  public void write(FieldVector vector, int from, int to, Sinks sinks) throws IOException {
    if (from == to) {
      return;
    }
    long offsets = Vectors.offsets(vector);
    long data = vector.getDataBuffer().memoryAddress();
    if (sizes.isPresent()) {
      Sink sizeSink = sinks.at(sizes.get());
      for (int row = from; row < to; row++) {
        sizeSink.putLong(
            Memory.getInt(offsets + (row + 1) * 4L) - (long) Memory.getInt(offsets + row * 4L));
      }
      int start = Memory.getInt(offsets + from * 4L);
      sinks.at(bytes).write(data + start, Memory.getInt(offsets + to * 4L) - (long) start);
      return;
    }
    Sink sink = sinks.at(bytes);
    for (int row = from; row < to; row++) {
      int start = Memory.getInt(offsets + row * 4L);
      int size = Memory.getInt(offsets + (row + 1) * 4L) - start;
      sink.putVarUInt(size);
      sink.write(data + start, size);
    }
  }

  @Override
  public void read(Sources sources, int rows, FieldVector target, int at) throws IOException {
    if (rows == 0) {
      return;
    }
    BaseVariableWidthVector vector = (BaseVariableWidthVector) target;
    if (sizes.isPresent()) {
      readWithSizes(sources, rows, vector, at);
    } else {
      readOneStream(sources.at(bytes), rows, vector, at);
    }
  }

  private static long startAt(BaseVariableWidthVector vector, int at) {
    if (at == 0) {
      Memory.putInt(Vectors.offsets(vector), 0);
      return 0;
    }
    return Memory.getInt(Vectors.offsets(vector) + at * 4L);
  }

  private void readWithSizes(Sources sources, int rows, BaseVariableWidthVector vector, int at)
      throws IOException {
    Source sizeSource = sources.at(sizes.get());
    Vectors.reserve(vector, at + Math.min(rows, SIZES_AT_ONCE));
    long begin = startAt(vector, at);
    long end = begin;
    for (int done = 0; done < rows; ) {
      int n = Math.min(rows - done, SIZES_AT_ONCE);
      sizeSource.read(chunk, 0, n * 8);
      Vectors.reserve(vector, at + done + n);
      long offsets = Vectors.offsets(vector) + (at + done + 1) * 4L;
      for (int i = 0; i < n; i++) {
        long size = Memory.getLong(chunk, i * 8);
        if (size < 0 || size > Vectors.MOST_BYTES - end) {
          sizeSource.checkedCount(size, Vectors.MOST_BYTES - end, "bytes of a string");
        }
        end += size;
        Memory.putInt(offsets + i * 4L, (int) end);
      }
      done += n;
    }
    Source source = sources.at(bytes);
    long read = begin;
    while (read < end) { // in pieces: wrong sizes meet the end of the data before that of memory
      long n = Math.min(end - read, Math.max(TRUSTED_BYTES, read - begin));
      Vectors.reserveBytes(vector, read + n, bytes.name());
      source.read(vector.getDataBuffer(), read, n);
      read += n;
    }
  }

  private void readOneStream(Source source, int rows, BaseVariableWidthVector vector, int at)
      throws IOException {
    Vectors.reserve(vector, at + Math.min(rows, SIZES_AT_ONCE));
    long begin = startAt(vector, at);
    long end = begin;
    for (int row = 0; row < rows; row++) {
      if (row % SIZES_AT_ONCE == 0) {
        Vectors.reserve(vector, at + Math.min(rows, row + SIZES_AT_ONCE));
      }
      int size = source.readCount(Vectors.MOST_BYTES - end, "bytes of a string");
      int left = size;
      while (left > 0) {
        int n = (int) Math.min(left, Math.max(TRUSTED_BYTES, end - begin));
        if (vector.getDataBuffer().capacity() < end + n) {
          Vectors.reserveBytes(
              vector,
              Math.min(Vectors.MOST_BYTES, Math.max(end + n, (end - begin) * 2 + begin)),
              bytes.name());
        }
        source.read(vector.getDataBuffer().memoryAddress() + end, n);
        end += n;
        left -= n;
      }
      Memory.putInt(Vectors.offsets(vector) + (at + row + 1) * 4L, (int) end);
    }
  }

  @Override
  public void skip(Sources sources, int rows) throws IOException {
    if (sizes.isPresent()) {
      Source sizeSource = sources.at(sizes.get());
      long total = 0;
      for (int row = 0; row < rows; row++) {
        total +=
            sizeSource.checkedCount(sizeSource.readLong(), Vectors.MOST_BYTES, "bytes of a string");
      }
      sources.at(bytes).skip(total);
      return;
    }
    Source source = sources.at(bytes);
    for (int row = 0; row < rows; row++) {
      source.skip(source.readCount(Vectors.MOST_BYTES, "bytes of a string"));
    }
  }
}
