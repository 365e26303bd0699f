package io.coppice.query;

import io.coppice.parts.column.Vectors;
import io.coppice.parts.expression.TypedExpression;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The vectors of expressions over one batch: columns are the batch's own, all else is made here,
 * once for equal expressions, and closed with this.
 */
final class Evaluation implements AutoCloseable {
  private final VectorSchemaRoot batch;
  private final TypedExpression.Batch values;
  private final BufferAllocator allocator;
  private final Map<String, FieldVector> made = new HashMap<>();

  Evaluation(VectorSchemaRoot batch, BufferAllocator allocator) {
    this.batch = batch;
    this.values = new TypedExpression.Batch(batch);
    this.allocator = allocator;
  }

  FieldVector of(TypedExpression expression) {
    if (expression instanceof TypedExpression.ColumnReference column) {
      return batch.getVector(column.name());
    }
    FieldVector vector = made.get(expression.text());
    if (vector == null) {
      vector = expression.evaluate(values, allocator);
      made.put(expression.text(), vector);
    }
    return vector;
  }

  List<FieldVector> of(List<TypedExpression> expressions) {
    List<FieldVector> vectors = new ArrayList<>();
    expressions.forEach(expression -> vectors.add(of(expression)));
    return vectors;
  }

  @Override
  public void close() {
    Vectors.close(List.copyOf(made.values()));
    made.clear();
  }
}
