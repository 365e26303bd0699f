package io.coppice.query;

import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Expression.Identifier;
import io.coppice.language.expression.Literal;
import io.coppice.language.statement.Select;
import io.coppice.language.statement.Select.OrderElement;
import io.coppice.parts.scan.IndexReport;
import io.coppice.parts.scan.ScanReport;
import io.coppice.parts.table.TableDefinition;
import io.coppice.query.explain.NullFlags;
import io.coppice.query.explain.PlanStep;
import io.coppice.query.explain.PlanTexts;
import io.coppice.query.explain.PrewhereOrder;
import io.coppice.query.explain.WrittenFilter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The steps of one SELECT as 26.7's EXPLAIN prints them. Reads what indexes say, and no rows.
 * Confined to one thread.
 */
final class SelectExplanation {
  private static final String FILTER =
      "Filter ((WHERE + Change column names to column identifiers))";
  private static final String PREPARED = "ReadFromPreparedSource";

  private final Context context;
  private final SelectPlanner.Resolved resolved;
  private final Select select;
  private final PlanTexts texts;

  /** The condition that keys and indexes are asked about. */
  private final Optional<Expression> condition;

  private final Optional<Expression> where;
  private final NullFlags flags;
  private final PrewhereOrder prewhere;
  private final Optional<ScanReport> report;
  private final boolean grouped;
  private final Set<String> aggregates = new LinkedHashSet<>();
  private final List<FunctionCall> calls = new ArrayList<>();

  SelectExplanation(Context context, SelectPlanner.Resolved given) throws IOException {
    this.context = context;
    this.select = given.select();
    Source source = given.source();
    this.condition = given.where().map(c -> rewritten(source, c)).filter(c -> !always(c));
    List<Expression> all = new ArrayList<>(used(given));
    given.prewhere().ifPresent(all::add);
    this.condition.ifPresent(all::add);
    this.flags = NullFlags.of(flagged(source), all);
    this.where = condition.map(flags::of);
    this.resolved =
        new SelectPlanner.Resolved(
            select,
            source,
            flags.of(given.items()),
            given.prewhere().map(c -> rewritten(source, c)),
            given.where(),
            flags.of(given.keys()),
            given.having().map(flags::of),
            flags.of(given.order()),
            flags.of(given.limitBy()),
            given.limit(),
            given.offset(),
            given.names());
    this.texts =
        new PlanTexts(
            context.compiler(source.types()),
            context.surroundings().zone().getId(),
            resolved.names());
    for (List<Expression> some :
        List.of(resolved.items(), having(), resolved.order(), resolved.limitBy())) {
      some.forEach(this::collect);
    }
    this.grouped = !resolved.keys().isEmpty() || !calls.isEmpty() || select.groupByAll();
    this.prewhere = prewhere();
    this.report = report();
  }

  private Expression rewritten(Source source, Expression condition) {
    return new WrittenFilter(context.compiler(source.types()), source.types()).of(condition);
  }

  /** Columns that may be NULL, of a table, and are in none of its keys and indexes. */
  private static Set<String> flagged(Source source) {
    Set<String> columns = new HashSet<>();
    if (source instanceof TableSource table) {
      TableDefinition definition = table.definition();
      definition.storedColumns().stream()
          .filter(column -> column.type().nullable())
          .forEach(column -> columns.add(column.name()));
      Set<String> keys = new HashSet<>();
      definition.sortingKey().forEach(key -> key.collectNames(keys));
      definition.partitionKey().forEach(key -> key.collectNames(keys));
      definition.indexes().forEach(index -> index.expression().collectNames(keys));
      columns.removeAll(keys);
    }
    return columns;
  }

  private static boolean always(Expression condition) {
    return condition.integerValue().filter(number -> number.signum() != 0).isPresent();
  }

  private boolean never() {
    return where.filter(c -> PrewhereOrder.columns(c).isEmpty()).isPresent();
  }

  /** Whether the condition leaves no part by what is the same in all of it. */
  private boolean noParts() {
    return report.filter(r -> r.parts() == 0).isPresent() && where.isPresent();
  }

  private List<Expression> having() {
    return resolved.having().stream().toList();
  }

