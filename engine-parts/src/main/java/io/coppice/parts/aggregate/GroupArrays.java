package io.coppice.parts.aggregate;

import io.coppice.base.bytes.Memory;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.table.ArrowMapping;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;

/** {@code groupArray}: the values of a group in the order of the rows, at most so many. */
final class GroupArrays extends Aggregator {
  private final long most;
  private final FieldVector store;
  private int used;
  private int[] groupOf = new int[0];
  private int[] counts = new int[0];
  private int[] picked = new int[0];

  GroupArrays(DataType element, long most, BufferAllocator allocator) {
    super(new ArrayType(element));
    this.most = most;
    this.store = ArrowMapping.field("kept", element).createVector(allocator);
  }

  @Override
  void grow(int groups) {
    if (groups > counts.length) {
      counts = Arrays.copyOf(counts, capacity(counts.length, groups));
    }
  }

  @Override
  void take(List<FieldVector> arguments, int[] groups, int rows) {
    append(arguments.get(0), groups, rows);
  }

  private void append(FieldVector from, int[] groups, int rows) {
    if (picked.length < rows) {
      picked = new int[rows];
    }
    groupOf = Arrays.copyOf(groupOf, capacity(groupOf.length, used + rows));
    int n = 0;
    for (int row = 0; row < rows; row++) {
      int group = groups[row];
      if (group >= 0 && counts[group] < most) {
        counts[group]++;
        groupOf[used + n] = group;
        picked[n++] = row;
      }
    }
    Gather.append(from, picked, 0, n, store, used);
    used += n;
  }

  @Override
  void absorb(Aggregator other, int[] groups) {
    GroupArrays theirs = (GroupArrays) other;
    Vectors.finish(theirs.store, theirs.used);
    int[] mapped = new int[theirs.used];
    for (int row = 0; row < theirs.used; row++) {
      mapped[row] = groups[theirs.groupOf[row]];
    }
    append(theirs.store, mapped, theirs.used);
  }

  @Override
  public long heapBytes() {
    return 4L * groupOf.length + 4L * counts.length;
  }

  @Override
  void write(FieldVector to, int groups) {
    Numbers.begin(to, groups);
    int[] next = new int[groups];
    long offsets = Vectors.offsets(to);
    Memory.putInt(offsets, 0);
    int end = 0;
    for (int group = 0; group < groups; group++) {
      next[group] = end;
      end += counts[group];
      Memory.putInt(offsets + (group + 1) * 4L, end);
    }
    int[] order = new int[used];
    for (int row = 0; row < used; row++) {
      order[next[groupOf[row]]++] = row;
    }
    Vectors.finish(store, used);
    Gather.append(store, order, 0, used, ((ListVector) to).getDataVector(), 0);
    Vectors.finish(to, groups);
  }

  @Override
  public void close() {
    store.close();
  }
}
