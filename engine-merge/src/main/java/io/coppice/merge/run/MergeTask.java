package io.coppice.merge.run;

import io.coppice.base.check.Check;
import io.coppice.base.disk.Disk;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.Surroundings;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.stream.DirectMemory;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.MergingKind;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.write.PartAppender;
import io.coppice.parts.write.TableKeys;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.util.OversizedAllocationException;

/**
 * One merge: the rows of several parts of a partition as one part, in a directory {@code
 * tmp_merge_<name>} beside them. It has no thread of its own: {@link #advance} does one bounded
 * step (about a block of rows), and who does not call it pauses the merge.
 *
 * <pre>{@code
 * try (MergeTask task = MergeTask.of(parts, "all_1_3_1", table, options, disk, surroundings, allocator)) {
 *   while (task.advance()) {}
 *   String directory = task.take();           // now the caller's, to be put among the parts
 * }
 * }</pre>
 *
 * <p>The same sources and settings make the same bytes, those of ClickHouse. Statistics and
 * projections of the sources are left out: both only help to read less.
 *
 * <p>Confined to one thread but for {@link #cancel} and {@link #progress}. The owner closes it,
 * which removes the directory unless it was taken. Sources are borrowed: a lease on them is the
 * caller's.
 */
public final class MergeTask implements AutoCloseable {
  private static final Set<MergingKind> FOLDED =
      EnumSet.of(MergingKind.PLAIN, MergingKind.REPLACING, MergingKind.COLLAPSING);

  private static final String ROW_SOURCES = "rows_sources.tmp";

  private final List<LoadedPart> parts;
  private final TableDefinition table;
  private final MergeOptions options;
  private final Disk disk;
  private final String directory;
  private final Surroundings surroundings;
  private final BufferAllocator allocator;
  private final TableKeys keys;
  private final MergePlan plan;

  private final List<MergeSource> sources = new ArrayList<>();
  private Optional<PartAppender> part = Optional.empty();
  private Optional<SortedMerge> rows = Optional.empty();
  private Optional<RowSources> rowSources = Optional.empty();
  private final Deque<ColumnDefinition> left = new ArrayDeque<>();
  private Optional<OpenColumn> column = Optional.empty();
  private Optional<PartAppender.WrittenFiles> written = Optional.empty();
  private State state = State.NEW;

  private volatile boolean cancelled;
  private volatile Progress progress;

  /**
   * How far a merge is.
   *
   * <pre>
   *   NEW -> ROWS -> COLUMNS -> DONE -> TAKEN
   *    |       |        |         |
   *    +-------+--------+---------+--> CLOSED
   * </pre>
   */
  private enum State {
    /** Nothing is on disk. */
    NEW,
    /** Rows are merged by the key. */
    ROWS,
    /** Rows are in order; columns that are left follow one by one, if any. */
    COLUMNS,
    /** The part is whole. */
    DONE,
    /** The directory is the caller's. */
    TAKEN,
    /** Nothing is left. */
    CLOSED
  }

  /**
   * What has been done.
   *
   * @param rowsRead of the sources
   * @param rowsWritten that remained
   * @param share of all the work, 0 to 1
   * @param vertical whether columns come one by one
   */
  public record Progress(long rowsRead, long rowsWritten, double share, boolean vertical) {}

  /** A column and where its rows come from. */
  private record OpenColumn(
      ColumnDefinition definition, ColumnGatherer gatherer, PartAppender.Column target) {}

  /**
   * Prepares a merge; nothing is read or written yet.
   *
   * @param parts sources, at least one, in the order of their blocks: rows with equal keys come in
   *     this order
   * @param name of the part to be
   * @param disk of the table's directory
   * @param allocator for rows; a child of it is used
   * @throws EngineException NOT_IMPLEMENTED for tables whose merges do more than put rows in order
   */
  public static MergeTask of(
      List<LoadedPart> parts,
      String name,
      TableDefinition table,
      MergeOptions options,
      Disk disk,
      Surroundings surroundings,
      BufferAllocator allocator) {
    Check.argument(!parts.isEmpty(), "a merge of no parts");
    refuse(table, options);
    BufferAllocator child = allocator.newChildAllocator("merge " + name, 0, Long.MAX_VALUE);
    try {
      return new MergeTask(parts, name, table, options, disk, surroundings.atThisMoment(), child);
    } catch (Throwable e) {
      child.close();
      throw e;
    }
  }

