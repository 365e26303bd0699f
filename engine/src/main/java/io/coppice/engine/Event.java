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
  INSERTED_BYTES("InsertedBytes", "Bytes of the parts that inserts wrote."),
  /** Asynchronous inserts that were taken. */
  ASYNC_INSERT_QUERY("AsyncInsertQuery", "Asynchronous inserts that were taken."),
  /** Bytes of their data. */
  ASYNC_INSERT_BYTES("AsyncInsertBytes", "Bytes of data of asynchronous inserts."),
  /** Those that failed. */
  FAILED_ASYNC_INSERT_QUERY(
      "FailedAsyncInsertQuery", "Asynchronous inserts whose rows were not written."),
  /** Inserts that waited, because their table had many parts. */
  DELAYED_INSERTS("DelayedInserts", "Inserts that waited, because their table had many parts."),
  /** How long they waited. */
  DELAYED_INSERTS_MILLISECONDS(
      "DelayedInsertsMilliseconds", "Milliseconds that inserts waited for that reason."),
  /** Inserts that were refused, because their table had too many parts. */
  REJECTED_INSERTS(
      "RejectedInserts", "Inserts that were refused, because their table had too many parts.");

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
