package io.coppice.parts.scan;

import io.coppice.language.type.DataType;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.compress.Decompressor;
import io.coppice.parts.expression.Selector;
import io.coppice.parts.table.ArrowMapping;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Fills batches from granules: reads the columns of the filter, then of the other columns only the
 * granules that still have rows, and keeps the rows that pass.
 *
 * <p>Confined to one thread; the owner closes it.
 */
final class GranuleReader implements AutoCloseable {
  /** The column by which a lightweight DELETE marks rows: 0 where the row is gone. */
  static final String ROW_EXISTS = "_row_exists";

  /** Granules of one part to be read as one batch. */
  record Task(VirtualColumns.Place place, List<GranuleRange> ranges) {
    LoadedPart part() {
      return place.part();
    }

    int rows() {
      long rows = 0;
      for (GranuleRange range : ranges) {
        rows += part().granuleStart(range.to()) - part().granuleStart(range.from());
      }
      return Math.toIntExact(rows);
    }
  }

  private final Map<String, ColumnPlan> plans;
  private final Optional<RowFilter> filter;
  private final MarkCache marks;
  private final BufferAllocator allocator;
  private final Decompressor decompressor;
  private final FrameSource.Counters counters = new FrameSource.Counters();
  private Optional<PartCursor> cursor = Optional.empty();
  private final Map<String, FieldVector> scratch = new HashMap<>();
  private long rowsRead;

  GranuleReader(
      Map<String, ColumnPlan> plans,
      Optional<RowFilter> filter,
      MarkCache marks,
      BufferAllocator allocator) {
    this.plans = plans;
    this.filter = filter;
    this.marks = marks;
    this.allocator = allocator;
    this.decompressor = new Decompressor(allocator);
  }

  long rowsRead() {
    return rowsRead;
  }

  long compressedBytes() {
    return counters.compressedBytes;
  }

  long uncompressedBytes() {
    return counters.uncompressedBytes;
  }

  private PartCursor cursor(LoadedPart part) throws IOException {
    if (cursor.isPresent() && cursor.get().part() == part) {
      return cursor.get();
    }
    if (cursor.isPresent()) {
      cursor.get().close();
    }
    cursor = Optional.of(new PartCursor(part, marks, allocator, decompressor, counters));
    return cursor.get();
  }

  /**
   * Fills the vectors of {@code to}, one per column of the scan, with the rows of a task that pass;
   * returns how many.
   */
  int fill(Task task, VectorSchemaRoot to) throws IOException {
    PartCursor part = cursor(task.part());
    int rows = task.rows();
    rowsRead += rows;
    boolean masked = part.holds(ROW_EXISTS);
    Batch batch = new Batch(part, task, rows);
    try {
      if (filter.isEmpty() && !masked) {
        return readAll(batch, to);
      }
      int[] selected = new int[rows];
      int count = select(batch, masked, selected);
      if (count == 0) {
        for (FieldVector vector : to.getFieldVectors()) {
          Vectors.finish(vector, 0);
        }
        to.setRowCount(0);
        return 0;
      }
      if (count == rows) {
        return readAll(batch, to);
      }
      List<GranuleRange> surviving = new ArrayList<>();
      int[] restSelected = narrow(task, selected, count, surviving);
      Task left = new Task(task.place(), surviving);
      Batch rest = new Batch(part, left, left.rows());
      try {
        for (FieldVector vector : to.getFieldVectors()) {
          ColumnPlan plan = plans.get(vector.getName());
          boolean have = batch.has(plan.name());
          FieldVector from = have ? batch.vector(plan) : rest.vector(plan);
          Gather.append(from, have ? selected : restSelected, 0, count, vector, 0);
          Vectors.finish(vector, count);
        }
      } finally {
        rest.close();
      }
      to.setRowCount(count);
      return count;
    } finally {
      batch.close();
    }
  }

  private int readAll(Batch batch, VectorSchemaRoot to) throws IOException {
    for (FieldVector vector : to.getFieldVectors()) {
      batch.readInto(plans.get(vector.getName()), vector);
    }
    to.setRowCount(batch.rows);
    return batch.rows;
  }

  private int select(Batch batch, boolean masked, int[] selected) throws IOException {
    int count = batch.rows;
    for (int i = 0; i < count; i++) {
      selected[i] = i;
    }
    if (filter.isPresent()) {
      for (Selector selector : filter.get().selectors()) {
        if (count == 0) {
          return 0;
        }
        count = select(selector, batch, selected, count);
      }
    }
    if (masked) {
      UInt1Vector exists =
          (UInt1Vector)
              batch.vector(ColumnPlan.stored(ROW_EXISTS, io.coppice.language.type.PlainType.UINT8));
      int kept = 0;
      for (int i = 0; i < count; i++) {
        if (exists.get(selected[i]) != 0) {
          selected[kept++] = selected[i];
        }
      }
      count = kept;
    }
    return count;
  }

  private int select(Selector selector, Batch batch, int[] selected, int count) throws IOException {
    if (selector.byValue()) {
      String column = selector.columns().iterator().next();
      ColumnPlan plan = plans.get(column);
      if (!batch.has(column) && !batch.isComputed(plan) && plan.virtual().isEmpty()) {
        CodeTest test = new CodeTest(filter.get(), selector, plan, batch.rows, allocator);
        if (batch.readCodes(plan, test) && !test.failed()) {
          return test.keep(selected, count);
        }
      }
    }
    List<FieldVector> vectors = new ArrayList<>();
    for (String column : selector.columns()) {
      vectors.add(batch.vector(plans.get(column)));
    }
    return filter.get().select(selector, view(vectors, batch.rows), selected, count, allocator);
  }

