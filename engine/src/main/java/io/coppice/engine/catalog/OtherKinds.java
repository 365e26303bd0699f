package io.coppice.engine.catalog;

import io.coppice.base.error.EngineException;
import io.coppice.language.parse.Parser;
import io.coppice.language.statement.TableName;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is no table among the descriptions of a database's tables, told by its text. Stateless. */
final class OtherKinds {
  private static final Pattern KIND =
      Pattern.compile("\\s*ATTACH\\s+((?:MATERIALIZED\\s+|LIVE\\s+|WINDOW\\s+)?\\w+)[\\s\\S]*");

  private static final Map<String, String> NAMES =
      Map.of(
          "VIEW", "a view",
          "MATERIALIZED VIEW", "a materialized view",
          "LIVE VIEW", "a live view",
          "WINDOW VIEW", "a window view",
          "DICTIONARY", "a dictionary");

  private static final String NAME = "(?:`(?:[^`\\\\]|\\\\.)+`|\\w+)";

  /** The first table of the query; ClickHouse writes it with its database. */
  private static final Pattern SOURCE =
      Pattern.compile(
          "\\sAS\\s*\\(?\\s*(?:SELECT|WITH)\\s[\\s\\S]*?\\sFROM\\s+("
              + NAME
              + "(?:\\."
              + NAME
              + ")?)(?!\\w|\\()");

  private OtherKinds() {}

  /** What it is, if it is no table. */
  static Optional<String> of(String sql) {
    Matcher matcher = KIND.matcher(sql);
    return matcher.matches()
        ? Optional.ofNullable(
            NAMES.get(matcher.group(1).toUpperCase(Locale.ROOT).replaceAll("\\s+", " ")))
        : Optional.empty();
  }

  /**
   * The table whose new rows a materialized view is to get.
   *
   * @param database of the view
   */
  static Optional<TableName> fedBy(String sql, String database) {
    Matcher source = SOURCE.matcher(sql);
    if (!of(sql).equals(Optional.of("a materialized view")) || !source.find()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Parser.tableName(source.group(1)).in(database));
    } catch (EngineException e) {
      return Optional.empty();
    }
  }
}
