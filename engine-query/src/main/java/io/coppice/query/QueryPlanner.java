package io.coppice.query;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.Table;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Expression.Identifier;
import io.coppice.language.expression.Literal;
import io.coppice.language.statement.Query;
import io.coppice.language.statement.Select;
import io.coppice.language.statement.TableName;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.TypedExpression;
import io.coppice.query.system.SystemTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Makes chains of rows of queries. What WITH names around a query is known in it too. */
final class QueryPlanner {
  private final Context context;
  private final Map<String, Query.Body> queries;
  private final Map<String, Expression> values;

  private QueryPlanner(
      Context context, Map<String, Query.Body> queries, Map<String, Expression> values) {
    this.context = context;
    this.queries = queries;
    this.values = values;
  }

  static QueryPlanner of(Context context) {
    return new QueryPlanner(context, Map.of(), Map.of());
  }

  /** A planner that knows what WITH names as well. */
  QueryPlanner with(List<Select.With> elements) {
    Map<String, Query.Body> moreQueries = new LinkedHashMap<>(queries);
    Map<String, Expression> moreValues = new LinkedHashMap<>(values);
    for (Select.With element : elements) {
      if (element instanceof Select.With.Table table) {
        moreQueries.put(table.name(), table.body());
      } else if (element instanceof Select.With.Value value) {
        moreValues.put(value.name(), value.expression());
      }
    }
    return new QueryPlanner(context, moreQueries, moreValues);
  }

  /** The expressions that WITH names. */
  Map<String, Expression> values() {
    return values;
  }

  /** The rows of a query; the caller closes them. */
  Rows plan(Query.Body body) throws IOException {
    return body instanceof Select select
        ? new SelectPlanner(context, with(select.with()), select).plan()
        : union((Query.Union) body);
  }

  private Rows union(Query.Union union) throws IOException {
    for (Query.Operator operator : union.operators()) {
      switch (operator) {
        case UNION_ALL, UNION_DISTINCT -> {}
        case UNION ->
            throw EngineException.of(
                ErrorCode.EXPECTED_ALL_OR_DISTINCT, "UNION needs ALL or DISTINCT behind it");
        default ->
            throw EngineException.of(
                ErrorCode.NOT_IMPLEMENTED, "%s is not served yet", operator.text());
      }
    }
    List<Rows> parts = new ArrayList<>();
    boolean done = false;
    try {
      for (Query.Body operand : union.operands()) {
        parts.add(plan(operand));
      }
      unify(parts);
      List<Rows> open = new ArrayList<>(List.of(parts.get(0)));
      for (int i = 0; i < union.operators().size(); i++) {
        open.add(parts.get(i + 1));
        if (union.operators().get(i) == Query.Operator.UNION_DISTINCT) {
          open = new ArrayList<>(List.of(distinct(new UnionRows(open))));
        }
      }
      Rows all = open.size() == 1 ? open.get(0) : new UnionRows(open);
      done = true;
      return all;
    } finally {
      if (!done) {
        Closing.all(parts);
      }
    }
  }

  private Rows distinct(Rows rows) {
    int[] all = IntStream.range(0, rows.columns().size()).toArray();
    return new LimitByRows(rows, all, 1, 0, context.allocator());
  }

  /** Gives all parts the types that each column has in common. */
  private void unify(List<Rows> parts) {
    List<ResultColumn> columns = new ArrayList<>(parts.get(0).columns());
    for (Rows part : parts) {
      if (part.columns().size() != columns.size()) {
        throw EngineException.of(
            ErrorCode.UNION_ALL_RESULT_STRUCTURES_MISMATCH,
            "the queries of a UNION give %d and %d columns",
            columns.size(),
            part.columns().size());
      }
      for (int i = 0; i < columns.size(); i++) {
        DataType common = common(columns.get(i).type(), part.columns().get(i).type());
        columns.set(i, new ResultColumn(columns.get(i).name(), common));
      }
    }
    for (int i = 0; i < parts.size(); i++) {
      parts.set(i, converted(parts.get(i), columns));
    }
  }

