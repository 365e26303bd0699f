package io.coppice.parts.aggregate;

import io.coppice.language.type.PlainType;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.FieldVector;

/** {@code sum} and {@code avg} of floats, added in the order of the rows. */
final class DoubleSums extends Aggregator {
  private final boolean average;
  private double[] sums = new double[0];
  private long[] counts = new long[0];
  private double[] values = new double[0];

  DoubleSums(boolean average) {
    super(PlainType.FLOAT64);
    this.average = average;
  }

  /** An unsigned number as the nearest float. */
  static double unsigned(long value) {
    // The lowest bit is kept in what is halved, so that it is rounded once.
    return value >= 0 ? value : ((value >>> 1) | (value & 1)) * 2.0;
  }

  @Override
  void grow(int groups) {
    if (groups > sums.length) {
      int size = capacity(sums.length, groups);
      sums = Arrays.copyOf(sums, size);
      counts = average ? Arrays.copyOf(counts, size) : counts;
    }
  }

  @Override
  void take(List<FieldVector> arguments, int[] groups, int rows) {
    if (values.length < rows) {
      values = new double[rows];
    }
    Numbers.doubles(arguments.get(0), rows, values);
    for (int row = 0; row < rows; row++) {
      if (groups[row] >= 0) {
        sums[groups[row]] += values[row];
        if (average) {
          counts[groups[row]]++;
        }
      }
    }
  }

  @Override
  void absorb(Aggregator other, int[] groups) {
    DoubleSums theirs = (DoubleSums) other;
    for (int i = 0; i < groups.length; i++) {
      if (groups[i] >= 0) {
        sums[groups[i]] += theirs.sums[i];
        if (average) {
          counts[groups[i]] += theirs.counts[i];
        }
      }
    }
  }

  @Override
  public boolean clear() {
    Arrays.fill(sums, 0);
    Arrays.fill(counts, 0);
    return true;
  }

  @Override
  public long heapBytes() {
    return 8L * sums.length + 8L * counts.length;
  }

  @Override
  void write(FieldVector to, int groups) {
    double[] results = sums;
    if (average) {
      results = new double[groups];
      for (int i = 0; i < groups; i++) {
        results[i] = sums[i] / counts[i];
      }
    }
    Numbers.write(results, groups, to);
  }
}
