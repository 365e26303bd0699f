package io.coppice.query;

import io.coppice.parts.aggregate.Groups;
import io.coppice.parts.aggregate.Reserved;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** So many rows for each value of some columns, after so many: LIMIT BY, and DISTINCT with one. */
final class LimitByRows extends PickRows {
  private final int[] keys;
  private final long limit;
  private final long offset;
  private final Groups groups;
  private final Reserved reserved;
  private long[] seen = new long[0];

  /**
   * @param keys numbers of the columns whose values count
   */
  LimitByRows(Rows from, int[] keys, long limit, long offset, BufferAllocator allocator) {
    super(from, from.columns().size(), allocator);
    this.keys = keys;
    this.limit = limit;
    this.offset = offset;
    this.reserved = new Reserved(allocator, "DISTINCT or LIMIT BY");
    this.groups =
        new Groups(
            Arrays.stream(keys).mapToObj(key -> from.columns().get(key).type()).toList(),
            allocator);
  }

  @Override
  int pick(VectorSchemaRoot batch, int[] rows) {
    List<FieldVector> all = batch.getFieldVectors();
    List<FieldVector> vectors = new ArrayList<>();
    for (int key : keys) {
      vectors.add(all.get(key));
    }
    int[] of = groups.of(vectors, rows.length);
    if (seen.length < groups.count()) {
      seen = Arrays.copyOf(seen, groups.count() * 2);
    }
    reserved.growTo(groups.heapBytes() + 8L * seen.length);
    int count = 0;
    for (int row = 0; row < rows.length; row++) {
      long before = seen[of[row]]++;
      if (before >= offset && before - offset < limit) {
        rows[count++] = row;
      }
    }
    return count;
  }

  @Override
  public void close() throws IOException {
    groups.close();
    reserved.close();
    super.close();
  }
}
