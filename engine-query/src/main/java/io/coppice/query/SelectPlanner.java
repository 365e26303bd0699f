package io.coppice.query;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Literal;
import io.coppice.language.statement.Select;
import io.coppice.language.type.DataType;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.TypedExpression;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Makes a chain of one SELECT: rows that pass WHERE, their groups and HAVING, the columns asked for
 * and those that only order needs, DISTINCT, ORDER BY, LIMIT BY, LIMIT.
 */
final class SelectPlanner {
  private final Context context;
  private final QueryPlanner planner;
  private final Select select;
  private Names names;
  private List<Expression> rawItems = List.of();
  private final List<Expression> outputs = new ArrayList<>();
  private final List<ResultColumn> columns = new ArrayList<>();
  private final List<TypedExpression> compiled = new ArrayList<>();

  SelectPlanner(Context context, QueryPlanner planner, Select select) {
    this.context = context;
    this.planner = planner;
    this.select = select;
  }

  Rows plan() throws IOException {
    refuse(select.withTotals(), "WITH TOTALS");
    refuse(select.orderBy().stream().anyMatch(o -> o.collation().isPresent()), "COLLATE");
    Settings.check(select.settings());
    try (Source source =
        select.from().isPresent() ? planner.source(select.from().get()) : planner.one()) {
      Subqueries subqueries = new Subqueries(context, planner);
      boolean done = false;
      try {
        Rows rows = plan(source, subqueries);
        done = true;
        return subqueries.holding(rows);
      } finally {
        if (!done) {
          subqueries.close();
        }
      }
    }
  }

  /**
   * A SELECT whose names are resolved.
   *
   * @param items what is selected
   * @param where the condition on rows, without that of PREWHERE
   * @param keys of GROUP BY
   * @param names of what subqueries gave
   */
  record Resolved(
      Select select,
      Source source,
      List<Expression> items,
      Optional<Expression> prewhere,
      Optional<Expression> where,
      List<Expression> keys,
      Optional<Expression> having,
      List<Expression> order,
      List<Expression> limitBy,
      long limit,
      long offset,
      Function<Expression, Optional<String>> names) {}

  /** Finds out what would be done, without doing it; subqueries in expressions are run. */
  SelectExplanation explain() throws IOException {
    try (Source source =
            select.from().isPresent() ? planner.source(select.from().get()) : planner.one();
        Subqueries subqueries = new Subqueries(context, planner)) {
      names = new Names(source, subqueries);
      collectAliases();
      rawItems = select.items().stream().flatMap(item -> names.expand(item).stream()).toList();
      List<Expression> items = rawItems.stream().map(names::resolveItem).toList();
      List<Expression> by =
          select
              .limitBy()
              .map(limitBy -> limitBy.by().stream().map(e -> positional(e, items)).toList())
              .orElse(List.of());
      Limits limits = limits();
      Optional<Expression> prewhere = select.prewhere().map(names::resolve);
      Optional<Expression> where = both(sampled(source), select.where().map(names::resolve));
      return new SelectExplanation(
          context,
          new Resolved(
              select,
              source,
              items,
              prewhere,
              where,
              keys(items),
              select.having().map(names::resolve),
              order(items),
              by,
              limits.limit(),
              limits.offset(),
              subqueries::setName));
    }
  }

  private static void refuse(boolean asked, String what) {
    if (asked) {
      throw EngineException.of(ErrorCode.NOT_IMPLEMENTED, "%s is not served yet", what);
    }
  }

