package io.coppice.language.statement;

import io.coppice.language.text.Identifiers;
import java.util.Optional;

/**
 * A table as a statement names it.
 *
 * @param database absent where the current one is meant
 */
public record TableName(Optional<String> database, String table) {
  /** A table of the current database. */
  public static TableName of(String table) {
    return new TableName(Optional.empty(), table);
  }

  /** A table of a database. */
  public static TableName of(String database, String table) {
    return new TableName(Optional.of(database), table);
  }

  /** The same table, its database said. */
  public TableName in(String currentDatabase) {
    return new TableName(Optional.of(database.orElse(currentDatabase)), table);
  }

  /** {@code database.table}, quoted where ClickHouse quotes. */
  public String text() {
    return database.map(name -> Identifiers.backQuoteIfNeeded(name) + ".").orElse("")
        + Identifiers.backQuoteIfNeeded(table);
  }
}
