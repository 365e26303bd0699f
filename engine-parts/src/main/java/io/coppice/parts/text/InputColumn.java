package io.coppice.parts.text;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.statement.Column.DefaultKind;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.util.List;
import java.util.Optional;

/** Which columns of a table an input may have. */
final class InputColumn {
  private InputColumn() {}

  /** Those of an input without names, in order. */
  static List<ColumnDefinition> ordinary(TableDefinition table, BatchReader.Options options) {
    if (!options.columns().isEmpty()) {
      return options.columns().stream()
          .map(name -> table.column(name).orElseThrow(() -> unknown(table, name)))
          .toList();
    }
    return table.columns().stream().filter(c -> c.defaultKind() == DefaultKind.DEFAULT).toList();
  }

  /**
   * The column that a name in the input means; empty for one that is passed over.
   *
   * @throws EngineException NO_SUCH_COLUMN_IN_TABLE, or what says that the column cannot be given
   */
  static Optional<ColumnDefinition> named(
      TableDefinition table, String name, BatchReader.Options options) {
    boolean skipUnknown = options.skipUnknown();
    boolean listed = options.columns().isEmpty() || options.columns().contains(name);
    Optional<ColumnDefinition> column = listed ? table.column(name) : Optional.empty();
    if (column.isEmpty()) {
      if (skipUnknown) {
        return column;
      }
      throw unknown(table, name);
    }
    DefaultKind kind = column.get().defaultKind();
    if (kind == DefaultKind.MATERIALIZED || kind == DefaultKind.ALIAS) {
      if (skipUnknown) {
        return Optional.empty();
      }
      throw EngineException.of(
          ErrorCode.ILLEGAL_COLUMN,
          "column %s of table %s is %s: it is computed and cannot be given",
          name,
          table.name(),
          kind);
    }
    if (!ArrowMapping.readable(column.get().type())) {
      throw ArrowMapping.unwritable(name, column.get().type());
    }
    return column;
  }

  /** The error for a name that is no column's. */
  static EngineException unknown(TableDefinition table, String name) {
    String names =
        table.columns().stream()
            .limit(20)
            .map(ColumnDefinition::name)
            .collect(java.util.stream.Collectors.joining(", "));
    return EngineException.of(
        ErrorCode.NO_SUCH_COLUMN_IN_TABLE,
        "the input has a column %s, table %s has none of that name; it has %s%s",
        name,
        table.name(),
        names,
        table.columns().size() > 20 ? ", …" : "");
  }
}
