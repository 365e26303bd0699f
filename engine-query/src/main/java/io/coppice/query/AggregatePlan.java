package io.coppice.query;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Expression.Identifier;
import io.coppice.language.expression.Expression.Lambda;
import io.coppice.language.expression.Literal;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.aggregate.AggregateFunctions;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.TypedExpression;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt8Vector;

/** The groups of a SELECT: its keys, and the aggregate functions found in its expressions. */
final class AggregatePlan {
  private final Context context;
  private final ExpressionCompiler compiler;
  private final List<Expression> keys;
  private final List<ResultColumn> keyColumns = new ArrayList<>();
  private final List<TypedExpression> compiledKeys = new ArrayList<>();
  private final Map<Expression, String> names = new LinkedHashMap<>();
  private final List<GroupRows.Aggregate> aggregates = new ArrayList<>();
  private final List<FunctionCall> calls = new ArrayList<>();
  private final Map<String, DataType> types = new LinkedHashMap<>();

  /** Names that lambdas around what is rewritten give to elements. */
  private final Set<String> parameters = new HashSet<>();

  /**
   * @param source types of the columns that are read
   * @param keys resolved
   */
  AggregatePlan(Context context, Map<String, DataType> source, List<Expression> keys) {
    this.context = context;
    this.compiler = context.compiler(source);
    this.keys = List.copyOf(keys);
    for (Expression key : keys) {
      if (names.containsKey(key)) {
        continue;
      }
      refuseAggregates(key, "GROUP BY");
      TypedExpression compiled = compiler.compile(key);
      ResultColumn column = new ResultColumn(free(ColumnNames.of(key)), compiled.type());
      compiledKeys.add(compiled);
      keyColumns.add(column);
      names.put(key, column.name());
      types.put(column.name(), column.type());
    }
  }

  /** Whether an aggregate function is in a resolved expression. */
  static boolean in(Expression expression) {
    return expression instanceof FunctionCall call && AggregateFunctions.known(call.name())
        || expression.children().stream().anyMatch(AggregatePlan::in);
  }

  /** Whether a call is one of an aggregate function. */
  static boolean aggregates(FunctionCall call) {
    return AggregateFunctions.known(call.name());
  }

  /** Refuses aggregate functions where they have no meaning. */
  static void refuseAggregates(Expression expression, String where) {
    if (in(expression)) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_AGGREGATION,
          "%s: there is an aggregate function in %s",
          expression.text(),
          where);
    }
  }

  private String free(String name) {
    String free = name;
    for (int i = 1; types.containsKey(free); i++) {
      free = name + " " + i;
    }
    return free;
  }

  /**
   * A resolved expression over the groups: keys and aggregates are columns by now.
   *
   * @throws EngineException NOT_AN_AGGREGATE for a column that has many values in a group
   */
  Expression rewrite(Expression expression) {
    String known = names.get(expression);
    if (known != null) {
      return Identifier.of(known);
    }
    if (expression instanceof Identifier identifier) {
      if (parameters.contains(identifier.parts().get(0))) {
        return identifier;
      }
      throw EngineException.of(
          ErrorCode.NOT_AN_AGGREGATE,
          "column %s is neither in GROUP BY nor in an aggregate function",
          identifier.text());
    }
    if (expression instanceof Lambda lambda) {
      Set<String> outer = Set.copyOf(parameters);
      parameters.addAll(lambda.parameters());
      Expression body = rewrite(lambda.body());
      parameters.retainAll(outer);
      return new Lambda(lambda.parameters(), body);
    }
    if (!(expression instanceof FunctionCall call)) {
      return expression;
    }
    if (AggregateFunctions.known(call.name())) {
      return Identifier.of(aggregate(call));
    }
    return new FunctionCall(
        call.name(),
        call.parameters(),
        call.arguments().stream().map(this::rewrite).toList(),
        false);
  }

  private String aggregate(FunctionCall call) {
    call.arguments().forEach(argument -> refuseAggregates(argument, call.name()));
    List<TypedExpression> arguments = call.arguments().stream().map(compiler::compile).toList();
    List<Number> parameters = new ArrayList<>();
    for (Expression parameter : call.parameters()) {
      if (parameter instanceof Literal.FloatLiteral number) {
        parameters.add(number.value());
      } else {
        parameters.add(Constants.count(context, call.name(), parameter));
      }
    }
    AggregateFunctions.Resolved function =
        AggregateFunctions.resolve(
            call.name(), parameters, arguments.stream().map(TypedExpression::type).toList());
    String name = free(ColumnNames.of(call));
    aggregates.add(
        new GroupRows.Aggregate(
            name, function, function.name().equals("count") ? counted(arguments) : arguments));
    calls.add(call);
    names.put(call, name);
    types.put(name, function.type());
    return name;
  }

  /** What count looks at: nothing when its argument is never NULL. */
  private static List<TypedExpression> counted(List<TypedExpression> arguments) {
    return arguments.stream().noneMatch(argument -> argument.type().nullable())
        ? List.of()
        : arguments;
  }

  /** Columns after grouping, those found so far. */
  Map<String, DataType> types() {
    return types;
  }

  /** Whether nothing but the number of rows is asked. */
  boolean onlyCounts() {
    return keys.isEmpty()
        && !aggregates.isEmpty()
        && aggregates.stream()
            .allMatch(a -> a.function().name().equals("count") && a.arguments().isEmpty());
  }

  /** The names of the columns that keys and aggregates read. */
  List<String> columns() {
    List<String> columns = new ArrayList<>();
    compiledKeys.forEach(key -> columns.addAll(key.columns()));
    aggregates.forEach(a -> a.arguments().forEach(arg -> columns.addAll(arg.columns())));
    return columns.stream().distinct().toList();
  }

  /** The groups of a source's rows for which a condition holds. */
  Rows open(Source source, Optional<Expression> where) throws IOException {
    Optional<SummaryPlan> summary =
        keyColumns.size() == keys.size()
            ? SummaryPlan.of(context, source, where, keys, calls)
            : Optional.empty();
    if (summary.isPresent()) {
      List<String> columns = aggregates.stream().map(GroupRows.Aggregate::name).toList();
      Optional<Rows> rows = summary.get().open(keyColumns, columns);
      if (rows.isPresent()) {
        return rows.get();
      }
    }
    Supplier<GroupStates> states =
        () -> new GroupStates(compiledKeys, aggregates, context.allocator());
    boolean counting = where.isPresent() && onlyCounts();
    Optional<RunStates> runs =
        RunStates.of(
            sinks -> source.openRuns(columns(), where, counting, sinks), states, context.read());
    long counted = runs.map(RunStates::countedUnread).orElse(0L);
    GroupRows.States all =
        runs.isPresent()
            ? runs.get()
            : GroupRows.ofRows(
                source.open(columns(), where), compiledKeys, aggregates, context.allocator());
    Rows rows = new GroupRows(all, keyColumns, aggregates);
    return counted > 0 ? new AddedCounts(rows, counted) : rows;
  }

  /** The one group of rows of which only the number is asked. */
  Rows counted(long rowCount) {
    List<ResultColumn> columns =
        aggregates.stream().map(a -> new ResultColumn(a.name(), PlainType.UINT64)).toList();
    List<FieldVector> vectors = Batches.vectors(columns, context.allocator());
    for (FieldVector vector : vectors) {
      ((UInt8Vector) vector).setSafe(0, rowCount);
      vector.setValueCount(1);
    }
    return new FixedRows(columns, vectors, 1);
  }
}
