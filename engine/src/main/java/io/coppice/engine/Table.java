package io.coppice.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.coppice.base.disk.Disk;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.base.time.TimeSource;
import io.coppice.engine.catalog.TableEntry;
import io.coppice.language.expression.Literal;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.statement.TableName;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.scan.MarkCache;
import io.coppice.parts.scan.Scan;
import io.coppice.parts.set.LoadReport;
import io.coppice.parts.set.Part;
import io.coppice.parts.set.PartCleaner;
import io.coppice.parts.set.PartSet;
import io.coppice.parts.set.PartSetSettings;
import io.coppice.parts.set.PartSnapshot;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings;
import io.coppice.parts.write.PartBuilder;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;

/**
 * A MergeTree table of an {@link Engine}.
 *
 * <pre>{@code
 * InsertResult inserted = table.insert(batch);
 * try (BatchStream batches = table.scan().columns("id").where("id > 5").open(allocator)) {
 *   while (batches.next()) { … batches.batch() … }
 * }
 * }</pre>
 *
 * <p>Thread-safe. What was begun while the table was there ends as it would have: a scan goes on
 * over its snapshot when the table is dropped. What begins afterwards is refused by an error.
 */
public final class Table {
  private static final int MOST_CLEANED = 64;

  private final Disk directory;
  private final BufferAllocator allocator;
  private final ExecutorService executor;
  private final int threads;
  private final MarkCache marks;
  private final boolean readOnly;
  private final Durability durability;
  private final TableSettings.Profile profile;
  private final PartSet parts;
  private final PartCleaner cleaner;
  private final TimeSource time;
  private final EngineStatistics statistics;
  private final AtomicLong lastBlock = new AtomicLong();
  private final AtomicLong inserts = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private TableEntry entry;

  @GuardedBy("lock")
  private TableDefinition definition;

  @GuardedBy("lock")
  private int users;

  /** Why nothing more begins; null while the table is served. */
  @GuardedBy("lock")
  private String gone;

  @GuardedBy("lock")
  private Runnable whenUnused;

  /** What a table needs of its engine. */
  record Environment(
      EngineConfig config, BufferAllocator allocator, ExecutorService executor,
      MarkCache marks,
      EngineStatistics statistics) {}

  private Table(TableEntry entry, TableDefinition definition, Disk directory, Environment engine)
      throws IOException {
    this.entry = entry;
    this.definition = definition;
    this.directory = directory;
    this.allocator = engine.allocator();
    this.executor = engine.executor();
    this.threads = engine.config().threads();
    this.marks = engine.marks();
    this.readOnly = engine.config().readOnly();
    this.durability = engine.config().durability();
    this.profile = engine.config().profile();
    this.parts =
        PartSet.load(
            directory,
            PartSetSettings.of(definition).fsyncPartDirectory(durability == Durability.DURABLE),
            allocator,
            executor,
            engine.config().time());
    this.cleaner = new PartCleaner(parts, MOST_CLEANED);
    this.time = engine.config().time();
    this.statistics = engine.statistics();
    parts.listener(new Noting());
    parts.parts().forEach(part -> lastBlock.accumulateAndGet(part.name().maxBlock(), Math::max));
  }

  /** Puts what becomes of parts into the part log. */
  private final class Noting implements PartSet.Listener {
    @Override
    public void activated(Part part) {
      boolean mutated = part.name().mutation() > 0;
      note(mutated ? PartEvent.Kind.MUTATE_PART : PartEvent.Kind.NEW_PART, part);
    }

    @Override
    public void deleted(Part part) {
      note(PartEvent.Kind.REMOVE_PART, part);
    }

    private void note(PartEvent.Kind kind, Part part) {
      if (part.loaded().isEmpty()) {
        return;
      }
      PartInfo info = info(part);
      TableEntry now = entry();
      statistics.note(
          new PartEvent(
              kind,
              time.wallMillis(),
              now.name(),
              now.uuid(),
              info.name(),
              info.compact(),
              directory.describe(info.name().text()),
              info.rows(),
              info.sizeBytes()));
    }
  }

  /** Opens a table whose directory is there. */
  static Table open(TableEntry entry, Disk directory, Environment engine) throws IOException {
    return new Table(
        entry,
        definition(entry.create(), engine.config().durability(), engine.config().profile()),
        directory,
        engine);
  }

  /** The definition with what the durability asks for, where the table does not say itself. */
  static TableDefinition definition(
      CreateTable create, Durability durability, TableSettings.Profile profile) {
    // What is there is not judged again by what a CREATE may say.
    TableDefinition definition = TableDefinition.of(create, profile).existing();
    if (durability == Durability.FAST) {
      return definition;
    }
    Map<String, Literal> settings = new LinkedHashMap<>();
    settings.put("fsync_after_insert", Literal.IntegerLiteral.of(1));
    settings.put("fsync_part_directory", Literal.IntegerLiteral.of(1));
    settings.putAll(create.settings());
    return definition.with(TableSettings.of(settings, profile));
  }

  /** The table's name with its database. */
  public TableName name() {
    return entry().name();
  }

  TableEntry entry() {
    lock.lock();
    try {
      return entry;
    } finally {
      lock.unlock();
    }
  }

  /** Columns, keys and settings. */
  public TableDefinition definition() {
    lock.lock();
    try {
      return definition;
    } finally {
      lock.unlock();
    }
  }

  /** The statement that makes such a table; its text is that of {@code SHOW CREATE TABLE}. */
  public CreateTable create() {
    TableEntry now = entry();
    return now.create().named(false, now.name(), Optional.empty());
  }

  /** The table's identity, which also names its directory. */
  public UUID uuid() {
    return entry().uuid();
  }

