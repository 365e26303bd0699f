package io.coppice.language.statement;

/**
 * {@code DETACH TABLE} and {@code DETACH DATABASE}: forgotten, its files kept.
 *
 * @param name of the table; a database stands as a table without database
 * @param permanently whether it stays detached after a restart
 */
public record Detach(
    boolean database, TableName name, boolean ifExists, boolean permanently, boolean sync)
    implements Statement {
  @Override
  public String text() {
    return (database ? "DETACH DATABASE " : "DETACH TABLE ")
        + (ifExists ? "IF EXISTS " : "")
        + name.text()
        + (permanently ? " PERMANENTLY" : "")
        + (sync ? " SYNC" : "");
  }
}
