package io.coppice.parts.expression;

import io.coppice.language.type.DataType.LowCardinalityType;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.Vectors;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * One of the conditions that must all hold: narrows a selection of rows. Comparisons of a column
 * with a constant are made where the values lie, all else on columns of the rows still selected.
 *
 * <p>Immutable; any thread may use it.
 */
public final class Selector {
  private final TypedExpression condition;
  private final Set<String> columns;

  private Selector(TypedExpression condition) {
    this.condition = condition;
    this.columns = condition.columns();
  }

  /**
   * The conditions that an expression joins by {@code and}, the cheapest first. A row is kept by
   * all of them exactly when the expression is true for it.
   *
   * @param condition filterable
   */
  public static List<Selector> of(TypedExpression condition) {
    List<TypedExpression> parts = new ArrayList<>();
    split(condition, parts);
    return parts.stream()
        .map(Selector::new)
        .sorted(Comparator.comparingInt(Selector::cost))
        .toList();
  }

  private static void split(TypedExpression condition, List<TypedExpression> to) {
    boolean splits =
        condition instanceof TypedExpression.FunctionResult call
            && call.function().equals("and")
            && call.arguments().stream().allMatch(TypedExpression::filterable);
    if (splits) {
      ((TypedExpression.FunctionResult) condition).arguments().forEach(part -> split(part, to));
    } else {
      to.add(condition);
    }
  }

  private int cost() {
    if (columns.isEmpty()) {
      return 0;
    }
    ArgumentTest test = test();
    if (test instanceof ArgumentTest.Longs || test instanceof ArgumentTest.Doubles) {
      return 1;
    }
    return test != null ? 2 : 3;
  }

  /** The test that this is of a column as it lies, or null. */
  private ArgumentTest test() {
    if (!(condition instanceof TypedExpression.FunctionResult call)) {
      return null;
    }
    ArgumentTest test = call.test().orElse(null);
    boolean ofColumn =
        test != null
            && call.arguments().get(test.argument()) instanceof TypedExpression.ColumnReference;
    return ofColumn ? test : null;
  }

  /** The columns it looks at. */
  public Set<String> columns() {
    return columns;
  }

  /** The condition as text. */
  public String text() {
    return condition.text();
  }

  /** Whether equal values have the same answer, whenever it is asked. */
  public boolean repeatable() {
    return condition.repeatable();
  }

  /**
   * Whether it may be asked of each value of a LowCardinality column once rather than of each row:
   * it looks at that column alone and has always the same answer.
   */
  public boolean byValue() {
    return columns.size() == 1
        && repeatable()
        && condition.columnTypes().stream().allMatch(t -> t instanceof LowCardinalityType);
  }

  /**
   * Keeps the numbers of rows for which the condition is true at the start of {@code rows}.
   *
   * @param batch borrowed; it has the columns
   * @param rows ascending numbers of {@code count} rows
   * @return how many are kept
   */
  public int select(VectorSchemaRoot batch, int[] rows, int count, BufferAllocator allocator) {
    if (count == 0) {
      return 0;
    }
    ArgumentTest test = test();
    if (test != null) {
      FieldVector vector = batch.getVector(columns.iterator().next());
      if (test.takes(vector) && vector.getNullCount() == 0) {
        return test.select(vector, rows, count);
      }
    }
    return count < batch.getRowCount() / 2 && !columns.isEmpty()
        ? selectFew(batch, rows, count, allocator)
        : keep(condition.filter(batch), rows, count);
  }

  private static int keep(BitSet holds, int[] rows, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (holds.get(rows[i])) {
        rows[kept++] = rows[i];
      }
    }
    return kept;
  }

  /** The condition over the selected rows alone. */
  private int selectFew(VectorSchemaRoot batch, int[] rows, int count, BufferAllocator allocator) {
    List<FieldVector> few = new ArrayList<>();
    try {
      for (String column : columns) {
        few.add(Gather.take(batch.getVector(column), rows, count, allocator));
      }
      VectorSchemaRoot view =
          new VectorSchemaRoot(few.stream().map(FieldVector::getField).toList(), few, count);
      BitSet holds = condition.filter(view);
      int kept = 0;
      for (int i = 0; i < count; i++) {
        if (holds.get(i)) {
          rows[kept++] = rows[i];
        }
      }
      return kept;
    } finally {
      Vectors.close(few);
    }
  }
}
