package io.coppice.parts.column;

import io.coppice.parts.stream.Sink;
import io.coppice.parts.stream.Source;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.vector.FieldVector;

/**
 * Nullable: a byte per row that is 1 where the value is NULL, then all values. What lies under a
 * NULL is kept as it is, as ClickHouse keeps it; columns from elsewhere are given defaults there
 * before they are written.
 */
final class Nullables extends Encoding {
  private static final int CHUNK = 1024;

  private final Substream flags;
  private final Encoding inner;
  private final byte[] chunk = new byte[CHUNK];

  Nullables(Substream flags, Encoding inner) {
    this.flags = flags;
    this.inner = inner;
  }

  @Override
  void prefixStreams(List<Substream> to) {
    inner.prefixStreams(to);
  }

  @Override
  void dataStreams(List<Substream> to) {
    to.add(flags);
    inner.dataStreams(to);
  }

  @Override
  public void write(FieldVector vector, int from, int to, Sinks sinks) throws IOException {
    Sink sink = sinks.at(flags);
    boolean nulls = vector.getNullCount() > 0;
    for (int row = from; row < to; ) {
      int n = Math.min(CHUNK, to - row);
      for (int i = 0; i < n; i++) {
        chunk[i] = (byte) (nulls && vector.isNull(row + i) ? 1 : 0);
      }
      sink.write(chunk, 0, n);
      row += n;
    }
    inner.write(vector, from, to, sinks);
  }

  @Override
  public void read(Sources sources, int rows, FieldVector vector, int at) throws IOException {
    Source source = sources.at(flags);
    for (int done = 0; done < rows; ) {
      int n = Math.min(CHUNK, rows - done);
      source.read(chunk, 0, n);
      for (int i = 0; i < n; i++) {
        chunk[i] = (byte) (chunk[i] == 0 ? 1 : 0);
      }
      Vectors.reserve(vector, at + done + n);
      Bools.putBits(chunk, n, vector.getValidityBuffer().memoryAddress(), at + done);
      done += n;
    }
    inner.read(sources, rows, vector, at);
  }

  @Override
  public void skip(Sources sources, int rows) throws IOException {
    sources.at(flags).skip(rows);
    inner.skip(sources, rows);
  }

  @Override
  public void sought() {
    inner.sought();
  }

  @Override
  public void close() {
    inner.close();
  }
}
