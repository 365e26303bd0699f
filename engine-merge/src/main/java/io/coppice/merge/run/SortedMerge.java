package io.coppice.merge.run;

import io.coppice.parts.column.Vectors;
import io.coppice.parts.table.ColumnDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/**
 * The rows of several sources in the order of the sorting key, block by block. Rows with equal keys
 * come in the order of their sources. Blocks end where ClickHouse's do.
 *
 * <p>In memory is a granule of each source, and those that the rows of the next block are of.
 * Confined to one thread; the owner closes it. Sources are borrowed.
 */
final class SortedMerge implements AutoCloseable {
  /*
   * A heap of sources by their present row. The one on top gives as many rows as come before the
   * present row of the next; when it stands at the start of a granule that comes before that row as
   * a whole, the granule passes as a block of its own, behind what was gathered before it.
   */

  private final List<MergeSource> sources;
  private final List<ColumnDefinition> columns;
  private final KeyOrder order;
  private final BufferAllocator allocator;
  private final Optional<RowSources> rowSources;
  private final Optional<RowFold> fold;
  private final GatheredRows gathered;
  private final Cursor[] cursors;
  private final Cursor[] heap;
  private int heapSize;
  private boolean begun;
  private long rowsRead;

  /** Rows that may be folded without a block in between, so that a step has an end. */
  private static final int STEP_ROWS = 1 << 16;

  /** Sources of the rows of the run that is being folded. */
  private byte[] run = new byte[16];

  private int runRows;

  /** A block that was full in the midst of what remains of a run. */
  private Optional<MergedBlock> full = Optional.empty();

  private Chunk last;
  private int lastRow;

  private static final class Cursor {
    final int source;
    int nextGranule;
    Chunk chunk;
    int row;

    Cursor(int source) {
      this.source = source;
    }
  }

  /**
   * @param columns that blocks have
   * @param blocksAreGranules whether blocks are to be as large as the granules that they are of
   * @param fold says what remains of rows with equal keys; all do without one. It is taken
   * @param rowSources gets the source of each row
   */
  SortedMerge(
      List<MergeSource> sources,
      List<ColumnDefinition> columns,
      KeyOrder order,
      int maxBlockRows,
      boolean blocksAreGranules,
      Optional<RowFold> fold,
      Optional<RowSources> rowSources,
      BufferAllocator allocator) {
    this.sources = List.copyOf(sources);
    this.columns = List.copyOf(columns);
    this.order = order;
    this.allocator = allocator;
    this.fold = fold;
    this.rowSources = rowSources;
    this.gathered = new GatheredRows(maxBlockRows, blocksAreGranules, allocator);
    this.cursors = new Cursor[sources.size()];
    this.heap = new Cursor[sources.size()];
    for (int i = 0; i < cursors.length; i++) {
      cursors[i] = new Cursor(i);
    }
  }

  /** Rows that were read of the sources. */
  long rowsRead() {
    return rowsRead;
  }

  /**
   * The next block, which the caller closes; empty at the end. A block without rows where many were
   * folded and nothing is full yet.
   */
  Optional<MergedBlock> next() throws IOException {
    if (!begun) {
      begun = true;
      for (Cursor cursor : cursors) {
        load(cursor);
      }
    }
    if (fold.isPresent()) {
      return folded(fold.get());
    }
    while (heapSize > 0) {
      if (gathered.full()) {
        return Optional.of(gathered.take());
      }
      Cursor top = heap[0];
      if (top.row == 0 && passes(top)) {
        return Optional.of(gathered.rows() > 0 ? gathered.take() : pass(top));
      }
      advance(top);
    }
    return gathered.rows() > 0 ? Optional.of(gathered.take()) : Optional.empty();
  }

  private Optional<MergedBlock> folded(RowFold folding) throws IOException {
    for (int looked = 0; heapSize > 0; looked++) {
      Cursor top = heap[0];
      if (runRows > 0 && order.compare(last, lastRow, top.chunk, top.row) != 0) {
        if (gathered.full()) {
          return Optional.of(gathered.take());
        }
        endRun(folding);
        if (full.isPresent()) {
          return takeFull();
        }
      }
      if (looked == STEP_ROWS) {
        return Optional.of(new MergedBlock(List.of(), 0));
      }
      folding.add(top.chunk, top.row);
      remember(top);
      moveOn(top, 1);
    }
    if (gathered.full()) {
      return Optional.of(gathered.take());
    }
    if (runRows > 0) {
      endRun(folding);
      if (full.isPresent()) {
        return takeFull();
      }
    }
    return gathered.rows() > 0 ? Optional.of(gathered.take()) : Optional.empty();
  }

  private Optional<MergedBlock> takeFull() {
    Optional<MergedBlock> taken = full;
    full = Optional.empty();
    return taken;
  }

