package io.coppice.engine;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.SecondNames;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.catalog.Layout;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Literal;
import io.coppice.language.statement.Alter;
import io.coppice.language.statement.Alter.Command;
import io.coppice.language.statement.PartitionId;
import io.coppice.parts.name.DetachedName;
import io.coppice.parts.name.PartName;
import io.coppice.parts.set.ActiveParts;
import io.coppice.parts.set.Part;
import io.coppice.parts.set.PartSet;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.write.EmptyPart;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * ALTER commands about whole parts: dropped, detached, attached, moved, replaced, frozen. What is
 * new lies ready under temporary names before anything changes; then all directories get their
 * names at once. Dropped parts are covered by parts without rows, as in ClickHouse.
 */
final class PartitionCommands {
  private static final String COVERING = "tmp_empty_";
  private static final String CLONING = "tmp_replace_from_";

  private final Engine engine;
  private final Disk root;
  private final Commit commit;
  private final Freezing freezing;

  /** Makes renames durable, all or none, while the tables are known to be there. */
  interface Commit {
    void run(List<Table> of, Map<String, String> renames, Then then);
  }

  /** What follows at once when the renames are durable. */
  interface Then {
    void run() throws IOException;
  }

  PartitionCommands(Engine engine, Disk root, Commit commit) {
    this.engine = engine;
    this.root = root;
    this.commit = commit;
    this.freezing = new Freezing(root);
  }

  static boolean serves(Command command) {
    return command instanceof Alter.DropPartition
        || command instanceof Alter.DetachPartition
        || command instanceof Alter.AttachPartition
        || command instanceof Alter.ReplacePartition
        || command instanceof Alter.MovePartitionToTable
        || command instanceof Alter.FreezePartition
        || command instanceof Alter.UnfreezePartition;
  }

  /** Parts that are about to get their names. */
  private final class Change {
    private final Map<String, String> renames = new LinkedHashMap<>();
    private final Map<Table, List<Part>> staged = new LinkedHashMap<>();
    private final List<String> temporary = new ArrayList<>();

    private String path(Table table, String directory) {
      return Layout.store(table.uuid()) + "/" + directory;
    }

    /** A part that lies in {@code directory} of the table's gets a name. */
    void place(Table table, String directory, PartName name) throws IOException {
      Part part = table.partSet().stage(directory, name);
      staged.computeIfAbsent(table, t -> new ArrayList<>()).add(part);
      renames.put(path(table, directory), path(table, name.text()));
    }

    /** The active part goes: a part without rows takes its place. */
    void drop(Table table, Part part) throws IOException {
      PartName old = part.name();
      PartName name =
          new PartName(
              old.partition(),
              old.minBlock(),
              old.maxBlock(),
              old.level() + 1,
              old.mutation(),
              old.days());
      String directory = COVERING + name.text();
      temporary.add(path(table, directory));
      EmptyPart.write(
          table.directory(),
          directory,
          table.definition(),
          part.loaded().orElseThrow(),
          table.allocator());
      place(table, directory, name);
    }

    /** A copy of another table's part comes, under the next number. */
    void copy(Table from, Part part, Table to) throws IOException {
      long block = to.nextBlock();
      PartName old = part.name();
      PartName name = new PartName(old.partition(), block, block, old.level(), 0, old.days());
      String directory = CLONING + name.text();
      temporary.add(path(to, directory));
      root.deleteRecursively(path(to, directory));
      SecondNames.ofDirectory(root, path(from, old.text()), path(to, directory));
      place(to, directory, name);
    }

    /** A copy goes to {@code detached/}. */
    void detach(Table table, Part part) throws IOException {
      PartSet.Clone clone = table.partSet().cloneToDetached(part);
      temporary.add(path(table, clone.path()));
      renames.put(path(table, clone.path()), path(table, clone.wanted()));
    }

