package io.coppice.parts.column;

import io.coppice.base.bytes.Memory;
import io.coppice.language.type.DataType;
import io.coppice.parts.stream.Sink;
import io.coppice.parts.stream.Source;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.vector.FieldVector;

/**
 * Values of a fixed width, one after another, little-endian. Where Arrow's value is as wide as the
 * file's the bytes are copied, or decompressed in place; where it is wider (Date in 4 bytes, small
 * decimals in 16) values are widened and cut.
 */
final class FixedWidth extends Encoding {
  /** What fills the bytes that Arrow's value has and the file's has not. */
  enum Widening {
    NONE,
    ZERO,
    SIGN
  }

  private static final int CHUNK_BYTES = 1 << 26;

  private final Substream stream;
  private final int width;
  private final int stride;
  private final Widening widening;

  /**
   * @param width bytes of a value in the file
   * @param stride bytes of a value in the vector, at least {@code width}
   */
  FixedWidth(Substream stream, int width, int stride, Widening widening) {
    this.stream = stream;
    this.width = width;
    this.stride = stride;
    this.widening = widening;
  }

  static FixedWidth plain(Substream stream, DataType type) {
    return new FixedWidth(stream, type.widthBytes(), type.widthBytes(), Widening.NONE);
  }

  int width() {
    return width;
  }

  int stride() {
    return stride;
  }

  @Override
  void dataStreams(List<Substream> to) {
    to.add(stream);
  }

  @Override
  public void write(FieldVector vector, int from, int to, Sinks sinks) throws IOException {
    Sink sink = sinks.at(stream);
    long data = Vectors.data(vector);
    writeRun(data, from, to, sink);
  }

  private void writeRun(long data, int from, int to, Sink sink) throws IOException {
    if (stride == width) {
      sink.write(data + (long) from * width, (long) (to - from) * width);
    } else {
      for (int row = from; row < to; row++) {
        sink.write(data + (long) row * stride, width);
      }
    }
  }

  @Override
  public void read(Sources sources, int rows, FieldVector vector, int at) throws IOException {
    Source source = sources.at(stream);
    int done = 0;
    int most = Math.max(1, CHUNK_BYTES / stride);
    while (done < rows) { // in pieces, so that a wrong count meets the end of data before memory's
      int n = Math.min(rows - done, most);
      Vectors.reserve(vector, at + done + n);
      if (stride == width) {
        source.read(vector.getDataBuffer(), (long) (at + done) * width, (long) n * width);
      } else {
        readWidening(source, n, Vectors.data(vector) + (long) (at + done) * stride);
      }
      done += n;
    }
  }

  private void readWidening(Source source, int rows, long to) throws IOException {
    // The narrow values go to the far end of their own place, then are widened from the front.
    long narrow = to + (long) rows * (stride - width);
    source.read(narrow, (long) rows * width);
    for (int row = 0; row < rows; row++) {
      long from = narrow + (long) row * width;
      long target = to + (long) row * stride;
      if (width == 2) {
        Memory.putInt(target, Memory.getShort(from) & 0xFFFF);
      } else {
        long value = width == 4 ? Memory.getInt(from) : Memory.getLong(from);
        Memory.putLong(target, value);
        Memory.putLong(target + 8, widening == Widening.SIGN ? value >> 63 : 0);
      }
    }
  }

  @Override
  public void skip(Sources sources, int rows) throws IOException {
    sources.at(stream).skip((long) rows * width);
  }
}
