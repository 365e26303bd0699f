package io.coppice.parts.aggregate;

import io.coppice.base.bytes.Memory;
import io.coppice.language.type.DataType;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.KeyTable;
import io.coppice.parts.column.RowBytes;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.table.ArrowMapping;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;

/**
 * Numbers rows by their keys, equal keys alike, in the order in which keys first appear. Floats are
 * equal when their bits are.
 *
 * <p>Confined to one thread. Vectors given are borrowed; what {@link #keys} gives stays owned here.
 */
public final class Groups implements AutoCloseable {
  private final List<FieldVector> keys = new ArrayList<>();
  private final DataType whole;
  private LongTable longs;
  private KeyTable table;
  private final RowBytes bytes = new RowBytes();
  private int[] groups = new int[0];
  private int[] fresh = new int[0];
  private long[] values = new long[0];

  /** Groups of rows by keys of these types, one or more. */
  public Groups(List<DataType> types, BufferAllocator allocator) {
    DataType only = types.size() == 1 ? Kinds.bare(types.get(0)) : null;
    whole = only != null && Kinds.whole(only) ? only : null;
    if (whole != null) {
      longs = new LongTable();
    } else {
      table = new KeyTable();
    }
    for (DataType type : types) {
      keys.add(ArrowMapping.field("key", type).createVector(allocator));
    }
  }

  /** How many groups there are. */
  public int count() {
    return whole == null ? table.count() : longs.count();
  }

  /**
   * The groups of the rows of a batch, in an array that is used again by the next call.
   *
   * @param vectors a vector of {@code rows} rows for each key
   */
  public int[] of(List<FieldVector> vectors, int rows) {
    if (groups.length < rows) {
      groups = new int[rows];
      fresh = new int[rows];
      values = whole == null ? values : new long[rows];
    }
    int before = count();
    int n =
        whole != null
            ? byLong(vectors.get(0), rows)
            : vectors.size() == 1
                    && vectors.get(0) instanceof BaseVariableWidthVector
                    && !vectors.get(0).getField().isNullable()
                ? byText(vectors.get(0), rows)
                : byBytes(vectors, rows);
    for (int i = 0; i < keys.size(); i++) {
      Gather.append(vectors.get(i), fresh, 0, n, keys.get(i), before);
    }
    return groups;
  }

  private int byLong(FieldVector vector, int rows) {
    Numbers.longs(vector, whole, rows, values);
    int n = 0;
    for (int row = 0; row < rows; row++) {
      int before = longs.count();
      int group = longs.number(values[row]);
      groups[row] = group;
      if (group == before) {
        fresh[n++] = row;
      }
    }
    return n;
  }

  private int byText(FieldVector vector, int rows) {
    int n = 0;
    long data = rows == 0 ? 0 : Vectors.data(vector);
    long offsets = rows == 0 ? 0 : Vectors.offsets(vector);
    for (int row = 0; row < rows; row++) {
      int begin = Memory.getInt(offsets + row * 4L);
      int size = Memory.getInt(offsets + row * 4L + 4) - begin;
      n += number(data + begin, size, row, n);
    }
    return n;
  }

  private int byBytes(List<FieldVector> vectors, int rows) {
    int n = 0;
    for (int row = 0; row < rows; row++) {
      bytes.clear();
      bytes.put(vectors, row);
      n += number(bytes.address(), bytes.sizeBytes(), row, n);
    }
    return n;
  }

  /** Numbers a row; 1 if it is the first of its group. */
  private int number(long at, int size, int row, int n) {
    long hash = KeyTable.hash(at, size);
    int group = table.find(at, size, hash);
    if (group >= 0) {
      groups[row] = group;
      return 0;
    }
    groups[row] = table.add(at, size, hash);
    fresh[n] = row;
    return 1;
  }

  /** The keys, a row a group; readable until the next batch. */
  public List<FieldVector> keys() {
    keys.forEach(key -> Vectors.finish(key, count()));
    return List.copyOf(keys);
  }

  @Override
  public void close() {
    Vectors.close(keys);
  }
}
