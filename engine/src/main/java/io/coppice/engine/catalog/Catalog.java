package io.coppice.engine.catalog;

import io.coppice.base.disk.AtomicFile;
import io.coppice.base.disk.Disk;
import io.coppice.base.disk.DiskPath;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.parse.Parser;
import io.coppice.language.statement.CreateDatabase;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.statement.Definition;
import io.coppice.language.statement.Statement;
import io.coppice.language.statement.TableName;
import io.coppice.parts.name.FileNames;
import io.coppice.parts.table.MergingKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The databases and tables of a data directory, in memory and on the disk. Every change is durable
 * when its method returns, and after a crash is there whole or not at all.
 *
 * <pre>
 * metadata/DB.sql            ATTACH DATABASE _ UUID '…' ENGINE = Atomic
 * metadata/DB            ->  store/abc/UUID-OF-DB
 * store/abc/UUID-OF-DB/T.sql ATTACH TABLE _ UUID '…' (…)
 * store/def/UUID-OF-T/       parts, detached/, format_version.txt
 * data/DB/T              ->  store/def/UUID-OF-T
 * metadata_dropped/          files of tables whose data is being deleted
 * </pre>
 *
 * <p>Written as ClickHouse 26.7 writes it, so that each engine opens what the other left. chDB has
 * no {@code default.sql}: it finds its default database behind the link, and so do we.
 *
 * <p>Not thread-safe; the engine's lock guards it.
 */
public final class Catalog {
  /** The database that every directory has. */
  public static final String DEFAULT_DATABASE = "default";

  /** What a table's file calls it: its name is that of the file. */
  private static final String PLACEHOLDER = "_";

  private static final int LIMIT_BYTES = 64 << 20;
  private static final System.Logger LOG = System.getLogger(Catalog.class.getName());

  private final Disk disk;
  private final Links links;
  private final Supplier<UUID> uuids;
  private final boolean readOnly;
  private final Map<String, DatabaseEntry> databases = new TreeMap<>();
  private final Map<String, Map<String, TableEntry>> tables = new TreeMap<>();
  private final Map<String, Unserved> unservedDatabases = new TreeMap<>();
  private final Map<TableName, Unserved> unservedTables = new LinkedHashMap<>();
  private final DetachedDatabases detached = new DetachedDatabases();

  private Catalog(Disk disk, Links links, Supplier<UUID> uuids, boolean readOnly) {
    this.disk = disk;
    this.links = links;
    this.uuids = uuids;
    this.readOnly = readOnly;
  }

  /**
   * Reads a directory, and makes what is missing unless it is opened to read only.
   *
   * @param uuids new identities of databases and tables
   * @throws EngineException when a file that decides what there is cannot be understood
   */
  public static Catalog load(Disk disk, Links links, Supplier<UUID> uuids, boolean readOnly)
      throws IOException {
    Catalog catalog = new Catalog(disk, links, uuids, readOnly);
    if (!readOnly) {
      for (String directory : List.of(Layout.METADATA, Layout.DROPPED, Layout.STORE, Layout.DATA)) {
        disk.createDirectories(directory);
      }
      disk.syncDirectory("");
      if (Journal.recover(disk)) {
        LOG.log(System.Logger.Level.INFO, "finished a change that a crash had interrupted");
      }
      catalog.finishDrops();
    }
    catalog.loadDatabases();
    if (!readOnly && !catalog.databases.containsKey(DEFAULT_DATABASE)) {
      catalog.addDefault();
    }
    for (DatabaseEntry database : List.copyOf(catalog.databases.values())) {
      catalog.loadTables(database);
    }
    return catalog;
  }

  private void loadDatabases() throws IOException {
    for (Disk.Entry entry : list(Layout.METADATA)) {
      if (entry.directory() || !entry.name().endsWith(Layout.SQL)) {
        continue;
      }
      String path = Layout.METADATA + "/" + entry.name();
      String name = FileNames.unescape(stem(entry.name()));
      if (!(statement(path) instanceof CreateDatabase create)) {
        throw notA("database", path);
      }
      String engine = create.engine().map(Definition::name).orElse("Atomic");
      if (!engine.equals("Atomic") || create.uuid().isEmpty()) {
        unservedDatabases.put(name, new Unserved(name, "a database of engine " + engine));
        continue;
      }
      add(new DatabaseEntry(name, uuid(create.uuid().get(), path), create.comment()));
    }
    if (!databases.containsKey(DEFAULT_DATABASE)) {
      Optional<String> target = links.target(Layout.databaseLink(DEFAULT_DATABASE));
      if (target.isPresent()) {
        UUID uuid = uuid(target.get(), Layout.databaseLink(DEFAULT_DATABASE));
        add(new DatabaseEntry(DEFAULT_DATABASE, uuid, Optional.empty()));
      }
    }
  }

