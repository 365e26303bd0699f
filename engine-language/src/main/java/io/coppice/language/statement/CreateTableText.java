package io.coppice.language.statement;

import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Literal;
import io.coppice.language.statement.CreateTable.SortingKey;
import io.coppice.language.statement.CreateTable.TtlAction;
import io.coppice.language.statement.CreateTable.TtlElement;
import io.coppice.language.text.Identifiers;
import io.coppice.language.type.TypeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The canonical text of CREATE TABLE. */
final class CreateTableText {
  private static final int INDENT = 4;

  private CreateTableText() {}

  static String print(CreateTable table) {
    List<String> elements = new ArrayList<>();
    table.columns().forEach(column -> elements.add(column(column)));
    table.indexes().forEach(index -> elements.add("INDEX " + index(index)));
    table.constraints().forEach(constraint -> elements.add("CONSTRAINT " + constraint(constraint)));
    table.projections().forEach(projection -> elements.add("PROJECTION " + projection(projection)));
    StringBuilder out = new StringBuilder();
    out.append(
        table.attach()
            ? "ATTACH TABLE "
            : table.orReplace() ? "CREATE OR REPLACE TABLE " : "CREATE TABLE ");
    if (table.ifNotExists()) {
      out.append("IF NOT EXISTS ");
    }
    table.database().ifPresent(name -> out.append(Identifiers.backQuoteIfNeeded(name)).append('.'));
    out.append(Identifiers.backQuoteIfNeeded(table.table()));
    table.uuid().ifPresent(uuid -> out.append(" UUID ").append(Identifiers.quoteString(uuid)));
    if (!elements.isEmpty()) {
      out.append(
          elements.stream()
              .map(e -> "    " + e)
              .collect(Collectors.joining(",\n", "\n(\n", "\n)")));
    }
    if (table.source().orElse(null) instanceof CreateTable.Source.Like like) {
      out.append(" AS ").append(like.table().text());
    }
    table.engine().ifPresent(engine -> out.append("\nENGINE = ").append(engine.text()));
    table.partitionBy().ifPresent(key -> out.append("\nPARTITION BY ").append(key.text()));
    table.primaryKey().ifPresent(key -> out.append("\nPRIMARY KEY ").append(key.text()));
    table.orderBy().ifPresent(key -> out.append("\nORDER BY ").append(sortingKey(key)));
    table.sampleBy().ifPresent(key -> out.append("\nSAMPLE BY ").append(key.text()));
    if (!table.ttl().isEmpty()) {
      out.append(
          table.ttl().stream()
              .map(CreateTableText::ttl)
              .collect(Collectors.joining(", ", "\nTTL ", "")));
    }
    if (!table.settings().isEmpty()) {
      out.append("\nSETTINGS ").append(settings(table.settings()));
    }
    table
        .comment()
        .ifPresent(text -> out.append("\nCOMMENT ").append(Identifiers.quoteString(text)));
    if (table.source().orElse(null) instanceof CreateTable.Source.Rows rows) {
      out.append(rows.empty() ? " EMPTY\nAS " : "\nAS ").append(rows.body().text(0));
    }
    return out.toString();
  }

  static String index(CreateTable.Index index) {
    return Identifiers.backQuoteIfNeeded(index.name())
        + " "
        + index.expression().text()
        + " TYPE "
        + index.type().text()
        + " GRANULARITY "
        + index.granularity();
  }

  static String constraint(CreateTable.Constraint constraint) {
    return Identifiers.backQuoteIfNeeded(constraint.name())
        + (constraint.assume() ? " ASSUME " : " CHECK ")
        + constraint.expression().text();
  }

  static String projection(CreateTable.Projection projection) {
    return Identifiers.backQuoteIfNeeded(projection.name()) + "\n    (" + projection.select() + ")";
  }

  static String column(Column column) {
    StringBuilder out = new StringBuilder(Identifiers.backQuote(column.name()));
    column.type().ifPresent(type -> out.append(' ').append(TypeText.inStatement(type, INDENT)));
    column
        .defaults()
        .ifPresent(
            defaults -> {
              out.append(' ').append(defaults.kind().name().toUpperCase(Locale.ROOT));
              defaults.expression().ifPresent(e -> out.append(' ').append(e.text()));
            });
    column
        .comment()
        .ifPresent(text -> out.append(" COMMENT ").append(Identifiers.quoteString(text)));
    if (!column.codecs().isEmpty()) {
      out.append(' ').append(Definition.list("CODEC", column.codecs()));
    }
    if (!column.statistics().isEmpty()) {
      out.append(' ').append(Definition.list("STATISTICS", column.statistics()));
    }
    column.ttl().ifPresent(ttl -> out.append(" TTL ").append(ttl.text()));
    if (!column.settings().isEmpty()) {
      out.append(" SETTINGS (").append(settings(column.settings())).append(')');
    }
    return out.toString();
  }

  static String sortingKey(SortingKey key) {
    if (!key.anyDescending()) {
      return key.expression().text();
    }
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < key.elements().size(); i++) {
      elements.add(key.elements().get(i).text() + (key.descending().get(i) ? " DESC" : ""));
    }
    return elements.size() == 1 ? elements.get(0) : "tuple(" + String.join(", ", elements) + ")";
  }

  static String ttl(TtlElement element) {
    String time = element.expression().text();
    TtlAction action = element.action();
    if (action instanceof TtlAction.Delete delete) {
      return time + delete.where().map(where -> " WHERE " + where.text()).orElse("");
    }
    if (action instanceof TtlAction.Move move) {
      return time
          + (move.volume() ? " TO VOLUME " : " TO DISK ")
          + Identifiers.quoteString(move.target());
    }
    if (action instanceof TtlAction.Recompress recompress) {
      return time + " RECOMPRESS " + Definition.list("CODEC", recompress.codecs());
    }
    TtlAction.GroupBy group = (TtlAction.GroupBy) action;
    String keys = group.keys().stream().map(Expression::text).collect(Collectors.joining(", "));
    String sets =
        group.assignments().stream()
            .map(a -> Identifiers.backQuoteIfNeeded(a.column()) + " = " + a.expression().text())
            .collect(Collectors.joining(", "));
    return time + " GROUP BY " + keys + (sets.isEmpty() ? "" : " SET " + sets);
  }

  private static String settings(Map<String, Literal> settings) {
    return settings.entrySet().stream()
        .map(e -> Identifiers.backQuoteIfNeeded(e.getKey()) + " = " + e.getValue().text())
        .collect(Collectors.joining(", "));
  }
}
