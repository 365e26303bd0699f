package io.coppice.query;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** So many rows, after so many left out; and the first of the columns. */
final class LimitRows extends PickRows {
  private long skip;
  private long left;

  /**
   * @param limit rows at most, {@link Long#MAX_VALUE} for all
   * @param columnCount columns that go on
   */
  LimitRows(Rows from, long limit, long offset, int columnCount, BufferAllocator allocator) {
    super(from, columnCount, allocator);
    this.skip = offset;
    this.left = limit;
  }

  @Override
  boolean exhausted() {
    return left == 0;
  }

  @Override
  int pick(VectorSchemaRoot batch, int[] rows) {
    if (left == 0) {
      return -1;
    }
    int first = (int) Math.min(skip, rows.length);
    skip -= first;
    int count = (int) Math.min(left, rows.length - first);
    left -= count;
    for (int i = 0; i < count; i++) {
      rows[i] = first + i;
    }
    return count;
  }
}
