package io.coppice.parts.scan;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.statement.Column.DefaultKind;
import io.coppice.language.type.DataType;
import io.coppice.parts.expression.ColumnExpression;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.Surroundings;
import io.coppice.parts.expression.TypedExpression;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;

/** Finds out how each column of a scan is come by. Confined to one thread. */
final class ScanPlanner {
  private final Map<String, DataType> types;
  private final Optional<TableDefinition> table;
  private final Optional<VirtualColumns> virtual;
  private final Surroundings surroundings;
  private final Map<String, ColumnPlan> plans = new LinkedHashMap<>();

  ScanPlanner(
      Map<String, DataType> types,
      Optional<TableDefinition> table,
      Optional<VirtualColumns> virtual,
      Surroundings surroundings) {
    this.virtual = virtual;
    this.surroundings = surroundings;
    this.types = types;
    this.table = table;
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
    if (virtual.isPresent() && virtual.get().types().containsKey(column)) {
      ColumnPlan plan = ColumnPlan.virtual(column, virtual.get());
      plans.put(column, plan);
      return plan;
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
    Optional<ColumnPlan.Computed> computed =
        table
            .flatMap(t -> t.column(column))
            .filter(c -> c.expression().isPresent())
            .map(this::computed);
    ColumnPlan plan = new ColumnPlan(column, type, computed, Optional.empty());
    plans.put(column, plan);
    computed.ifPresent(c -> c.columns().forEach(this::need));
    return plan;
  }

  private ColumnPlan.Computed computed(ColumnDefinition column) {
    ColumnExpression compiled =
        ColumnExpression.of(
            column.name(),
            column.defaultKind().name(),
            column.type(),
            column.expression().orElseThrow(),
            ExpressionCompiler.of(types).in(surroundings));
    Field field = ArrowMapping.field(column.name(), column.type());
    boolean alias = column.defaultKind() == DefaultKind.ALIAS;
    return new ColumnPlan.Computed() {
      @Override
      public List<String> columns() {
        return List.copyOf(compiled.columns());
      }

      @Override
      public FieldVector evaluate(VectorSchemaRoot batch, BufferAllocator allocator) {
        return compiled.evaluate(batch, field, allocator);
      }

      @Override
      public boolean always() {
        return alias;
      }
    };
  }

  /** The condition, compiled; plans the columns it looks at. */
  RowFilter filter(Expression condition) {
    TypedExpression compiled =
        ExpressionCompiler.of(withVirtual()).in(surroundings).compile(condition);
    if (!compiled.filterable()) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_TYPE_OF_ARGUMENT,
          "the condition %s has type %s, expected a truth value",
          condition.text(),
          compiled.type().text());
    }
    compiled.columns().forEach(this::need);
    return new RowFilter(condition, compiled);
  }

  private Map<String, DataType> withVirtual() {
    Map<String, DataType> all = new LinkedHashMap<>(types);
    virtual.ifPresent(columns -> all.putAll(columns.types()));
    return all;
  }

  Pruning pruning(
      Expression condition, MarkCache cache, PartPruning.Asking asking, BufferAllocator allocator) {
    return new PartPruning(condition, table.orElseThrow(), withVirtual(), cache, asking, allocator);
  }
}
