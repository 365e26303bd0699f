package io.coppice.parts.scan;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.parse.Parser;
import io.coppice.language.statement.Column.DefaultKind;
import io.coppice.language.type.DataType;
import io.coppice.parts.expression.Surroundings;
import io.coppice.parts.stream.DirectMemory;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.OversizedAllocationException;

/**
 * A question to parts: which columns, of which rows. Each method gives a new scan; {@link #open}
 * runs it.
 *
 * <pre>{@code
 * try (BatchStream batches =
 *     Scan.of(parts).columns("user_id", "price").where("user_id = 10").open(allocator)) {
 *   while (batches.next()) {
 *     rows += batches.batch().getRowCount();
 *   }
 * }
 * }</pre>
 *
 * <p>Rows come part after part in the order given, in each in the order of its sorting key.
 * Granules that cannot hold a row of interest are left out by partition, minmax files, primary key
 * and skip indexes, as far as a table definition says what the key is.
 *
 * <p>Immutable; any thread may use it.
 */
public final class Scan {
  /** Rows of a batch, about, unless said. */
  public static final int DEFAULT_BATCH_ROWS = 65_536;

  private static final long DEFAULT_MARK_CACHE_BYTES = 64L << 20;

  private final Wishes wishes;

  /** All that can be chosen, with what holds unless it is. */
  private static final class Wishes {
    private List<LoadedPart> parts;
    private Optional<TableDefinition> table = Optional.empty();
    private Optional<List<String>> columns = Optional.empty();
    private Optional<Expression> filter = Optional.empty();
    private long limit = Long.MAX_VALUE;
    private int batchRows = DEFAULT_BATCH_ROWS;
    private boolean pruning = true;
    private boolean dictionaries;
    private boolean counting;
    private boolean explaining;
    private String database = "";
    private Optional<Executor> executor = Optional.empty();
    private int parallelism = 1;
    private Surroundings surroundings = Surroundings.system();
    private MarkCache marks = new MarkCache(DEFAULT_MARK_CACHE_BYTES);
    private AutoCloseable lease = () -> {};
    private Optional<Source> source = Optional.empty();

    Wishes(List<LoadedPart> parts) {
      this.parts = parts;
    }

    Wishes over(Source.Held held) {
      Wishes copy = copy();
      copy.parts = held.parts();
      copy.lease = held.lease();
      copy.source = Optional.empty();
      return copy;
    }

    Wishes copy() {
      Wishes copy = new Wishes(parts);
      copy.table = table;
      copy.columns = columns;
      copy.filter = filter;
      copy.limit = limit;
      copy.batchRows = batchRows;
      copy.pruning = pruning;
      copy.dictionaries = dictionaries;
      copy.counting = counting;
      copy.explaining = explaining;
      copy.database = database;
      copy.executor = executor;
      copy.parallelism = parallelism;
      copy.surroundings = surroundings;
      copy.marks = marks;
      copy.lease = lease;
      copy.source = source;
      return copy;
    }
  }

  private Scan(Wishes wishes) {
    this.wishes = wishes;
  }

  private Scan with(Consumer<Wishes> change) {
    Wishes changed = wishes.copy();
    change.accept(changed);
    return new Scan(changed);
  }

  /** All columns of all rows of parts, which are borrowed until the stream is closed. */
  public static Scan of(List<LoadedPart> parts) {
    return new Scan(new Wishes(List.copyOf(parts)));
  }

  /** Where the parts come from, asked each time the scan is opened. */
  @FunctionalInterface
  public interface Source {
    /** The parts of this moment, and what holds them. */
    Held take();

    /**
     * Parts that stay until they are let go.
     *
     * @param lease closed once, when the stream over them is, or could not be opened
     */
    record Held(List<LoadedPart> parts, AutoCloseable lease) {
      public Held {
        parts = List.copyOf(parts);
      }
    }
  }

  /**
   * All columns of all rows of the parts that {@code source} has when the scan is opened. Until
   * then nothing is held, so that a scan may be opened any number of times, or never.
   */
  public static Scan of(Source source) {
    return of(List.of()).with(w -> w.source = Optional.of(source));
  }