  private DataType common(DataType a, DataType b) {
    if (a.equals(b)) {
      return a;
    }
    Map<String, DataType> types = Map.of("c", PlainType.UINT8, "a", a, "b", b);
    return context
        .compiler(types)
        .typeOf(FunctionCall.of("if", Identifier.of("c"), Identifier.of("a"), Identifier.of("b")));
  }

  /** The rows with their columns as other types. */
  Rows converted(Rows rows, List<ResultColumn> to) {
    boolean same = true;
    for (int i = 0; i < to.size(); i++) {
      same &= rows.columns().get(i).type().equals(to.get(i).type());
    }
    if (same) {
      return rows;
    }
    // Columns may share a name; they are told apart by their places.
    List<ResultColumn> placed = new ArrayList<>();
    for (int i = 0; i < to.size(); i++) {
      placed.add(new ResultColumn("column " + i, rows.columns().get(i).type()));
    }
    Rows renamed = new NamedRows(rows, placed);
    List<TypedExpression> expressions = new ArrayList<>();
    for (int i = 0; i < to.size(); i++) {
      Expression column = Identifier.of("column " + i);
      boolean kept = placed.get(i).type().equals(to.get(i).type());
      expressions.add(
          context
              .compiler(renamed.types())
              .compile(
                  kept
                      ? column
                      : FunctionCall.of(
                          "CAST", column, new Literal.StringLiteral(to.get(i).type().text()))));
    }
    return new ProjectRows(renamed, to, expressions, context.allocator());
  }

  /** What a FROM names. */
  Source source(Select.Source from) throws IOException {
    if (from instanceof Select.Source.Table named) {
      TableName name = named.name();
      Query.Body query = name.database().isEmpty() ? queries.get(name.table()) : null;
      if (query != null) {
        Optional<String> alias = named.alias().or(() -> Optional.of(name.table()));
        return new RowsSource(context, plan(query), alias);
      }
      InputTable input = name.database().isEmpty() ? context.inputs().get(name.table()) : null;
      if (input != null) {
        Optional<String> alias = named.alias().or(() -> Optional.of(name.table()));
        return new RowsSource(context, counted(input.open(context)), alias);
      }
      TableName full = name.in(context.database());
      if (full.database().orElseThrow().equals(SystemTables.DATABASE)) {
        return system(full.table(), named.alias());
      }
      Table table = context.engine().table(full);
      return new TableSource(context, table, named.alias());
    }
    if (from instanceof Select.Source.Subquery subquery) {
      return new RowsSource(context, plan(subquery.body()), subquery.alias());
    }
    Select.Source.Function function = (Select.Source.Function) from;
    return new RowsSource(
        context, counted(new TableFunctions(context).open(function.call())), function.alias());
  }

  private Rows counted(Rows rows) {
    return new CountedRows(rows, context.read());
  }

  private Source system(String table, Optional<String> alias) {
    return switch (table) {
      case "one" -> one(alias.or(() -> Optional.of(table)));
      case "numbers" ->
          new RowsSource(
              context,
              counted(new NumbersRows(0, -1, context.blockRows(), context.allocator())),
              alias.or(() -> Optional.of(table)));
      default -> new SystemSource(context, SystemTables.table(table), alias);
    };
  }

  /** What a SELECT without FROM reads. */
  Source one() {
    return one(Optional.empty());
  }

  private Source one(Optional<String> alias) {
    return new RowsSource(
        context, counted(FixedRows.number("dummy", 0, context.allocator())), alias);
  }

  /** All visible columns of a table, or of what WITH names, if there is one of that name. */
  Optional<Rows> table(TableName name) {
    boolean named = name.database().isEmpty() && queries.containsKey(name.table());
    TableName full = name.in(context.database());
    boolean system = full.database().orElseThrow().equals(SystemTables.DATABASE);
    if (!named && !system && context.engine().findTable(full).isEmpty()) {
      return Optional.empty();
    }
    try {
      Source source = source(new Select.Source.Table(name, Optional.empty()));
      return Optional.of(
          source.open(
              source.visible().stream().map(ResultColumn::name).toList(), Optional.empty()));
    } catch (IOException e) {
      throw new EngineException(
          ErrorCode.CANNOT_READ_FROM_FILE_DESCRIPTOR, name.text() + " can't be read: " + e, e);
    }
  }
}
