package io.coppice.parts.scan;

import io.coppice.base.error.EngineException;
import io.coppice.language.expression.Expression;
import io.coppice.parts.expression.Selector;
import io.coppice.parts.expression.TypedExpression;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * A condition on rows as conditions that must all hold, the cheapest first: each is asked of the
 * rows that those before it left. Immutable; any thread may use it.
 */
final class RowFilter {
  private final String text;
  private final List<Selector> selectors;

  RowFilter(Expression condition, TypedExpression compiled) {
    this.text = condition.text();
    this.selectors = Selector.of(compiled);
  }

  /** The conditions in the order in which they are to be asked. */
  List<Selector> selectors() {
    return selectors;
  }

  /** The columns that it looks at. */
  Set<String> columns() {
    Set<String> columns = new LinkedHashSet<>();
    selectors.forEach(selector -> columns.addAll(selector.columns()));
    return columns;
  }

  /**
   * Keeps the rows for which one of the conditions holds at the start of {@code rows}; returns how
   * many. The batch is borrowed and has the columns that the condition looks at.
   */
  int select(
      Selector selector, VectorSchemaRoot batch, int[] rows, int count, BufferAllocator allocator) {
    try {
      return selector.select(batch, rows, count, allocator);
    } catch (EngineException e) {
      throw e.within("condition " + text);
    }
  }
}
