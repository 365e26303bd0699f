package io.coppice.language.statement;

import io.coppice.language.expression.Literal;
import io.coppice.language.text.Identifiers;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the texts of statements share. */
final class StatementText {
  private StatementText() {}

  static String name(String name) {
    return Identifiers.backQuoteIfNeeded(name);
  }

  static String quoted(String text) {
    return Identifiers.quoteString(text);
  }

  static Map<String, Literal> ordered(Map<String, Literal> settings) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }

  /** Nothing for none. */
  static String settings(String before, Map<String, Literal> settings) {
    return settings.isEmpty()
        ? ""
        : settings.entrySet().stream()
            .map(e -> e.getKey() + " = " + e.getValue().text())
            .collect(Collectors.joining(", ", before, ""));
  }

  static String format(Optional<String> format) {
    return format.map(f -> "\nFORMAT " + name(f)).orElse("");
  }

  static String except(List<String> columns) {
    String names = columns.stream().map(StatementText::name).collect(Collectors.joining(", "));
    return columns.size() == 1 ? " EXCEPT " + names : " EXCEPT (" + names + ")";
  }
}
