package io.coppice.query;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Literal;
import io.coppice.language.statement.Explain;
import io.coppice.language.statement.Query;
import io.coppice.language.statement.Select;
import io.coppice.parts.scan.IndexReport;
import io.coppice.parts.scan.ScanReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * EXPLAIN of a query: its steps from the last to the first, and with {@code indexes = 1} what each
 * index of the table left; or how much would be read. Texts have the shape of ClickHouse's; a step
 * says what is done here.
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
        yield lines(plan(planned(query), indexes));
      }
      case ESTIMATE -> {
        onlySettings(explain.settings(), List.of());
        yield FixedRows.texts(ESTIMATE, estimate(planned(query)), context.allocator());
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

  private SelectPlanner.Explained planned(Query query) throws IOException {
    if (!(query.body() instanceof Select select)) {
      throw refused("EXPLAIN of UNION");
    }
    QueryPlanner planner = QueryPlanner.of(context).with(select.with());
    return new SelectPlanner(context, planner, select).explain();
  }

  private static List<List<String>> estimate(SelectPlanner.Explained explained) {
    if (explained.report().isEmpty()) {
      return List.of();
    }
    ScanReport report = explained.report().get();
    return List.of(
        List.of(
            explained.database(),
            explained.table(),
            Integer.toString(report.partsRead()),
            Long.toString(report.rowsChosen()),
            Long.toString(report.granulesAfterIndexes())));
  }

  private static List<String> plan(SelectPlanner.Explained explained, boolean indexes) {
    List<String> lines = new ArrayList<>();
    lines.add("Output: " + String.join(", ", explained.outputs()));
    lines.add("");
    String indent = "";
    for (List<String> step : explained.steps()) {
      String branch = indent.isEmpty() ? "" : indent.substring(3) + "└──";
      lines.add(branch + step.get(0));
      for (String detail : step.subList(1, step.size())) {
        lines.add(indent + "│  " + detail);
      }
      indent += "   ";
    }
    lines.add((indent.isEmpty() ? "" : indent.substring(3) + "└──") + explained.source());
    explained.report().ifPresent(report -> reading(report, indexes, lines));
    return lines;
  }

  private static void reading(ScanReport report, boolean indexes, List<String> lines) {
    String last = lines.get(lines.size() - 1);
    boolean below = last.stripLeading().startsWith("└");
    String indent = " ".repeat(last.length() - last.stripLeading().length() + (below ? 6 : 3));
    lines.add(indent + "Read type: Default");
    lines.add(
        indent + "Parts: " + report.partsRead() + " | Granules: " + report.granulesAfterIndexes());
    if (!indexes) {
      return;
    }
    lines.add(indent + "Indexes:");
    for (IndexReport index : report.indexes()) {
      if (index.kind().equals("Skip") && index.partsBefore() == 0) {
        continue;
      }
      lines.add(indent + "  " + index.kind());
      if (!index.name().isEmpty()) {
        lines.add(indent + "    Name: " + index.name());
        lines.add(indent + "    Description: " + index.description());
      } else if (index.keys().isEmpty()) {
        lines.add(indent + "    Condition: true");
      } else {
        lines.add(indent + "    Keys:");
        for (String key : index.keys()) {
          lines.add(indent + "      " + key);
        }
      }
      lines.add(indent + "    Parts: " + index.parts() + "/" + index.partsBefore());
      lines.add(indent + "    Granules: " + index.granules() + "/" + index.granulesBefore());
    }
  }
}
