package io.coppice.language.statement;

/** {@code EXCHANGE TABLES a AND b}: both change names at once. */
public record ExchangeTables(TableName first, TableName second) implements Statement {
  @Override
  public String text() {
    return "EXCHANGE TABLES " + first.text() + " AND " + second.text();
  }
}
