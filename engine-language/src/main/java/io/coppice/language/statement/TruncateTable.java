package io.coppice.language.statement;

/** {@code TRUNCATE TABLE}: all rows go, the table stays. */
public record TruncateTable(TableName table, boolean ifExists, boolean sync) implements Statement {
  @Override
  public String text() {
    return "TRUNCATE TABLE "
        + (ifExists ? "IF EXISTS " : "")
        + table.text()
        + (sync ? " SYNC" : "");
  }
}
