package io.coppice.parts.aggregate;

import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.FieldVector;

/** {@code sum} and {@code avg} of integers of up to 64 bits; sums wrap round as in ClickHouse. */
final class LongSums extends Aggregator {
  private final DataType argument;
  private final boolean average;
  private long[] sums = new long[0];
  private long[] counts = new long[0];
  private long[] values = new long[0];

  private LongSums(DataType argument, DataType result, boolean average) {
    super(result);
    this.argument = argument;
    this.average = average;
  }

  static LongSums sum(DataType argument) {
    DataType result = Kinds.signed(argument) ? PlainType.INT64 : PlainType.UINT64;
    return new LongSums(argument, result, false);
  }

  static LongSums average(DataType argument) {
    return new LongSums(argument, PlainType.FLOAT64, true);
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
      values = new long[rows];
    }
    Numbers.longs(arguments.get(0), argument, rows, values);
    for (int row = 0; row < rows; row++) {
      if (groups[row] >= 0) {
        sums[groups[row]] += values[row];
      }
    }
    if (average) {
      for (int row = 0; row < rows; row++) {
        if (groups[row] >= 0) {
          counts[groups[row]]++;
        }
      }
    }
  }

  @Override
  void absorb(Aggregator other, int[] groups) {
    LongSums theirs = (LongSums) other;
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
  public boolean ordered() {
    return false;
  }

  @Override
  public long heapBytes() {
    return 8L * sums.length + 8L * counts.length;
  }

  @Override
  void write(FieldVector to, int groups) {
    if (!average) {
      Numbers.write(sums, groups, to);
      return;
    }
    double[] averages = new double[groups];
    boolean signed = Kinds.signed(argument);
    for (int i = 0; i < groups; i++) {
      averages[i] = (signed ? sums[i] : DoubleSums.unsigned(sums[i])) / counts[i];
    }
    Numbers.write(averages, groups, to);
  }
}
