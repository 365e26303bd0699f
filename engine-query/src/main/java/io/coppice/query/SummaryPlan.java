package io.coppice.query;

import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Expression.Identifier;
import io.coppice.language.expression.Literal;
import io.coppice.language.type.DataType;
import io.coppice.parts.aggregate.AggregateFunctions;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.TypedExpression;
import io.coppice.parts.scan.PartSummaries;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Groups of which parts tell enough, so that no data need be read: by elements of the partition key
 * or not at all, with count, and min and max of what {@link PartSummaries} knows, where the
 * condition is about nothing else. Immutable.
 */
final class SummaryPlan {
  private final Context context;
  private final TableSource table;
  private final Map<String, DataType> types;
  private final Optional<Expression> where;
  private final List<Expression> keys;
  private final List<FunctionCall> calls;

  private SummaryPlan(
      Context context,
      TableSource table,
      Map<String, DataType> types,
      Optional<Expression> where,
      List<Expression> keys,
      List<FunctionCall> calls) {
    this.context = context;
    this.table = table;
    this.types = types;
    this.where = where;
    this.keys = List.copyOf(keys);
    this.calls = List.copyOf(calls);
  }

  /**
   * The plan, if parts may tell enough.
   *
   * @param keys of GROUP BY, resolved
   * @param calls of aggregate functions, resolved
   */
  static Optional<SummaryPlan> of(
      Context context,
      Source source,
      Optional<Expression> where,
      List<Expression> keys,
      List<FunctionCall> calls) {
    if (!(source instanceof TableSource table) || calls.isEmpty()) {
      return Optional.empty();
    }
    TableDefinition definition = table.definition();
    Map<String, DataType> types = PartSummaries.types(definition);
    Set<String> told = new LinkedHashSet<>(types.keySet());
    definition.storedColumns().forEach(column -> told.remove(column.name()));
    definition.partitionKey().forEach(key -> told.add(PartSummaries.element(key)));
    Rewriting rewriting = new Rewriting(definition, told);
    ExpressionCompiler before = context.compiler(table.types());
    ExpressionCompiler after = context.compiler(types);
    List<Expression> newKeys = new ArrayList<>();
    for (Expression key : keys) {
      Optional<Expression> rewritten = rewriting.of(key);
      if (rewritten.isEmpty() || !after.typeOf(rewritten.get()).equals(before.typeOf(key))) {
        return Optional.empty();
      }
      newKeys.add(rewritten.get());
    }
    List<FunctionCall> newCalls = new ArrayList<>();
    for (FunctionCall call : calls) {
      Optional<FunctionCall> rewritten = call(call, types, before);
      if (rewritten.isEmpty()) {
        return Optional.empty();
      }
      newCalls.add(rewritten.get());
    }
    Optional<Expression> newWhere = Optional.empty();
    if (where.isPresent()) {
      newWhere = rewriting.of(where.get());
      if (newWhere.isEmpty() || before.compile(where.get()).columns().isEmpty()) {
        return Optional.empty();
      }
    }
    return Optional.of(new SummaryPlan(context, table, types, newWhere, newKeys, newCalls));
  }

  /** What is computed of parts instead of rows. */
  private static Optional<FunctionCall> call(
      FunctionCall call, Map<String, DataType> types, ExpressionCompiler compiler) {
    if (call.name().equals("count")
        && call.arguments().stream().noneMatch(argument -> compiler.typeOf(argument).nullable())) {
      return Optional.of(FunctionCall.of("sum", Identifier.of(PartSummaries.ROWS)));
    }
    boolean least = call.name().equals("min");
    if ((least || call.name().equals("max"))
        && call.arguments().size() == 1
        && call.arguments().get(0) instanceof Identifier column) {
      String name =
          least ? PartSummaries.least(column.name()) : PartSummaries.greatest(column.name());
      return types.containsKey(name)
          ? Optional.of(FunctionCall.of(call.name(), Identifier.of(name)))
          : Optional.empty();
    }
    return Optional.empty();
  }

  /** Makes expressions over rows ones over parts. */
  private record Rewriting(TableDefinition table, Set<String> told) {
    Optional<Expression> of(Expression expression) {
      if (expression instanceof Literal) {
        return Optional.of(expression);
      }
      String name = PartSummaries.element(expression);
      boolean element =
          table.partitionKey().stream().anyMatch(key -> PartSummaries.element(key).equals(name));
      if (element || expression instanceof Identifier && told.contains(name)) {
        return Optional.of(Identifier.of(name));
      }
      if (!(expression instanceof FunctionCall call)
          || call.arguments().isEmpty()
          || !ExpressionCompiler.deterministic(call.name())) {
        return Optional.empty();
      }
      List<Expression> arguments = new ArrayList<>();
      for (Expression argument : call.arguments()) {
        Optional<Expression> rewritten = of(argument);
        if (rewritten.isEmpty()) {
          return Optional.empty();
        }
        arguments.add(rewritten.get());
      }
      return Optional.of(new FunctionCall(call.name(), call.parameters(), arguments, false));
    }
  }

  /**
   * The groups; empty if a part does not tell what it should.
   *
   * @param keyColumns names and types of the keys
   * @param names of the aggregate functions' columns
   */
  Optional<Rows> open(List<ResultColumn> keyColumns, List<String> names) throws IOException {
    ExpressionCompiler compiler = context.compiler(types);
    List<TypedExpression> compiledKeys = keys.stream().map(compiler::compile).toList();
    List<GroupRows.Aggregate> aggregates = new ArrayList<>();
    Set<String> wanted = new LinkedHashSet<>();
    compiledKeys.forEach(key -> wanted.addAll(key.columns()));
    for (int i = 0; i < calls.size(); i++) {
      List<TypedExpression> arguments =
          calls.get(i).arguments().stream().map(compiler::compile).toList();
      arguments.forEach(argument -> wanted.addAll(argument.columns()));
      aggregates.add(
          new GroupRows.Aggregate(
              names.get(i),
              AggregateFunctions.resolve(
                  calls.get(i).name(),
                  List.of(),
                  arguments.stream().map(TypedExpression::type).toList()),
              arguments));
    }
    Optional<TypedExpression> filter =
        where.map(condition -> Conditions.compile(context, condition, types));
    filter.ifPresent(condition -> wanted.addAll(condition.columns()));
    List<String> columns = List.copyOf(wanted);
    Optional<PartSummaries> summaries = table.summaries(columns);
    if (summaries.isEmpty()) {
      return Optional.empty();
    }
    Rows rows =
        new FixedRows(
            columns.stream().map(name -> new ResultColumn(name, types.get(name))).toList(),
            summaries.get().vectors(),
            summaries.get().parts());
    if (filter.isPresent()) {
      rows = new FilterRows(rows, filter.get(), context.allocator());
    }
    return Optional.of(
        new GroupRows(
            GroupRows.ofRows(rows, compiledKeys, aggregates, context.allocator()),
            keyColumns,
            aggregates));
  }
}
