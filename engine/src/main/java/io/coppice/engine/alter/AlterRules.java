package io.coppice.engine.alter;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.statement.Alter;
import io.coppice.language.statement.Alter.Command;
import io.coppice.language.statement.Column;
import io.coppice.language.statement.Column.DefaultKind;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.statement.PartitionId;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.EnumType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.create.CreateCheck;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.MergingKind;
import io.coppice.parts.table.TableDefinition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What 26.7 allows an ALTER to do to keys and to the columns that an engine needs. */
final class AlterRules {
  private static final Set<String> READ_ONLY_SETTINGS =
      Set.of(
          "index_granularity",
          "index_granularity_bytes",
          "enable_mixed_granularity_parts",
          "add_minmax_index_for_numeric_columns",
          "add_minmax_index_for_string_columns",
          "add_minmax_index_for_temporal_columns");

  private final CreateTable create;
  private final TableDefinition table;

  /** Columns that are elements of the sorting key themselves. */
  private final Set<String> sorting = new TreeSet<>();

  /** Columns inside expressions of keys. */
  private final Set<String> inside = new TreeSet<>();

  private final Set<String> partition = new TreeSet<>();

  /** What keys have of columns that they do not have whole. */
  private final Map<String, String> holding = new HashMap<>();

  /** What an engine calls the columns that it needs, by their names. */
  private final Map<String, String> special = new HashMap<>();

  /** The first refusal of a key column's new type. */
  private EngineException ofKeys;

  private final Set<String> added = new HashSet<>();
  private final Set<String> addedWithDefault = new HashSet<>();

  AlterRules(CreateTable create, TableDefinition table) {
    this.create = create;
    this.table = table;
    collect(table.sortingKey(), sorting);
    collect(table.partitionKey(), partition);
    create.sampleBy().ifPresent(e -> e.collectNames(inside));
    holders(sorting);
    holders(partition);
    holders(Set.copyOf(inside));
    List<Expression> arguments = table.engineArguments();
    for (int i = 0; i < arguments.size(); i++) {
      int at = i;
      for (Expression element : arguments.get(i).keyElements()) {
        if (element instanceof Expression.Identifier column) {
          special.put(column.name(), role(table.kind(), at));
        }
      }
    }
  }

  private void collect(List<Expression> key, Set<String> direct) {
    for (Expression element : key) {
      if (element.bare() instanceof Expression.Identifier column) {
        direct.add(column.name());
      } else {
        element.collectNames(inside);
      }
    }
  }

  /** Of names that are no columns but parts of them, as elements of tuples, the columns count. */
  private void holders(Set<String> names) {
    for (String name : names) {
      if (table.column(name).isEmpty()) {
        table.columns().stream()
            .map(ColumnDefinition::name)
            .filter(column -> name.startsWith(column + "."))
            .forEach(
                column -> {
                  inside.add(column);
                  holding.put(column, name);
                });
      }
    }
  }

  private static String role(MergingKind kind, int at) {
    return switch (kind) {
      case COLLAPSING -> "sign";
      case VERSIONED_COLLAPSING -> at == 0 ? "sign" : "version";
      case REPLACING -> at == 0 ? "version" : "is_deleted";
      default -> "columns to sum";
    };
  }

  // Commands by themselves

  static void refuseUnserved(Command command) {
    boolean projection =
        command instanceof Alter.AddProjection
            || command instanceof Alter.DropElement drop
                && drop.element() == Alter.Element.PROJECTION
            || command instanceof Alter.ClearElement clear
                && clear.element() == Alter.Element.PROJECTION;
    boolean statistics =
        command instanceof Alter.SetStatistics
            || command instanceof Alter.DropElement drop
                && drop.element() == Alter.Element.STATISTICS
            || command instanceof Alter.ClearElement clear
                && clear.element() == Alter.Element.STATISTICS;
    boolean rows =
        command instanceof Alter.MaterializeElement
            || command instanceof Alter.Delete
            || command instanceof Alter.Update;
    if (projection || statistics || rows) {
      throw EngineException.of(ErrorCode.NOT_IMPLEMENTED, "%s is not served yet", command.text());
    }
  }

