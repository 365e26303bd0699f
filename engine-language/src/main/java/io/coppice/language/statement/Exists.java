package io.coppice.language.statement;

import java.util.Optional;

/** {@code EXISTS TABLE} and {@code EXISTS DATABASE}: 1 or 0. */
public record Exists(boolean database, TableName name, Optional<String> format)
    implements Statement {
  @Override
  public String text() {
    return (database ? "EXISTS DATABASE " : "EXISTS TABLE ")
        + name.text()
        + StatementText.format(format);
  }
}
