package io.coppice.parts.column;

import io.coppice.base.bytes.Memory;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.parts.stream.Sink;
import io.coppice.parts.stream.Source;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;

/**
 * Arrays, and maps as arrays of pairs: UInt64 per row, then the elements of all rows. In parts the
 * number is the row's count of elements; in Native it is the count of this row and all before it in
 * the block.
 */
final class Arrays extends Encoding {
  private static final int SIZES_AT_ONCE = 1024;

  private final Substream sizes;
  private final Encoding element;
  private final boolean cumulative;
  private final byte[] chunk = new byte[SIZES_AT_ONCE * 8];

  Arrays(Substream sizes, Encoding element, boolean cumulative) {
    this.sizes = sizes;
    this.element = element;
    this.cumulative = cumulative;
  }

  @Override
  void prefixStreams(List<Substream> to) {
    element.prefixStreams(to);
  }

  @Override
  void indexBytes(List<Integer> to) {
    element.indexBytes(to);
  }

  @Override
  void dataStreams(List<Substream> to) {
    to.add(sizes);
    element.dataStreams(to);
  }

  @Override
  public void writePrefix(Sinks sinks) throws IOException {
    element.writePrefix(sinks);
  }

  @Override
  public void write(FieldVector vector, int from, int to, Sinks sinks) throws IOException {
    if (from == to) {
      return;
    }
    ListVector list = (ListVector) vector;
    long offsets = Vectors.offsets(list);
    Sink sink = sinks.at(sizes);
    int first = Memory.getInt(offsets + from * 4L);
    int previous = first;
    for (int row = from; row < to; row++) {
      int end = Memory.getInt(offsets + (row + 1) * 4L);
      sink.putLong(cumulative ? end - first : end - previous);
      previous = end;
    }
    if (first == previous) {
      element.visit(sinks);
    } else {
      element.write(list.getDataVector(), first, previous, sinks);
    }
  }

  @Override
  public void writeSuffix(Sinks sinks) throws IOException {
    element.writeSuffix(sinks);
  }

  @Override
  public void readPrefix(Sources sources) throws IOException {
    element.readPrefix(sources);
  }

  @Override
  public void read(Sources sources, int rows, FieldVector vector, int at) throws IOException {
    if (rows == 0) {
      return;
    }
    ListVector list = (ListVector) vector;
    Source source = sources.at(sizes);
    Vectors.reserve(list, at + Math.min(rows, SIZES_AT_ONCE));
    if (at == 0) {
      Memory.putInt(Vectors.offsets(list), 0);
    }
    int begin = Memory.getInt(Vectors.offsets(list) + at * 4L);
    long end = begin;
    for (int done = 0; done < rows; ) {
      int n = Math.min(rows - done, SIZES_AT_ONCE);
      source.read(chunk, 0, n * 8);
      Vectors.reserve(list, at + done + n);
      long offsets = Vectors.offsets(list) + (at + done + 1) * 4L;
      for (int i = 0; i < n; i++) {
        long size = Memory.getLong(chunk, i * 8);
        if (cumulative) {
          size -= end - begin;
        }
        if (size < 0 || size > Vectors.MOST_BYTES - end) {
          throw tooLarge(source, size, end);
        }
        end += size;
        Memory.putInt(offsets + i * 4L, (int) end);
      }
      done += n;
    }
    element.read(sources, (int) end - begin, list.getDataVector(), begin);
  }

  private EngineException tooLarge(Source source, long size, long end) {
    return EngineException.of(
        ErrorCode.TOO_LARGE_ARRAY_SIZE,
        "%s: an array of %s elements behind %d others in one batch, at most %d fit",
        source.place(),
        Long.toUnsignedString(size),
        end,
        Vectors.MOST_BYTES);
  }

  @Override
  public void skip(Sources sources, int rows) throws IOException {
    Source source = sources.at(sizes);
    long total = 0;
    for (int row = 0; row < rows; row++) {
      long size = source.readLong();
      if (size < 0 || size > Vectors.MOST_BYTES) {
        throw tooLarge(source, size, total);
      }
      total = cumulative ? size : total + size;
      if (total > Vectors.MOST_BYTES) {
        throw tooLarge(source, size, total);
      }
    }
    element.skip(sources, (int) total);
  }

  @Override
  public void sought() {
    element.sought();
  }

  @Override
  public void close() {
    element.close();
  }
}