  static void checkRenames(List<Command> commands) {
    Set<String> from = new HashSet<>();
    Set<String> to = new HashSet<>();
    for (Command command : commands) {
      if (command instanceof Alter.RenameColumn rename) {
        if (!from.add(rename.from())) {
          throw EngineException.of(
              ErrorCode.BAD_ARGUMENTS,
              "column %s is renamed twice in one statement",
              rename.from());
        }
        if (to.contains(rename.from())) {
          throw EngineException.of(
              ErrorCode.NOT_IMPLEMENTED,
              "column %s is renamed again in one statement; say its last name at once",
              rename.from());
        }
        to.add(rename.to());
      }
    }
    for (Command command : commands) {
      if (command instanceof Alter.ModifyColumn modify) {
        String name = modify.column().name();
        if (from.contains(name) || to.contains(name)) {
          throw EngineException.of(
              ErrorCode.NOT_IMPLEMENTED,
              "column %s is renamed and modified in one statement; use two",
              name);
        }
      }
    }
  }

  static void refuseReadOnly(Collection<String> settings) {
    for (String name : settings) {
      if (READ_ONLY_SETTINGS.contains(name)) {
        throw EngineException.of(
            ErrorCode.READONLY_SETTING,
            "setting %s is read only: it is said when the table is made",
            name);
      }
    }
  }

  // Columns

  static boolean stored(Column column) {
    return column.kind() == DefaultKind.DEFAULT || column.kind() == DefaultKind.MATERIALIZED;
  }

  void added(List<Column> columns) {
    for (Column column : columns) {
      added.add(column.name());
      if (column.defaults().isPresent()) {
        addedWithDefault.add(column.name());
      }
    }
  }

  /** Refuses to take a column away that a key or the engine needs. */
  void checkColumn(Command command, Draft draft) {
    if (command instanceof Alter.RenameColumn rename) {
      if (holding.containsKey(rename.from())) {
        throw EngineException.of(
            ErrorCode.UNKNOWN_IDENTIFIER,
            "can't rename column %s: a key has its part %s",
            rename.from(),
            holding.get(rename.from()));
      }
      refuseNeeded("rename", rename.from(), true);
    } else if (command instanceof Alter.ClearElement clear
        && clear.element() == Alter.Element.COLUMN) {
      if (draft.columns.size() == 1) {
        throw EngineException.of(
            ErrorCode.BAD_ARGUMENTS,
            "column %s is the only one, it can't be cleared",
            clear.name());
      }
      if (clear.partition().filter(p -> p instanceof PartitionId.All).isPresent()) {
        throw EngineException.of(
            ErrorCode.SUPPORT_IS_DISABLED,
            "PARTITION ALL is for DROP, DETACH and ATTACH PARTITION only; leave IN PARTITION out");
      }
      refuseNeeded("clear", clear.name(), true);
    } else if (command instanceof Alter.DropElement drop
        && drop.element() == Alter.Element.COLUMN
        && draft.at(drop.name()).isPresent()) {
      if (draft.columns.size() == 1) {
        throw EngineException.of(
            ErrorCode.BAD_ARGUMENTS, "column %s is the only one, it can't be dropped", drop.name());
      }
      refuseNeeded("drop", drop.name(), false);
    }
  }

  private void refuseNeeded(String what, String column, boolean keys) {
    String role = special.get(column);
    boolean key = sorting.contains(column) || inside.contains(column) || partition.contains(column);
    if (role != null || keys && key) {
      throw forbidden(
          "can't %s column %s: it is %s", what, column, role == null ? "of a key" : role);
    }
  }

  @FormatMethod
  private static EngineException forbidden(@FormatString String message, Object... arguments) {
    return EngineException.of(ErrorCode.ALTER_OF_COLUMN_IS_FORBIDDEN, message, arguments);
  }

  /** Refuses to drop a column that another's default needs. */
  void checkUnused(Draft draft, String name) {
    for (Column column : draft.columns) {
      Set<String> names = new TreeSet<>();
      column.defaults().flatMap(Column.Default::expression).ifPresent(e -> e.collectNames(names));
      if (!column.name().equals(name) && names.contains(name)) {
        throw EngineException.of(
            ErrorCode.ILLEGAL_COLUMN,
            "can't drop column %s: column %s depends on it",
            name,
            column.name());
      }
    }
    boolean key = sorting.contains(name) || inside.contains(name) || partition.contains(name);
    if (key) {
      throw EngineException.of(
          ErrorCode.UNKNOWN_IDENTIFIER, "can't drop column %s: a key of the table uses it", name);
    }
  }

  private static DataType plain(DataType type) {
    return type instanceof DataType.LowCardinalityType low ? low.inner() : type;
  }

  private void later(EngineException refusal) {
    if (ofKeys == null) {
      ofKeys = refusal;
    }
  }

