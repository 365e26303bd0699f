package io.coppice.query;

import io.coppice.language.type.DataType;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.scan.BatchStream;
import io.coppice.parts.scan.PartStreams;
import io.coppice.parts.write.SortOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The rows of parts, each in the order of its key, merged to the order that a query asks for. Rows
 * that are equal in it stay as they are in the parts, one part after the other: what comes is what
 * sorting all rows would give, and no more rows are held than have one value of what the parts are
 * in order of. Confined to one thread.
 */
final class MergedRows implements Rows {
  /*
   * Of the parts the one with the least next row gives rows until another has a lesser one; how many that are
   * is found by doubling and halving, so that parts whose keys lie apart are copied whole.
   *
   * Where parts are in order of less than the query asks for, rows of one value of that are gathered and sorted.
   * Parts that are read from their ends give equal rows backwards, and of equal rows the last part's first: what
   * is gathered is turned round as a whole then, and sorted, which keeps the order of equal rows.
   */

  private static final int MOST_GATHERED = 16_384;

  /** A column of the order, those that the parts are in order of first. */
  record Key(int column, DataType type, boolean descending, boolean nullsFirst) {}

  private final PartStreams parts;
  private final List<ResultColumn> columns;
  private final List<Key> keys;
  private final KeyOrder order;
  private final boolean sorting;
  private final int gathered;
  private final ReadCounter counter;
  private final BufferAllocator allocator;
  private final PriorityQueue<Cursor> queue = new PriorityQueue<>(this::compare);
  private List<FieldVector> held;
  private int rows;
  private Rows sorted;
  private VectorSchemaRoot batch;
  private boolean started;

  /** The next row of a part. */
  private final class Cursor {
    final int part;
    final BatchStream stream;
    private long rowsCounted;
    private long bytesCounted;
    List<FieldVector> vectors = List.of();
    int row;

    Cursor(int part, BatchStream stream) {
      this.part = part;
      this.stream = stream;
    }

    /** Goes to the next batch; false behind the last. */
    boolean load() throws IOException {
      boolean more = stream.next();
      long read = stream.report().rowsRead();
      long bytes = stream.report().uncompressedBytes();
      counter.add(read - rowsCounted, bytes - bytesCounted);
      rowsCounted = read;
      bytesCounted = bytes;
      if (more) {
        vectors = stream.batch().getFieldVectors();
        row = order.reversed() ? stream.batch().getRowCount() - 1 : 0;
      }
      return more;
    }

    /** Rows left in the batch. */
    int left() {
      return order.reversed() ? row + 1 : stream.batch().getRowCount() - row;
    }

    /** The row that comes after so many others. */
    int at(int after) {
      return order.reversed() ? row - after : row + after;
    }
  }

  /**
   * Rows of parts with these columns; the parts are taken over.
   *
   * @param wanted how many rows of the order matter, about
   */
  MergedRows(
      PartStreams parts,
      List<ResultColumn> columns,
      List<Key> keys,
      KeyOrder order,
      long wanted,
      ReadCounter counter,
      BufferAllocator allocator) {
    this.parts = parts;
    this.columns = List.copyOf(columns);
    this.keys = List.copyOf(keys);
    this.order = order;
    this.sorting = order.reversed() || order.elements() < keys.size();
    this.gathered = (int) Math.max(1, Math.min(MOST_GATHERED, wanted));
    this.counter = counter;
    this.allocator = allocator;
    this.held = Batches.vectors(columns, allocator);
  }

  @Override
  public List<ResultColumn> columns() {
    return columns;
  }

  @Override
  public boolean next() throws IOException {
    release();
    if (!started) {
      started = true;
      for (int i = 0; i < parts.streams().size(); i++) {
        Cursor cursor = new Cursor(i, parts.streams().get(i));
        if (cursor.load()) {
          queue.add(cursor);
        }
      }
    }
    while (!queue.isEmpty()) {
      Cursor least = queue.poll();
      int run = run(least);
      boolean full = rows >= gathered;
      if (full && (!sorting || !sameAsLast(least))) {
        queue.add(least);
        return give();
      }
      // Once there are enough, only rows equal to the last are still taken.
      int taken = sorting && full ? equal(least, run) : Math.min(run, Math.max(1, gathered - rows));
      take(least, taken);
      if (taken < least.left()) {
        least.row = least.at(taken);
        queue.add(least);
      } else if (least.load()) {
        queue.add(least);
      }
    }
    return rows > 0 && give();
  }

