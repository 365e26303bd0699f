package io.coppice.query;

import io.coppice.parts.expression.TypedExpression;
import java.util.BitSet;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** The rows for which a condition holds. */
final class FilterRows extends PickRows {
  private final TypedExpression condition;

  FilterRows(Rows from, TypedExpression condition, BufferAllocator allocator) {
    super(from, from.columns().size(), allocator);
    this.condition = condition;
  }

  @Override
  int pick(VectorSchemaRoot batch, int[] rows) {
    BitSet holds = condition.filter(batch);
    int count = 0;
    for (int row = holds.nextSetBit(0); row >= 0; row = holds.nextSetBit(row + 1)) {
      rows[count++] = row;
    }
    return count;
  }
}
