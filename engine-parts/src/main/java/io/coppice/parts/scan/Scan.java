package io.coppice.parts.scan;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.parse.Parser;
import io.coppice.language.type.DataType;
import io.coppice.parts.stream.DirectMemory;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
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
  private static final int DEFAULT_BATCH_ROWS = 65_536;
  private static final long DEFAULT_MARK_CACHE_BYTES = 64L << 20;

  private final List<LoadedPart> parts;
  private final Optional<TableDefinition> table;
  private final Optional<List<String>> columns;
  private final Optional<Expression> filter;
  private final long limit;
  private final int batchRows;
  private final boolean pruning;
  private final Optional<Executor> executor;
  private final int parallelism;
  private final MarkCache marks;
  private final AutoCloseable lease;

  private Scan(
      List<LoadedPart> parts,
      Optional<TableDefinition> table,
      Optional<List<String>> columns,
      Optional<Expression> filter,
      long limit,
      int batchRows,
      boolean pruning,
      Optional<Executor> executor,
      int parallelism,
      MarkCache marks,
      AutoCloseable lease) {
    this.parts = parts;
    this.table = table;
    this.columns = columns;
    this.filter = filter;
    this.limit = limit;
    this.batchRows = batchRows;
    this.pruning = pruning;
    this.executor = executor;
    this.parallelism = parallelism;
    this.marks = marks;
    this.lease = lease;
  }

  /** All columns of all rows of parts, which are borrowed until the stream is closed. */
  public static Scan of(List<LoadedPart> parts) {
    return new Scan(
        List.copyOf(parts),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Long.MAX_VALUE,
        DEFAULT_BATCH_ROWS,
        true,
        Optional.empty(),
        1,
        new MarkCache(DEFAULT_MARK_CACHE_BYTES),
        () -> {});
  }

  /** All columns of all rows of one part. */
  public static Scan of(LoadedPart part) {
    return of(List.of(part));
  }

  private Scan with(
      Optional<TableDefinition> newTable,
      Optional<List<String>> newColumns,
      Optional<Expression> newFilter) {
    return new Scan(
        parts,
        newTable,
        newColumns,
        newFilter,
        limit,
        batchRows,
        pruning,
        executor,
        parallelism,
        marks,
        lease);
  }

  /** The table that the parts belong to: keys, types, defaults of columns that a part lacks. */
  public Scan table(TableDefinition definition) {
    return with(Optional.of(definition), columns, filter);
  }

  /** The columns wanted, in that order. */
  public Scan columns(List<String> names) {
    return with(table, Optional.of(List.copyOf(names)), filter);
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
    return with(table, columns, Optional.of(condition));
  }

  /** Stops after so many rows. */
  public Scan limit(long rows) {
    return new Scan(
        parts,
        table,
        columns,
        filter,
        rows,
        batchRows,
        pruning,
        executor,
        parallelism,
        marks,
        lease);
  }

  /** Rows of a batch, about: batches hold whole granules, at least one. */
  public Scan batchRows(int rows) {
    return new Scan(
        parts, table, columns, filter, limit, rows, pruning, executor, parallelism, marks, lease);
  }

  /** Whether granules are left out by key and indexes; the rows are the same either way. */
  public Scan pruning(boolean on) {
    return new Scan(
        parts, table, columns, filter, limit, batchRows, on, executor, parallelism, marks, lease);
  }

  /** Reads on the threads of an executor, {@code threads} batches at once; results are the same. */
  public Scan on(Executor threadsOf, int threads) {
    return new Scan(
        parts,
        table,
        columns,
        filter,
        limit,
        batchRows,
        pruning,
        Optional.of(threadsOf),
        threads,
        marks,
        lease);
  }

  /** Shares a cache of marks with other scans. */
  public Scan markCache(MarkCache cache) {
    return new Scan(
        parts,
        table,
        columns,
        filter,
        limit,
        batchRows,
        pruning,
        executor,
        parallelism,
        cache,
        lease);
  }

  /** What to release when the stream is closed: the lease of the snapshot that the parts are of. */
  public Scan releasing(AutoCloseable held) {
    return new Scan(
        parts,
        table,
        columns,
        filter,
        limit,
        batchRows,
        pruning,
        executor,
        parallelism,
        marks,
        held);
  }

  /**
   * Runs the scan. The caller closes the stream, which brings what it took of {@code allocator}
   * back.
   *
   * @throws EngineException when a column is unknown or unreadable, or the condition does not
   *     compile
   */
  public BatchStream open(BufferAllocator allocator) throws IOException {
    Map<String, DataType> types = visibleTypes();
    List<String> wanted = columns.orElseGet(() -> defaultColumns(types));
    ScanPlanner planner = new ScanPlanner(types, table);
    for (String column : wanted) {
      planner.need(column);
    }
    Optional<RowFilter> rowFilter = Optional.empty();
    if (filter.isPresent()) {
      rowFilter = Optional.of(planner.filter(filter.get()));
    }
    Map<String, ColumnPlan> plans = planner.plans();
    List<Field> fields = new ArrayList<>();
    for (String column : wanted) {
      fields.add(ArrowMapping.field(column, plans.get(column).type()));
    }
    Schema schema = new Schema(fields);
    BufferAllocator child = allocator.newChildAllocator("scan", 0, Long.MAX_VALUE);
    boolean opened = false;
    try {
      Pruning choice =
          pruning && filter.isPresent() && table.isPresent()
              ? planner.pruning(filter.get(), marks, child)
              : Pruning.NONE;
      Chosen chosen = choose(choice);
      Iterator<GranuleReader.Task> tasks = chosen.tasks().iterator();
      Optional<RowFilter> f = rowFilter;
      BatchStream stream;
      if (executor.isPresent() && parallelism > 1) {
        stream =
            new ParallelBatches(
                child,
                lease,
                schema,
                () -> new GranuleReader(plans, f, marks, child),
                tasks,
                executor.get(),
                parallelism * 2,
                chosen.report(),
                limit);
      } else {
        stream =
            new SerialBatches(
                child,
                lease,
                schema,
                new GranuleReader(plans, f, marks, child),
                tasks,
                chosen.report(),
                limit);
      }
      opened = true;
      return stream;
    } catch (OutOfMemoryException | OversizedAllocationException e) {
      throw DirectMemory.lacking(e, "choosing what to read");
    } finally {
      if (!opened) {
        child.close();
      }
    }
  }

  private record Chosen(List<GranuleReader.Task> tasks, ScanReport report) {}

  private Chosen choose(Pruning choice) throws IOException {
    List<GranuleReader.Task> tasks = new ArrayList<>();
    int partsRead = 0;
    long granules = 0;
    long afterPartition = 0;
    long afterKey = 0;
    long afterIndexes = 0;
    for (LoadedPart part : parts) {
      Pruning.Choice chosen = choice.choose(part);
      granules += part.granuleCount();
      afterPartition += chosen.afterPartition();
      afterKey += chosen.afterKey();
      for (GranuleRange range : chosen.ranges()) {
        afterIndexes += range.size();
      }
      partsRead += chosen.ranges().isEmpty() ? 0 : 1;
      cut(part, chosen.ranges(), tasks);
    }
    return new Chosen(
        tasks,
        new ScanReport(
            parts.size(), partsRead, granules, afterPartition, afterKey, afterIndexes, 0, 0, 0, 0));
  }

  /** Cuts ranges to tasks of about a batch of rows; a task has whole granules of one part. */
  private void cut(LoadedPart part, List<GranuleRange> ranges, List<GranuleReader.Task> tasks) {
    List<GranuleRange> open = new ArrayList<>();
    long rows = 0;
    for (GranuleRange range : ranges) {
      int from = range.from();
      for (int granule = range.from(); granule < range.to(); granule++) {
        rows += part.rowsIn(granule);
        if (rows >= batchRows) {
          open.add(new GranuleRange(from, granule + 1));
          tasks.add(new GranuleReader.Task(part, List.copyOf(open)));
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
      tasks.add(new GranuleReader.Task(part, List.copyOf(open)));
    }
  }

  private Map<String, DataType> visibleTypes() {
    Map<String, DataType> types = new LinkedHashMap<>();
    if (table.isPresent()) {
      for (ColumnDefinition column : table.get().columns()) {
        types.put(column.name(), column.type());
      }
      return types;
    }
    for (LoadedPart part : parts) {
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
    if (table.isPresent()) {
      return table.get().columns().stream()
          .filter(c -> c.defaultKind() == io.coppice.language.statement.Column.DefaultKind.DEFAULT)
          .map(ColumnDefinition::name)
          .toList();
    }
    return types.keySet().stream().filter(n -> !n.equals(GranuleReader.ROW_EXISTS)).toList();
  }
}
