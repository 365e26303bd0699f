package io.coppice.parts.scan;

import io.coppice.base.error.EngineException;
import io.coppice.parts.column.Codes;
import io.coppice.parts.expression.Selector;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * A condition on a LowCardinality column, asked once of each value of a dictionary: rows are looked
 * up by their places in it. Confined to one thread.
 */
final class CodeTest implements Codes {
  private final RowFilter filter;
  private final Selector selector;
  private final ColumnPlan plan;
  private final BufferAllocator allocator;
  private final boolean[] rowsHold;
  private int rows;
  private FieldVector answered;
  private boolean[] holds = new boolean[0];
  private boolean failed;

  CodeTest(
      RowFilter filter,
      Selector selector,
      ColumnPlan plan,
      int rowCount,
      BufferAllocator allocator) {
    this.filter = filter;
    this.selector = selector;
    this.plan = plan;
    this.allocator = allocator;
    this.rowsHold = new boolean[rowCount];
  }

  @Override
  public void dictionary(FieldVector keys) {
    if (answered != keys) {
      answer(keys);
      answered = keys;
    }
  }

  @Override
  public void add(int[] positions, int count) {
    boolean[] answers = holds;
    boolean[] to = rowsHold;
    int at = rows;
    for (int i = 0; i < count; i++) {
      to[at + i] = answers[positions[i]];
    }
    rows += count;
  }

  private void answer(FieldVector keys) {
    int count = keys.getValueCount();
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = i;
    }
    // Keys are found in the column's name; a view of them shares their memory.
    VectorSchemaRoot view =
        new VectorSchemaRoot(
            List.of(
                new org.apache.arrow.vector.types.pojo.Field(
                    plan.name(), keys.getField().getFieldType(), keys.getField().getChildren())),
            List.of(keys),
            count);
    holds = new boolean[count];
    int kept = 0;
    try {
      kept = filter.select(selector, view, numbers, count, allocator);
    } catch (EngineException e) {
      // Perhaps of a value that no row has: then it is no failure.
      failed = true;
    }
    for (int i = 0; i < kept; i++) {
      holds[numbers[i]] = true;
    }
  }

  /** Whether the condition could not be told of a value, so that rows have to be asked. */
  boolean failed() {
    return failed;
  }

  /** Keeps the selected rows that hold at the start of {@code selected}; returns how many. */
  int keep(int[] selected, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      int row = selected[i];
      selected[kept] = row;
      kept += rowsHold[row] ? 1 : 0;
    }
    return kept;
  }
}