    void carryOut(List<Table> of) {
      boolean done = false;
      try {
        if (!renames.isEmpty()) {
          commit.run(
              of,
              renames,
              () -> {
                for (Map.Entry<Table, List<Part>> placed : staged.entrySet()) {
                  PartSet parts = placed.getKey().partSet();
                  placed.getValue().forEach(parts::placed);
                  parts.replace(placed.getValue(), List.of());
                }
              });
        }
        done = true;
      } finally {
        if (!done) {
          giveUp();
        }
      }
    }

    void giveUp() {
      staged.forEach(
          (table, parts) ->
              parts.stream()
                  .filter(p -> p.state() == io.coppice.parts.set.PartState.TEMPORARY)
                  .forEach(table.partSet()::unstage));
      for (String path : temporary) {
        try {
          root.deleteRecursively(path);
        } catch (IOException e) {
          System.getLogger(PartitionCommands.class.getName())
              .log(System.Logger.Level.WARNING, "left until the next start: " + path, e);
        }
      }
    }
  }

  private interface Filling {
    void fill(Change change) throws IOException;
  }

  private void change(List<Table> of, Filling filling) throws IOException {
    Change change = new Change();
    boolean filled = false;
    try {
      filling.fill(change);
      filled = true;
    } finally {
      if (!filled) {
        change.giveUp();
      }
    }
    change.carryOut(of);
  }

  /** Works on a table alone. */
  private static void alone(Table table, Table.Work work) throws IOException {
    table.using(
        () -> {
          table.commits().writeLock().lock();
          try {
            work.run();
          } finally {
            table.commits().writeLock().unlock();
          }
        });
  }

  /** Works on two tables alone, always in the same order, so that nobody waits for ever. */
  private static void alone(Table one, Table other, Table.Work work) throws IOException {
    if (one == other) {
      alone(one, work);
      return;
    }
    boolean inOrder = one.uuid().compareTo(other.uuid()) < 0;
    Table first = inOrder ? one : other;
    Table second = inOrder ? other : one;
    alone(first, () -> alone(second, work));
  }

  /** Takes all rows out of a table. */
  void truncate(Table table) throws IOException {
    alone(
        table,
        () ->
            change(
                List.of(table),
                change -> {
                  for (Part part : withRows(table, name -> true)) {
                    change.drop(table, part);
                  }
                }));
  }

  /** Carries a command out. */
  void run(Table table, Command command, Map<String, Literal> settings) throws IOException {
    if (command instanceof Alter.DropPartition drop) {
      if (drop.detached()) {
        dropDetached(table, drop.partition(), settings);
      } else {
        drop(table, drop.partition(), false);
      }
    } else if (command instanceof Alter.DetachPartition detach) {
      drop(table, detach.partition(), true);
    } else if (command instanceof Alter.AttachPartition attach) {
      attach(table, attach.partition());
    } else if (command instanceof Alter.ReplacePartition replace) {
      replace(table, replace);
    } else if (command instanceof Alter.MovePartitionToTable move) {
      move(table, move);
    } else if (command instanceof Alter.FreezePartition freeze) {
      alone(
          table,
          () -> freezing.freeze(table.uuid(), chosen(table, freeze.partition()), freeze.name()));
    } else if (command instanceof Alter.UnfreezePartition unfreeze) {
      Predicate<PartName> meant =
          unfreeze.partition().map(p -> meant(table, p)).orElse(name -> true);
      freezing.unfreeze(table.uuid(), meant, unfreeze.name());
    }
  }

  private static Predicate<PartName> meant(Table table, PartitionId partition) {
    return PartitionIds.meant(table.definition(), partition, table.allocator());
  }

  private static List<Part> withRows(Table table, Predicate<PartName> meant) {
    return table.partSet().active().stream()
        .filter(p -> p.loaded().orElseThrow().rowCount() > 0 && meant.test(p.name()))
        .toList();
  }

  private static List<Part> chosen(Table table, Optional<PartitionId> partition) {
    return withRows(table, partition.map(p -> meant(table, p)).orElse(name -> true));
  }

