package io.coppice.parts.write;

import io.coppice.language.statement.Alter;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.NullableType;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the commands of a mutation make of a part's columns and files: found out command by command,
 * then carried out at once by {@link PartRewriter}.
 *
 * <p>Immutable.
 *
 * @param columns those that stay, by their new names, in the order that the part has them
 * @param gone the names of those that do not
 * @param droppedIndexes skip indexes whose files go
 * @param ttl whether the times of rows are found out anew
 */
public record PartChange(
    Map<String, Column> columns, Set<String> gone, Set<String> droppedIndexes, boolean ttl) {

  /**
   * A column that stays.
   *
   * @param oldName in the part that is there
   * @param stored its type there
   * @param wanted the type that it is to have
   */
  public record Column(String oldName, DataType stored, DataType wanted) {
    boolean converted() {
      return !stored.equals(wanted);
    }
  }

  public PartChange {
    columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
    gone = Collections.unmodifiableSet(new TreeSet<>(gone));
    droppedIndexes = Collections.unmodifiableSet(new TreeSet<>(droppedIndexes));
  }

  /** No change of a part with these columns. */
  public static PartChange none(Map<String, DataType> columns) {
    Map<String, Column> same = new LinkedHashMap<>();
    columns.forEach((name, type) -> same.put(name, new Column(name, type, type)));
    return new PartChange(same, Set.of(), Set.of(), false);
  }

  /** Whether a mutation with this command can be carried out. */
  public static boolean serves(Alter.Command command) {
    return command instanceof Alter.RenameColumn
        || command instanceof Alter.ModifyColumn
        || command instanceof Alter.MaterializeTtl
        || command instanceof Alter.DropElement drop && serves(drop.element())
        || command instanceof Alter.ClearElement clear && serves(clear.element());
  }

  private static boolean serves(Alter.Element element) {
    return element == Alter.Element.COLUMN || element == Alter.Element.INDEX;
  }

  /**
   * This and then a command, which {@link #serves} knows and which is for the part's partition.
   * What the part does not have is left alone.
   */
  public PartChange then(Alter.Command command) {
    if (command instanceof Alter.RenameColumn rename) {
      return renamed(rename.from(), rename.to());
    }
    if (command instanceof Alter.ModifyColumn modify) {
      return modify.column().type().isEmpty() ? this : converted(modify);
    }
    if (command instanceof Alter.MaterializeTtl) {
      return new PartChange(columns, gone, droppedIndexes, true);
    }
    if (command instanceof Alter.DropElement drop) {
      return without(drop.element(), drop.name());
    }
    Alter.ClearElement clear = (Alter.ClearElement) command;
    return without(clear.element(), clear.name());
  }

  private PartChange renamed(String from, String to) {
    Map<String, Column> changed = new LinkedHashMap<>();
    columns.forEach((name, column) -> changed.put(name.equals(from) ? to : name, column));
    return new PartChange(changed, gone, droppedIndexes, ttl);
  }

  private PartChange converted(Alter.ModifyColumn modify) {
    DataType said = modify.column().type().orElseThrow();
    DataType type =
        modify.nullability().orElse(false) && !said.nullable() ? new NullableType(said) : said;
    Map<String, Column> changed = new LinkedHashMap<>(columns);
    changed.computeIfPresent(
        modify.column().name(),
        (name, column) -> new Column(column.oldName(), column.stored(), type));
    return new PartChange(changed, gone, droppedIndexes, ttl);
  }

  private PartChange without(Alter.Element element, String name) {
    if (element == Alter.Element.INDEX) {
      Set<String> dropped = new TreeSet<>(droppedIndexes);
      dropped.add(name);
      return new PartChange(columns, gone, dropped, ttl);
    }
    Map<String, Column> kept = new LinkedHashMap<>();
    Set<String> lost = new TreeSet<>(gone);
    columns.forEach(
        (other, column) -> {
          if (other.equals(name) || nested(name, other, column)) {
            lost.add(other);
          } else {
            kept.put(other, column);
          }
        });
    return new PartChange(kept, lost, droppedIndexes, ttl);
  }

  private static boolean nested(String table, String name, Column column) {
    return name.startsWith(table + ".") && column.stored() instanceof ArrayType;
  }

  /** Columns of the new part whose values are others than before, or that it does not hold. */
  Set<String> changedColumns() {
    Set<String> changed = new TreeSet<>(gone);
    columns.forEach(
        (name, column) -> {
          if (column.converted()) {
            changed.add(name);
          }
        });
    return changed;
  }

  /** The names that the columns have in the part that is there, in order. */
  List<String> oldNames() {
    return columns.values().stream().map(Column::oldName).toList();
  }
}
