package io.coppice.query;

import io.coppice.parts.expression.TypedExpression;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/** Columns computed from those of another chain. */
final class ProjectRows implements Rows {
  private final Rows from;
  private final List<ResultColumn> columns;
  private final List<TypedExpression> expressions;
  private final BufferAllocator allocator;
  private final Schema schema;
  private Evaluation evaluation;
  private VectorSchemaRoot batch;

  ProjectRows(
      Rows from,
      List<ResultColumn> columns,
      List<TypedExpression> expressions,
      BufferAllocator allocator) {
    this.from = from;
    this.columns = List.copyOf(columns);
    this.expressions = List.copyOf(expressions);
    this.allocator = allocator;
    this.schema = Batches.schema(columns);
  }

  @Override
  public List<ResultColumn> columns() {
    return columns;
  }

  @Override
  public boolean next() throws IOException {
    release();
    if (!from.next()) {
      return false;
    }
    evaluation = new Evaluation(from.batch(), allocator);
    batch = Batches.of(schema, evaluation.of(expressions), from.batch().getRowCount());
    return true;
  }

  private void release() {
    if (evaluation != null) {
      evaluation.close();
      evaluation = null;
    }
  }

  @Override
  public VectorSchemaRoot batch() {
    return batch;
  }

  @Override
  public void close() throws IOException {
    release();
    from.close();
  }
}