  /** All columns of all rows of one part. */
  public static Scan of(LoadedPart part) {
    return of(List.of(part));
  }

  /**
   * The table that the parts belong to: keys, types, defaults of columns that a part lacks. A part
   * must have one of its columns at least, and those it has must be of the table's types.
   */
  public Scan table(TableDefinition definition) {
    return with(w -> w.table = Optional.of(definition));
  }

  /** The database that the table is in, which its column {@code _database} says. */
  public Scan database(String name) {
    return with(w -> w.database = name);
  }

  /**
   * The columns that a scan of a table can give besides the table's own, with their types: {@code
   * _part}, {@code _part_offset} and their like.
   */
  public static Map<String, DataType> virtualColumns(TableDefinition definition) {
    return new VirtualColumns(definition, "").types();
  }

  /** The columns wanted, in that order. */
  public Scan columns(List<String> names) {
    return with(w -> w.columns = Optional.of(List.copyOf(names)));
  }

  /** The columns wanted, in that order. */
  public Scan columns(String... names) {
    return columns(List.of(names));
  }

  /** Keeps rows for which an expression in ClickHouse's dialect is true. */
  public Scan where(String condition) {
    return where(Parser.expression(condition));
  }

  /** Keeps rows for which an expression is true. */
  public Scan where(Expression condition) {
    return with(w -> w.filter = Optional.of(condition));
  }

  /** Stops after so many rows. */
  public Scan limit(long rows) {
    return with(w -> w.limit = rows);
  }

  /** Rows of a batch, about: batches hold whole granules, at least one. */
  public Scan batchRows(int rows) {
    return with(w -> w.batchRows = rows);
  }

  /** Whether granules are left out by key and indexes; the rows are the same either way. */
  public Scan pruning(boolean on) {
    return with(w -> w.pruning = on);
  }

  /**
   * Whether LowCardinality columns come as Arrow's dictionary encoding: 32-bit indexes, with one
   * dictionary a column for the whole scan in {@link BatchStream#dictionaries}. Values are numbered
   * by first appearance, an index never changes its meaning, and NULL is a NULL index. Columns that
   * hold LowCardinality inside an Array, Map or Tuple come as plain values, as all do by default.
   *
   * <p>An Arrow IPC stream is written with {@code new ArrowStreamWriter(batches.batch(),
   * batches.dictionaries(), out)}, which sends a dictionary again when it has grown.
   */
  public Scan dictionaries(boolean on) {
    return with(w -> w.dictionaries = on);
  }

  /**
   * Whether only the number of rows is wanted: granules of which every row passes, as the primary
   * key tells, are not read then, and {@link ScanReport#rowsCounted} says how many rows they have.
   */
  public Scan counting(boolean on) {
    return with(w -> w.counting = on);
  }

  /**
   * The time and the random numbers for {@code now()}, {@code rand()} and their like in the
   * condition and in defaults, and the zone of times that name none; the machine's and UTC unless
   * said. The time is that of {@link #open}. In a zone other than UTC no granules are left out by
   * keys and indexes.
   */
  public Scan in(Surroundings surroundings) {
    return with(w -> w.surroundings = surroundings);
  }

  /** Reads on the threads of an executor, {@code threads} batches at once; results are the same. */
  public Scan on(Executor threadsOf, int threads) {
    return with(
        w -> {
          w.executor = Optional.of(threadsOf);
          w.parallelism = threads;
        });
  }

  /** Shares a cache of marks with other scans. */
  public Scan markCache(MarkCache cache) {
    return with(w -> w.marks = cache);
  }

  /** What to release when the stream is closed: the lease of the snapshot that the parts are of. */
  public Scan releasing(AutoCloseable held) {
    return with(w -> w.lease = held);
  }

  /**
   * Runs the scan. The caller closes the stream, which brings what it took of {@code allocator}
   * back.
   *
   * @throws EngineException when a column is unknown or unreadable, or the condition does not
   *     compile; INCOMPATIBLE_COLUMNS for a part that has no column of the table,
   *     THERE_IS_NO_COLUMN for parts of unlike structure without a table, TYPE_MISMATCH for a
   *     column of another type
   */
  public BatchStream open(BufferAllocator allocator) throws IOException {
    return opened(
        allocator,
        opening -> {
          BatchStream stream = opening.executor().isPresent() ? parallel(opening) : serial(opening);
          return wishes.dictionaries
              ? new DictionaryBatches(
                  stream, allocator.newChildAllocator("scan dictionaries", 0, Long.MAX_VALUE))
              : stream;
        });
  }

