package io.coppice.engine;

/** What an engine counts; names are those of ClickHouse's {@code system.events}. */
public enum Event {
  /** Statements begun. */
  QUERY("Query", "Statements begun."),
  /** Queries begun. */
  SELECT_QUERY("SelectQuery", "Queries begun."),
  /** INSERTs begun. */
  INSERT_QUERY("InsertQuery", "INSERT statements begun."),
  /** Statements that ended by an error. */
  FAILED_QUERY("FailedQuery", "Statements that ended by an error."),
  /** Rows that inserts wrote. */
  INSERTED_ROWS("InsertedRows", "Rows that inserts wrote to tables."),
  /** Bytes that inserts wrote. */
  INSERTED_BYTES("InsertedBytes", "Bytes of the parts that inserts wrote.");

  private final String text;
  private final String description;

  Event(String text, String description) {
    this.text = text;
    this.description = description;
  }

  /** ClickHouse's name. */
  public String text() {
    return text;
  }

  /** What is counted, in a sentence. */
  public String description() {
    return description;
  }
}
