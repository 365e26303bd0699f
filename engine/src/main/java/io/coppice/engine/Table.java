package io.coppice.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.coppice.base.disk.Disk;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.base.time.TimeSource;
import io.coppice.engine.alter.Alteration;
import io.coppice.engine.catalog.TableEntry;
import io.coppice.language.expression.Literal;
import io.coppice.language.statement.Alter;
import io.coppice.language.statement.Column.DefaultKind;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.statement.TableName;
import io.coppice.parts.name.PartName;
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
import io.coppice.parts.write.WrittenPart;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
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
  private final AsyncInserts asyncInserts;
  private final Function<TableName, List<String>> viewsFedBy;
  private final Mutations mutations;
  private final AtomicLong lastBlock = new AtomicLong();
  private final AtomicLong inserts = new AtomicLong();

  /** Guards itself. */
  private final DeduplicationLog deduplication;

  /**
   * Shared by those who add parts, held alone by those who change or take away parts that are
   * there. Before {@code lock} and before the engine's.
   */
  private final ReentrantReadWriteLock commits = new ReentrantReadWriteLock(true);

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private TableEntry entry;

  @GuardedBy("lock")
  private TableDefinition definition;

  /** How often parts have gone from one definition to another. */
  @GuardedBy("lock")
  private long dataVersion;

  @GuardedBy("lock")
  private int users;

  /** Why nothing more begins; null while the table is served. */
  @GuardedBy("lock")
  private String gone;

  @GuardedBy("lock")
  private Runnable whenUnused;

  /** What a table needs of its engine. */
  record Environment(
      EngineConfig config,
      BufferAllocator allocator,
      ExecutorService executor,
      MarkCache marks,
      EngineStatistics statistics,
      AsyncInserts asyncInserts,
      Function<TableName, List<String>> viewsFedBy) {}

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
            PartSetSettings.of(definition)
                .fsyncPartDirectory(durability == Durability.DURABLE)
                .readOnly(readOnly),
            allocator,
            executor,
            engine.config().time(),
            (loaded, total) -> engine.config().loading().loaded(entry.name(), loaded, total));
    this.cleaner = new PartCleaner(parts, MOST_CLEANED);
    this.time = engine.config().time();
    this.statistics = engine.statistics();
    this.asyncInserts = engine.asyncInserts();
    this.viewsFedBy = engine.viewsFedBy();
    this.mutations = Mutations.read(directory, allocator);
    mutations.finish(parts, definition, readOnly);
    lastBlock.set(mutations.last());
    for (Part part : parts.parts()) {
      long block = Math.max(part.name().maxBlock(), part.name().mutation());
      lastBlock.accumulateAndGet(block, Math::max);
    }
    parts.listener(new Noting());
    this.deduplication = new DeduplicationLog(directory, deduplicationWindow(entry));
    if (!readOnly) {
      // The power went between record and part, or the part was dropped.
      forgetDropped();
    }
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
      if (part.loaded().isEmpty() || part.loaded().get().rowCount() == 0) {
        return; // one without rows only says that others are dropped
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
    return insert(InsertSettings.DEFAULT);
  }

  /**
   * Begins an insert of any number of batches, which the caller closes. It waits first when the
   * table has many parts.
   *
   * @throws EngineException TOO_MANY_PARTS when it has too many; NOT_IMPLEMENTED when materialized
   *     views are to get its rows, and the settings do not say to leave them without
   */
  public TableInsert insert(InsertSettings settings) {
    refuseInsert(settings);
    waitForParts(settings);
    String temporary = "tmp_insert_" + inserts.incrementAndGet();
    begin();
    boolean begun = false;
    try {
      int known;
      TableDefinition now;
      lock.lock();
      try {
        known = mutations.count();
        now = definition;
      } finally {
        lock.unlock();
      }
      long window = deduplicationWindow();
      TableInsert insert =
          new TableInsert(
              directory,
              temporary,
              (written, blocks) -> commit(temporary, written, blocks, known),
              builder(now, temporary, window, settings),
              this::end,
              statistics,
              window > 0);
      begun = true;
      return insert;
    } finally {
      if (!begun) {
        end();
      }
    }
  }

  /**
   * Inserts the rows of a batch, which is borrowed for the call, together with those of other such
   * inserts: many small ones make few parts.
   *
   * @return done when the rows are durable, or failed by what is wrong with them; it tells the
   *     insert's own rows, and parts and bytes of all that were written together
   */
  public CompletableFuture<InsertResult> insertAsync(VectorSchemaRoot batch) {
    return insertAsync(batch, InsertSettings.DEFAULT, AsyncInsertSettings.DEFAULT);
  }

  /** As {@link #insertAsync(VectorSchemaRoot)}, with settings; those that differ go apart. */
  public CompletableFuture<InsertResult> insertAsync(
      VectorSchemaRoot batch, InsertSettings settings, AsyncInsertSettings when) {
    refuseInsert(settings);
    List<String> columns =
        batch.getSchema().getFields().stream().map(field -> field.getName()).toList();
    VectorSchemaRoot copy = BatchCopy.of(batch, allocator);
    return asyncInserts.add(
        this,
        new AsyncInserts.Origin(columns, "", "Arrow"),
        List.of(copy),
        BatchCopy.sizeBytes(copy),
        Optional.empty(),
        settings,
        when);
  }

  private void refuseInsert(InsertSettings settings) {
    refuseIfReadOnly("insert into");
    List<String> views = settings.withoutViews() ? List.of() : viewsFedBy.apply(name());
    if (!views.isEmpty()) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED,
          "insert into %s: its rows are to go into %s, a materialized view, too, which is not done"
              + " here; insert through ClickHouse, or leave the view without them by"
              + " materialized_views_ignore_errors = 1",
          name().text(),
          String.join(", ", views));
    }
  }

  private void waitForParts(InsertSettings settings) {
    TableEntry now = entry();
    Duration delay;
    try {
      delay =
          new PartCounts(now.name().text(), now.create().settings(), profile, settings, allParts())
              .delay();
    } catch (EngineException e) {
      if (e.code().equals(ErrorCode.TOO_MANY_PARTS)) {
        statistics.count(Event.REJECTED_INSERTS, 1);
      }
      throw e;
    }
    if (!delay.isZero()) {
      statistics.count(Event.DELAYED_INSERTS, 1);
      statistics.count(Event.DELAYED_INSERTS_MILLISECONDS, delay.toMillis());
      time.pause(delay);
    }
  }

  private PartBuilder builder(
      TableDefinition now, String temporary, long window, InsertSettings settings) {
    PartBuilder builder =
        PartBuilder.open(now, directory.within(temporary), allocator)
            .on(executor, threads)
            .blockLimits(settings.blocks())
            .partitionLimit(settings.partitions());
    List<String> given =
        now.storedColumns().stream()
            .filter(c -> c.defaultKind() != DefaultKind.MATERIALIZED)
            .map(c -> c.name())
            .toList();
    return window > 0 ? builder.hashingBlocks(given) : builder;
  }

  /**
   * Puts parts that were written into the table, all at once.
   *
   * @param known how many mutations there were when the rows' definition was taken: the parts go
   *     through those that came since
   */
  private List<PartName> commit(
      String temporary, List<WrittenPart> written, List<String> blocks, int known)
      throws IOException {
    if (blocks.isEmpty()) {
      return commit(temporary, written, known);
    }
    synchronized (deduplication) {
      deduplication.window(deduplicationWindow());
      List<WrittenPart> fresh = new ArrayList<>();
      List<String> freshBlocks = new ArrayList<>();
      for (int i = 0; i < written.size(); i++) {
        if (deduplication.find(blocks.get(i)).isPresent() || freshBlocks.contains(blocks.get(i))) {
          lastBlock.incrementAndGet(); // as ClickHouse, which finds out with a number in its hand
        } else {
          fresh.add(written.get(i));
          freshBlocks.add(blocks.get(i));
        }
      }
      List<PartName> names = commit(temporary, fresh, freshBlocks, known, true);
      List<PartName> all = new ArrayList<>();
      int next = 0;
      for (WrittenPart part : written) {
        boolean taken = next < fresh.size() && fresh.get(next) == part;
        all.add(taken ? names.get(next++) : null);
      }
      return all;
    }
  }

  private List<PartName> commit(String temporary, List<WrittenPart> written, int known)
      throws IOException {
    return commit(temporary, written, List.of(), known, false);
  }

  /** How many blocks of rows are known again; none unless the table's settings say so. */
  private long deduplicationWindow() {
    return deduplicationWindow(entry());
  }

  private static long deduplicationWindow(TableEntry entry) {
    Literal window = entry.create().settings().get("non_replicated_deduplication_window");
    return window instanceof Literal.IntegerLiteral number ? number.value().longValue() : 0;
  }

  private List<PartName> commit(
      String temporary, List<WrittenPart> written, List<String> blocks, int known, boolean recorded)
      throws IOException {
    List<Part> prepared = new ArrayList<>();
    commits.readLock().lock();
    try {
      List<PartName> names = new ArrayList<>();
      List<DeduplicationLog.Entry> entries = new ArrayList<>();
      for (WrittenPart part : written) {
        names.add(numbered(part.name()));
        if (recorded) {
          entries.add(new DeduplicationLog.Entry(blocks.get(entries.size()), last(names)));
        }
      }
      boolean committed = false;
      try {
        if (recorded) {
          deduplication.add(entries);
        }
        committed = commitAs(temporary, written, names, known, prepared);
        return names;
      } finally {
        if (recorded && !committed) {
          deduplication.forget(names::contains);
        }
      }
    } finally {
      prepared.forEach(parts::rollback);
      commits.readLock().unlock();
    }
  }

  private static PartName last(List<PartName> names) {
    return names.get(names.size() - 1);
  }

  private boolean commitAs(
      String temporary,
      List<WrittenPart> written,
      List<PartName> names,
      int known,
      List<Part> prepared)
      throws IOException {
    int next = 0;
    TableDefinition now = definition();
    List<Mutations.Mutation> missed = mutations.since(known);
    for (WrittenPart part : written) {
      String place = temporary + "/" + part.name().text();
      if (!missed.isEmpty()) {
        String old = place;
        place = temporary + "/" + Mutations.TEMPORARY + part.name().text();
        LoadedPart loaded =
            LoadedPart.open(
                directory.within(old), part.name().text(), LoadedPart.Hints.NONE, allocator);
        mutations.write(loaded, part.name(), old, place, missed, now);
      }
      prepared.add(parts.prepare(place, names.get(next++)));
    }
    List<Part> all = List.copyOf(prepared);
    prepared.clear();
    parts.replace(all, List.of());
    return true;
  }

  private PartName numbered(PartName name) {
    long block = lastBlock.incrementAndGet();
    return new PartName(name.partition(), block, block, 0, 0, name.days());
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
    lock.lock();
    try {
      long version = dataVersion;
      return Scan.of(() -> hold(version)).table(definition).markCache(marks).on(executor, threads);
    } finally {
      lock.unlock();
    }
  }

  /** The parts of now, which must still be those of the definition that a scan was made with. */
  private PartSnapshot snapshot(long version) {
    lock.lock();
    try {
      if (version != dataVersion) {
        throw EngineException.of(
            ErrorCode.ABORTED,
            "table %s was altered since this scan was made; make it anew",
            entry.name().text());
      }
      return parts.snapshot();
    } finally {
      lock.unlock();
    }
  }

  private Scan.Source.Held hold(long version) {
    begin();
    boolean held = false;
    PartSnapshot snapshot;
    try {
      snapshot = snapshot(version);
    } catch (RuntimeException e) {
      end();
      throw e;
    }
    try {
      if (!snapshot.patches().isEmpty()) {
        throw EngineException.of(
            ErrorCode.NOT_IMPLEMENTED,
            "table %s has patch parts of lightweight updates, which are not read yet",
            name().text());
      }
      List<LoadedPart> loaded =
          snapshot.loadedParts().stream().filter(part -> part.rowCount() > 0).toList();
      held = true;
      return new Scan.Source.Held(loaded, () -> release(snapshot));
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
    try (PartSnapshot snapshot = snapshot()) {
      return snapshot.parts().stream().mapToLong(p -> p.loaded().orElseThrow().rowCount()).sum();
    }
  }

  // What partition commands need, which order themselves by the locks

  ReentrantReadWriteLock commits() {
    return commits;
  }

  PartSet partSet() {
    return parts;
  }

  BufferAllocator allocator() {
    return allocator;
  }

  long nextBlock() {
    return lastBlock.incrementAndGet();
  }

  /** Work on the parts; the table's files stay until it ends. */
  interface Work {
    void run() throws IOException;
  }

  void using(Work work) throws IOException {
    begin();
    try {
      work.run();
    } finally {
      end();
    }
  }

  // Altering

  /** Makes a new definition durable at once with files of the table's directory. */
  interface Commit {
    /**
     * @param files contents by name
     * @param then what follows at once, when the table is known to be still there
     */
    void run(CreateTable create, Map<String, String> files, Then then);

    /** What follows when the definition is durable. */
    interface Then {
      void run(TableEntry altered) throws IOException;
    }
  }

  /**
   * Changes the definition, and the parts that are there with it. When this returns both are
   * durable; after a crash both are as before, or both are changed as soon as the table is opened.
   */
  void alter(List<Alter.Command> commands, Map<String, Literal> settings, Commit commit)
      throws IOException {
    begin();
    try {
      commits.writeLock().lock();
      try {
        alterAlone(commands, settings, commit);
      } finally {
        commits.writeLock().unlock();
      }
    } finally {
      end();
    }
  }

  private void alterAlone(
      List<Alter.Command> commands, Map<String, Literal> settings, Commit commit)
      throws IOException {
    Alteration alteration = Alteration.of(create(), commands, profile, settings);
    TableDefinition after = definition(alteration.create(), durability, profile);
    if (alteration.mutation().isEmpty()) {
      commit.run(alteration.create(), Map.of(), this::become);
      return;
    }
    List<Part> before = parts.active();
    for (Part part : before) {
      alteration.checkPart(part.name().text(), part.loaded().orElseThrow().columns());
    }
    mutations.refuseUnfinished(before);
    Mutations.Mutation mutation =
        new Mutations.Mutation(lastBlock.incrementAndGet(), Optional.of(alteration.mutation()));
    Map<String, PartName> written = new LinkedHashMap<>();
    boolean committing = false;
    try {
      for (Part part : before) {
        PartName name = Mutations.through(part.name(), mutation.number());
        String temporary = Mutations.TEMPORARY + name.text();
        mutations.write(
            part.loaded().orElseThrow(),
            part.name(),
            part.name().text(),
            temporary,
            List.of(mutation),
            after);
        written.put(temporary, name);
      }
      String content = mutation.content(Instant.ofEpochMilli(time.wallMillis()));
      committing = true;
      commit.run(
          alteration.create(),
          Map.of(mutation.file(), content),
          altered -> switchTo(altered, after, mutation, written));
    } catch (Throwable e) {
      if (committing
          && !(e instanceof EngineException known
              && known.code().equals(ErrorCode.UNKNOWN_TABLE))) {
        // What is on the disk is not known: opening the table finds out, and finishes it.
        retire("could not be altered and is to be opened anew: " + e.getMessage(), () -> {});
      } else {
        for (String temporary : written.keySet()) {
          directory.deleteRecursively(temporary);
        }
      }
      throw e;
    }
    mutations.forgetOld(parts.active());
  }

  private void switchTo(
      TableEntry altered,
      TableDefinition after,
      Mutations.Mutation mutation,
      Map<String, PartName> written)
      throws IOException {
    List<Part> prepared = new ArrayList<>();
    for (Map.Entry<String, PartName> part : written.entrySet()) {
      prepared.add(parts.prepare(part.getKey(), part.getValue()));
    }
    lock.lock();
    try {
      entry = altered;
      definition = after;
      dataVersion++;
      mutations.add(mutation);
      parts.replace(prepared, List.of());
    } finally {
      lock.unlock();
    }
  }

  // Deleting

  /**
   * Deletes the files of dropped parts now, but for those that a scan still reads: these go when it
   * ends.
   */
  void deleteDropped() throws IOException {
    forgetDropped();
    cleanNow();
    removeEmpty();
    cleanNow();
  }

  /** Deletes the files of mutations, if there is no part left that could need one. */
  void forgetMutations() throws IOException {
    commits.writeLock().lock();
    try {
      if (parts.active().isEmpty()) {
        mutations.forgetAll();
      }
    } finally {
      commits.writeLock().unlock();
    }
  }

  /** Rows of parts that are not there any more may come again. */
  private void forgetDropped() throws IOException {
    synchronized (deduplication) {
      List<Part> active = parts.active();
      deduplication.forget(
          name ->
              active.stream()
                  .noneMatch(
                      part ->
                          part.loaded().orElseThrow().rowCount() > 0
                              && (part.name().equals(name) || part.name().covers(name))));
    }
  }

  private void cleanNow() throws IOException {
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
    if (!readOnly) {
      removeEmpty();
    }
    while (!readOnly && cleanOnce().deleted() == MOST_CLEANED) {
      // Some more may be due.
    }
  }

  /** Takes out parts without rows that no dropped part needs any more to stay dropped. */
  private void removeEmpty() {
    Literal kept = create().settings().get("remove_empty_parts");
    if (kept != null && kept.text().equals("0")) {
      return;
    }
    commits.readLock().lock();
    try {
      List<Part> all = parts.parts();
      for (Part part : parts.active()) {
        boolean empty = part.loaded().orElseThrow().rowCount() == 0;
        if (empty && all.stream().noneMatch(p -> p != part && part.name().covers(p.name()))) {
          parts.remove(part.name());
        }
      }
    } finally {
      commits.readLock().unlock();
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
    synchronized (deduplication) {
      try {
        deduplication.close();
      } catch (IOException e) {
        System.getLogger(Table.class.getName())
            .log(System.Logger.Level.WARNING, "deduplication log of " + name().text(), e);
      }
    }
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
