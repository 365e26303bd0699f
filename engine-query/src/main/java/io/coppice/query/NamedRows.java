package io.coppice.query;

import java.io.IOException;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/** The rows of another chain under other names. */
final class NamedRows implements Rows {
  private final Rows from;
  private final List<ResultColumn> columns;
  private final Schema schema;

  /**
   * @param columns as many as the chain's, with their types
   */
  NamedRows(Rows from, List<ResultColumn> columns) {
    this.from = from;
    this.columns = List.copyOf(columns);
    this.schema = Batches.schema(columns);
  }

  @Override
  public List<ResultColumn> columns() {
    return columns;
  }

  @Override
  public boolean next() throws IOException {
    return from.next();
  }

  @Override
  public VectorSchemaRoot batch() {
    VectorSchemaRoot batch = from.batch();
    return Batches.of(schema, batch.getFieldVectors(), batch.getRowCount());
  }

  @Override
  public void close() throws IOException {
    from.close();
  }
}