  static PartName partName(Table table, String text) {
    Optional<PartName> name =
        table.definition().oldSyntax() ? PartName.tryParseWithDays(text) : PartName.tryParse(text);
    return name.orElseThrow(
        () -> EngineException.of(ErrorCode.BAD_DATA_PART_NAME, "'%s' is no name of a part", text));
  }

  private void drop(Table table, PartitionId partition, boolean detach) throws IOException {
    alone(
        table,
        () -> {
          List<Part> chosen;
          if (partition instanceof PartitionId.Part named) {
            PartName name = partName(table, named.name());
            chosen = withRows(table, name::equals);
            if (chosen.isEmpty()) {
              throw EngineException.of(
                  ErrorCode.NO_SUCH_DATA_PART,
                  "table %s has no active part %s",
                  table.name().text(),
                  name);
            }
          } else {
            chosen = chosen(table, Optional.of(partition));
          }
          change(
              List.of(table),
              change -> {
                for (Part part : chosen) {
                  if (detach) {
                    change.detach(table, part);
                  }
                  change.drop(table, part);
                }
              });
        });
  }

  private Optional<DetachedName> detachedName(Table table, String directory) {
    return table.definition().oldSyntax()
        ? DetachedName.tryParseWithDays(directory)
        : DetachedName.tryParse(directory);
  }

  private List<String> detached(Table table, PartitionId partition, boolean anyReason)
      throws IOException {
    List<String> there = table.partSet().detached();
    if (partition instanceof PartitionId.Part named) {
      if (!there.contains(named.name())) {
        throw EngineException.of(
            ErrorCode.BAD_DATA_PART_NAME,
            "there is no %s in detached/ of table %s",
            named.name(),
            table.name().text());
      }
      return List.of(named.name());
    }
    Predicate<PartName> meant = meant(table, partition);
    return there.stream()
        .filter(
            directory ->
                detachedName(table, directory)
                    .filter(n -> anyReason || n.reason().isEmpty() && n.attempt() == 0)
                    .filter(n -> meant.test(n.part()))
                    .isPresent())
        .toList();
  }

  private void attach(Table table, PartitionId partition) throws IOException {
    alone(
        table,
        () -> {
          List<String> found = detached(table, partition, false);
          List<String> chosen =
              partition instanceof PartitionId.Part
                  ? found
                  : ActiveParts.of(found, Optional.empty()).active();
          change(
              List.of(table),
              change -> {
                for (String directory : chosen) {
                  PartName old =
                      detachedName(table, directory)
                          .orElseThrow(
                              () ->
                                  EngineException.of(
                                      ErrorCode.BAD_DATA_PART_NAME,
                                      "'%s' is no name of a part",
                                      directory))
                          .part();
                  long block = table.nextBlock();
                  change.place(
                      table,
                      "detached/" + directory,
                      new PartName(old.partition(), block, block, 0, 0, old.days()));
                }
              });
        });
  }

  private void dropDetached(Table table, PartitionId partition, Map<String, Literal> settings)
      throws IOException {
    Literal allowed = settings.get("allow_drop_detached");
    if (allowed == null || !allowed.text().equals("1") && !allowed.text().equals("true")) {
      throw EngineException.of(
          ErrorCode.SUPPORT_IS_DISABLED,
          "DROP DETACHED deletes for good; say SETTINGS allow_drop_detached = 1 to do so");
    }
    alone(
        table,
        () -> {
          for (String directory : detached(table, partition, true)) {
            table.partSet().dropDetached(directory);
          }
        });
  }

  // Between tables

  private static void refuseAll(PartitionId partition, String what) {
    if (partition instanceof PartitionId.All) {
      throw EngineException.of(
          ErrorCode.SUPPORT_IS_DISABLED,
          "%s PARTITION ALL is not possible, only DROP, DETACH and ATTACH",
          what);
    }
  }