  private static VectorSchemaRoot view(List<FieldVector> vectors, int rows) {
    VectorSchemaRoot root =
        new VectorSchemaRoot(vectors.stream().map(FieldVector::getField).toList(), vectors, rows);
    return root;
  }

  /** The granules that hold selected rows, and the numbers of those rows among them. */
  private static int[] narrow(Task task, int[] selected, int count, List<GranuleRange> surviving) {
    int[] moved = new int[count];
    int next = 0;
    int row = 0;
    int movedRow = 0;
    for (GranuleRange range : task.ranges()) {
      for (int granule = range.from(); granule < range.to(); granule++) {
        int rows = task.part().rowsIn(granule);
        int first = next;
        while (next < count && selected[next] < row + rows) {
          moved[next] = selected[next] - row + movedRow;
          next++;
        }
        if (next > first) {
          int last = surviving.size() - 1;
          if (last >= 0 && surviving.get(last).to() == granule) {
            surviving.set(last, new GranuleRange(surviving.get(last).from(), granule + 1));
          } else {
            surviving.add(new GranuleRange(granule, granule + 1));
          }
          movedRow += rows;
        }
        row += rows;
      }
    }
    return moved;
  }

  /** Columns of some granules, read when first asked for. */
  private final class Batch {
    private final PartCursor part;
    private final VirtualColumns.Place place;
    private final List<GranuleRange> ranges;
    private final int rows;
    private final Map<String, FieldVector> read = new LinkedHashMap<>();
    private final List<FieldVector> owned = new ArrayList<>();

    Batch(PartCursor part, Task task, int rows) {
      this.part = part;
      this.place = task.place();
      this.ranges = task.ranges();
      this.rows = rows;
    }

    boolean has(String column) {
      return read.containsKey(column);
    }

    /** The column's values, owned by the batch or the reader. */
    FieldVector vector(ColumnPlan plan) throws IOException {
      FieldVector vector = read.get(plan.name());
      if (vector == null) {
        vector = isComputed(plan) ? compute(plan) : readStored(plan);
        read.put(plan.name(), vector);
      }
      return vector;
    }

    private boolean isComputed(ColumnPlan plan) {
      return plan.computed().isPresent()
          && (plan.computed().get().always() || !part.holds(plan.name()));
    }

    private FieldVector readStored(ColumnPlan plan) throws IOException {
      FieldVector vector =
          scratch.computeIfAbsent(
              plan.name(),
              n -> ArrowMapping.field(plan.name(), plan.type()).createVector(allocator));
      if (read.containsValue(vector)) {
        throw new AssertionError("column " + plan.name() + " is read twice");
      }
      // Two batches of one task may need the same column; the second gets memory of its own.
      if (inUse.contains(vector)) {
        vector = ArrowMapping.field(plan.name(), plan.type()).createVector(allocator);
        owned.add(vector);
      } else {
        inUse.add(vector);
      }
      read(plan, vector);
      return vector;
    }

    private void read(ColumnPlan plan, FieldVector vector) throws IOException {
      if (plan.virtual().isPresent() && !part.holds(plan.name())) {
        plan.virtual().get().fill(plan.name(), place, ranges, rows, vector, allocator);
        Vectors.finish(vector, rows);
      } else {
        readRanges(plan.name(), plan.type(), vector);
      }
    }

    private void readRanges(String column, DataType type, FieldVector vector) throws IOException {
      int at = 0;
      for (GranuleRange range : ranges) {
        part.read(column, type, range.from(), range.to(), vector, at);
        at +=
            Math.toIntExact(
                part.part().granuleStart(range.to()) - part.part().granuleStart(range.from()));
      }
      Vectors.finish(vector, rows);
    }

    /** Tells a test the places of a column's values in dictionaries; false if it has none. */
    boolean readCodes(ColumnPlan plan, CodeTest test) throws IOException {
      if (!part.hasCodes(plan.name(), plan.type())) {
        return false;
      }
      for (GranuleRange range : ranges) {
        part.readCodes(plan.name(), plan.type(), range.from(), range.to(), test);
      }
      return true;
    }

    private FieldVector compute(ColumnPlan plan) throws IOException {
      ColumnPlan.Computed computed = plan.computed().orElseThrow();
      List<FieldVector> inputs = new ArrayList<>();
      for (String column : computed.columns()) {
        inputs.add(vector(plans.get(column)));
      }
      FieldVector vector = computed.evaluate(view(inputs, rows), allocator);
      owned.add(vector);
      return vector;
    }

    void readInto(ColumnPlan plan, FieldVector vector) throws IOException {
      if (!isComputed(plan) && !read.containsKey(plan.name())) {
        read(plan, vector);
        return;
      }
      Gather.appendRange(vector(plan), 0, rows, vector, 0);
      Vectors.finish(vector, rows);
    }

    void close() {
      Vectors.close(owned);
      inUse.removeAll(read.values());
      read.clear();
    }
  }

  private final java.util.Set<FieldVector> inUse =
      java.util.Collections.newSetFromMap(new java.util.IdentityHashMap<>());

  @Override
  public void close() throws IOException {
    try {
      if (cursor.isPresent()) {
        cursor.get().close();
      }
    } finally {
      cursor = Optional.empty();
      for (FieldVector vector : scratch.values()) {
        vector.close();
      }
      scratch.clear();
      decompressor.close();
    }
  }
}
