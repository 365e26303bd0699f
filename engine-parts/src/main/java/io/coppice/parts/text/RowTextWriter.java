package io.coppice.parts.text;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** A format that is text row by row: what is common to all of them. Confined to one thread. */
abstract class RowTextWriter implements BatchWriter {
  private static final int FLUSH_BYTES = 1 << 16;

  /** Text that is not in the stream yet. */
  final TextBuffer buffer = new TextBuffer();

  private final OutputStream out;
  private long rows;

  RowTextWriter(OutputStream out) {
    this.out = out;
  }

  /** Rows written so far. */
  final long rows() {
    return rows;
  }

  /** Appends a row to the buffer. */
  abstract void row(List<FieldVector> vectors, int row);

  /** Appends what belongs at the end. */
  void end() {}

  @Override
  public final void write(VectorSchemaRoot batch) throws IOException {
    List<FieldVector> vectors = batch.getFieldVectors();
    for (int row = 0; row < batch.getRowCount(); row++) {
      row(vectors, row);
      rows++;
      if (buffer.size() >= FLUSH_BYTES) {
        flush();
      }
    }
    flush();
  }

  final void flush() throws IOException {
    buffer.writeTo(out);
    buffer.clear();
  }

  @Override
  public final void close() throws IOException {
    end();
    flush();
    out.flush();
  }
}
