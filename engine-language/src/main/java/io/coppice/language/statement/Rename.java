package io.coppice.language.statement;

import java.util.List;
import java.util.stream.Collectors;

/**
 * {@code RENAME TABLE a TO b, …} and {@code RENAME DATABASE a TO b}.
 *
 * @param pairs carried out in this order; a database stands as a table without database
 */
public record Rename(boolean database, List<Pair> pairs) implements Statement {
  public Rename {
    pairs = List.copyOf(pairs);
  }

  /** From one name to another. */
  public record Pair(TableName from, TableName to, boolean ifExists) {}

  @Override
  public String text() {
    return (database ? "RENAME DATABASE " : "RENAME TABLE ")
        + pairs.stream()
            .map(p -> (p.ifExists() ? "IF EXISTS " : "") + p.from().text() + " TO " + p.to().text())
            .collect(Collectors.joining(", "));
  }
}