  /** Rows of a part's batch that come before those of all other parts. */
  private int run(Cursor cursor) {
    Cursor other = queue.peek();
    int left = cursor.left();
    if (other == null || left == 1) {
      return left;
    }
    return prefix(left, after -> compare(cursor, cursor.at(after), other, other.row) < 0);
  }

  /** Of so many rows those that are equal to the one that was taken last. */
  private int equal(Cursor cursor, int run) {
    return prefix(run, after -> lastEquals(cursor, cursor.at(after)));
  }

  private interface Holds {
    boolean after(int rows);
  }

  /** How many rows something holds for, of which it holds for the first. */
  private static int prefix(int rows, Holds holds) {
    int step = 1;
    while (step < rows && holds.after(step)) {
      step *= 2;
    }
    int fine = step / 2;
    int failing = Math.min(step, rows);
    while (failing - fine > 1) {
      int middle = (fine + failing) >>> 1;
      if (holds.after(middle)) {
        fine = middle;
      } else {
        failing = middle;
      }
    }
    return failing;
  }

  private int compare(Cursor a, Cursor b) {
    return compare(a, a.row, b, b.row);
  }

  private int compare(Cursor a, int rowA, Cursor b, int rowB) {
    for (int i = 0; i < order.elements(); i++) {
      Key key = keys.get(i);
      int compared =
          SortOrder.compareValues(
              a.vectors.get(key.column()), rowA, b.vectors.get(key.column()), rowB, key.type());
      if (compared != 0) {
        return key.descending() ? -compared : compared;
      }
    }
    int parted = Integer.compare(a.part, b.part);
    return order.reversed() ? -parted : parted;
  }

  private boolean sameAsLast(Cursor cursor) {
    held.forEach(vector -> Vectors.finish(vector, rows));
    return lastEquals(cursor, cursor.row);
  }

  private boolean lastEquals(Cursor cursor, int row) {
    for (int i = 0; i < order.elements(); i++) {
      Key key = keys.get(i);
      FieldVector last = held.get(key.column());
      FieldVector vector = cursor.vectors.get(key.column());
      if (SortOrder.compareValues(last, rows - 1, vector, row, key.type()) != 0) {
        return false;
      }
    }
    return true;
  }

  private void take(Cursor cursor, int count) {
    int[] backwards =
        order.reversed()
            ? IntStream.range(0, count).map(after -> cursor.row - after).toArray()
            : null;
    for (int i = 0; i < held.size(); i++) {
      if (backwards == null) {
        Gather.appendRange(cursor.vectors.get(i), cursor.row, count, held.get(i), rows);
      } else {
        Gather.append(cursor.vectors.get(i), backwards, 0, count, held.get(i), rows);
      }
    }
    rows = Math.addExact(rows, count);
  }

  /** Makes a batch of what is held. */
  private boolean give() throws IOException {
    held.forEach(vector -> Vectors.finish(vector, rows));
    if (!sorting) {
      batch = Batches.of(Batches.schema(columns), held, rows);
      return true;
    }
    if (order.reversed()) {
      int last = rows - 1;
      int[] turned = IntStream.rangeClosed(0, last).map(row -> last - row).toArray();
      List<FieldVector> round = Batches.take(held, turned, rows, allocator);
      Vectors.close(held);
      held = round;
    }
    List<SortRows.Key> all = new ArrayList<>();
    for (Key key : keys) {
      all.add(new SortRows.Key(key.column(), key.descending(), key.nullsFirst()));
    }
    FixedRows fixed = new FixedRows(columns, held, rows);
    held = Batches.vectors(columns, allocator);
    sorted = new SortRows(fixed, all, Long.MAX_VALUE, allocator);
    sorted.next();
    batch = sorted.batch();
    return true;
  }

  /** Lets go of the batch that was given. */
  private void release() throws IOException {
    if (batch == null) {
      return;
    }
    batch = null;
    rows = 0;
    if (sorted != null) {
      sorted.close();
      sorted = null;
    } else {
      Vectors.close(held);
      held = Batches.vectors(columns, allocator);
    }
  }

  @Override
  public VectorSchemaRoot batch() {
    return batch;
  }

  @Override
  public void close() throws IOException {
    try {
      if (sorted != null) {
        sorted.close();
        sorted = null;
      }
    } finally {
      Vectors.close(held);
      held = List.of();
      parts.close();
    }
  }
}
