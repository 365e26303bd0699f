package io.coppice.language.statement;

import java.util.Optional;

/**
 * One statement, as written: nothing is checked against what exists. Immutable.
 *
 * <p>{@link #text()} is ClickHouse's canonical text, that of its {@code formatQuery}.
 */
public sealed interface Statement
    permits Alter,
        AttachTable,
        CheckTable,
        CreateDatabase,
        CreateTable,
        DeleteRows,
        DescribeTable,
        Detach,
        Drop,
        ExchangeTables,
        Exists,
        Explain,
        Insert,
        KillMutation,
        OnCluster,
        OptimizeTable,
        Query,
        Rename,
        SetSettings,
        Show,
        SystemCommand,
        TruncateTable,
        UseDatabase {

  /** ClickHouse's canonical text, without a newline or semicolon at the end. */
  String text();

  /** The format that the statement asks its result in, if it does. */
  default Optional<String> format() {
    return Optional.empty();
  }
}