  /** The directory that holds the parts; to be looked at only. */
  public Disk directory() {
    return directory;
  }

  /** What was found when the table was opened: broken parts and leftovers among it. */
  public LoadReport loadReport() {
    return parts.loadReport();
  }

  void become(TableEntry other) {
    TableDefinition changed = definition(other.create(), durability, profile);
    lock.lock();
    try {
      entry = other;
      definition = changed;
    } finally {
      lock.unlock();
    }
  }

  // Inserting

  /** Inserts the rows of a batch, which is borrowed for the call. */
  public InsertResult insert(VectorSchemaRoot batch) throws IOException {
    try (TableInsert insert = insert()) {
      insert.add(batch);
      return insert.finish();
    }
  }

  /** Inserts all that a reader gives; the reader stays the caller's to close. */
  public InsertResult insert(ArrowReader reader) throws IOException {
    try (TableInsert insert = insert()) {
      while (reader.loadNextBatch()) {
        insert.add(reader.getVectorSchemaRoot(), reader);
      }
      return insert.finish();
    }
  }

  /** Begins an insert of any number of batches, which the caller closes. */
  public TableInsert insert() {
    refuseIfReadOnly("insert into");
    String temporary = "tmp_insert_" + inserts.incrementAndGet();
    begin();
    boolean begun = false;
    try {
      TableInsert insert =
          new TableInsert(
              directory,
              temporary,
              parts,
              lastBlock,
              PartBuilder.open(definition(), directory.within(temporary), allocator),
              this::end,
              statistics);
      begun = true;
      return insert;
    } finally {
      if (!begun) {
        end();
      }
    }
  }

  void refuseIfReadOnly(String what) {
    if (readOnly) {
      throw EngineException.of(
          ErrorCode.READONLY,
          "can't %s %s: the engine was opened to read only",
          what,
          name().text());
    }
  }

  // Reading

  /**
   * A scan of the rows that are there when it is opened. Its stream holds the parts it reads until
   * it is closed, whatever becomes of the table.
   */
  public Scan scan() {
    return Scan.of(this::hold).table(definition()).markCache(marks).on(executor, threads);
  }

  private Scan.Source.Held hold() {
    begin();
    boolean held = false;
    PartSnapshot snapshot = parts.snapshot();
    try {
      if (!snapshot.patches().isEmpty()) {
        throw EngineException.of(
            ErrorCode.NOT_IMPLEMENTED,
            "table %s has patch parts of lightweight updates, which are not read yet",
            name().text());
      }
      held = true;
      return new Scan.Source.Held(snapshot.loadedParts(), () -> release(snapshot));
    } finally {
      if (!held) {
        release(snapshot);
      }
    }
  }

  private void release(PartSnapshot snapshot) {
    snapshot.close();
    end();
  }

  private PartSnapshot snapshot() {
    begin();
    try {
      return parts.snapshot();
    } finally {
      end();
    }
  }

  /** The active parts in the order of their names. */
  public List<PartInfo> parts() {
    try (PartSnapshot snapshot = snapshot()) {
      return snapshot.parts().stream().map(Table::info).toList();
    }
  }

  private static PartInfo info(Part part) {
    LoadedPart loaded = part.loaded().orElseThrow();
    long bytes = loaded.files().values().stream().mapToLong(Long::longValue).sum();
    return new PartInfo(
        part.name(), loaded.rowCount(), loaded.granuleCount(), loaded.compact(), bytes);
  }

  /**
   * All parts of this moment, in the order of their names, those too that wait to be deleted. They
   * are not held: their files may go at any time.
   */
  public List<Part> allParts() {
    begin();
    try {
      return parts.parts();
    } finally {
      end();
    }
  }

  /** Rows in all active parts. */
  public long rowCount() {
    return parts().stream().mapToLong(PartInfo::rows).sum();
  }

  // Deleting

  /**
   * Takes all parts out of the table. When this returns they do not come back after a crash, but
   * for those that a scan still reads: these go when it ends.
   */
  void truncate() throws IOException {
    refuseIfReadOnly("truncate");
    for (PartInfo part : parts()) {
      parts.remove(part.name());
    }
    PartCleaner.Cleaned cleaned;
    do {
      cleaned = cleanOnce();
      if (!cleaned.failures().isEmpty()) {
        throw cleaned.failures().get(0);
      }
    } while (cleaned.deleted() == MOST_CLEANED);
  }

  /** Deletes what no scan needs any more and is old enough. */
  void clean() {
    while (!readOnly && cleanOnce().deleted() == MOST_CLEANED) {
      // Some more may be due.
    }
  }

  private PartCleaner.Cleaned cleanOnce() {
    synchronized (cleaner) {
      return cleaner.run();
    }
  }

  // Being there, and going

  private void begin() {
    lock.lock();
    try {
      if (gone != null) {
        throw EngineException.of(ErrorCode.UNKNOWN_TABLE, "table %s %s", entry.name().text(), gone);
      }
      users++;
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    Runnable last = null;
    lock.lock();
    try {
      users--;
      if (users == 0) {
        last = whenUnused;
        whenUnused = null;
      }
    } finally {
      lock.unlock();
    }
    if (last != null) {
      last.run();
    }
  }

  /**
   * Begins nothing more.
   *
   * @param why the end of a sentence that begins with the table's name
   * @param then what to do when the last insert and scan that is running has ended; at once if
   *     there is none
   */
  void retire(String why, Runnable then) {
    boolean unused;
    lock.lock();
    try {
      gone = why;
      unused = users == 0;
      if (!unused) {
        whenUnused = then;
      }
    } finally {
      lock.unlock();
    }
    if (unused) {
      then.run();
    }
  }
}
