package io.coppice.merge.run;

import io.coppice.parts.column.Gather;
import io.coppice.parts.column.Vectors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/**
 * Rows of chunks in the order in which they are to stand in the next block; they are copied when it
 * is whole. Holds the chunks till then. Confined to one thread; the owner closes it.
 *
 * <p>A block is full as ClickHouse has it: at the most rows, or, where blocks become granules, when
 * it has as many rows as the chunks that its rows are of have on average.
 */
final class GatheredRows implements AutoCloseable {
  private final int maxRows;
  private final boolean averaging;
  private final BufferAllocator allocator;

  /** Runs of neighbouring rows. */
  private Chunk[] chunks = new Chunk[16];

  private int[] starts = new int[16];
  private int[] counts = new int[16];
  private int runCount;
  private int rows;
  private long chunkRowsSum;

  /**
   * @param averaging whether blocks become granules
   */
  GatheredRows(int maxRows, boolean averaging, BufferAllocator allocator) {
    this.maxRows = maxRows;
    this.averaging = averaging;
    this.allocator = allocator;
  }

  int rows() {
    return rows;
  }

  boolean full() {
    return full(rows, chunkRowsSum);
  }

  private boolean full(int count, long sum) {
    return count >= maxRows || averaging && count > 0 && count >= sum / count;
  }

  /** How many of {@code wanted} rows of a chunk there is room for. */
  int room(Chunk chunk, int wanted) {
    if (!averaging) {
      return Math.min(wanted, maxRows - rows);
    }
    int taken = 0;
    while (taken < wanted && !full(rows + taken, chunkRowsSum + (long) taken * chunk.rows())) {
      taken++;
    }
    return taken;
  }

  /** Adds neighbouring rows of a chunk. */
  void add(Chunk chunk, int from, int count) {
    rows += count;
    chunkRowsSum += (long) count * chunk.rows();
    int last = runCount - 1;
    if (last >= 0 && chunks[last] == chunk && starts[last] + counts[last] == from) {
      counts[last] += count;
      return;
    }
    if (runCount == chunks.length) {
      chunks = Arrays.copyOf(chunks, runCount * 2);
      starts = Arrays.copyOf(starts, runCount * 2);
      counts = Arrays.copyOf(counts, runCount * 2);
    }
    chunk.hold();
    chunks[runCount] = chunk;
    starts[runCount] = from;
    counts[runCount++] = count;
  }

  /** The rows as a block; there is at least one. */
  MergedBlock take() {
    List<FieldVector> columns = new ArrayList<>();
    boolean done = false;
    try {
      int count = chunks[0].columns().size();
      for (int column = 0; column < count; column++) {
        FieldVector to = Vectors.emptyLike(chunks[0].columns().get(column), allocator);
        columns.add(to);
        int at = 0;
        for (int run = 0; run < runCount; run++) {
          Gather.appendRange(chunks[run].columns().get(column), starts[run], counts[run], to, at);
          at += counts[run];
        }
        Vectors.finish(to, at);
      }
      MergedBlock block = new MergedBlock(columns, rows);
      clear();
      done = true;
      return block;
    } finally {
      if (!done) {
        Vectors.close(columns);
      }
    }
  }

  private void clear() {
    for (int run = 0; run < runCount; run++) {
      chunks[run].release();
    }
    Arrays.fill(chunks, 0, runCount, null);
    runCount = 0;
    rows = 0;
    chunkRowsSum = 0;
  }

  @Override
  public void close() {
    clear();
  }
}
