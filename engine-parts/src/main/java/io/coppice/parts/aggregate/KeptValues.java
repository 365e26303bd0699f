package io.coppice.parts.aggregate;

import io.coppice.base.bytes.Memory;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Defaults;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.write.SortOrder;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;

/**
 * One value of any type for each group, copied into a vector. What is replaced stays behind in a
 * vector of variable width until it is most of it; then it is left behind in a copy.
 */
final class KeptValues implements AutoCloseable {
  private static final int FEWEST_TO_CLEAN = 4096;

  private final DataType type;
  private final BufferAllocator allocator;
  private final int[] one = new int[1];
  private FieldVector store;
  private int used;
  private int live;
  private int[] rowOf = new int[0];

  KeptValues(DataType type, BufferAllocator allocator) {
    this.type = type;
    this.allocator = allocator;
    this.store = empty();
  }

  private FieldVector empty() {
    return ArrowMapping.field("kept", type).createVector(allocator);
  }

  void grow(int groups) {
    if (groups > rowOf.length) {
      int before = rowOf.length;
      rowOf = Arrays.copyOf(rowOf, Aggregator.capacity(before, groups));
      Arrays.fill(rowOf, before, rowOf.length, -1);
    }
  }

  long heapBytes() {
    return 4L * rowOf.length;
  }

  boolean has(int group) {
    return rowOf[group] >= 0;
  }

  /** Whether a row's value is before, or behind, the one that is kept; NaN gives way to numbers. */
  boolean beats(FieldVector from, int row, int group, boolean greatest) {
    if (Kinds.floating(type)) {
      boolean keptNaN = isNaN(store, rowOf[group]);
      if (keptNaN || isNaN(from, row)) {
        return keptNaN && !isNaN(from, row);
      }
    }
    int order = SortOrder.compareValues(from, row, store, rowOf[group], type);
    return greatest ? order > 0 : order < 0;
  }

  private static boolean isNaN(FieldVector vector, int row) {
    if (vector instanceof Float8Vector) {
      return Double.isNaN(Double.longBitsToDouble(Memory.getLong(Vectors.data(vector) + row * 8L)));
    }
    return vector instanceof Float4Vector
        && Float.isNaN(Float.intBitsToFloat(Memory.getInt(Vectors.data(vector) + row * 4L)));
  }

  /** Keeps a row's value for a group. */
  void put(int group, FieldVector from, int row) {
    one[0] = row;
    if (rowOf[group] >= 0 && store instanceof BaseFixedWidthVector) {
      Gather.append(from, one, 0, 1, store, rowOf[group]);
      return;
    }
    if (used > FEWEST_TO_CLEAN && used / 4 > live) {
      clean();
    }
    Gather.append(from, one, 0, 1, store, used);
    live += rowOf[group] < 0 ? 1 : 0;
    rowOf[group] = used++;
  }

  private void clean() {
    Vectors.finish(store, used);
    int[] rows = new int[live];
    int n = 0;
    for (int group = 0; group < rowOf.length; group++) {
      if (rowOf[group] >= 0) {
        rows[n] = rowOf[group];
        rowOf[group] = n++;
      }
    }
    FieldVector fresh = empty();
    boolean done = false;
    try {
      Gather.append(store, rows, 0, n, fresh, 0);
      done = true;
    } finally {
      if (!done) {
        fresh.close();
      }
    }
    store.close();
    store = fresh;
    used = n;
  }

  /** The vector with the values, and in {@link #row} where each group's is. */
  FieldVector values() {
    Vectors.finish(store, used);
    return store;
  }

  int row(int group) {
    return rowOf[group];
  }

  /** Fills an empty vector: a group's value, or the type's default. */
  void write(FieldVector to, int groups) {
    if (type != PlainType.NOTHING) {
      Vectors.reserve(store, used + 1);
      Defaults.of(type).appendMissing(store, used, 1);
    }
    Vectors.finish(store, used + 1);
    int[] rows = new int[groups];
    for (int group = 0; group < groups; group++) {
      rows[group] = rowOf[group] < 0 ? used : rowOf[group];
    }
    Gather.append(store, rows, 0, groups, to, 0);
    Vectors.finish(to, groups);
  }

  @Override
  public void close() {
    store.close();
  }
}