  private Rows plan(Source source, Subqueries subqueries) throws IOException {
    names = new Names(source, subqueries);
    if (select.finalRead()) {
      source.refuseFinal();
    }
    Optional<Expression> sampled = sampled(source);
    collectAliases();
    rawItems = select.items().stream().flatMap(item -> names.expand(item).stream()).toList();
    if (rawItems.isEmpty()) {
      throw EngineException.of(
          ErrorCode.EMPTY_LIST_OF_COLUMNS_PASSED, "SELECT names no column that there is");
    }
    List<Expression> items = rawItems.stream().map(names::resolveItem).toList();
    Optional<Expression> where = both(sampled, where());
    List<Expression> order = order(items);
    Optional<Expression> having = select.having().map(names::resolve);
    List<Expression> limitBy =
        select
            .limitBy()
            .map(by -> by.by().stream().map(e -> positional(e, items)).toList())
            .orElse(List.of());
    List<Expression> all =
        Stream.of(items, order, having.stream().toList(), limitBy).flatMap(List::stream).toList();
    boolean grouped =
        !select.groupBy().isEmpty()
            || select.groupByAll()
            || all.stream().anyMatch(AggregatePlan::in);
    AggregatePlan groups = grouped ? new AggregatePlan(context, source.types(), keys(items)) : null;
    List<Expression> shown = grouped ? items.stream().map(groups::rewrite).toList() : items;
    List<Expression> ordered = grouped ? order.stream().map(groups::rewrite).toList() : order;
    List<Expression> by = grouped ? limitBy.stream().map(groups::rewrite).toList() : limitBy;
    Optional<Expression> kept = grouped ? having.map(groups::rewrite) : having;
    Map<String, DataType> types = grouped ? groups.types() : source.types();
    addItems(items, shown, types);
    int visible = outputs.size();
    int[] orderColumns = hidden(ordered, "order", types);
    int[] byColumns = hidden(by, "by", types);
    Optional<TypedExpression> filter =
        kept.map(condition -> Conditions.compile(context, condition, types));
    Limits limits = limits();

    Optional<Rows> inOrder =
        grouped || select.distinct() || select.orderByAll()
            ? Optional.empty()
            : inOrder(source, where, order, Needed.columns(read(items, order, by, kept), source));
    Rows rows;
    if (inOrder.isPresent()) {
      rows = inOrder.get();
    } else if (grouped && where.isEmpty() && groups.onlyCounts() && source.rowCount().isPresent()) {
      rows = groups.counted(source.rowCount().getAsLong());
    } else {
      rows =
          grouped
              ? groups.open(source, where)
              : source.open(
                  List.copyOf(Needed.columns(read(items, order, by, kept), source)), where);
    }
    boolean done = false;
    try {
      if (filter.isPresent()) {
        rows = new FilterRows(rows, filter.get(), context.allocator());
      }
      rows = new ProjectRows(rows, columns, compiled, context.allocator());
      rows = ordered(rows, visible, orderColumns, byColumns, limits, inOrder.isPresent());
      done = true;
      return rows;
    } finally {
      if (!done) {
        rows.close();
      }
    }
  }

  /** The rows of a table in the order asked for, if that is the one of its key. */
  private Optional<Rows> inOrder(
      Source source, Optional<Expression> where, List<Expression> order, Set<String> needed)
      throws IOException {
    if (order.isEmpty() || !(source instanceof TableSource table)) {
      return Optional.empty();
    }
    Optional<KeyOrder> keyOrder =
        KeyOrder.of(
            table.definition(), context.compiler(source.types()), order, select.orderBy(), where);
    if (keyOrder.isEmpty()) {
      return Optional.empty();
    }
    List<String> columns = List.copyOf(needed);
    List<MergedRows.Key> keys = new ArrayList<>();
    for (int i = 0; i < order.size(); i++) {
      String name = ((Expression.Identifier) order.get(i)).name();
      Select.OrderElement element = select.orderBy().get(i);
      keys.add(
          new MergedRows.Key(
              columns.indexOf(name),
              source.types().get(name),
              element.descending(),
              element.nullsFirst().orElse(false)));
    }
    if (keys.stream().anyMatch(key -> key.column() < 0)) {
      return Optional.empty(); // an element of a column, which has no vector of its own
    }
    long wanted = limits().wanted(select.limitBy().isPresent() || select.withTies());
    return table.openInOrder(columns, where, keyOrder.get(), keys, wanted);
  }

  private static List<Expression> read(
      List<Expression> items,
      List<Expression> order,
      List<Expression> by,
      Optional<Expression> having) {
    return Stream.of(items, order, by, having.stream().toList()).flatMap(List::stream).toList();
  }

  private void collectAliases() {
    select.items().forEach(names::collect);
    select.prewhere().ifPresent(names::collect);
    select.where().ifPresent(names::collect);
    select.groupBy().forEach(names::collect);
    select.having().ifPresent(names::collect);
    select.orderBy().forEach(element -> names.collect(element.expression()));
    planner.values().forEach(names::alias);
  }

  private Optional<Expression> where() {
    List<Expression> conditions = new ArrayList<>();
    select.prewhere().map(names::resolve).ifPresent(conditions::add);
    select.where().map(names::resolve).ifPresent(conditions::add);
    conditions.forEach(condition -> AggregatePlan.refuseAggregates(condition, "WHERE"));
    return switch (conditions.size()) {
      case 0 -> Optional.empty();
      case 1 -> Optional.of(conditions.get(0));
      default -> Optional.of(FunctionCall.of("and", conditions.get(0), conditions.get(1)));
    };
  }

  /** The condition by which SAMPLE chooses rows, and what {@code _sample_factor} is then. */
  private Optional<Expression> sampled(Source source) {
    if (select.sample().isEmpty()) {
      return Optional.empty();
    }
    Sampling sampling = Sampling.of(select.sample().get(), source.samplingKey());
    names.alias("_sample_factor", sampling.factor());
    return sampling.condition(names, context.compiler(source.types()));
  }

  private static Optional<Expression> both(Optional<Expression> a, Optional<Expression> b) {
    return a.isPresent() && b.isPresent()
        ? Optional.of(FunctionCall.of("and", a.get(), b.get()))
        : a.or(() -> b);
  }

