package io.coppice.query;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Literal;
import io.coppice.language.statement.Explain;
import io.coppice.language.statement.Query;
import io.coppice.language.statement.Select;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * EXPLAIN of a query: its steps from the last to the first, and with {@code indexes = 1} what each
 * index of the table left; or how much would be read. Texts are ClickHouse's.
 */
final class Explanations {
  private static final String INDEXES = "indexes";
  private static final List<String> ESTIMATE =
      List.of("database", "table", "parts", "rows", "marks");

  private final Context context;

  Explanations(Context context) {
    this.context = context;
  }

  Rows explain(Explain explain) throws IOException {
    if (!(explain.statement() instanceof Query query)) {
      throw refused("EXPLAIN of another statement than a query");
    }
    return switch (explain.kind()) {
      case SYNTAX -> {
        onlySettings(explain.settings(), List.of());
        yield lines(query.text().lines().toList());
      }
      case PLAN -> {
        onlySettings(explain.settings(), List.of(INDEXES));
        boolean indexes =
            explain.settings().get(INDEXES) instanceof Literal.IntegerLiteral number
                && number.value().signum() != 0;
        yield lines(planned(query).lines(indexes));
      }
      case ESTIMATE -> {
        onlySettings(explain.settings(), List.of());
        yield FixedRows.counts(ESTIMATE, 2, planned(query).estimate(), context.allocator());
      }
      case AST -> throw refused("EXPLAIN AST; EXPLAIN SYNTAX prints the query");
      case PIPELINE -> throw refused("EXPLAIN PIPELINE; EXPLAIN prints the steps");
    };
  }

  private static EngineException refused(String what) {
    return EngineException.of(ErrorCode.NOT_IMPLEMENTED, "%s: this is not served", what);
  }

  private static void onlySettings(Map<String, Literal> settings, List<String> served) {
    for (String name : settings.keySet()) {
      if (!served.contains(name)) {
        throw EngineException.of(
            ErrorCode.UNKNOWN_SETTING,
            "EXPLAIN: option %s is not served here; there is %s",
            name,
            served.isEmpty() ? "none" : String.join(", ", served));
      }
    }
  }

  private Rows lines(List<String> lines) {
    return FixedRows.texts(
        List.of("explain"), lines.stream().map(List::of).toList(), context.allocator());
  }

  private SelectExplanation planned(Query query) throws IOException {
    if (!(query.body() instanceof Select select)) {
      throw refused("EXPLAIN of UNION");
    }
    QueryPlanner planner = QueryPlanner.of(context).with(select.with());
    return new SelectPlanner(context, planner, select).explain();
  }
}