  private void addDefault() throws IOException {
    createDatabase(
        new CreateDatabase(
            false, false, DEFAULT_DATABASE, Optional.empty(), Optional.empty(), Optional.empty()));
  }

  private void add(DatabaseEntry database) {
    databases.put(database.name(), database);
    tables.put(database.name(), new TreeMap<>());
  }

  private void loadTables(DatabaseEntry database) throws IOException {
    String directory = Layout.store(database.uuid());
    for (Disk.Entry entry : list(directory)) {
      String path = directory + "/" + entry.name();
      if (entry.name().endsWith(AtomicFile.TEMPORARY_SUFFIX)) {
        if (!readOnly) {
          disk.delete(path);
        }
        continue;
      }
      if (entry.directory() || !entry.name().endsWith(Layout.SQL)) {
        continue;
      }
      String table = FileNames.unescape(stem(entry.name()));
      TableName name = TableName.of(database.name(), table);
      String text = read(path);
      Optional<String> other = OtherKinds.of(text);
      if (other.isPresent()) {
        Optional<TableName> source = OtherKinds.fedBy(text, database.name());
        unservedTables.put(name, new Unserved(name.text(), other.get(), source));
        continue;
      }
      try {
        tables.get(database.name()).put(table, tableOf(name, path, text));
      } catch (EngineException e) {
        unservedTables.put(name, new Unserved(name.text(), e.getMessage()));
      }
    }
  }

  private TableEntry tableOf(TableName name, String path, String text) throws IOException {
    CreateTable create = Parser.createTable(text);
    String engine = create.engine().map(Definition::name).orElse("none");
    if (MergingKind.ofEngine(engine).isEmpty()) {
      throw EngineException.of(
          ErrorCode.UNKNOWN_STORAGE, "a table of engine %s, no MergeTree", engine);
    }
    UUID uuid =
        uuid(
            create
                .uuid()
                .orElseThrow(
                    () ->
                        EngineException.of(
                            ErrorCode.INCORRECT_DATA, "%s names no UUID", disk.describe(path))),
            path);
    boolean detached =
        disk.exists(
            Layout.detachedFlag(databases.get(name.database().orElseThrow()).uuid(), name.table()));
    return new TableEntry(name, uuid, named(create, name, uuid), detached);
  }

  private static String stem(String file) {
    return file.substring(0, file.length() - Layout.SQL.length());
  }

