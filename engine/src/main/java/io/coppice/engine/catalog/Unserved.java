package io.coppice.engine.catalog;

import io.coppice.language.statement.TableName;
import java.util.Optional;

/**
 * Something in a data directory that is left as it is.
 *
 * @param name of the database or table
 * @param reason why it is not served
 * @param fedBy the table whose new rows it is to get, if it is a materialized view
 */
public record Unserved(String name, String reason, Optional<TableName> fedBy) {
  /** What gets no rows of others. */
  public Unserved(String name, String reason) {
    this(name, reason, Optional.empty());
  }
}