  private List<Expression> order(List<Expression> items) {
    return select.orderByAll()
        ? items
        : select.orderBy().stream().map(o -> positional(o.expression(), items)).toList();
  }

  private List<Expression> keys(List<Expression> items) {
    return select.groupByAll()
        ? items.stream().filter(item -> !AggregatePlan.in(item)).toList()
        : select.groupBy().stream().map(key -> positional(key, items)).toList();
  }

  /** The item of that number where a whole number stands, else what is written. */
  private Expression positional(Expression written, List<Expression> items) {
    if (!(written instanceof Literal.IntegerLiteral number)) {
      return names.resolve(written);
    }
    BigInteger place = number.value();
    if (place.signum() <= 0 || place.compareTo(BigInteger.valueOf(items.size())) > 0) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS,
          "position %s is not one of the %d columns of SELECT",
          place,
          items.size());
    }
    return items.get(place.intValue() - 1);
  }

  private void addItems(
      List<Expression> resolved, List<Expression> shown, Map<String, DataType> types) {
    ExpressionCompiler compiler = context.compiler(types);
    for (int i = 0; i < shown.size(); i++) {
      TypedExpression expression = compiler.compile(shown.get(i));
      boolean plainColumn =
          resolved.get(i) instanceof Expression.Identifier
              && !(rawItems.get(i) instanceof Expression.Aliased);
      String name =
          plainColumn
              ? ColumnNames.of(resolved.get(i))
              : ColumnNames.of(names.unqualified(rawItems.get(i)));
      outputs.add(shown.get(i));
      columns.add(new ResultColumn(name, expression.type()));
      compiled.add(expression);
    }
  }

  /** The numbers of the columns that hold expressions, which are added where no item is one. */
  private int[] hidden(List<Expression> wanted, String label, Map<String, DataType> types) {
    int[] places = new int[wanted.size()];
    for (int i = 0; i < places.length; i++) {
      places[i] = outputs.indexOf(wanted.get(i));
      if (places[i] < 0) {
        TypedExpression expression = context.compiler(types).compile(wanted.get(i));
        places[i] = outputs.size();
        outputs.add(wanted.get(i));
        columns.add(new ResultColumn(label + " " + (i + 1), expression.type()));
        compiled.add(expression);
      }
    }
    return places;
  }

  private record Limits(long limit, long offset, long by, long byOffset) {
    /** How many rows of an order matter. */
    long wanted(boolean limitBy) {
      return limitBy || limit > Long.MAX_VALUE - offset ? Long.MAX_VALUE : limit + offset;
    }
  }

  private Limits limits() {
    return new Limits(
        select.limit().map(e -> count("LIMIT", e)).orElse(Long.MAX_VALUE),
        select.offset().map(e -> count("OFFSET", e)).orElse(0L),
        select.limitBy().map(by -> count("LIMIT BY", by.limit())).orElse(0L),
        select.limitBy().flatMap(Select.LimitBy::offset).map(e -> count("OFFSET", e)).orElse(0L));
  }

  private long count(String what, Expression expression) {
    return Constants.count(context, what, names.resolve(expression));
  }

  private Rows ordered(
      Rows projected,
      int visible,
      int[] orderColumns,
      int[] byColumns,
      Limits limits,
      boolean inOrder) {
    Rows rows = projected;
    if (select.distinct()) {
      int[] shown = IntStream.range(0, visible).toArray();
      rows = new LimitByRows(rows, shown, 1, 0, context.allocator());
    }
    List<SortRows.Key> keys = new ArrayList<>();
    Set<Integer> seen = new HashSet<>();
    for (int i = 0; i < orderColumns.length; i++) {
      if (!seen.add(orderColumns[i])) {
        continue;
      }
      Optional<Select.OrderElement> element =
          select.orderByAll() ? Optional.empty() : Optional.of(select.orderBy().get(i));
      keys.add(
          new SortRows.Key(
              orderColumns[i],
              element.map(Select.OrderElement::descending).orElse(false),
              element.flatMap(Select.OrderElement::nullsFirst).orElse(false)));
    }
    if (!keys.isEmpty() && !inOrder) {
      long wanted = limits.wanted(select.limitBy().isPresent() || select.withTies());
      rows = new SortRows(rows, keys, wanted, context.allocator());
    }
    if (select.limitBy().isPresent()) {
      rows = new LimitByRows(rows, byColumns, limits.by(), limits.byOffset(), context.allocator());
    }
    if (select.withTies()) {
      int[] ties = keys.stream().mapToInt(SortRows.Key::column).toArray();
      return new TiesRows(
          rows, ties, limits.limit(), limits.offset(), visible, context.allocator());
    }
    boolean limited = limits.limit() < Long.MAX_VALUE || limits.offset() > 0;
    return limited || visible < columns.size()
        ? new LimitRows(rows, limits.limit(), limits.offset(), visible, context.allocator())
        : rows;
  }
}