  private void remember(Cursor top) {
    if (runRows == run.length) {
      run = Arrays.copyOf(run, runRows * 2);
    }
    run[runRows++] = (byte) top.source;
    top.chunk.hold();
    forgetLast();
    last = top.chunk;
    lastRow = top.row;
  }

  private void forgetLast() {
    if (last != null) {
      last.release();
      last = null;
    }
  }

  private void endRun(RowFold folding) throws IOException {
    BitSet kept = new BitSet();
    folding.end(
        (chunk, row, place) -> {
          if (!kept.isEmpty() && gathered.full()) {
            full = Optional.of(gathered.take());
          }
          gathered.add(chunk, row, 1);
          kept.set(place);
        });
    if (rowSources.isPresent()) {
      for (int place = 0; place < runRows; place++) {
        if (kept.get(place)) {
          rowSources.get().add(run[place], 1);
        } else {
          rowSources.get().skip(run[place]);
        }
      }
    }
    runRows = 0;
  }

  /** Whether a whole chunk comes before the present row of the next source. */
  private boolean passes(Cursor top) {
    if (heapSize == 1) {
      return true;
    }
    Cursor next = heap[nextIndex()];
    int c = order.compare(top.chunk, top.chunk.rows() - 1, next.chunk, 0);
    return c < 0 || c == 0 && top.source < next.source;
  }

  private MergedBlock pass(Cursor top) throws IOException {
    Chunk chunk = top.chunk;
    chunk.hold();
    MergedBlock block = new MergedBlock(chunk);
    boolean done = false;
    try {
      take(top, chunk.rows());
      done = true;
      return block;
    } finally {
      if (!done) {
        block.close();
      }
    }
  }

  private void advance(Cursor top) throws IOException {
    int end = top.chunk.rows();
    if (heapSize > 1) {
      Cursor next = heap[nextIndex()];
      end =
          order.firstBehind(
              top.chunk, top.row + 1, end, next.chunk, next.row, top.source > next.source);
    }
    int count = gathered.room(top.chunk, end - top.row);
    gathered.add(top.chunk, top.row, count);
    take(top, count);
  }

  /** Moves the cursor on top over rows. */
  private void take(Cursor top, int count) throws IOException {
    if (rowSources.isPresent()) {
      rowSources.get().add(top.source, count);
    }
    moveOn(top, count);
  }

  private void moveOn(Cursor top, int count) throws IOException {
    top.row += count;
    if (top.row < top.chunk.rows()) {
      sink();
      return;
    }
    heap[0] = heap[--heapSize];
    sink();
    top.chunk.release();
    top.chunk = null;
    load(top);
  }

  /** Reads the next granule that has rows, and puts the cursor on the heap. */
  private void load(Cursor cursor) throws IOException {
    MergeSource source = sources.get(cursor.source);
    while (cursor.nextGranule < source.granuleCount()) {
      List<FieldVector> vectors = source.read(columns, cursor.nextGranule++);
      int rows = vectors.get(0).getValueCount();
      boolean taken = false;
      try {
        if (rows > 0) {
          cursor.chunk = order.chunk(vectors, rows, source.shared(columns), allocator);
          taken = true;
        }
      } finally {
        if (!taken) {
          Vectors.close(vectors);
        }
      }
      if (rows > 0) {
        rowsRead += rows;
        cursor.row = 0;
        push(cursor);
        return;
      }
    }
  }

  private int nextIndex() {
    return heapSize > 2 && before(heap[2], heap[1]) ? 2 : 1;
  }

  private boolean before(Cursor a, Cursor b) {
    int c = order.compare(a.chunk, a.row, b.chunk, b.row);
    return c < 0 || c == 0 && a.source < b.source;
  }

  private void push(Cursor cursor) {
    int at = heapSize++;
    while (at > 0 && before(cursor, heap[(at - 1) / 2])) {
      heap[at] = heap[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    heap[at] = cursor;
  }

  private void sink() {
    if (heapSize == 0) {
      return;
    }
    Cursor cursor = heap[0];
    int at = 0;
    while (2 * at + 1 < heapSize) {
      int child = 2 * at + 1;
      if (child + 1 < heapSize && before(heap[child + 1], heap[child])) {
        child++;
      }
      if (!before(heap[child], cursor)) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = cursor;
  }

  @Override
  public void close() {
    gathered.close();
    takeFull().ifPresent(MergedBlock::close);
    fold.ifPresent(RowFold::close);
    forgetLast();
    List<Chunk> chunks = new ArrayList<>();
    for (Cursor cursor : cursors) {
      if (cursor.chunk != null) {
        chunks.add(cursor.chunk);
        cursor.chunk = null;
      }
    }
    chunks.forEach(Chunk::release);
  }
}