  private static void refuse(TableDefinition table, MergeOptions options) {
    if (!FOLDED.contains(table.kind())) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED,
          "table %s: parts of %s are not merged yet",
          table.name(),
          table.kind().engine());
    }
    if (!table.ttl().isEmpty()) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED,
          "table %s: parts of a table with TTL are not merged yet",
          table.name());
    }
    if (options.blockNumbers()) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED,
          "table %s: with enable_block_number_column or enable_block_offset_column parts are not"
              + " merged yet",
          table.name());
    }
  }

  private MergeTask(
      List<LoadedPart> parts,
      String name,
      TableDefinition table,
      MergeOptions options,
      Disk disk,
      Surroundings surroundings,
      BufferAllocator allocator) {
    this.parts = List.copyOf(parts);
    this.table = table;
    this.options = options;
    this.disk = disk;
    this.directory = "tmp_merge_" + name;
    this.surroundings = surroundings;
    this.allocator = allocator;
    Map<String, DataType> schema = new LinkedHashMap<>();
    table.storedColumns().forEach(c -> schema.put(c.name(), c.type()));
    this.keys = new TableKeys(table, ExpressionCompiler.of(schema).in(surroundings).forKeys());
    this.plan = MergePlan.of(this.parts, table, keys, options);
    this.progress = new Progress(0, 0, 0, plan.vertical());
  }

  /** How far it is. Any thread may ask. */
  public Progress progress() {
    return progress;
  }

  /** Rows of the sources. */
  public long sourceRows() {
    return plan.rowCount();
  }

  /** Ends the merge at its next step, which throws ABORTED. Any thread may call it. */
  public void cancel() {
    cancelled = true;
  }

  /**
   * Does one step; whether there is more to do.
   *
   * @throws EngineException ABORTED when cancelled; what is wrong with a source, naming it;
   *     MEMORY_LIMIT_EXCEEDED. The merge cannot go on after any, and is to be closed
   */
  public boolean advance() throws IOException {
    if (cancelled) {
      throw EngineException.of(
          ErrorCode.ABORTED, "table %s: merge to %s was cancelled", table.name(), directory);
    }
    try {
      step();
    } catch (OutOfMemoryException | OversizedAllocationException e) {
      throw DirectMemory.lacking(e, "merging parts of table " + table.name());
    }
    return state != State.DONE;
  }

  private void step() throws IOException {
    switch (state) {
      case NEW -> begin();
      case ROWS -> mergeRows();
      case COLUMNS -> gatherColumn();
      case DONE, TAKEN, CLOSED -> throw new IllegalStateException("the merge is " + state);
    }
  }

  private void begin() throws IOException {
    disk.deleteRecursively(directory);
    disk.createDirectories(directory);
    Disk inside = disk.within(directory);
    for (LoadedPart source : parts) {
      sources.add(new MergeSource(source, table, surroundings, allocator));
    }
    part = Optional.of(PartAppender.open(inside, table, plan.form(), surroundings, allocator));
    if (plan.vertical()) {
      rowSources = Optional.of(new RowSources(inside, ROW_SOURCES));
    }
    rows =
        Optional.of(
            new SortedMerge(
                sources,
                part.get().first(),
                new KeyOrder(table, keys),
                options.maxBlockRows(),
                plan.vertical(),
                RowFold.of(table, part.get().first(), false),
                rowSources,
                allocator));
    left.addAll(part.get().left());
    state = State.ROWS;
  }

  private void mergeRows() throws IOException {
    PartAppender to = part.orElseThrow();
    SortedMerge merge = rows.orElseThrow();
    Optional<MergedBlock> next = merge.next();
    if (next.isPresent()) {
      try (MergedBlock block = next.get()) {
        to.add(
            block.columns(), block.rows(), to.bytes(block.columns(), block.rows(), block.shared()));
      }
      report(share(merge.rowsRead()));
      return;
    }
    merge.close();
    to.endRows();
    if (rowSources.isPresent()) {
      rowSources.get().end();
    }
    for (MergeSource source : sources) {
      for (ColumnDefinition done : to.first()) {
        source.forget(done);
      }
    }
    state = State.COLUMNS;
  }

  /** The key's columns count as one of those that are left. */
  private double share(long rowsRead) {
    double all = Math.max(1, plan.rowCount());
    return rowsRead / all / (1 + part.orElseThrow().left().size());
  }

  private void report(double share) {
    progress =
        new Progress(
            rows.orElseThrow().rowsRead(), part.orElseThrow().rowCount(), share, plan.vertical());
  }

  private void gatherColumn() throws IOException {
    if (column.isEmpty()) {
      if (left.isEmpty()) {
        finish();
        return;
      }
      column = Optional.of(open(left.removeFirst()));
    }
    OpenColumn present = column.get();
    Optional<MergedBlock> next = present.gatherer().next();
    if (next.isPresent()) {
      try (MergedBlock block = next.get()) {
        present.target().add(block.columns().get(0), block.rows());
      }
      return;
    }
    present.target().finish();
    closeColumn();
    double count = 1 + part.orElseThrow().left().size();
    report((count - left.size()) / count);
  }

  private OpenColumn open(ColumnDefinition definition) throws IOException {
    ColumnGatherer gatherer =
        new ColumnGatherer(sources, definition, rowSources.orElseThrow(), options, allocator);
    boolean done = false;
    try {
      PartAppender.Column target = part.orElseThrow().column(definition);
      done = true;
      return new OpenColumn(definition, gatherer, target);
    } finally {
      if (!done) {
        gatherer.close();
      }
    }
  }

  private void closeColumn() throws IOException {
    if (column.isEmpty()) {
      return;
    }
    OpenColumn open = column.get();
    column = Optional.empty();
    try {
      open.gatherer().close();
    } finally {
      open.target().close();
    }
  }

  private void finish() throws IOException {
    closeRowSources();
    written =
        Optional.of(part.orElseThrow().finish(MergedKeys.files(parts, table, keys, allocator)));
    if (plan.form().sync() || table.settings().fsyncPartDirectory()) {
      disk.syncDirectory(directory);
    }
    report(1);
    state = State.DONE;
  }

  private void closeRowSources() throws IOException {
    if (rowSources.isPresent()) {
      rowSources.get().close();
      rowSources = Optional.empty();
    }
  }

  /** What was written, when the merge is done. */
  public PartAppender.WrittenFiles written() {
    return written.orElseThrow();
  }

  /**
   * The directory of the whole part, in the table's; it belongs to the caller from now on.
   *
   * @throws IllegalStateException when the merge is not done
   */
  public String take() {
    if (state != State.DONE) {
      throw new IllegalStateException("the merge is " + state);
    }
    state = State.TAKEN;
    return directory;
  }

  @Override
  public void close() throws IOException {
    if (state == State.CLOSED) {
      return;
    }
    boolean remove = state != State.TAKEN && state != State.NEW;
    state = State.CLOSED;
    List<Closing> all = new ArrayList<>();
    all.add(this::closeColumn);
    all.add(this::closeRowSources);
    rows.ifPresent(r -> all.add(r::close));
    part.ifPresent(p -> all.add(p::close));
    sources.forEach(s -> all.add(s::close));
    all.add(allocator::close);
    if (remove) {
      all.add(() -> disk.deleteRecursively(directory));
    }
    closeAll(all);
  }

  private interface Closing {
    void close() throws IOException;
  }

  /** Closes everything; throws the first failure. */
  private static void closeAll(List<Closing> all) throws IOException {
    Throwable failure = null;
    for (Closing one : all) {
      try {
        one.close();
      } catch (IOException | RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure != null) {
      throw (IOException) failure;
    }
  }
}