  private void collect(Expression expression) {
    if (expression instanceof FunctionCall call && AggregatePlan.aggregates(call)) {
      if (aggregates.add(texts.of(call))) {
        calls.add(call);
      }
    } else {
      expression.children().forEach(this::collect);
    }
  }

  private PrewhereOrder prewhere() throws IOException {
    List<Expression> conditions = where.map(WrittenFilter::conjuncts).orElse(List.of());
    if (resolved.prewhere().isPresent()
        || conditions.isEmpty()
        || !(resolved.source() instanceof TableSource table)) {
      return new PrewhereOrder(List.of(), conditions);
    }
    List<String> key = table.definition().primaryKey().stream().map(ColumnNames::of).toList();
    List<Expression> all = new ArrayList<>(used(resolved));
    where.ifPresent(all::add);
    return PrewhereOrder.of(conditions, columns(all), key, table.columnBytes());
  }

  /** What is computed of rows once the condition is known to hold. */
  private static List<Expression> used(SelectPlanner.Resolved resolved) {
    List<Expression> all = new ArrayList<>(resolved.items());
    all.addAll(resolved.keys());
    resolved.having().ifPresent(all::add);
    all.addAll(resolved.order());
    all.addAll(resolved.limitBy());
    return all;
  }

  /** The columns of expressions, flags of NULL among them. */
  private Set<String> columns(List<Expression> expressions) {
    Set<String> columns = new LinkedHashSet<>();
    for (Expression expression : expressions) {
      for (String name : PrewhereOrder.columns(expression)) {
        if (flags.flag(name)) {
          columns.add(name);
        } else {
          columns.addAll(Needed.columns(List.of(Identifier.of(name)), resolved.source()));
        }
      }
    }
    return columns;
  }

  private Optional<ScanReport> report() throws IOException {
    if (!(resolved.source() instanceof TableSource table)) {
      return Optional.empty();
    }
    List<Expression> conditions = new ArrayList<>();
    resolved.prewhere().ifPresent(conditions::add);
    condition.ifPresent(conditions::add);
    Optional<Expression> both =
        conditions.size() == 2
            ? Optional.of(FunctionCall.of("and", conditions.get(0), conditions.get(1)))
            : conditions.stream().findFirst();
    return Optional.of(table.explain(List.of(), both, onlyCounts()));
  }

  /** How much would be read, as EXPLAIN ESTIMATE tells. */
  List<List<String>> estimate() {
    if (report.isEmpty()) {
      return List.of();
    }
    TableSource table = (TableSource) resolved.source();
    return List.of(
        List.of(
            table.database(),
            table.name(),
            Integer.toString(report.get().partsRead()),
            Long.toString(report.get().rowsChosen() + report.get().rowsCounted()),
            Long.toString(report.get().granulesAfterIndexes())));
  }

  /** The text. */
  List<String> lines(boolean indexes) {
    List<String> lines = new ArrayList<>();
    lines.add("Output: " + texts.list(resolved.items()));
    lines.add("");
    lines.addAll(step(indexes).lines());
    return lines;
  }

  private PlanStep step(boolean indexes) {
    PlanStep step = grouped ? groups(indexes) : rows(indexes);
    if (resolved.having().isPresent()) {
      step =
          PlanStep.over(
              step, "Filter (HAVING)", "Filter column: " + texts.of(resolved.having().get()));
    }
    String columns = "Columns: " + texts.list(resolved.items());
    if (select.distinct()) {
      step = PlanStep.over(step, "Distinct (Preliminary DISTINCT)", columns);
    }
    if (!resolved.order().isEmpty()) {
      step = new PlanStep("Sorting (Sorting for ORDER BY)", sorting(), List.of(step));
    }
    if (select.distinct()) {
      step = PlanStep.over(step, "Distinct (DISTINCT)", columns);
    }
    step = limited(step);
    boolean sets = where.filter(c -> texts.of(c).matches("(?s).*\\bsubquery\\d+\\b.*")).isPresent();
    return sets
        ? PlanStep.over(step, "CreatingSets (Create sets before main query execution)")
        : step;
  }

