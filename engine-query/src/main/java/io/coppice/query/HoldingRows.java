package io.coppice.query;

import java.io.IOException;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;

/** The rows of another chain, and what must be held as long as they come. */
final class HoldingRows implements Rows {
  private final Rows from;
  private final Subqueries held;

  /** Both are taken over. */
  HoldingRows(Rows from, Subqueries held) {
    this.from = from;
    this.held = held;
  }

  @Override
  public List<ResultColumn> columns() {
    return from.columns();
  }

  @Override
  public boolean next() throws IOException {
    return from.next();
  }

  @Override
  public VectorSchemaRoot batch() {
    return from.batch();
  }

  @Override
  public void close() throws IOException {
    try (held) {
      from.close();
    }
  }
}
