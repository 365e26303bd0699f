package io.coppice.language.statement;

import java.util.List;
import java.util.stream.Collectors;

/**
 * {@code DROP TABLE} and {@code DROP DATABASE}.
 *
 * @param names one or more; a database stands as a table without database
 * @param ifEmpty only a table without rows
 */
public record Drop(
    boolean database, List<TableName> names, boolean ifExists, boolean ifEmpty, boolean sync)
    implements Statement {
  public Drop {
    names = List.copyOf(names);
  }

  @Override
  public String text() {
    return (database ? "DROP DATABASE " : "DROP TABLE ")
        + (ifExists ? "IF EXISTS " : "")
        + (ifEmpty ? "IF EMPTY " : "")
        + names.stream().map(TableName::text).collect(Collectors.joining(", "))
        + (sync ? " SYNC" : "");
  }
}