  private void replace(Table table, Alter.ReplacePartition replace) throws IOException {
    if (replace.replace()) {
      refuseAll(replace.partition(), "REPLACE");
    }
    Table from = engine.table(replace.from());
    alone(
        table,
        from,
        () -> {
          checkAlike(from, table);
          List<Part> source = chosen(from, Optional.of(replace.partition()));
          if (replace.replace() && source.isEmpty()) {
            throw EngineException.of(
                ErrorCode.BAD_ARGUMENTS,
                "table %s has no %s: replacing would only drop what %s has; say DROP to do so",
                from.name().text(),
                replace.partition().text(),
                table.name().text());
          }
          change(
              from == table ? List.of(table) : List.of(table, from),
              change -> {
                if (replace.replace()) {
                  table.nextBlock(); // which ClickHouse gives to the range that it drops
                  for (Part part : chosen(table, Optional.of(replace.partition()))) {
                    change.drop(table, part);
                  }
                }
                for (Part part : source) {
                  change.copy(from, part, table);
                }
              });
        });
  }

  private void move(Table table, Alter.MovePartitionToTable move) throws IOException {
    refuseAll(move.partition(), "MOVE");
    Table to = engine.table(move.to());
    if (to == table) {
      return;
    }
    alone(
        table,
        to,
        () -> {
          checkAlike(table, to);
          List<Part> source = chosen(table, Optional.of(move.partition()));
          change(
              List.of(table, to),
              change -> {
                for (Part part : source) {
                  change.copy(table, part, to);
                }
                for (Part part : source) {
                  change.drop(table, part);
                }
              });
        });
  }

  /** Parts of one table are parts of another when both have the same columns and keys. */
  private static void checkAlike(Table from, Table to) {
    TableDefinition a = from.definition();
    TableDefinition b = to.definition();
    if (!structure(a).equals(structure(b))) {
      throw EngineException.of(
          ErrorCode.INCOMPATIBLE_COLUMNS,
          "tables %s and %s have different columns: %s, expected %s",
          from.name().text(),
          to.name().text(),
          structure(a),
          structure(b));
    }
    boolean ordered =
        texts(a.sortingKey()).equals(texts(b.sortingKey()))
            && a.descending().equals(b.descending());
    String different =
        !ordered
            ? "ordering"
            : !texts(a.partitionKey()).equals(texts(b.partitionKey()))
                ? "partition key"
                : a.primaryKeySize() != b.primaryKeySize()
                    ? "primary key"
                    : a.oldSyntax() != b.oldSyntax()
                        ? "form of part names"
                        : !fit(indexes(a), indexes(b), strict(to))
                            ? "secondary indices"
                            : !fit(projections(from), projections(to), strict(to))
                                ? "projections"
                                : "";
    if (!different.isEmpty()) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS,
          "tables %s and %s have different %s",
          from.name().text(),
          to.name().text(),
          different);
    }
  }

  /** Parts may lack what their new table has, but bring nothing that it has not. */
  private static boolean fit(Set<String> from, Set<String> to, boolean strict) {
    return to.containsAll(from) && (!strict || from.size() == to.size());
  }

  private static boolean strict(Table to) {
    Literal value =
        to.create().settings().get("enforce_index_structure_match_on_partition_manipulation");
    return value != null && !value.text().equals("0") && !value.text().equals("false");
  }

  private static Set<String> indexes(TableDefinition table) {
    return table.indexes().stream()
        .map(i -> i.name() + " " + i.expression().text() + " " + i.type().text() + i.granularity())
        .collect(Collectors.toSet());
  }

  private static Set<String> projections(Table table) {
    return table.create().projections().stream()
        .map(p -> p.name() + " " + p.select())
        .collect(Collectors.toSet());
  }

  private static Map<String, String> structure(TableDefinition table) {
    Map<String, String> types = new java.util.TreeMap<>();
    for (ColumnDefinition column : table.storedColumns()) {
      types.put(column.name(), column.type().text());
    }
    return types;
  }

  private static List<String> texts(List<Expression> expressions) {
    return expressions.stream().map(Expression::text).toList();
  }
}
