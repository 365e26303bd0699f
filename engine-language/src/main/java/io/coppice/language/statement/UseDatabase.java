package io.coppice.language.statement;

/** {@code USE}: the session's database. */
public record UseDatabase(String database) implements Statement {
  @Override
  public String text() {
    return "USE " + StatementText.name(database);
  }
}
