package io.coppice.parts.column;

import io.coppice.base.bytes.Memory;
import io.coppice.parts.stream.Sink;
import io.coppice.parts.stream.Source;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.vector.FieldVector;

/**
 * Bool: a byte 0 or 1 per row in the file, a bit per row in Arrow. Any byte but 0 reads as true.
 */
final class Bools extends Encoding {
  private static final int CHUNK = 1024;

  private final Substream stream;

  Bools(Substream stream) {
    this.stream = stream;
  }

  @Override
  void dataStreams(List<Substream> to) {
    to.add(stream);
  }

  @Override
  public void write(FieldVector vector, int from, int to, Sinks sinks) throws IOException {
    Sink sink = sinks.at(stream);
    long bits = Vectors.data(vector);
    for (int row = from; row < to; row++) {
      sink.putByte(Vectors.bit(bits, row) ? 1 : 0);
    }
  }

  @Override
  public void read(Sources sources, int rows, FieldVector vector, int at) throws IOException {
    Source source = sources.at(stream);
    byte[] chunk = new byte[Math.min(rows, CHUNK)];
    for (int done = 0; done < rows; ) {
      int n = Math.min(rows - done, chunk.length);
      source.read(chunk, 0, n);
      Vectors.reserve(vector, at + done + n);
      putBits(chunk, n, Vectors.data(vector), at + done);
      done += n;
    }
  }

  /** Writes bits [at, at + n): set where the byte is not 0. */
  static void putBits(byte[] bytes, int n, long bits, int at) {
    int i = 0;
    for (; i < n && (at + i & 7) != 0; i++) {
      putBit(bits, at + i, bytes[i] != 0);
    }
    for (; i + 8 <= n; i += 8) {
      // Each byte becomes 0 or 1 in its lowest bit; a multiplication gathers the eight bits.
      long eight = Memory.getLong(bytes, i);
      eight |= eight >>> 4 & 0x0F0F0F0F0F0F0F0FL;
      eight |= eight >>> 2 & 0x3333333333333333L;
      eight |= eight >>> 1 & 0x5555555555555555L;
      eight &= 0x0101010101010101L;
      Memory.putByte(bits + (at + i >>> 3), (byte) (eight * 0x0102040810204080L >>> 56));
    }
    for (; i < n; i++) {
      putBit(bits, at + i, bytes[i] != 0);
    }
  }

  private static void putBit(long bits, int index, boolean set) {
    if (set) {
      Vectors.setBit(bits, index);
    } else {
      Vectors.clearBit(bits, index);
    }
  }

  @Override
  public void skip(Sources sources, int rows) throws IOException {
    sources.at(stream).skip(rows);
  }
}
