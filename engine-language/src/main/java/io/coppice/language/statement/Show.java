package io.coppice.language.statement;

import io.coppice.language.expression.Expression;
import java.util.Optional;

/**
 * {@code SHOW …}.
 *
 * @param name of the table or database it is about, where it is about one
 */
public record Show(
    Kind kind, boolean full, Optional<TableName> name, Filter filter, Optional<String> format)
    implements Statement {
  /** What is shown. */
  public enum Kind {
    CREATE_TABLE("CREATE TABLE"),
    CREATE_DATABASE("CREATE DATABASE"),
    TABLES("TABLES"),
    DATABASES("DATABASES"),
    COLUMNS("COLUMNS"),
    SETTINGS("SETTINGS"),
    /** Only the settings that differ from their defaults. */
    CHANGED_SETTINGS("CHANGED SETTINGS"),
    ENGINES("ENGINES"),
    FUNCTIONS("FUNCTIONS"),
    PROCESSLIST("PROCESSLIST");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** The words after SHOW. */
    public String text() {
      return text;
    }
  }

  /** Which of them. */
  public record Filter(
      Optional<String> like,
      boolean not,
      boolean caseInsensitive,
      Optional<Expression> where,
      Optional<Long> limit) {
    /** All of them. */
    public static final Filter ALL =
        new Filter(Optional.empty(), false, false, Optional.empty(), Optional.empty());
  }

  @Override
  public String text() {
    StringBuilder out = new StringBuilder("SHOW ");
    if (full) {
      out.append("FULL ");
    }
    out.append(kind.text());
    switch (kind) {
      case CREATE_TABLE, CREATE_DATABASE -> name.ifPresent(n -> out.append(' ').append(n.text()));
      case TABLES -> name.ifPresent(n -> out.append(" FROM ").append(n.text()));
      case COLUMNS ->
          name.ifPresent(
              n -> {
                out.append(" FROM ").append(StatementText.name(n.table()));
                n.database().ifPresent(d -> out.append(" FROM ").append(StatementText.name(d)));
              });
      default -> {}
    }
    filter
        .like()
        .ifPresent(
            pattern ->
                out.append(filter.not() ? " NOT" : "")
                    .append(filter.caseInsensitive() ? " ILIKE " : " LIKE ")
                    .append(StatementText.quoted(pattern)));
    filter.where().ifPresent(e -> out.append(" WHERE ").append(e.text()));
    filter.limit().ifPresent(n -> out.append(" LIMIT ").append(n));
    return out.append(StatementText.format(format)).toString();
  }
}
