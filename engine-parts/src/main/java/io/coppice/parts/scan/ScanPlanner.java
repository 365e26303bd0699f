package io.coppice.parts.scan;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.type.DataType;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.TableDefinition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;

/** Finds out how each column of a scan is come by. Confined to one thread. */
final class ScanPlanner {
  private final Map<String, DataType> types;
  private final Optional<TableDefinition> table;
  private final List<LoadedPart> parts;
  private final Map<String, ColumnPlan> plans = new LinkedHashMap<>();

  ScanPlanner(
      Map<String, DataType> types, Optional<TableDefinition> table, List<LoadedPart> parts) {
    this.types = types;
    this.table = table;
    this.parts = parts;
  }

  Map<String, ColumnPlan> plans() {
    return plans;
  }

  /** Plans a column and what it is computed from. */
  ColumnPlan need(String column) {
    ColumnPlan known = plans.get(column);
    if (known != null) {
      return known;
    }
    DataType type = types.get(column);
    if (type == null) {
      throw EngineException.of(
          ErrorCode.THERE_IS_NO_COLUMN,
          "there is no column %s; there are %s",
          column,
          String.join(", ", types.keySet()));
    }
    if (!ArrowMapping.readable(type)) {
      throw ArrowMapping.unreadable(column, type);
    }
    ColumnPlan plan = ColumnPlan.stored(column, type);
    plans.put(column, plan);
    return plan;
  }

  RowFilter filter(Expression condition) {
    throw new AssertionError("filter " + condition + table + parts);
  }

  Pruning pruning(Expression condition, BufferAllocator allocator) {
    throw new AssertionError("pruning " + condition + allocator);
  }
}
