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
import org.apache.arrow.vector.FieldVector;

/**
 * Gives a function each value of a group once: the combinator Distinct, and {@code uniqExact},
 * which is a count of distinct rows. Bytes of group and row are the keys of one table.
 */
final class DistinctRows extends Aggregator {
  private final Aggregator of;
  private final KeyTable table = new KeyTable();
  private final RowBytes bytes = new RowBytes();
  private int groups;
  private int[] chosen = new int[0];

  /** The distinct rows themselves where another's states need them, else none. */
  private final List<FieldVector> kept = new ArrayList<>();

  private int[] groupOf = new int[0];

  DistinctRows(Aggregator of, List<DataType> arguments, BufferAllocator allocator) {
    super(of.type());
    this.of = of;
    if (!(of instanceof Counts)) {
      for (DataType argument : arguments) {
        kept.add(ArrowMapping.field("kept", argument).createVector(allocator));
      }
    }
  }

  @Override
  void grow(int count) {
    groups = Math.max(groups, count);
    of.grow(count);
  }

  @Override
  void take(List<FieldVector> arguments, int[] groupsOfRows, int rows) {
    if (chosen.length < rows) {
      chosen = new int[rows];
    }
    int before = table.count();
    int[] fresh = kept.isEmpty() ? new int[0] : new int[rows];
    int n = 0;
    for (int row = 0; row < rows; row++) {
      int group = groupsOfRows[row];
      chosen[row] = -1;
      if (group < 0) {
        continue;
      }
      bytes.clear();
      bytes.putInt(group);
      bytes.putNotNull(arguments, row);
      if (added(bytes.address(), bytes.sizeBytes())) {
        chosen[row] = group;
        if (!kept.isEmpty()) {
          fresh[n++] = row;
        }
      }
    }
    of.take(arguments, chosen, rows);
    if (!kept.isEmpty()) {
      groupOf = Arrays.copyOf(groupOf, capacity(groupOf.length, before + n));
      for (int i = 0; i < n; i++) {
        groupOf[before + i] = chosen[fresh[i]];
      }
      for (int i = 0; i < kept.size(); i++) {
        Gather.append(arguments.get(i), fresh, 0, n, kept.get(i), before);
      }
    }
  }

  private boolean added(long at, int size) {
    long hash = KeyTable.hash(at, size);
    if (table.find(at, size, hash) >= 0) {
      return false;
    }
    table.add(at, size, hash);
    return true;
  }

  @Override
  void absorb(Aggregator other, int[] mapping) {
    DistinctRows theirs = (DistinctRows) other;
    int rows = theirs.table.count();
    int[] mapped = new int[rows];
    if (!kept.isEmpty()) {
      theirs.kept.forEach(vector -> Vectors.finish(vector, rows));
      for (int row = 0; row < rows; row++) {
        mapped[row] = mapping[theirs.groupOf[row]];
      }
      take(theirs.kept, mapped, rows);
      return;
    }
    for (int row = 0; row < rows; row++) {
      // The key begins with the group, which has another number here.
      long at = theirs.table.address(row);
      int old = Memory.getInt(at);
      mapped[row] = -1;
      if (mapping[old] >= 0) {
        Memory.putInt(at, mapping[old]);
        mapped[row] = added(at, theirs.table.sizeBytes(row)) ? mapping[old] : -1;
        Memory.putInt(at, old);
      }
    }
    of.take(List.of(), mapped, rows);
  }

  @Override
  public long heapBytes() {
    return of.heapBytes() + table.memoryBytes() + 4L * groupOf.length;
  }

  @Override
  void write(FieldVector to, int count) {
    of.write(to, count);
  }

  @Override
  public void close() {
    Vectors.close(kept);
    of.close();
  }
}
