package io.coppice.language.statement;

import io.coppice.language.expression.Expression;
import io.coppice.language.statement.Query.Body;
import io.coppice.language.statement.Query.Union;
import io.coppice.language.statement.Select.OrderElement;
import io.coppice.language.statement.Select.Source;
import io.coppice.language.statement.Select.With;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The canonical text of queries: a line for each clause, a line for each element where a list has
 * several.
 */
final class SelectText {
  private static final int STEP = 4;

  private final int indent;
  private final String line;
  private final StringBuilder out = new StringBuilder();

  private SelectText(int indent) {
    this.indent = indent;
    this.line = "\n" + " ".repeat(indent);
  }

  static String query(Query query) {
    StringBuilder out = new StringBuilder(body(query.body(), 0));
    query
        .outfile()
        .ifPresent(
            file -> {
              out.append("\nINTO OUTFILE ").append(StatementText.quoted(file.path()));
              out.append(file.append() ? " APPEND" : file.truncate() ? " TRUNCATE" : "");
              file.compression()
                  .ifPresent(c -> out.append(" COMPRESSION ").append(StatementText.quoted(c)));
              out.append(file.level() < 0 ? "" : " LEVEL " + file.level());
            });
    out.append(StatementText.format(query.format()));
    out.append(StatementText.settings("\nSETTINGS ", query.settings()));
    return out.toString();
  }

  static String body(Body body, int indent) {
    return body.text(indent);
  }

  static String union(Union union, int indent) {
    String line = "\n" + " ".repeat(indent);
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < union.operands().size(); i++) {
      if (i > 0) {
        out.append(line).append(union.operators().get(i - 1).text()).append(line);
      }
      Body operand = union.operands().get(i);
      // Around the operands of EXCEPT ClickHouse always has brackets.
      boolean brackets =
          operand instanceof Union
              || union.operators().stream().anyMatch(o -> o.text().startsWith("EXCEPT"));
      out.append(brackets ? nested(operand, indent) : operand.text(indent));
    }
    return out.toString();
  }

  private static String nested(Body body, int indent) {
    String line = "\n" + " ".repeat(indent);
    return "(" + line + " ".repeat(STEP) + body.text(indent + STEP) + line + ")";
  }

  static String source(Source source, int indent) {
    String text;
    if (source instanceof Source.Table table) {
      text = table.name().text();
    } else if (source instanceof Source.Function function) {
      text = function.call().text(indent);
    } else {
      text = nested(((Source.Subquery) source).body(), indent);
    }
    return text + source.alias().map(alias -> " AS " + StatementText.name(alias)).orElse("");
  }

  static String select(Select select, int indent) {
    SelectText text = new SelectText(indent);
    text.print(select);
    return text.out.toString();
  }

  private void print(Select select) {
    if (!select.with().isEmpty()) {
      out.append("WITH");
      lines(select.with(), this::with);
      out.append(line);
    }
    out.append("SELECT");
    if (select.distinct()) {
      out.append(" DISTINCT");
    }
    list(select.items(), Expression::text);
    select.from().ifPresent(this::from);
    if (select.finalRead()) {
      out.append(line).append("FINAL");
    }
    select
        .sample()
        .ifPresent(
            sample -> {
              out.append(line).append("SAMPLE ").append(sample.ratio().text());
              sample.offset().ifPresent(o -> out.append(" OFFSET ").append(o.text()));
            });
    clause("PREWHERE", select.prewhere());
    clause("WHERE", select.where());
    if (select.groupByAll()) {
      out.append(line).append("GROUP BY ALL");
    } else if (!select.groupBy().isEmpty()) {
      out.append(line).append("GROUP BY");
      list(select.groupBy(), Expression::text);
    }
    if (select.withTotals()) {
      out.append(line).append(select.groupBy().isEmpty() ? "" : " ".repeat(STEP));
      out.append("WITH TOTALS");
    }
    clause("HAVING", select.having());
    if (select.orderByAll()) {
      out.append(line).append("ORDER BY ALL ASC");
    } else if (!select.orderBy().isEmpty()) {
      out.append(line).append("ORDER BY");
      list(select.orderBy(), SelectText::order);
    }
    select
        .limitBy()
        .ifPresent(
            limit -> {
              out.append(line).append("LIMIT ");
              limit.offset().ifPresent(o -> out.append(o.text(indent)).append(", "));
              out.append(limit.limit().text(indent)).append(" BY");
              list(limit.by(), Expression::text);
            });
    if (select.limit().isPresent()) {
      out.append(line).append("LIMIT ");
      select.offset().ifPresent(o -> out.append(o.text(indent)).append(", "));
      out.append(select.limit().get().text(indent));
      out.append(select.withTies() ? line + " WITH TIES" : "");
    } else {
      select.offset().ifPresent(o -> out.append(line).append("OFFSET ").append(o.text(indent)));
    }
    out.append(StatementText.settings(line + "SETTINGS ", select.settings()));
  }

  private void from(Source source) {
    out.append(line).append("FROM");
    // A subquery begins a line of its own, a name stays on this one.
    out.append(source instanceof Source.Subquery ? line : " ");
    out.append(source(source, indent));
  }

  private void clause(String word, Optional<Expression> expression) {
    expression.ifPresent(e -> out.append(line).append(word).append(' ').append(e.text(indent)));
  }

  private String with(With with, int at) {
    if (with instanceof With.Value value) {
      return new Expression.Aliased(value.expression(), value.name()).text(at);
    }
    With.Table table = (With.Table) with;
    String inner = "\n" + " ".repeat(at);
    return StatementText.name(table.name())
        + " AS"
        + inner
        + "("
        + inner
        + " ".repeat(STEP)
        + table.body().text(at + STEP)
        + inner
        + ")";
  }

  private static String order(OrderElement element, int at) {
    return element.expression().text(at)
        + (element.descending() ? " DESC" : " ASC")
        + element.nullsFirst().map(first -> first ? " NULLS FIRST" : " NULLS LAST").orElse("")
        + element.collation().map(c -> " COLLATE " + StatementText.quoted(c)).orElse("");
  }

  private <T> void list(List<T> elements, BiFunction<T, Integer, String> print) {
    if (elements.size() == 1) {
      out.append(' ').append(print.apply(elements.get(0), indent + STEP));
      return;
    }
    lines(elements, print);
  }

  private <T> void lines(List<T> elements, BiFunction<T, Integer, String> print) {
    String comma = "";
    for (T element : elements) {
      out.append(comma).append(line).append(" ".repeat(STEP));
      out.append(print.apply(element, indent + STEP));
      comma = ",";
    }
  }
}
