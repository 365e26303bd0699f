package io.coppice.parts.format;

import io.coppice.language.expression.Expression;
import io.coppice.language.parse.Parser;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Types of the keys of golden tables, without an expression engine. */
final class GoldenKeys {
  /** Types of the expressions that are in golden keys and are no column. */
  private static final Map<String, String> EXPRESSIONS =
      Map.ofEntries(
          Map.entry("toYYYYMM(d)", "UInt32"),
          Map.entry("toYYYYMMDD(t)", "UInt32"),
          Map.entry("toMonday(d)", "Date"),
          Map.entry("toDate(t)", "Date"),
          Map.entry("toStartOfMonth(d)", "Date"),
          Map.entry("toStartOfHour(t)", "DateTime"),
          Map.entry("sipHash64(s) % 4", "UInt8"),
          Map.entry("cityHash64(s)", "UInt64"),
          Map.entry("intHash32(v)", "UInt32"),
          Map.entry("intHash32(id)", "UInt32"),
          Map.entry("intDiv(id, 10)", "UInt64"),
          Map.entry("id % 10", "UInt8"),
          Map.entry("x > 0", "UInt8"),
          Map.entry("ifNull(n, 0)", "Int16"),
          Map.entry("substring(s, 1, 1)", "String"));

  private GoldenKeys() {}

  private static DataType type(Expression expression, CreateTable table) {
    String text = expression.text();
    if (text.equals("intDiv(v, 10)")) {
      return table.columns().stream()
          .filter(column -> column.name().equals("v"))
          .map(column -> column.type().orElseThrow())
          .findFirst()
          .orElseThrow();
    }
    if (text.matches("[a-z]+ % [0-9]+")) {
      return unsigned(table, text.substring(0, text.indexOf(' ')))
          ? PlainType.UINT8
          : PlainType.INT8;
    }
    if (expression instanceof Expression.Parenthesized in) {
      return type(in.inner(), table);
    }
    return table.columns().stream()
        .filter(column -> column.name().equals(text.replace("`", "")))
        .map(column -> column.type().orElseThrow())
        .findFirst()
        .orElseGet(
            () ->
                Parser.type(
                    Optional.ofNullable(EXPRESSIONS.get(text))
                        .orElseThrow(() -> new IllegalArgumentException("type of " + text))));
  }

  private static boolean unsigned(CreateTable table, String column) {
    return table.columns().stream()
        .anyMatch(c -> c.name().equals(column) && c.type().orElseThrow().text().startsWith("UInt"));
  }

  private static List<DataType> types(Optional<Expression> key, CreateTable table) {
    return key.stream()
        .flatMap(k -> new CreateTable.SortingKey(k, List.of()).elements().stream())
        .map(element -> type(element, table))
        .toList();
  }

  static List<DataType> partitionKey(CreateTable table) {
    return types(table.partitionBy(), table);
  }

  static List<DataType> primaryKey(CreateTable table) {
    if (table.orderBy().isEmpty()) {
      return types(table.engine().map(engine -> engine.arguments().get(1)), table);
    }
    return table.primaryKey().isPresent()
        ? types(table.primaryKey(), table)
        : table.orderBy().orElseThrow().elements().stream().map(e -> type(e, table)).toList();
  }
}
