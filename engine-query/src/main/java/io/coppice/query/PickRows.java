package io.coppice.query;

import io.coppice.parts.column.Vectors;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/** Some rows of each batch of another chain, and the first of its columns. */
abstract class PickRows implements Rows {
  private final Rows from;
  private final List<ResultColumn> columns;
  private final BufferAllocator allocator;
  private final Schema schema;
  private List<FieldVector> taken = List.of();
  private VectorSchemaRoot batch;

  PickRows(Rows from, int columnCount, BufferAllocator allocator) {
    this.from = from;
    this.columns = List.copyOf(from.columns().subList(0, columnCount));
    this.allocator = allocator;
    this.schema = Batches.schema(columns);
  }

  /**
   * Numbers of the rows that go on, ascending, in {@code rows}, which has room for all.
   *
   * @return how many they are, or -1 when nothing more will come
   */
  abstract int pick(VectorSchemaRoot batch, int[] rows);

  /** Whether no row of what is not read yet will go on. */
  boolean exhausted() {
    return false;
  }

  @Override
  public final List<ResultColumn> columns() {
    return columns;
  }

  @Override
  public final boolean next() throws IOException {
    release();
    while (!exhausted() && from.next()) {
      VectorSchemaRoot source = from.batch();
      int[] rows = new int[source.getRowCount()];
      int count = pick(source, rows);
      if (count < 0) {
        return false;
      }
      if (count == 0) {
        continue;
      }
      List<FieldVector> vectors = source.getFieldVectors().subList(0, columns.size());
      if (count < source.getRowCount()) {
        taken = Batches.take(vectors, rows, count, allocator);
        vectors = taken;
      }
      batch = Batches.of(schema, vectors, count);
      return true;
    }
    return false;
  }

  private void release() {
    Vectors.close(taken);
    taken = List.of();
  }

  @Override
  public final VectorSchemaRoot batch() {
    return batch;
  }

  @Override
  public void close() throws IOException {
    release();
    from.close();
  }
}