  /**
   * Runs the scan with its batches going into sinks, one for each run of neighbouring batches,
   * where they are read. There is no limit to rows then, and no dictionaries. The caller closes
   * what is given; otherwise as {@link #open}.
   *
   * @param sinks called on the threads of the executor
   */
  public <S extends BatchSink> Runs<S> openRuns(Supplier<S> sinks, BufferAllocator allocator)
      throws IOException {
    return opened(
        allocator,
        opening ->
            new Runs<>(
                opening.allocator(),
                opening.lease(),
                opening.schema(),
                opening.readers(),
                sinks,
                opening.chosen().tasks(),
                opening.executor(),
                wishes.parallelism + 1,
                opening.chosen().report()));
  }

  /**
   * Runs the scan with a stream for each part, whose rows come in the order of the table's key, or
   * its batches from the last to the first. There is no limit to rows then, and no dictionaries.
   *
   * @param reversed whether the last batch of a part comes first; rows in it stay in their order
   * @param most parts at most from which streams are opened
   * @return empty, and nothing open, if there are more parts
   */
  public Optional<PartStreams> openParts(boolean reversed, int most, BufferAllocator allocator)
      throws IOException {
    return opened(
        allocator,
        opening -> {
          Map<Integer, List<GranuleReader.Task>> ofParts = new LinkedHashMap<>();
          for (GranuleReader.Task task : opening.chosen().tasks()) {
            ofParts.computeIfAbsent(task.place().index(), i -> new ArrayList<>()).add(task);
          }
          if (ofParts.size() > most) {
            closeQuietly(opening.lease(), opening.allocator());
            return Optional.empty();
          }
          return Optional.of(
              new PartStreams(
                  streams(opening, ofParts.values(), reversed),
                  opening.lease(),
                  opening.allocator()));
        });
  }

  private static List<BatchStream> streams(
      Opening opening, Collection<List<GranuleReader.Task>> ofParts, boolean reversed) {
    List<BatchStream> streams = new ArrayList<>();
    boolean done = false;
    try {
      for (List<GranuleReader.Task> tasks : ofParts) {
        if (reversed) {
          Collections.reverse(tasks);
        }
        streams.add(
            new SerialBatches(
                opening.allocator().newChildAllocator("part", 0, Long.MAX_VALUE),
                () -> {},
                opening.schema(),
                opening.readers().get(),
                tasks.iterator(),
                opening.chosen().report(),
                Long.MAX_VALUE));
      }
      done = true;
      return streams;
    } finally {
      if (!done) {
        closeQuietly(streams.toArray(new AutoCloseable[0]));
      }
    }
  }

