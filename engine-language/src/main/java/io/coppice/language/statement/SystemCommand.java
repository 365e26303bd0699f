package io.coppice.language.statement;

import java.util.Locale;
import java.util.Optional;

/**
 * {@code SYSTEM …}.
 *
 * @param command its words in capitals, as {@code STOP MERGES}
 * @param table that it is about, if it names one
 */
public record SystemCommand(String command, Optional<TableName> table) implements Statement {
  public SystemCommand {
    command = command.toUpperCase(Locale.ROOT);
    // ClickHouse has both words for emptying a cache, and prints this one.
    if (command.startsWith("DROP ") && command.endsWith(" CACHE")) {
      command = "CLEAR " + command.substring("DROP ".length());
    }
  }

  @Override
  public String text() {
    return "SYSTEM " + command + table.map(t -> " " + t.text()).orElse("");
  }
}
