package io.coppice.query;

import io.coppice.parts.column.InMemorySize;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Rows that a statement reads from what is no table, counted. */
final class CountedRows implements Rows {
  private final Rows from;
  private final ReadCounter counter;

  /** Rows, which are taken over. */
  CountedRows(Rows from, ReadCounter counter) {
    this.from = from;
    this.counter = counter;
  }

  @Override
  public List<ResultColumn> columns() {
    return from.columns();
  }

  @Override
  public boolean next() throws IOException {
    boolean more = from.next();
    if (more) {
      VectorSchemaRoot batch = from.batch();
      long bytes = 0;
      for (int i = 0; i < columns().size(); i++) {
        bytes += InMemorySize.of(batch.getVector(i), columns().get(i).type(), batch.getRowCount());
      }
      counter.add(batch.getRowCount(), bytes);
    }
    return more;
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