  private static void closeQuietly(AutoCloseable... owned) {
    try {
      Limits.closeAll(owned);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What would be read: the report of a scan that has chosen its granules and read nothing. */
  public ScanReport explain(BufferAllocator allocator) throws IOException {
    try (BatchStream stream = with(w -> w.explaining = true).open(allocator)) {
      return stream.report();
    }
  }

  /**
   * What each part tells of its rows in its small files; no data is read. Empty if a part does not
   * tell all of it, or the rows of it are not all there any more.
   *
   * @param wanted names of {@link PartSummaries#types}
   */
  public Optional<PartSummaries> summaries(List<String> wanted, BufferAllocator allocator)
      throws IOException {
    TableDefinition table = wishes.table.orElseThrow();
    if (wishes.source.isEmpty()) {
      return PartSummaries.read(
          wishes.parts, table, wishes.database, wanted, wishes.marks, allocator);
    }
    Source.Held held = wishes.source.get().take();
    try {
      return PartSummaries.read(
          held.parts(), table, wishes.database, wanted, wishes.marks, allocator);
    } finally {
      Limits.closeAll(held.lease());
    }
  }

  /** What is known once granules are chosen. */
  private record Opening(
      BufferAllocator allocator,
      AutoCloseable lease,
      Schema schema,
      Supplier<GranuleReader> readers,
      Chosen chosen,
      Optional<Executor> executor) {}

  private BatchStream parallel(Opening opening) {
    return new ParallelBatches(
        opening.allocator(),
        opening.lease(),
        opening.schema(),
        opening.readers(),
        opening.chosen().tasks().iterator(),
        opening.executor().orElseThrow(),
        wishes.parallelism * 2,
        opening.chosen().report(),
        wishes.limit);
  }

  private BatchStream serial(Opening opening) {
    return new SerialBatches(
        opening.allocator(),
        opening.lease(),
        opening.schema(),
        opening.readers().get(),
        opening.chosen().tasks().iterator(),
        opening.chosen().report(),
        wishes.limit);
  }

  private <T> T opened(BufferAllocator allocator, Function<Opening, T> then) throws IOException {
    if (wishes.source.isEmpty()) {
      return openedOver(allocator, then);
    }
    Source.Held held = wishes.source.get().take();
    Wishes fixed = wishes.over(held);
    boolean opened = false;
    try {
      T result = new Scan(fixed).openedOver(allocator, then);
      opened = true;
      return result;
    } finally {
      if (!opened) {
        Limits.closeAll(held.lease());
      }
    }
  }

  private <T> T openedOver(BufferAllocator allocator, Function<Opening, T> then)
      throws IOException {
    Map<String, DataType> types = visibleTypes();
    List<String> wanted = wishes.columns.orElseGet(() -> defaultColumns(types));
    Surroundings now = wishes.surroundings.atThisMoment();
    Optional<Expression> filter = wishes.filter.map(now::fixed);
    Optional<VirtualColumns> virtual =
        wishes.table.map(table -> new VirtualColumns(table, wishes.database));
    ScanPlanner planner = new ScanPlanner(types, wishes.table, virtual, now);
    for (String column : wanted) {
      planner.need(column);
    }
    Optional<RowFilter> rowFilter =
        filter.isPresent() ? Optional.of(planner.filter(filter.get())) : Optional.empty();
    Map<String, ColumnPlan> plans = planner.plans();
    new Structures(wishes.table).check(wishes.parts, plans, wishes.pruning && filter.isPresent());
    List<Field> fields = new ArrayList<>();
    for (String column : wanted) {
      fields.add(ArrowMapping.field(column, plans.get(column).type()));
    }
    BufferAllocator child = allocator.newChildAllocator("scan", 0, Long.MAX_VALUE);
    boolean opened = false;
    try {
      // Keys and indexes are looked at in UTC: in another zone a condition may mean other rows.
      boolean utc = now.zone().getRules().equals(ZoneOffset.UTC.getRules());
      Pruning choice =
          wishes.pruning && utc && filter.isPresent() && wishes.table.isPresent()
              ? planner.pruning(
                  filter.get(),
                  wishes.marks,
                  new PartPruning.Asking(wishes.explaining, wishes.counting),
                  child)
              : Pruning.NONE;
      T result =
          then.apply(
              new Opening(
                  child,
                  wishes.lease,
                  new Schema(fields),
                  () -> new GranuleReader(plans, rowFilter, wishes.marks, child),
                  choose(choice, new PartFilter(rowFilter, virtual, child)),
                  wishes.executor.filter(e -> wishes.parallelism > 1)));
      opened = true;
      return result;
    } catch (OutOfMemoryException | OversizedAllocationException e) {
      throw DirectMemory.lacking(e, "choosing what to read");
    } finally {
      if (!opened) {
        child.close();
      }
    }
  }

  private record Chosen(List<GranuleReader.Task> tasks, ScanReport report) {}

  private Chosen choose(Pruning choice, PartFilter filter) throws IOException {
    List<GranuleReader.Task> tasks = new ArrayList<>();
    int partsRead = 0;
    long granules = 0;
    long afterPartition = 0;
    long afterKey = 0;
    long afterIndexes = 0;
    List<IndexReport> indexes = new ArrayList<>();
    int index = 0;
    int asked = 0;
    long startingRow = 0;
    int ranges = 0;
    long counted = 0;
    Map<String, Long> partitions = new HashMap<>();
    for (LoadedPart part : wishes.parts) {
      VirtualColumns.Place place = new VirtualColumns.Place(part, index++, startingRow);
      startingRow += part.rowCount();
      if (!filter.mayHold(place)) {
        continue;
      }
      asked++;
      Pruning.Choice chosen = choice.choose(part);
      for (int i = 0; i < chosen.steps().size(); i++) {
        IndexReport step = chosen.steps().get(i);
        if (i < indexes.size()) {
          indexes.set(i, indexes.get(i).with(step));
        } else {
          indexes.add(step);
        }
      }
      granules += part.granuleCount();
      afterPartition += chosen.afterPartition();
      afterKey += chosen.afterKey();
      for (GranuleRange range : chosen.ranges()) {
        afterIndexes += range.size();
      }
      List<GranuleRange> read = GranuleRange.without(chosen.ranges(), chosen.certain());
      ranges += read.size();
      for (GranuleRange range : chosen.certain()) {
        counted += part.granuleStart(range.to()) - part.granuleStart(range.from());
      }
      if (!chosen.ranges().isEmpty()) {
        partsRead++;
        partitions.merge(partition(part), part.rowCount(), Long::sum);
      }
      cut(place, read, tasks);
    }
    return new Chosen(
        tasks,
        new ScanReport(
            asked,
            partsRead,
            granules,
            afterPartition,
            afterKey,
            afterIndexes,
            0,
            0,
            0,
            0,
            tasks.stream().mapToLong(GranuleReader.Task::rows).sum(),
            ranges,
            counted,
            partitions,
            indexes));
  }

  /** What stands before the block numbers in a part's name. */
  private static String partition(LoadedPart part) {
    String name = part.name();
    int underscore = name.indexOf('_');
    return underscore < 0 ? name : name.substring(0, underscore);
  }

  /** Cuts ranges to tasks of about a batch of rows; a task has whole granules of one part. */
  private void cut(
      VirtualColumns.Place place, List<GranuleRange> ranges, List<GranuleReader.Task> tasks) {
    LoadedPart part = place.part();
    List<GranuleRange> open = new ArrayList<>();
    long rows = 0;
    for (GranuleRange range : ranges) {
      int from = range.from();
      for (int granule = range.from(); granule < range.to(); granule++) {
        rows += part.rowsIn(granule);
        if (rows >= wishes.batchRows) {
          open.add(new GranuleRange(from, granule + 1));
          tasks.add(new GranuleReader.Task(place, List.copyOf(open)));
          open.clear();
          from = granule + 1;
          rows = 0;
        }
      }
      if (from < range.to()) {
        open.add(new GranuleRange(from, range.to()));
      }
    }
    if (!open.isEmpty()) {
      tasks.add(new GranuleReader.Task(place, List.copyOf(open)));
    }
  }

  private Map<String, DataType> visibleTypes() {
    Map<String, DataType> types = new LinkedHashMap<>();
    if (wishes.table.isPresent()) {
      for (ColumnDefinition column : wishes.table.get().columns()) {
        types.put(column.name(), column.type());
      }
      return types;
    }
    for (LoadedPart part : wishes.parts) {
      for (Map.Entry<String, DataType> column : part.columns().entrySet()) {
        DataType before = types.putIfAbsent(column.getKey(), column.getValue());
        if (before != null && !before.equals(column.getValue())) {
          throw EngineException.of(
              ErrorCode.TYPE_MISMATCH,
              "column %s has type %s in part %s and %s in others; give the table's CREATE TABLE",
              column.getKey(),
              column.getValue().text(),
              part.name(),
              before.text());
        }
      }
    }
    return types;
  }

  private List<String> defaultColumns(Map<String, DataType> types) {
    if (wishes.table.isPresent()) {
      return wishes.table.get().columns().stream()
          .filter(c -> c.defaultKind() == DefaultKind.DEFAULT)
          .map(ColumnDefinition::name)
          .toList();
    }
    return types.keySet().stream().filter(n -> !n.equals(GranuleReader.ROW_EXISTS)).toList();
  }
}
