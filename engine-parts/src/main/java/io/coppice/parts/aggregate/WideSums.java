package io.coppice.parts.aggregate;

import io.coppice.base.bytes.Memory;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Vectors;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.FieldVector;

/**
 * {@code sum} and {@code avg} of decimals and of integers of 128 and 256 bits: words of 64 bits,
 * the lowest first, as they lie in the vectors.
 */
final class WideSums extends Aggregator {
  private final DataType argument;
  private final boolean average;
  private final int words;
  private long[] sums = new long[0];
  private long[] counts = new long[0];

  private WideSums(DataType argument, DataType result, boolean average) {
    super(result);
    this.argument = argument;
    this.average = average;
    this.words = argument.widthBytes() <= 16 ? 2 : 4;
  }

  static WideSums sum(DataType argument) {
    DataType result =
        argument instanceof DecimalType decimal
            ? new DecimalType(decimal.precision() <= 38 ? 38 : 76, decimal.scale())
            : argument;
    return new WideSums(argument, result, false);
  }

  static WideSums average(DataType argument) {
    return new WideSums(argument, PlainType.FLOAT64, true);
  }

  @Override
  void grow(int groups) {
    if (groups > counts.length) {
      int size = capacity(counts.length, groups);
      sums = Arrays.copyOf(sums, Math.multiplyExact(size, words));
      counts = Arrays.copyOf(counts, size);
    }
  }

  @Override
  void take(List<FieldVector> arguments, int[] groups, int rows) {
    FieldVector vector = arguments.get(0);
    long data = rows == 0 ? 0 : Vectors.data(vector);
    int stride = ((BaseFixedWidthVector) vector).getTypeWidth();
    for (int row = 0; row < rows; row++) {
      int group = groups[row];
      if (group < 0) {
        continue;
      }
      counts[group]++;
      long at = data + (long) row * stride;
      if (words == 2) {
        int place = group * 2;
        long low = Memory.getLong(at);
        long sum = sums[place] + low;
        sums[place] = sum;
        sums[place + 1] += Memory.getLong(at + 8) + (Long.compareUnsigned(sum, low) < 0 ? 1 : 0);
      } else {
        long carry = 0;
        for (int word = 0; word < words; word++) {
          carry = add(group * words + word, Memory.getLong(at + word * 8L), carry);
        }
      }
    }
  }

  private long add(int place, long value, long carry) {
    long once = sums[place] + value;
    long over = Long.compareUnsigned(once, value) < 0 ? 1 : 0;
    long twice = once + carry;
    over += Long.compareUnsigned(twice, carry) < 0 ? 1 : 0;
    sums[place] = twice;
    return over;
  }

  @Override
  void absorb(Aggregator other, int[] groups) {
    WideSums theirs = (WideSums) other;
    for (int i = 0; i < groups.length; i++) {
      if (groups[i] >= 0) {
        counts[groups[i]] += theirs.counts[i];
        long carry = 0;
        for (int word = 0; word < words; word++) {
          carry = add(groups[i] * words + word, theirs.sums[i * words + word], carry);
        }
      }
    }
  }

  @Override
  public long heapBytes() {
    return 8L * sums.length + 8L * counts.length;
  }

  @Override
  void write(FieldVector to, int groups) {
    if (average) {
      double[] averages = new double[groups];
      for (int i = 0; i < groups; i++) {
        averages[i] = sum(i) / counts[i];
      }
      Numbers.write(averages, groups, to);
      return;
    }
    Numbers.begin(to, groups);
    long data = Vectors.data(to);
    for (int i = 0; i < groups * words; i++) {
      Memory.putLong(data + i * 8L, sums[i]);
    }
    Vectors.finish(to, groups);
  }

  private double sum(int group) {
    byte[] bytes = new byte[words * 8];
    for (int i = 0; i < bytes.length; i++) {
      long word = sums[group * words + words - 1 - i / 8];
      bytes[i] = (byte) (word >>> 56 - i % 8 * 8);
    }
    boolean unsigned = argument == PlainType.UINT128 || argument == PlainType.UINT256;
    BigInteger value = unsigned ? new BigInteger(1, bytes) : new BigInteger(bytes);
    double whole = new BigDecimal(value).doubleValue();
    return argument instanceof DecimalType decimal ? whole / Math.pow(10, decimal.scale()) : whole;
  }
}
