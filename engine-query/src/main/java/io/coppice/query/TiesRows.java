package io.coppice.query;

import io.coppice.parts.column.RowBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * So many rows of an order, after so many left out, and behind the last of them those that are
 * equal to it in what the order is by: LIMIT with WITH TIES.
 */
final class TiesRows extends PickRows {
  private final int[] keys;
  private final RowBytes bytes = new RowBytes();
  private long skip;
  private long left;
  private byte[] last;

  /**
   * @param keys numbers of the columns that the rows are in order of
   * @param columnCount columns that go on
   */
  TiesRows(
      Rows from, int[] keys, long limit, long offset, int columnCount, BufferAllocator allocator) {
    super(from, columnCount, allocator);
    this.keys = keys;
    this.skip = offset;
    this.left = limit;
  }

  @Override
  int pick(VectorSchemaRoot batch, int[] rows) {
    if (left == 0 && last == null) {
      return -1;
    }
    List<FieldVector> vectors = new ArrayList<>();
    for (int key : keys) {
      vectors.add(batch.getVector(key));
    }
    int row = (int) Math.min(skip, rows.length);
    skip -= row;
    int count = 0;
    for (; left > 0 && row < rows.length; row++) {
      rows[count++] = row;
      left--;
      if (left == 0) {
        last = key(vectors, row);
      }
    }
    for (; left == 0 && row < rows.length; row++) {
      if (!Arrays.equals(last, key(vectors, row))) {
        last = null;
        return count == 0 ? -1 : count;
      }
      rows[count++] = row;
    }
    return count;
  }

  private byte[] key(List<FieldVector> vectors, int row) {
    bytes.clear();
    bytes.put(vectors, row);
    return bytes.toByteArray();
  }
}