  private List<Disk.Entry> list(String directory) throws IOException {
    try {
      return disk.list(directory);
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  private String read(String path) throws IOException {
    return new String(disk.readAll(path, LIMIT_BYTES), StandardCharsets.UTF_8);
  }

  private Statement statement(String path) throws IOException {
    try {
      return Parser.statement(read(path));
    } catch (EngineException e) {
      throw e.within(disk.describe(path));
    }
  }

  private EngineException notA(String what, String path) {
    return EngineException.of(
        ErrorCode.INCORRECT_DATA, "%s: expected an ATTACH of a %s", disk.describe(path), what);
  }

  private UUID uuid(String text, String path) {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw new EngineException(
          ErrorCode.CANNOT_PARSE_UUID, disk.describe(path) + ": '" + text + "' is no UUID", e);
    }
  }

  // What there is

  /** The databases by name. */
  public List<DatabaseEntry> databases() {
    return List.copyOf(databases.values());
  }

  /** A database, if there is one of that name. */
  public Optional<DatabaseEntry> database(String name) {
    return Optional.ofNullable(databases.get(name));
  }

  /**
   * A database that must be there.
   *
   * @throws EngineException UNKNOWN_DATABASE
   */
  public DatabaseEntry requireDatabase(String name) {
    return database(name).orElseThrow(() -> unknownDatabase(name, databases.keySet()));
  }

  /** The error of naming a database that is not there. */
  public static EngineException unknownDatabase(String name, Collection<String> there) {
    return EngineException.of(
        ErrorCode.UNKNOWN_DATABASE,
        "database %s does not exist; there are %s",
        name,
        String.join(", ", there));
  }

  /** The tables of a database by name, detached ones among them. */
  public List<TableEntry> tables(String database) {
    return List.copyOf(tables.getOrDefault(database, Map.of()).values());
  }

  /** A table, if there is one; its name says the database. */
  public Optional<TableEntry> table(TableName name) {
    return Optional.ofNullable(
        tables.getOrDefault(name.database().orElseThrow(), Map.of()).get(name.table()));
  }

  /** What lies in the directory and is not served, each with its reason. */
  public List<Unserved> unserved() {
    List<Unserved> all = new ArrayList<>(unservedDatabases.values());
    all.addAll(unservedTables.values());
    return all;
  }

  /**
   * Refuses a name that something has which is not served, and which would be lost.
   *
   * @throws EngineException TABLE_ALREADY_EXISTS
   */
  public void requireNotUnserved(TableName name) {
    Unserved there = unservedTables.get(name);
    if (there != null) {
      throw EngineException.of(
          ErrorCode.TABLE_ALREADY_EXISTS,
          "%s exists already and is not served here: %s; it is left as it is, drop it in ClickHouse"
              + " or take another name",
          name.text(),
          there.reason());
    }
  }

  private void requireNotUnserved(String database) {
    Unserved there = unservedDatabases.get(database);
    if (there != null) {
      throw EngineException.of(
          ErrorCode.DATABASE_ALREADY_EXISTS,
          "database %s exists already and is not served here: %s; it is left as it is",
          database,
          there.reason());
    }
  }

  // Changes

  /** Forgets a database until {@link #attachDatabase} or the next start; no file changes. */
  public void detachDatabase(String name) {
    detached.add(requireDatabase(name), tables(name));
    databases.remove(name);
    tables.remove(name);
    unservedTables.keySet().removeIf(table -> table.database().equals(Optional.of(name)));
  }

  /**
   * Brings a detached database back with its tables, or makes one that the statement gives a UUID.
   *
   * @throws EngineException UNKNOWN_DATABASE_ENGINE, INCORRECT_QUERY if there is no such database
   */
  public void attachDatabase(CreateDatabase attach) throws IOException {
    Optional<DatabaseEntry> known = detached.take(attach);
    DatabaseEntry database;
    if (known.isPresent()) {
      database = known.get();
      add(database);
    } else {
      database = createDatabase(attach);
    }
    loadTables(database);
  }

  /** Makes a database. The caller has checked that there is none of the name. */
  public DatabaseEntry createDatabase(CreateDatabase create) throws IOException {
    requireNotUnserved(create.database());
    detached.refuseName(create.database());
    UUID uuid =
        create
            .uuid()
            .map(text -> uuid(text, Layout.databaseFile(create.database())))
            .orElseGet(uuids);
    if (detached.holds(uuid) || databases.values().stream().anyMatch(d -> d.uuid().equals(uuid))) {
      throw EngineException.of(
          ErrorCode.DATABASE_ALREADY_EXISTS,
          "create database %s: another database has UUID %s",
          create.database(),
          uuid);
    }
    DatabaseEntry database = new DatabaseEntry(create.database(), uuid, create.comment());
    makeStore(uuid);
    Journal.apply(
        disk, List.of(Journal.Change.write(Layout.databaseFile(database.name()), text(database))));
    links.make(Layout.databaseLink(database.name()), Layout.store(uuid));
    add(database);
    return database;
  }

  private static String text(DatabaseEntry database) {
    return new CreateDatabase(
                true,
                false,
                PLACEHOLDER,
                Optional.of(database.uuid().toString()),
                Optional.of(new Definition("Atomic", List.of())),
                database.comment())
            .text()
        + "\n";
  }

  /** Makes the directory of a database or table, durably. */
  private void makeStore(UUID uuid) throws IOException {
    String directory = Layout.store(uuid);
    disk.createDirectories(directory);
    disk.syncDirectory(DiskPath.parent(directory));
    disk.syncDirectory(Layout.STORE);
  }

  /**
   * Forgets a database and its tables, all at once, and deletes its files; {@link #finishDrop} then
   * deletes the data of each table. A crash between is made good.
   */
  public void dropDatabase(String name) throws IOException {
    DatabaseEntry database = requireDatabase(name);
    for (Map.Entry<TableName, Unserved> table : unservedTables.entrySet()) {
      if (table.getKey().database().equals(Optional.of(name))) {
        throw EngineException.of(
            ErrorCode.DATABASE_NOT_EMPTY,
            "drop database %s: %s is not served here, %s, and would be lost; drop it in ClickHouse",
            name,
            table.getValue().name(),
            table.getValue().reason());
      }
    }
    List<Journal.Change> changes = new ArrayList<>();
    for (TableEntry table : tables(name)) {
      changes.add(toDropped(table));
      changes.add(Journal.Change.delete(file(table.name())));
    }
    changes.add(Journal.Change.delete(Layout.databaseFile(name)));
    Journal.apply(disk, changes);
    for (TableEntry table : tables(name)) {
      forget(table);
    }
    links.remove(Layout.databaseLink(name));
    databases.remove(name);
    tables.remove(name);
    disk.deleteRecursively(Layout.store(database.uuid()));
    disk.deleteRecursively(Layout.dataDirectory(name));
  }

  /** Gives a database another name. */
  public void renameDatabase(String from, String to) throws IOException {
    requireNotUnserved(to);
    detached.refuseName(to);
    DatabaseEntry database = requireDatabase(from);
    DatabaseEntry renamed = new DatabaseEntry(to, database.uuid(), database.comment());
    Journal.apply(
        disk,
        List.of(
            Journal.Change.write(Layout.databaseFile(to), text(renamed)),
            Journal.Change.delete(Layout.databaseFile(from))));
    links.remove(Layout.databaseLink(from));
    links.make(Layout.databaseLink(to), Layout.store(database.uuid()));
    Map<String, TableEntry> moved = tables.remove(from);
    databases.remove(from);
    add(renamed);
    for (TableName table : List.copyOf(unservedTables.keySet())) {
      if (table.database().equals(Optional.of(from))) {
        Unserved there = unservedTables.remove(table);
        TableName under = TableName.of(to, table.table());
        unservedTables.put(under, new Unserved(under.text(), there.reason(), there.fedBy()));
      }
    }
    for (TableEntry table : moved.values()) {
      links.remove(Layout.dataLink(from, table.name().table()));
      put(under(table, TableName.of(to, table.name().table())));
    }
    disk.deleteRecursively(Layout.dataDirectory(from));
  }

  /** A new identity for a table that is about to be made. */
  public UUID newUuid() {
    return uuids.get();
  }

  /**
   * Makes the directory for a table's parts, before {@link #createTable}.
   *
   * @param attached whether the directory may be there, with parts
   * @return whether it was made
   * @throws EngineException TABLE_ALREADY_EXISTS if it is there and may not, or is another table's
   */
  public boolean prepareTable(UUID uuid, boolean attached) throws IOException {
    boolean there = disk.exists(Layout.store(uuid));
    boolean used =
        detached.holds(uuid)
            || databases.values().stream().anyMatch(of -> of.uuid().equals(uuid))
            || tables.values().stream()
                .flatMap(of -> of.values().stream())
                .anyMatch(table -> table.uuid().equals(uuid));
    if (there && (used || !attached)) {
      throw EngineException.of(
          ErrorCode.TABLE_ALREADY_EXISTS,
          "the directory %s for the table's data is there already%s; name another UUID, or none",
          Layout.store(uuid),
          used ? ", of a database or table" : "");
    }
    if (!there) {
      makeStore(uuid);
    }
    return !there;
  }

  /**
   * Makes a table. A table of the same name is forgotten, and its file goes to those being dropped;
   * the caller deletes its data afterwards with {@link #finishDrop}.
   */
  public TableEntry createTable(TableName name, UUID uuid, CreateTable create) throws IOException {
    TableEntry entry = new TableEntry(name, uuid, named(create, name, uuid), false);
    List<Journal.Change> changes = new ArrayList<>();
    table(name).ifPresent(old -> changes.add(toDropped(old)));
    changes.add(Journal.Change.write(file(name), text(entry)));
    Journal.apply(disk, changes);
    put(entry);
    return entry;
  }

  /**
   * Gives a table another definition, and its directory some files at the same moment.
   *
   * @param files their contents by name
   */
  public TableEntry alterTable(TableEntry table, CreateTable create, Map<String, String> files)
      throws IOException {
    TableEntry altered =
        new TableEntry(
            table.name(),
            table.uuid(),
            named(create, table.name(), table.uuid()),
            table.detached());
    List<Journal.Change> changes = new ArrayList<>();
    files.forEach(
        (name, content) ->
            changes.add(Journal.Change.write(Layout.store(table.uuid()) + "/" + name, content)));
    if (!text(altered).equals(text(table))) {
      changes.add(Journal.Change.write(file(table.name()), text(altered)));
    }
    if (!changes.isEmpty()) {
      Journal.apply(disk, changes);
    }
    tables.get(table.name().database().orElseThrow()).put(table.name().table(), altered);
    return altered;
  }

  /**
   * Gives directories of parts other names, all at once. Nothing has the new names.
   *
   * @param renames the old path and the new one of each
   */
  public void renameParts(Map<String, String> renames) throws IOException {
    List<Journal.Change> changes = new ArrayList<>();
    renames.forEach((from, to) -> changes.add(Journal.Change.rename(from, to)));
    Journal.apply(disk, changes);
  }

  /** Forgets a table; {@link #finishDrop} then deletes its data. A crash between is made good. */
  public void dropTable(TableEntry table) throws IOException {
    Journal.apply(disk, List.of(toDropped(table), Journal.Change.delete(file(table.name()))));
    forget(table);
    deleteFlag(table);
  }

  /** Deletes the data of a table that was dropped. */
  public void finishDrop(TableEntry table) throws IOException {
    disk.deleteRecursively(Layout.store(table.uuid()));
    deleteIfThere(
        Layout.droppedFile(
            table.name().database().orElseThrow(), table.name().table(), table.uuid()));
  }

  private void finishDrops() throws IOException {
    for (Disk.Entry entry : list(Layout.DROPPED)) {
      if (entry.directory() || !entry.name().endsWith(Layout.SQL)) {
        continue;
      }
      String path = Layout.DROPPED + "/" + entry.name();
      String stem = stem(entry.name());
      int dot = stem.lastIndexOf('.');
      UUID uuid = uuid(dot < 0 ? stem : stem.substring(dot + 1), path);
      disk.deleteRecursively(Layout.store(uuid));
      deleteIfThere(path);
    }
  }

  private void deleteIfThere(String path) throws IOException {
    try {
      disk.delete(path);
    } catch (NoSuchFileException e) {
      return;
    }
  }

  private Journal.Change toDropped(TableEntry table) {
    return Journal.Change.write(
        Layout.droppedFile(
            table.name().database().orElseThrow(), table.name().table(), table.uuid()),
        text(table));
  }

  /** Says on the disk that a table stays detached after a restart, or no longer does. */
  public TableEntry markDetached(TableEntry table, boolean detached) throws IOException {
    if (detached) {
      AtomicFile.write(disk, flag(table), new byte[0]);
    } else {
      deleteFlag(table);
    }
    TableEntry marked = new TableEntry(table.name(), table.uuid(), table.create(), detached);
    tables.get(table.name().database().orElseThrow()).put(table.name().table(), marked);
    return marked;
  }

  private String flag(TableEntry table) {
    return Layout.detachedFlag(
        databases.get(table.name().database().orElseThrow()).uuid(), table.name().table());
  }

  private void deleteFlag(TableEntry table) throws IOException {
    if (disk.exists(flag(table))) {
      disk.delete(flag(table));
      disk.syncDirectory(DiskPath.parent(flag(table)));
    }
  }

  /** One table's move to another name. */
  public record Move(TableName from, TableName to) {}

  /**
   * Gives tables other names, all at once: those that are exchanged, too. The caller has checked
   * that each is there and that no name is left to two.
   */
  public void moveTables(List<Move> moves) throws IOException {
    List<TableEntry> moved = new ArrayList<>();
    List<Journal.Change> changes = new ArrayList<>();
    List<TableName> targets = moves.stream().map(Move::to).toList();
    for (Move move : moves) {
      moved.add(under(table(move.from()).orElseThrow(), move.to()));
    }
    for (TableEntry table : moved) {
      changes.add(Journal.Change.write(file(table.name()), text(table)));
    }
    for (Move move : moves) {
      if (!targets.contains(move.from())) {
        changes.add(Journal.Change.delete(file(move.from())));
      }
    }
    Journal.apply(disk, changes);
    for (Move move : moves) {
      forget(table(move.from()).orElseThrow());
    }
    for (TableEntry table : moved) {
      put(table);
    }
  }

  private static TableEntry under(TableEntry table, TableName name) {
    return new TableEntry(
        name, table.uuid(), named(table.create(), name, table.uuid()), table.detached());
  }

  private void put(TableEntry table) throws IOException {
    String database = table.name().database().orElseThrow();
    tables.get(database).put(table.name().table(), table);
    links.make(Layout.dataLink(database, table.name().table()), Layout.store(table.uuid()));
  }

  private void forget(TableEntry table) throws IOException {
    String database = table.name().database().orElseThrow();
    tables.get(database).remove(table.name().table());
    links.remove(Layout.dataLink(database, table.name().table()));
  }

  private String file(TableName name) {
    return Layout.tableFile(requireDatabase(name.database().orElseThrow()).uuid(), name.table());
  }

  private static String text(TableEntry table) {
    return table
            .create()
            .named(true, TableName.of(PLACEHOLDER), Optional.of(table.uuid().toString()))
            .text()
        + "\n";
  }

  private static CreateTable named(CreateTable create, TableName name, UUID uuid) {
    return create.named(false, name, Optional.of(uuid.toString()));
  }
}
