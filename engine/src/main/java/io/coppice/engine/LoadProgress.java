package io.coppice.engine;

import io.coppice.language.statement.TableName;

/** Is told how far the tables of an engine have come while it is opened. */
@FunctionalInterface
public interface LoadProgress {
  /** Nobody. */
  LoadProgress NONE = (table, loaded, total) -> {};

  /**
   * So many parts of a table were opened, or found broken. Called by the thread that opens the
   * table, once for some dozens of parts; the last call has {@code loaded} equal to {@code total}.
   * A table without parts has no call. What it throws ends the opening.
   *
   * @param total parts to be opened, as far as is known: it grows when a broken part is found that
   *     covered others
   */
  void loaded(TableName table, long loaded, long total);
}
