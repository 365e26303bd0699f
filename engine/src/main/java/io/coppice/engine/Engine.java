package io.coppice.engine;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.ReadOnlyDisk;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.catalog.Catalog;
import io.coppice.engine.catalog.DatabaseEntry;
import io.coppice.engine.catalog.Layout;
import io.coppice.engine.catalog.Links;
import io.coppice.engine.catalog.TableEntry;
import io.coppice.engine.catalog.Unserved;
import io.coppice.language.expression.Literal;
import io.coppice.language.parse.Parser;
import io.coppice.language.statement.Alter;
import io.coppice.language.statement.CreateDatabase;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.statement.TableName;
import io.coppice.parts.create.CreateCheck;
import io.coppice.parts.scan.MarkCache;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The databases and tables of a directory, which is ClickHouse's own: either engine opens what the
 * other left.
 *
 * <pre>{@code
 * try (Engine engine = Engine.open(Path.of("data"))) {
 *   Table hits = engine.createTable("CREATE TABLE hits (id UInt64) ENGINE = MergeTree ORDER BY id");
 *   hits.insert(batch);
 * }
 * }</pre>
 *
 * <p>Thread-safe. Any number of engines may be open in a JVM, each over a directory of its own; a
 * second writer is refused, readers are not. {@link #close} waits for nothing but what is running
 * in the engine's own threads; closing twice is harmless.
 */
public final class Engine implements AutoCloseable {
  private static final long MARK_CACHE_BYTES = 64L << 20;
  private static final long CLEANING_MILLIS = 1000;
  private static final System.Logger LOG = System.getLogger(Engine.class.getName());

  private final EngineConfig config;
  private final Disk disk;
  private final Optional<DirectoryLock> directoryLock;
  private final BufferAllocator allocator;
  private final BufferPool pool;
  private final ExecutorService workers;
  private final ScheduledExecutorService housekeeping;
  private final Table.Environment environment;
  private final EngineStatistics statistics;
  private final AsyncInserts asyncInserts;

  /**
   * One change at a time: guards the fields below, which are reached inside {@link #changed}. It is
   * held while files change; who only looks something up goes by {@link #view}.
   */
  private final ReentrantLock lock = new ReentrantLock();

  private final Catalog catalog;

  private final Map<TableName, Table> tables = new LinkedHashMap<>();

  private final Map<TableName, String> broken = new LinkedHashMap<>();

  private boolean closed;

  /** What there was after the last change; null when the engine is closed. */
  private volatile View view;

  /**
   * The databases and tables of one moment.
   *
   * @param databases in the order of their names
   * @param tables that are served, by database and name
   */
  private record View(
      List<DatabaseEntry> databases, Map<TableName, Table> tables, List<Unserved> unserved) {

    boolean has(String database) {
      return databases.stream().anyMatch(entry -> entry.name().equals(database));
    }

    List<String> names() {
      return databases.stream().map(DatabaseEntry::name).toList();
    }
  }

  /** Opens a directory with the defaults, making it if it is not there. */
  public static Engine open(Path directory) {
    return open(EngineConfig.at(directory));
  }

  /**
   * Opens a directory.
   *
   * @throws EngineException ABORTED when another process or engine has it open for writing;
   *     CORRUPTION when a file that says what there is cannot be understood. A table that cannot be
   *     opened is no reason: it is listed by {@link #unserved}
   */
  public static Engine open(EngineConfig config) {
    try {
      return new Engine(config);
    } catch (IOException e) {
      throw unopened(config, e);
    }
  }

  private static EngineException unopened(EngineConfig config, IOException e) {
    return new EngineException(
        ErrorCode.CANNOT_OPEN_FILE,
        "the data directory " + config.disk().describe("") + " can't be opened: " + e,
        e);
  }

  private Engine(EngineConfig config) throws IOException {
    this.config = config;
    disk = config.readOnly() ? new ReadOnlyDisk(config.disk()) : config.disk();
    if (config.readOnly() && !disk.exists("")) {
      throw EngineException.of(
          ErrorCode.FILE_DOESNT_EXIST,
          "the data directory %s does not exist; it is made only when it is opened for writing",
          disk.describe(""));
    }
    statistics = new EngineStatistics(config.time());
    if (config.path().isPresent() && !config.readOnly()) {
      Files.createDirectories(config.path().get());
      directoryLock =
          Optional.of(
              DirectoryLock.take(
                  config.path().get(), Instant.ofEpochMilli(config.time().wallMillis())));
    } else {
      directoryLock = Optional.empty();
    }
    boolean opened = false;
    BufferPool.Pooled pooled = BufferPool.allocator(config.memoryBytes());
    allocator = pooled.allocator();
    pool = pooled.pool();
    workers = Executors.newFixedThreadPool(config.threads(), task -> thread(task, "coppice-work"));
    housekeeping =
        Executors.newSingleThreadScheduledExecutor(task -> thread(task, "coppice-housekeeping"));
    asyncInserts =
        new AsyncInserts(
            config.time(), workers, task -> thread(task, "coppice-async-inserts"), statistics);
    try {
      environment =
          new Table.Environment(
              config,
              allocator,
              workers,
              new MarkCache(MARK_CACHE_BYTES),
              statistics,
              asyncInserts,
              this::fedBy);
      catalog =
          Catalog.load(
              disk,
              config.path().map(Links::below).orElse(Links.NONE),
              config.uuids(),
              config.readOnly());
      openTables();
      publish();
      if (!config.readOnly()) {
        housekeeping.scheduleWithFixedDelay(
            this::cleanTables, CLEANING_MILLIS, CLEANING_MILLIS, TimeUnit.MILLISECONDS);
      }
      opened = true;
    } finally {
      if (!opened) {
        release();
      }
    }
  }

  private static Thread thread(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  private void openTables() {
    catalog.databases().forEach(this::openTables);
  }

  private void openTables(DatabaseEntry database) {
    for (TableEntry entry : catalog.tables(database.name())) {
      if (!entry.detached()) {
        openTable(entry);
      }
    }
  }

  private void openTable(TableEntry entry) {
    try {
      tables.put(entry.name(), opened(entry));
      broken.remove(entry.name());
    } catch (EngineException | IOException e) {
      LOG.log(
          System.Logger.Level.ERROR,
          "table {0} is not served: {1}",
          entry.name().text(),
          e.getMessage());
      LOG.log(System.Logger.Level.DEBUG, "table " + entry.name().text(), e);
      broken.put(entry.name(), String.valueOf(e.getMessage()));
    }
  }

  private Table opened(TableEntry entry) throws IOException {
    return Table.open(entry, disk.within(Layout.store(entry.uuid())), environment);
  }

  private void cleanTables() {
    View now = view;
    if (now == null) {
      return;
    }
    for (Table table : now.tables().values()) {
      try {
        table.clean();
      } catch (RuntimeException e) {
        LOG.log(System.Logger.Level.WARNING, "old parts of " + table.name().text(), e);
      }
    }
  }

  /** Forgets the marks of parts that are kept at hand; they are read again when needed. */
  public void clearMarkCache() {
    environment.marks().clear();
  }

  // What there is

  /** Memory for batches that go in and come out; part of the engine's budget. */
  public BufferAllocator allocator() {
    return allocator;
  }

  /** How the engine works. */
  public EngineConfig config() {
    return config;
  }

  /** The databases in the order of their names. */
  public List<String> databases() {
    return now().names();
  }

  /** The databases with what the directory says of them, in the order of their names. */
  public List<DatabaseEntry> databaseEntries() {
    return now().databases();
  }

  /** Where the tables of a database are described, for people. */
  public String metadataPath(DatabaseEntry database) {
    return disk.describe(Layout.store(database.uuid()));
  }

  /** What was counted and noted since the engine was opened. */
  public EngineStatistics statistics() {
    return statistics;
  }

  /** Inserts that are gathered before they are written. */
  public AsyncInserts asyncInserts() {
    return asyncInserts;
  }

  /** The tables that are served, by database and name. */
  public List<Table> tables() {
    return List.copyOf(now().tables().values());
  }

  /** What lies in the directory and is not served, each with its reason. */
  public List<Unserved> unserved() {
    return now().unserved();
  }

  private View now() {
    View now = view;
    if (now == null) {
      throw new IllegalStateException("the engine is closed");
    }
    return now;
  }

  private void publish() {
    List<DatabaseEntry> databases = List.copyOf(catalog.databases());
    Map<TableName, Table> served = new LinkedHashMap<>();
    for (DatabaseEntry database : databases) {
      for (TableEntry entry : catalog.tables(database.name())) {
        Optional.ofNullable(tables.get(entry.name())).ifPresent(t -> served.put(entry.name(), t));
      }
    }
    List<Unserved> unserved = new ArrayList<>(catalog.unserved());
    broken.forEach((name, reason) -> unserved.add(new Unserved(name.text(), reason)));
    view =
        new View(
            databases, Collections.unmodifiableMap(served), Collections.unmodifiableList(unserved));
  }

  /** The materialized views that are to get the new rows of a table, and do not here. */
  private List<String> fedBy(TableName table) {
    return now().unserved().stream()
        .filter(each -> each.fedBy().equals(Optional.of(table)))
        .map(Unserved::name)
        .toList();
  }

  /** The table of a name, {@code table} in the default database or {@code database.table}. */
  public Table table(String name) {
    return table(named(name));
  }

  private static TableName named(String name) {
    return inDefault(Parser.tableName(name));
  }

  private static TableName inDefault(TableName name) {
    return name.in(Catalog.DEFAULT_DATABASE);
  }

  /**
   * A table.
   *
   * @throws EngineException UNKNOWN_TABLE, NOT_IMPLEMENTED for what is there and not served, or
   *     UNKNOWN_DATABASE
   */
  public Table table(TableName name) {
    TableName full = inDefault(name);
    return findTable(full)
        .orElseThrow(
            () ->
                unserved().stream()
                    .filter(there -> there.name().equals(full.text()))
                    .map(
                        there ->
                            EngineException.of(
                                ErrorCode.NOT_IMPLEMENTED,
                                "table %s is not served: %s",
                                full.text(),
                                there.reason()))
                    .findFirst()
                    .orElseGet(
                        () ->
                            EngineException.of(
                                ErrorCode.UNKNOWN_TABLE, "table %s does not exist", full.text())));
  }

  /** A table, if it is there and served. */
  public Optional<Table> findTable(TableName name) {
    TableName full = inDefault(name);
    View now = now();
    String database = full.database().orElseThrow();
    if (!now.has(database)) {
      throw Catalog.unknownDatabase(database, now.names());
    }
    return Optional.ofNullable(now.tables().get(full));
  }

  // Databases

  /**
   * Makes a database, or brings one back that was detached if the statement is an ATTACH.
   *
   * @throws EngineException DATABASE_ALREADY_EXISTS unless the statement allows for it;
   *     ATOMIC_RENAME_FAIL if a detached one has the name; UNKNOWN_DATABASE_ENGINE or
   *     INCORRECT_QUERY if there is none to attach
   */
  public void createDatabase(CreateDatabase create) {
    refuseIfReadOnly("create database " + create.database());
    String engine = create.engine().map(e -> e.name()).orElse("Atomic");
    if (!engine.equals("Atomic")) {
      throw EngineException.of(
          ErrorCode.UNKNOWN_DATABASE_ENGINE,
          "database %s: engine %s is not served, only Atomic",
          create.database(),
          engine);
    }
    change(
        "create database " + create.database(),
        () -> {
          if (catalog.database(create.database()).isPresent()) {
            if (create.ifNotExists()) {
              return;
            }
            throw EngineException.of(
                ErrorCode.DATABASE_ALREADY_EXISTS, "database %s exists already", create.database());
          }
          if (create.attach()) {
            catalog.attachDatabase(create);
            openTables(catalog.requireDatabase(create.database()));
          } else {
            catalog.createDatabase(create);
          }
        });
  }

  /**
   * Forgets a database with its tables until it is attached, or until the next start.
   *
   * @throws EngineException UNKNOWN_DATABASE unless {@code ifExists}
   */
  public void detachDatabase(String name, boolean ifExists) {
    refuseIfReadOnly("detach database " + name);
    change(
        "detach database " + name,
        () -> {
          if (catalog.database(name).isEmpty() && ifExists) {
            return;
          }
          catalog.requireDatabase(name);
          for (TableEntry entry : catalog.tables(name)) {
            broken.remove(entry.name());
            Optional.ofNullable(tables.remove(entry.name()))
                .ifPresent(table -> table.retire("was detached with its database", () -> {}));
          }
          catalog.detachDatabase(name);
        });
  }

  /** Drops a database with all its tables; fine if it is absent and {@code ifExists} says so. */
  public void dropDatabase(String name, boolean ifExists) {
    refuseIfReadOnly("drop database " + name);
    change(
        "drop database " + name,
        () -> {
          if (catalog.database(name).isEmpty() && ifExists) {
            return;
          }
          catalog.requireDatabase(name);
          List<TableEntry> dropped = catalog.tables(name);
          catalog.dropDatabase(name);
          for (TableEntry table : dropped) {
            forget(table);
          }
        });
  }

  /** Gives a database another name. */
  public void renameDatabase(String from, String to) {
    refuseIfReadOnly("rename database " + from);
    change(
        "rename database " + from,
        () -> {
          catalog.requireDatabase(from);
          if (catalog.database(to).isPresent()) {
            throw EngineException.of(
                ErrorCode.DATABASE_ALREADY_EXISTS, "database %s exists already", to);
          }
          Map<TableName, Table> moved = new LinkedHashMap<>();
          for (TableEntry table : catalog.tables(from)) {
            Optional.ofNullable(tables.remove(table.name()))
                .ifPresent(t -> moved.put(TableName.of(to, table.name().table()), t));
          }
          catalog.renameDatabase(from, to);
          moved.forEach(
              (name, table) -> {
                tables.put(name, table);
                table.become(catalog.table(name).orElseThrow());
              });
        });
  }

  // Tables

  /** Makes a table from the text of a CREATE TABLE. */
  public Table createTable(String createTable) {
    return createTable(Parser.createTable(createTable));
  }

  /**
   * Makes a table of a MergeTree engine. Its definition is checked as ClickHouse checks a new one.
   *
   * @return the table, or with IF NOT EXISTS the one that is there
   * @throws EngineException TABLE_ALREADY_EXISTS, UNKNOWN_DATABASE, or what is wrong with it
   */
  public Table createTable(CreateTable create) {
    return createTable(create, Map.of());
  }

  /**
   * Makes a table as {@link #createTable(CreateTable)} does.
   *
   * @param allowing settings of the session that allow more than ClickHouse does by default, say
   *     {@code allow_suspicious_codecs}
   */
  public Table createTable(CreateTable create, Map<String, Literal> allowing) {
    TableName name = inDefault(create.name());
    refuseIfReadOnly("create table " + name.text());
    return changed(
        "create table " + name.text(),
        () -> {
          catalog.requireDatabase(name.database().orElseThrow());
          catalog.requireNotUnserved(name);
          Optional<TableEntry> old = catalog.table(name);
          if (old.isPresent() && create.ifNotExists()) {
            return table(name);
          }
          if (old.isPresent() && !create.orReplace()) {
            throw EngineException.of(
                ErrorCode.TABLE_ALREADY_EXISTS, "table %s exists already", name.text());
          }
          CreateTable complete = NewTable.complete(create, this::likeTable, config.profile());
          if (create.attach() && create.uuid().isEmpty()) {
            throw EngineException.of(
                ErrorCode.INCORRECT_QUERY,
                "attach table %s with a definition: it needs the UUID of the data; ATTACH TABLE %s"
                    + " brings back a detached table, CREATE TABLE makes a new one",
                name.text(),
                name.text());
          }
          if (!create.attach()) {
            Map<String, Literal> settings = new LinkedHashMap<>(allowing);
            settings.putAll(complete.settings());
            CreateCheck.check(TableDefinition.of(complete.with(settings), config.profile()));
          }
          UUID uuid = create.uuid().map(UUID::fromString).orElseGet(catalog::newUuid);
          boolean fresh = catalog.prepareTable(uuid, create.attach());
          Table made;
          try {
            made = opened(new TableEntry(name, uuid, complete, false));
          } catch (Throwable e) {
            if (fresh) {
              disk.deleteRecursively(Layout.store(uuid));
            }
            throw e;
          }
          made.become(catalog.createTable(name, uuid, complete));
          Table replaced = tables.put(name, made);
          if (old.isPresent()) {
            retire(replaced, old.get(), "was replaced");
          }
          return made;
        });
  }

  private CreateTable likeTable(TableName other) {
    return table(other).create();
  }

  /**
   * Drops a table. When this returns it does not come back after a crash; its files go when no scan
   * reads them any more.
   *
   * @throws EngineException UNKNOWN_TABLE unless {@code ifExists}
   */
  public void dropTable(TableName name, boolean ifExists) {
    dropTable(name, ifExists, false);
  }

  /**
   * Drops a table as {@link #dropTable(TableName, boolean)} does.
   *
   * @param ifEmpty whether one with rows is refused by TABLE_NOT_EMPTY
   */
  public void dropTable(TableName name, boolean ifExists, boolean ifEmpty) {
    TableName full = inDefault(name);
    refuseIfReadOnly("drop table " + full.text());
    change(
        "drop table " + full.text(),
        () -> {
          Optional<TableEntry> entry = known(full, ifExists);
          Table table = tables.get(full);
          if (entry.isPresent() && ifEmpty && table != null && table.rowCount() > 0) {
            throw EngineException.of(
                ErrorCode.TABLE_NOT_EMPTY,
                "table %s has %d rows and is to be dropped only if it is empty",
                full.text(),
                table.rowCount());
          }
          if (entry.isPresent()) {
            drop(entry.get());
          }
        });
  }

  /** Drops a table by its name. */
  public void dropTable(String name) {
    dropTable(named(name), false);
  }

  private Optional<TableEntry> known(TableName full, boolean ifExists) {
    catalog.requireDatabase(full.database().orElseThrow());
    Optional<TableEntry> entry = catalog.table(full);
    if (entry.isEmpty() && !ifExists) {
      table(full); // says why
    }
    return entry;
  }

  private void drop(TableEntry entry) throws IOException {
    catalog.dropTable(entry);
    forget(entry);
  }

  private void forget(TableEntry entry) throws IOException {
    broken.remove(entry.name());
    retire(tables.remove(entry.name()), entry, "was dropped");
  }

  /** Deletes a table's files when nothing uses them any more. */
  private void retire(Table table, TableEntry entry, String why) throws IOException {
    if (table == null) {
      catalog.finishDrop(entry);
      return;
    }
    table.retire(
        why,
        () -> {
          try {
            catalog.finishDrop(entry);
          } catch (IOException e) {
            // The next start deletes what is left.
            LOG.log(System.Logger.Level.WARNING, "files of dropped " + entry.name().text(), e);
          }
        });
  }

  /**
   * Forgets a table until {@link #attachTable}, or until the next start unless {@code permanently}.
   */
  public void detachTable(TableName name, boolean ifExists, boolean permanently) {
    TableName full = inDefault(name);
    refuseIfReadOnly("detach table " + full.text());
    change(
        "detach table " + full.text(),
        () -> {
          Optional<TableEntry> entry = known(full, ifExists);
          if (entry.isEmpty() || !tables.containsKey(full)) {
            if (entry.isPresent() && !ifExists) {
              throw EngineException.of(
                  ErrorCode.UNKNOWN_TABLE, "table %s is detached already", full.text());
            }
            return;
          }
          if (permanently) {
            catalog.markDetached(entry.get(), true);
          }
          tables.remove(full).retire("was detached", () -> {});
        });
  }

  /** Brings a detached table back. */
  public Table attachTable(TableName name, boolean ifNotExists) {
    TableName full = inDefault(name);
    refuseIfReadOnly("attach table " + full.text());
    return changed(
        "attach table " + full.text(),
        () -> {
          Table there = tables.get(full);
          if (there != null) {
            if (ifNotExists) {
              return there;
            }
            throw EngineException.of(
                ErrorCode.TABLE_ALREADY_EXISTS, "table %s is attached already", full.text());
          }
          TableEntry entry = known(full, false).orElseThrow();
          Table opened = opened(entry);
          if (entry.detached()) {
            opened.become(catalog.markDetached(entry, false));
          }
          tables.put(full, opened);
          broken.remove(full);
          return opened;
        });
  }

  /** Gives a table another name, in this database or another. */
  public void renameTable(TableName from, TableName to) {
    move(List.of(new Catalog.Move(inDefault(from), inDefault(to))));
  }

  /** Gives each of two tables the other's name, at once. */
  public void exchangeTables(TableName first, TableName second) {
    TableName a = inDefault(first);
    TableName b = inDefault(second);
    move(List.of(new Catalog.Move(a, b), new Catalog.Move(b, a)));
  }

  private void move(List<Catalog.Move> moves) {
    refuseIfReadOnly("rename tables");
    List<TableName> sources = moves.stream().map(Catalog.Move::from).toList();
    change(
        "rename table " + sources.get(0).text(),
        () -> {
          for (Catalog.Move move : moves) {
            known(move.from(), false);
            table(move.from());
            catalog.requireDatabase(move.to().database().orElseThrow());
            catalog.requireNotUnserved(move.to());
            if (catalog.table(move.to()).isPresent() && !sources.contains(move.to())) {
              throw EngineException.of(
                  ErrorCode.TABLE_ALREADY_EXISTS, "table %s exists already", move.to().text());
            }
          }
          catalog.moveTables(moves);
          List<Table> moved = new ArrayList<>();
          moves.forEach(move -> moved.add(tables.remove(move.from())));
          for (int i = 0; i < moves.size(); i++) {
            TableName to = moves.get(i).to();
            tables.put(to, moved.get(i));
            moved.get(i).become(catalog.table(to).orElseThrow());
          }
        });
  }

  /** Deletes all rows of a table. */
  public void truncateTable(TableName name, boolean ifExists) {
    Optional<Table> table = findTable(name);
    if (table.isEmpty()) {
      change("truncate table " + inDefault(name).text(), () -> known(inDefault(name), ifExists));
      return;
    }
    refuseIfReadOnly("truncate table " + inDefault(name).text());
    onParts(
        "truncate table " + inDefault(name).text(),
        () -> {
          partitions().truncate(table.get());
          table.get().deleteDropped();
          table.get().forgetMutations();
        });
  }

  private PartitionCommands partitions() {
    return new PartitionCommands(this, disk, this::commitParts);
  }

  /**
   * Changes a table as ALTER TABLE says. Parts that are there already are written anew where
   * ClickHouse's mutation would do so, before this returns; scans that have begun go on over what
   * they began with.
   *
   * @throws EngineException with ClickHouse's code for what it would refuse; nothing is changed
   *     then. NOT_IMPLEMENTED for commands that are not served
   */
  public void alterTable(Alter alter) {
    TableName name = inDefault(alter.table());
    refuseIfReadOnly("alter table " + name.text());
    Table table = table(name);
    List<Alter.Command> definition = new ArrayList<>();
    for (Alter.Command command : alter.commands()) {
      if (PartitionCommands.serves(command)) {
        onParts(
            "alter table " + name.text(),
            () -> {
              partitions().run(table, command, alter.settings());
              table.deleteDropped();
            });
      } else {
        definition.add(command);
      }
    }
    if (!definition.isEmpty()) {
      onParts(
          "alter table " + name.text(),
          () ->
              table.alter(
                  definition,
                  alter.settings(),
                  (create, files, then) -> commit(table, create, files, then)));
    }
  }

  /** Renames directories of parts at once, and says so to their sets. */
  private void commitParts(
      List<Table> of, Map<String, String> renames, PartitionCommands.Then then) {
    change(
        "change parts of table " + of.get(0).name().text(),
        () -> {
          for (Table table : of) {
            TableName now = table.entry().name();
            if (tables.get(now) != table) {
              throw EngineException.of(
                  ErrorCode.UNKNOWN_TABLE, "table %s went away meanwhile", now.text());
            }
          }
          boolean done = false;
          try {
            catalog.renameParts(renames);
            then.run();
            done = true;
          } finally {
            if (!done) {
              // What is on the disk is not known: opening the directory finds out, and finishes it.
              of.forEach(
                  table ->
                      table.retire("is to be opened anew: its parts changed half way", () -> {}));
            }
          }
        });
  }

  /** Changes a table as the text of an ALTER TABLE says. */
  public void alterTable(String alterTable) {
    if (!(Parser.statement(alterTable) instanceof Alter alter)) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS, "expected ALTER TABLE, found %s", alterTable);
    }
    alterTable(alter);
  }

  private void commit(
      Table table, CreateTable create, Map<String, String> files, Table.Commit.Then then) {
    change(
        "alter table " + table.name().text(),
        () -> {
          TableEntry entry = table.entry();
          if (tables.get(entry.name()) != table) {
            throw EngineException.of(
                ErrorCode.UNKNOWN_TABLE,
                "table %s went away while it was being altered",
                entry.name().text());
          }
          then.run(catalog.alterTable(entry, create, files));
        });
  }

  /** Works on parts, which a table orders itself: the engine's lock is not held meanwhile. */
  private static void onParts(String what, Action action) {
    try {
      action.run();
    } catch (IOException e) {
      throw new EngineException(
          ErrorCode.CANNOT_WRITE_TO_FILE_DESCRIPTOR, "can't " + what + ": " + e, e);
    }
  }

  // Locking

  private interface Step<T> {
    T run() throws IOException;
  }

  private interface Action {
    void run() throws IOException;
  }

  private void change(String what, Action action) {
    changed(
        what,
        () -> {
          action.run();
          return Optional.empty();
        });
  }

  private <T> T changed(String what, Step<T> step) {
    lock.lock();
    try {
      checkOpen();
      try {
        return step.run();
      } finally {
        publish(); // also where it failed half way
      }
    } catch (IOException e) {
      throw new EngineException(
          ErrorCode.CANNOT_WRITE_TO_FILE_DESCRIPTOR, "can't " + what + ": " + e, e);
    } finally {
      lock.unlock();
    }
  }

  /**
   * For those who work with an engine that may have been closed.
   *
   * @throws IllegalStateException when it is closed
   */
  public void requireOpen() {
    now();
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the engine is closed");
    }
  }

  private void refuseIfReadOnly(String what) {
    if (config.readOnly()) {
      throw EngineException.of(
          ErrorCode.READONLY, "can't %s: the engine was opened to read only", what);
    }
  }

  /**
   * Closes the engine; tables and scans that are still held fail from now on.
   *
   * @throws IllegalStateException when results, scans or batches hold memory of it: whoever has
   *     them closes them first. The engine is closed all the same
   */
  @Override
  public void close() {
    asyncInserts.close();
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      view = null;
      tables.values().forEach(table -> table.retire("is of an engine that was closed", () -> {}));
      tables.clear();
    } finally {
      lock.unlock();
    }
    release();
  }

  private void release() {
    housekeeping.shutdown();
    workers.shutdown();
    try {
      housekeeping.awaitTermination(1, TimeUnit.MINUTES);
      workers.awaitTermination(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    long heldBytes = allocator.getAllocatedMemory();
    try {
      allocator.close();
    } catch (IllegalStateException e) {
      throw new IllegalStateException(
          "the engine was closed while results, scans or batches of it were open ("
              + heldBytes
              + " bytes); close them first",
          e);
    } finally {
      pool.close();
      directoryLock.ifPresent(
          held -> {
            try {
              held.close();
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
  }
}
