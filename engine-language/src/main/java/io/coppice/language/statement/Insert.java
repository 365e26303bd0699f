package io.coppice.language.statement;

import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Literal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * {@code INSERT INTO}.
 *
 * @param table absent for {@code INSERT INTO FUNCTION}
 * @param function absent for a table
 * @param columns as written, none meaning all; {@code *} and its EXCEPT are elements too
 * @param infile the file to read, if it is said
 * @param source a query's rows, or data in a format
 */
public record Insert(
    Optional<TableName> table,
    Optional<FunctionCall> function,
    List<InsertColumn> columns,
    Optional<String> infile,
    Optional<String> compression,
    Map<String, Literal> settings,
    Source source)
    implements Statement {
  public Insert {
    columns = List.copyOf(columns);
    settings = StatementText.ordered(settings);
  }

  /** Where the rows come from. */
  public sealed interface Source {
    /** A query. */
    record Rows(Query query) implements Source {}

    /**
     * Data in a format, behind the statement or brought separately.
     *
     * @param name absent where the statement names none
     */
    record Data(Optional<String> name) implements Source {}
  }

  /** An element of the list of columns. */
  public sealed interface InsertColumn {
    /** One column. */
    record Named(String name) implements InsertColumn {}

    /** All columns but some. */
    record AllExcept(List<String> except) implements InsertColumn {
      public AllExcept {
        except = List.copyOf(except);
      }
    }
  }

  @Override
  public String text() {
    return "INSERT INTO "
        + table.map(TableName::text).orElse("")
        + function.map(f -> "FUNCTION " + f.text()).orElse("")
        + (columns.isEmpty()
            ? ""
            : columns.stream().map(Insert::text).collect(Collectors.joining(", ", " (", ")")))
        + infile.map(file -> " FROM INFILE " + StatementText.quoted(file)).orElse("")
        + compression.map(c -> " COMPRESSION " + StatementText.quoted(c)).orElse("")
        + StatementText.settings("\nSETTINGS ", settings)
        + sourceText();
  }

  private static String text(InsertColumn column) {
    if (column instanceof InsertColumn.Named named) {
      return StatementText.name(named.name());
    }
    List<String> except = ((InsertColumn.AllExcept) column).except();
    return except.isEmpty() ? "*" : "*" + StatementText.except(except);
  }

  private String sourceText() {
    String before = settings.isEmpty() ? " " : "\n";
    if (source instanceof Source.Rows rows) {
      return before + rows.query().text();
    }
    return ((Source.Data) source).name().map(format -> before + "FORMAT " + format).orElse("");
  }
}
