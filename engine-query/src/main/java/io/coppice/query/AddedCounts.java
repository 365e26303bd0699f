package io.coppice.query;

import java.io.IOException;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Counts of rows with those added that were known without reading. */
final class AddedCounts implements Rows {
  private final Rows from;
  private final long more;

  /** Rows all of whose columns are counts, which are taken over. */
  AddedCounts(Rows from, long more) {
    this.from = from;
    this.more = more;
  }

  @Override
  public List<ResultColumn> columns() {
    return from.columns();
  }

  @Override
  public boolean next() throws IOException {
    if (!from.next()) {
      return false;
    }
    for (FieldVector vector : from.batch().getFieldVectors()) {
      UInt8Vector counts = (UInt8Vector) vector;
      for (int row = 0; row < from.batch().getRowCount(); row++) {
        counts.set(row, counts.get(row) + more);
      }
    }
    return true;
  }

  @Override
  public VectorSchemaRoot batch() {
    return from.batch();
  }

  @Override
  public void close() throws IOException {
    from.close();
  }
}
