package io.coppice.query;

import java.io.IOException;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/** The rows of several chains of equal types, one after the other, under the names of the first. */
final class UnionRows implements Rows {
  private final List<Rows> parts;
  private final Schema schema;
  private int at;
  private VectorSchemaRoot batch;

  UnionRows(List<Rows> parts) {
    this.parts = List.copyOf(parts);
    this.schema = Batches.schema(columns());
  }

  @Override
  public List<ResultColumn> columns() {
    return parts.get(0).columns();
  }

  @Override
  public boolean next() throws IOException {
    while (at < parts.size()) {
      Rows part = parts.get(at);
      if (part.next()) {
        batch = Batches.of(schema, part.batch().getFieldVectors(), part.batch().getRowCount());
        return true;
      }
      at++;
    }
    return false;
  }

  @Override
  public VectorSchemaRoot batch() {
    return batch;
  }

  @Override
  public void close() throws IOException {
    Closing.all(parts);
  }
}
