package io.coppice.parts.scan;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.statement.Column.DefaultKind;
import io.coppice.language.type.DataType;
import io.coppice.parts.format.ColumnsFile;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Whether parts can be read together, as those of a table where there is one.
 *
 * @param table that the parts should be of
 */
record Structures(Optional<TableDefinition> table) {
  /**
   * Parts must be of the table, or of one structure when there is none: what a part lacks is filled
   * with defaults only when a table says what they are. The columns that are read, and those that
   * keys and indexes are of when granules are chosen by them, must have the types of the table.
   */
  void check(List<LoadedPart> parts, Map<String, ColumnPlan> plans, boolean pruned) {
    Map<String, DataType> wanted = new TreeMap<>();
    for (ColumnPlan plan : plans.values()) {
      if (plan.virtual().isPresent()) {
        continue;
      }
      wanted.put(plan.name(), plan.type());
    }
    if (table.isPresent() && pruned) {
      for (String name : keyColumns(table.get())) {
        table.get().column(name).ifPresent(c -> wanted.put(name, c.type()));
      }
    }
    for (LoadedPart part : parts) {
      if (table.isPresent()
          && table.get().columns().stream().noneMatch(c -> part.holds(c.name()))) {
        throw EngineException.of(
            ErrorCode.INCOMPATIBLE_COLUMNS,
            "part %s has none of the columns of table %s: it has %s, the table %s; is it a part of"
                + " another table?",
            part.name(),
            table.get().name(),
            few(part.columns().keySet()),
            few(table.get().columns().stream().map(ColumnDefinition::name).toList()));
      }
      for (Map.Entry<String, DataType> column : wanted.entrySet()) {
        checkColumn(part, column.getKey(), column.getValue());
      }
    }
  }

  private void checkColumn(LoadedPart part, String column, DataType wanted) {
    DataType stored = part.columns().get(column);
    if (stored == null) {
      if (table.isEmpty()) {
        throw EngineException.of(
            ErrorCode.THERE_IS_NO_COLUMN,
            "part %s has no column %s, which others have; it has %s. Give the table's CREATE TABLE,"
                + " which says what stands in for it, or leave the column out",
            part.name(),
            column,
            few(part.columns().keySet()));
      }
      return;
    }
    boolean alias =
        table
            .flatMap(t -> t.column(column))
            .filter(c -> c.defaultKind() == DefaultKind.ALIAS)
            .isPresent();
    boolean fits = ArrowMapping.readsAs(stored, wanted) || ArrowMapping.sameBytes(stored, wanted);
    if (!alias && !stored.equals(wanted) && !fits) {
      throw EngineException.of(
          ErrorCode.TYPE_MISMATCH,
          "part %s: %s has column %s as %s, table %s as %s; reading does not convert. Give the"
              + " CREATE TABLE that the part was written with",
          part.name(),
          ColumnsFile.NAME,
          column,
          stored.text(),
          table.map(TableDefinition::name).orElse("?"),
          wanted.text());
    }
  }

  /** Columns that keys and skip indexes are computed from. */
  private static Set<String> keyColumns(TableDefinition definition) {
    Set<String> names = new TreeSet<>();
    definition.sortingKey().forEach(e -> e.collectNames(names));
    definition.partitionKey().forEach(e -> e.collectNames(names));
    definition.indexes().forEach(i -> i.expression().collectNames(names));
    return names;
  }

  private static String few(Collection<String> names) {
    return names.stream().limit(20).collect(Collectors.joining(", "))
        + (names.size() > 20 ? ", …" : "");
  }
}