  /** Refuses what was found about types of key columns, if keys can be made of the new ones. */
  void checkKeyTypes(TableDefinition altered) {
    if (ofKeys != null) {
      CreateCheck.compileKeys(altered);
      throw ofKeys;
    }
  }

  /**
   * Refuses types that parts could not be read as; those that would make keys read other than they
   * were written are refused by {@link #checkKeyTypes}.
   */
  void checkType(Column old, Optional<DataType> said, Column modified) {
    if (said.isEmpty() || said.equals(old.type())) {
      return;
    }
    DataType from = old.type().orElseThrow();
    DataType to = said.get();
    String name = old.name();
    if (inside.contains(name)) {
      later(forbidden("column %s is in an expression of a key and keeps its type", name));
    }
    boolean readsOther =
        sorting.contains(name)
            && !ArrowMapping.sameBytes(from, to)
            && !plain(from).equals(plain(to));
    // 26.7 lets a Date become UInt16 here, and finds the parts broken at its next start: the ids of
    // their partitions are not those of the new type.
    // A dictionary changes neither order nor the names of partitions.
    boolean dictionary = plain(from).equals(plain(to));
    boolean namesOther =
        partition.contains(name)
            && !dictionary
            && !(from instanceof EnumType && ArrowMapping.sameBytes(from, to));
    if (readsOther || namesOther) {
      later(
          forbidden(
              "column %s is of a key: as %s instead of %s the key would read other than it was"
                  + " written",
              name, to.text(), from.text()));
    }
    if ("sign".equals(special.get(name)) || "is_deleted".equals(special.get(name))) {
      throw forbidden("column %s is the %s column and keeps its type", name, special.get(name));
    }
    if ("version".equals(special.get(name)) && narrower(from, to)) {
      throw forbidden(
          "column %s is the version: its type %s may only become wider, not %s",
          name, from.text(), to.text());
    }
    boolean defaulted = modified.defaults().isPresent() || old.defaults().isPresent();
    if (from.nullable() && !to.nullable() && stored(old) && !defaulted) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS,
          "column %s has type %s: to be %s it needs a DEFAULT for what is NULL",
          name,
          from.text(),
          to.text());
    }
  }

  private static boolean narrower(DataType from, DataType to) {
    return from instanceof PlainType a
        && to instanceof PlainType b
        && (a.integer() != b.integer() || a.widthBytes() > b.widthBytes());
  }

  // Keys

  void checkPrimaryKey(Draft draft, CreateTable.SortingKey key) {
    List<Expression> primary =
        draft
            .primaryKey
            .map(Expression::keyElements)
            .orElseGet(() -> draft.orderBy.map(CreateTable.SortingKey::elements).orElse(List.of()));
    List<Expression> elements = key.elements();
    for (int i = 0; i < primary.size(); i++) {
      boolean same = i < elements.size() && elements.get(i).text().equals(primary.get(i).text());
      if (!same) {
        throw EngineException.of(
            ErrorCode.BAD_ARGUMENTS,
            "the primary key must stay a prefix of the sorting key: at %d expected %s, found %s",
            i + 1,
            primary.get(i).text(),
            i < elements.size() ? elements.get(i).text() : "the end");
      }
    }
  }

  /** What is added to the sorting key may only use columns that the same statement adds. */
  void checkSortingKey(Draft draft) {
    if (table.oldSyntax() && !draft.orderBy.equals(create.orderBy())) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS, "MODIFY ORDER BY needs a table that was made with ORDER BY");
    }
    List<Expression> before = new ArrayList<>(table.sortingKey());
    List<Expression> after = draft.orderBy.map(CreateTable.SortingKey::elements).orElse(before);
    for (int i = 0; i < after.size(); i++) {
      boolean same = i < before.size() && before.get(i).text().equals(after.get(i).text());
      if (same) {
        continue;
      }
      Set<String> names = new TreeSet<>();
      after.get(i).collectNames(names);
      for (String name : names) {
        if (draft.at(name).isPresent() && !added.contains(name)) {
          throw EngineException.of(
              ErrorCode.BAD_ARGUMENTS,
              "column %s is there already: expressions added to the sorting key may use only"
                  + " columns that the same ALTER adds",
              name);
        }
        if (addedWithDefault.contains(name)) {
          throw EngineException.of(
              ErrorCode.BAD_ARGUMENTS,
              "column %s is added with a default expression and can't be in the sorting key",
              name);
        }
      }
    }
  }
}
