package io.coppice.parts.aggregate;

import io.coppice.base.bytes.Memory;
import io.coppice.language.type.DataType;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.KeyTable;
import io.coppice.parts.column.RowBytes;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.table.ArrowMapping;
import java.util.ArrayList;
import java.util.Arrays;
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
  private final PackedKeys packed;
  private final LongTable longs = new LongTable();

  /** Keys that are not packed, and the group of each. */
  private KeyTable table = new KeyTable();

  private int[] ofTable = new int[0];
  private final RowBytes bytes = new RowBytes();
  private int[] groups = new int[0];
  private int[] fresh = new int[0];
  private int count;

  /** Groups of rows by keys of these types, one or more. */
  public Groups(List<DataType> types, BufferAllocator allocator) {
    packed = PackedKeys.of(types);
    for (DataType type : types) {
      keys.add(ArrowMapping.field("key", type).createVector(allocator));
    }
  }

  /** How many groups there are. */
  public int count() {
    return count;
  }

  /** Memory taken besides that of the allocator. */
  public long heapBytes() {
    return longs.heapBytes() + table.memoryBytes() + 4L * ofTable.length;
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
    }
    int before = count;
    if (packed != null) {
      byLong(vectors, rows);
    } else if (vectors.size() == 1
        && vectors.get(0) instanceof BaseVariableWidthVector
        && !vectors.get(0).getField().isNullable()) {
      byText(vectors.get(0), rows);
    } else {
      for (int row = 0; row < rows; row++) {
        byBytes(vectors, row, before);
      }
    }
    for (int i = 0; i < keys.size(); i++) {
      Gather.append(vectors.get(i), fresh, 0, count - before, keys.get(i), before);
    }
    return groups;
  }

  private void byLong(List<FieldVector> vectors, int rows) {
    packed.pack(vectors, rows);
    if (packed.allFit()) {
      count += longs.number(packed.keys(), rows, count, groups, fresh);
      return;
    }
    int before = count;
    int next = count;
    for (int row = 0; row < rows; row++) {
      if (packed.fits(row)) {
        int group = longs.number(packed.key(row), next);
        groups[row] = group;
        if (group == next) {
          fresh[next - before] = row;
          next++;
        }
      } else {
        count = next;
        byBytes(vectors, row, before);
        next = count;
      }
    }
    count = next;
  }

  private void byText(FieldVector vector, int rows) {
    int before = count;
    long data = rows == 0 ? 0 : Vectors.data(vector);
    long offsets = rows == 0 ? 0 : Vectors.offsets(vector);
    for (int row = 0; row < rows; row++) {
      int begin = Memory.getInt(offsets + row * 4L);
      int size = Memory.getInt(offsets + row * 4L + 4) - begin;
      number(data + begin, size, row, before);
    }
  }

  private void byBytes(List<FieldVector> vectors, int row, int before) {
    bytes.clear();
    bytes.put(vectors, row);
    number(bytes.address(), bytes.sizeBytes(), row, before);
  }

  private void number(long at, int size, int row, int before) {
    long hash = KeyTable.hash(at, size);
    int key = table.find(at, size, hash);
    if (key < 0) {
      key = table.add(at, size, hash);
      if (key == ofTable.length) {
        ofTable = Arrays.copyOf(ofTable, Aggregator.capacity(key, key + 1));
      }
      ofTable[key] = count;
      fresh[count - before] = row;
      count++;
    }
    groups[row] = ofTable[key];
  }

  /** Forgets all groups and keeps the memory. */
  public void clear() {
    longs.clear();
    if (table.count() > 0) {
      table = new KeyTable();
    }
    keys.forEach(FieldVector::reset);
    count = 0;
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