  private PlanStep limited(PlanStep given) {
    PlanStep step = given;
    if (select.limitBy().isPresent()) {
      Select.LimitBy by = select.limitBy().get();
      step =
          PlanStep.over(
              step,
              "LimitBy",
              "Columns: " + texts.list(resolved.limitBy()),
              "Length " + texts.of(by.limit()),
              "Offset " + by.offset().map(texts::of).orElse("0"));
    }
    if (select.limit().isEmpty()) {
      return select.offset().isPresent()
          ? PlanStep.over(step, "Offset", "Offset " + resolved.offset())
          : step;
    }
    List<String> details = new ArrayList<>();
    details.add("Limit " + resolved.limit());
    details.add("Offset " + resolved.offset());
    String title = early() ? "Limit (preliminary LIMIT)" : "Limit";
    if (select.withTies()) {
      title = "Limit (LIMIT WITH TIES)";
      details.add("WITH TIES");
    }
    return new PlanStep(title, details, List.of(step));
  }

  /** Whether the limit holds already when rows are put in order. */
  private boolean early() {
    return !select.distinct() && select.limitBy().isEmpty() && !select.withTies();
  }

  private List<String> sorting() {
    List<String> details = new ArrayList<>();
    Optional<KeyOrder> inOrder = keyOrder();
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < resolved.order().size(); i++) {
      boolean descending = !select.orderByAll() && select.orderBy().get(i).descending();
      elements.add(texts.of(resolved.order().get(i)) + (descending ? " DESC" : " ASC"));
    }
    String all = String.join(", ", elements);
    if (inOrder.isPresent()) {
      details.add(
          "Prefix sort description: "
              + String.join(", ", elements.subList(0, inOrder.get().elements())));
      details.add("Result sort description: " + all);
    } else {
      details.add("Sort description: " + all);
    }
    if (select.limit().isPresent() && early()) {
      details.add("Limit " + (resolved.limit() + resolved.offset()));
    }
    return details;
  }

  private Optional<KeyOrder> keyOrder() {
    if (grouped
        || select.distinct()
        || select.orderByAll()
        || !(resolved.source() instanceof TableSource table)) {
      return Optional.empty();
    }
    List<OrderElement> written = select.orderBy();
    return KeyOrder.of(
        table.definition(),
        context.compiler(table.types()),
        resolved.order(),
        written,
        resolved.where());
  }

  private PlanStep groups(boolean indexes) {
    List<String> details = new ArrayList<>();
    details.add("Keys: " + texts.list(resolved.keys()));
    if (!aggregates.isEmpty()) {
      details.add("Aggregates: " + String.join(", ", aggregates));
    }
    if (trivialCount()) {
      return new PlanStep(
          "MergingAggregated",
          details,
          List.of(PlanStep.leaf(PREPARED + " (Optimized trivial count)", List.of())));
    }
    Optional<PlanStep> summary = summary(details);
    if (summary.isPresent()) {
      return summary.get();
    }
    Optional<PlanStep> counted = counted(indexes, details);
    if (counted.isPresent()) {
      return counted.get();
    }
    details.add("Skip merging: " + (byPartition() ? 1 : 0));
    return new PlanStep("Aggregating", details, List.of(rows(indexes)));
  }

  private boolean onlyCounts() {
    return grouped
        && resolved.keys().isEmpty()
        && !calls.isEmpty()
        && calls.stream().allMatch(this::countsRows);
  }

  private boolean countsRows(FunctionCall call) {
    return call.name().equals("count")
        && call.arguments().stream()
            .noneMatch(
                argument ->
                    context.compiler(resolved.source().types()).typeOf(argument).nullable());
  }

  private boolean trivialCount() {
    return onlyCounts()
        && where.isEmpty()
        && resolved.prewhere().isEmpty()
        && calls.size() == 1
        && resolved.having().isEmpty()
        && resolved.source() instanceof TableSource
        && resolved.source().rowCount().isPresent()
        && on("optimize_trivial_count_query");
  }

  private boolean on(String setting) {
    return Optional.ofNullable(select.settings().get(setting))
        .or(() -> Optional.ofNullable(context.settings().get(setting)))
        .flatMap(Expression::integerValue)
        .map(value -> value.signum() != 0)
        .orElse(true);
  }

  /** Where parts tell enough without their data. */
  private Optional<PlanStep> summary(List<String> details) {
    if (resolved.prewhere().isPresent()
        || SummaryPlan.of(context, resolved.source(), condition, resolved.keys(), calls)
            .isEmpty()) {
      return Optional.empty();
    }
    PlanStep step = PlanStep.leaf(PREPARED + " (_minmax_count_projection)", List.of());
    if (where.isPresent()) {
      step = PlanStep.over(step, "Filter", "Filter column: " + texts.of(where.get()));
    }
    details.add("Skip merging: 0");
    return Optional.of(new PlanStep("Aggregating", details, List.of(step)));
  }

  /** Where granules need not be read as only the number of their rows is wanted. */
  private Optional<PlanStep> counted(boolean indexes, List<String> details) {
    PlanStep prepared = PlanStep.leaf(PREPARED + " (_exact_count_projection)", List.of());
    if (!onlyCounts() || report.isEmpty() || report.get().rowsCounted() == 0) {
      return Optional.empty();
    }
    if (report.get().rowsChosen() > 0) {
      return Optional.of(
          new PlanStep("AggregatingProjection", List.of(), List.of(rows(indexes), prepared)));
    }
    details.add("Skip merging: 0");
    return Optional.of(new PlanStep("Aggregating", details, List.of(prepared)));
  }

  /** Whether each partition's groups are apart, and there are partitions enough to go by them. */
  private boolean byPartition() {
    if (report.isEmpty() || !grouped) {
      return false;
    }
    TableSource table = (TableSource) resolved.source();
    Set<String> keys = new LinkedHashSet<>();
    resolved.keys().forEach(key -> keys.add(ColumnNames.of(key)));
    boolean apart =
        table.definition().partitionKey().stream().allMatch(element -> determined(element, keys));
    Map<String, Long> rows = report.get().rowsByPartition();
    int threads = threads();
    long all = rows.values().stream().mapToLong(Long::longValue).sum();
    long most = rows.values().stream().mapToLong(Long::longValue).max().orElse(0);
    return apart
        && rows.size() != 1
        && rows.size() >= threads / 2
        && rows.size() <= 128
        && most <= all / threads * 2;
  }

  private int threads() {
    return Optional.ofNullable(select.settings().get("max_threads"))
        .or(() -> Optional.ofNullable(context.settings().get("max_threads")))
        .flatMap(Expression::integerValue)
        .map(java.math.BigInteger::intValue)
        .filter(number -> number > 0)
        .orElse(context.engine().config().threads());
  }

  private static boolean determined(Expression element, Set<String> keys) {
    if (keys.contains(ColumnNames.of(element))) {
      return true;
    }
    return element.bare() instanceof FunctionCall call
        && !call.arguments().isEmpty()
        && call.arguments().stream()
            .allMatch(argument -> argument instanceof Literal || determined(argument, keys));
  }

  private PlanStep rows(boolean indexes) {
    PlanStep step = source(indexes);
    List<Expression> left = prewhere.left();
    if (left.isEmpty()) {
      return step;
    }
    Expression waiting =
        left.size() == 1 ? left.get(0) : new FunctionCall("and", List.of(), left, false);
    return PlanStep.over(step, FILTER, "Filter column: " + texts.of(waiting));
  }

  private PlanStep source(boolean indexes) {
    Source source = resolved.source();
    if (!(source instanceof TableSource table)) {
      return other();
    }
    List<String> details = new ArrayList<>();
    Optional<KeyOrder> order = keyOrder();
    details.add(
        "Read type: "
            + order.map(o -> o.reversed() ? "InReverseOrder" : "InOrder").orElse("Default"));
    if (!never() && !noParts()) {
      details.add(
          "Parts: "
              + report.orElseThrow().partsRead()
              + " | Granules: "
              + report.orElseThrow().granulesAfterIndexes());
      if (byPartition()) {
        details.add("Read each partition through separate port: 1");
      }
    }
    details.add("Output: " + output());
    List<Expression> first = resolved.prewhere().map(List::of).orElse(prewhere.moved());
    if (!first.isEmpty()) {
      Expression moved =
          first.size() == 1 ? first.get(0) : new FunctionCall("and", List.of(), first, false);
      details.add("Prewhere filter");
      details.add("Prewhere filter column:  " + texts.of(moved));
    }
    if (indexes && !never() && !noParts()) {
      details.addAll(indexes());
    }
    return PlanStep.leaf(
        "ReadFromMergeTree (" + table.database() + "." + table.name() + ")", details);
  }

  /** The columns that come of a table: those looked at first, then others in the order of use. */
  private String output() {
    List<Expression> all = new ArrayList<>(resolved.items());
    all.addAll(prewhere.left());
    all.addAll(resolved.keys());
    resolved.having().ifPresent(all::add);
    all.addAll(resolved.order());
    all.addAll(resolved.limitBy());
    Set<String> needed = columns(all);
    Set<String> first = columns(prewhere.moved());
    resolved.prewhere().ifPresent(moved -> first.addAll(columns(List.of(moved))));
    List<String> columns = new ArrayList<>();
    needed.stream().filter(first::contains).forEach(columns::add);
    needed.stream().filter(column -> !first.contains(column)).forEach(columns::add);
    return columns.isEmpty() ? "Empty" : String.join(", ", columns);
  }

  private PlanStep other() {
    if (select.from().isEmpty()) {
      return PlanStep.leaf("ReadFromSystemOne", List.of());
    }
    Select.Source from = select.from().get();
    String output = "Output: " + output();
    if (from instanceof Select.Source.Function function) {
      return switch (function.call().name()) {
        case "numbers" -> PlanStep.leaf("ReadFromSystemNumbers", List.of(output));
        case "values" -> PlanStep.leaf("ReadFromStorage (Values)", List.of());
        default -> PlanStep.leaf("ReadFromStorage (" + function.call().name() + ")", List.of());
      };
    }
    if (from instanceof Select.Source.Table table) {
      String name = table.name().table();
      return switch (name) {
        case "one" -> PlanStep.leaf("ReadFromSystemOne", List.of());
        case "numbers" -> PlanStep.leaf("ReadFromSystemNumbers", List.of(output));
        case "tables" -> PlanStep.leaf("ReadFromSystemTables", List.of(output));
        default -> PlanStep.leaf("ReadFromStorage (" + name + ")", List.of(output));
      };
    }
    return PlanStep.leaf("ReadFromRows", List.of(output));
  }

  private List<String> indexes() {
    ScanReport read = report.orElseThrow();
    List<String> lines = new ArrayList<>();
    lines.add("Indexes:");
    List<IndexReport> steps = read.indexes().isEmpty() ? unasked(read) : read.indexes();
    for (IndexReport index : steps) {
      if (index.kind().equals("Skip") && index.partsBefore() == 0) {
        continue;
      }
      lines.add("  " + index.kind());
      if (!index.name().isEmpty()) {
        lines.add("    Name: " + index.name());
        lines.add("    Description: " + index.description());
      } else if (!index.keys().isEmpty()) {
        lines.add("    Keys:");
        index.keys().forEach(key -> lines.add("      " + key));
      }
      if (!index.condition().isEmpty()) {
        lines.add("    Condition: " + index.condition());
      }
      lines.add("    Parts: " + index.parts() + "/" + index.partsBefore());
      lines.add("    Granules: " + index.granules() + "/" + index.granulesBefore());
      if (!index.algorithm().isEmpty() && index.granulesBefore() > 0) {
        lines.add("    Search Algorithm: " + index.algorithm());
      }
    }
    lines.add("  Ranges: " + read.ranges());
    return lines;
  }

  /** What is told of indexes that nothing was asked of. */
  private List<IndexReport> unasked(ScanReport read) {
    List<String> kinds =
        ((TableSource) resolved.source()).definition().partitionKey().isEmpty()
            ? List.of("PrimaryKey")
            : List.of("Min-Max", "Partition", "PrimaryKey");
    return kinds.stream()
        .map(
            kind ->
                new IndexReport(
                    kind,
                    "",
                    "",
                    List.of(),
                    "true",
                    "",
                    read.parts(),
                    read.parts(),
                    read.granules(),
                    read.granules()))
        .toList();
  }
}
