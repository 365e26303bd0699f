package io.coppice.parts.aggregate;

import io.coppice.language.type.PlainType;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.FieldVector;

/** {@code count}: rows. */
final class Counts extends Aggregator {
  private long[] counts = new long[0];

  Counts() {
    super(PlainType.UINT64);
  }

  @Override
  void grow(int groups) {
    if (groups > counts.length) {
      counts = Arrays.copyOf(counts, capacity(counts.length, groups));
    }
  }

  @Override
  void take(List<FieldVector> arguments, int[] groups, int rows) {
    for (int row = 0; row < rows; row++) {
      if (groups[row] >= 0) {
        counts[groups[row]]++;
      }
    }
  }

  @Override
  void absorb(Aggregator other, int[] groups) {
    long[] theirs = ((Counts) other).counts;
    for (int i = 0; i < groups.length; i++) {
      if (groups[i] >= 0) {
        counts[groups[i]] += theirs[i];
      }
    }
  }

  @Override
  public boolean clear() {
    Arrays.fill(counts, 0);
    return true;
  }

  @Override
  public boolean ordered() {
    return false;
  }

  @Override
  public long heapBytes() {
    return 8L * counts.length;
  }

  @Override
  void write(FieldVector to, int groups) {
    Numbers.write(counts, groups, to);
  }
}
