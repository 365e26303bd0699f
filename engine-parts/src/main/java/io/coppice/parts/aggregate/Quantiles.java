package io.coppice.parts.aggregate;

import io.coppice.base.bytes.Memory;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Vectors;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;

/**
 * {@code quantile}, {@code quantiles}, {@code quantileExact} and {@code quantilesExact} of numbers
 * and times. All values are kept: where ClickHouse's {@code quantile} has more than 8192 it chooses
 * some of them by chance, so that its result is near this one, not equal to it.
 */
final class Quantiles extends Aggregator {
  private final DataType argument;
  private final DataType element;
  private final double[] levels;
  private final boolean exact;
  private final boolean floating;

  /** Values in the order of signed longs. */
  private long[] values = new long[0];

  private int[] groupOf = new int[0];
  private int used;
  private long[] longs = new long[0];
  private double[] doubles = new double[0];

  private Quantiles(
      DataType argument, DataType element, double[] levels, boolean exact, boolean several) {
    super(several ? new ArrayType(element) : element);
    this.argument = argument;
    this.element = element;
    this.levels = levels;
    this.exact = exact;
    this.floating = Kinds.floating(argument);
  }

  /**
   * States of no rows.
   *
   * @param exact whether a value itself is the result, not one between two
   * @param several whether the results of all levels are wanted as an array
   */
  static Quantiles of(DataType argument, List<Double> levels, boolean exact, boolean several) {
    return new Quantiles(
        argument,
        result(argument, exact),
        levels.stream().mapToDouble(Double::doubleValue).toArray(),
        exact,
        several);
  }

  /** The type of one quantile. */
  static DataType result(DataType argument, boolean exact) {
    boolean number = Kinds.integer(argument) || Kinds.floating(argument);
    return exact || !number ? argument : PlainType.FLOAT64;
  }

  /** Whether there are quantiles of values of a type. */
  static boolean takes(DataType type) {
    return Kinds.integer(type)
        || type == PlainType.FLOAT64
        || type == PlainType.FLOAT32
        || type == PlainType.DATE
        || type instanceof DataType.DateTimeType;
  }

  @Override
  void grow(int groups) {}

  @Override
  void take(List<FieldVector> arguments, int[] groups, int rows) {
    reserve(used + rows);
    if (floating) {
      if (doubles.length < rows) {
        doubles = new double[rows];
      }
      Numbers.doubles(arguments.get(0), rows, doubles);
      for (int row = 0; row < rows; row++) {
        if (groups[row] >= 0 && !Double.isNaN(doubles[row])) {
          add(groups[row], ordered(Double.doubleToRawLongBits(doubles[row])));
        }
      }
      return;
    }
    if (longs.length < rows) {
      longs = new long[rows];
    }
    Numbers.longs(arguments.get(0), argument, rows, longs);
    long flip = argument == PlainType.UINT64 ? Long.MIN_VALUE : 0;
    for (int row = 0; row < rows; row++) {
      if (groups[row] >= 0) {
        add(groups[row], longs[row] ^ flip);
      }
    }
  }

  private void reserve(int wanted) {
    if (wanted > values.length) {
      int size = capacity(values.length, wanted);
      values = Arrays.copyOf(values, size);
      groupOf = Arrays.copyOf(groupOf, size);
    }
  }

  private void add(int group, long value) {
    values[used] = value;
    groupOf[used++] = group;
  }

  /** The bits of a float as a long in the same order; its own inverse. */
  private static long ordered(long bits) {
    return bits ^ (bits >> 63 & Long.MAX_VALUE);
  }

  @Override
  void absorb(Aggregator other, int[] groups) {
    Quantiles theirs = (Quantiles) other;
    reserve(used + theirs.used);
    for (int i = 0; i < theirs.used; i++) {
      if (groups[theirs.groupOf[i]] >= 0) {
        add(groups[theirs.groupOf[i]], theirs.values[i]);
      }
    }
  }

  @Override
  public long heapBytes() {
    return 12L * values.length;
  }

  @Override
  void write(FieldVector to, int groups) {
    int[] ends = new int[groups + 1];
    for (int i = 0; i < used; i++) {
      ends[groupOf[i] + 1]++;
    }
    for (int group = 0; group < groups; group++) {
      ends[group + 1] += ends[group];
    }
    long[] sorted = new long[used];
    int[] next = Arrays.copyOf(ends, groups);
    for (int i = 0; i < used; i++) {
      sorted[next[groupOf[i]]++] = values[i];
    }
    int count = levels.length;
    long[] whole = new long[groups * count];
    double[] fractions = new double[groups * count];
    for (int group = 0; group < groups; group++) {
      int from = ends[group];
      int size = ends[group + 1] - from;
      Arrays.sort(sorted, from, from + size);
      for (int i = 0; i < count; i++) {
        int place = group * count + i;
        if (size == 0) {
          fractions[place] = Double.NaN;
        } else if (exact) {
          int at = levels[i] < 1 ? (int) (levels[i] * size) : size - 1;
          whole[place] = plain(sorted[from + at]);
          fractions[place] = number(sorted[from + at]);
        } else {
          fractions[place] = between(sorted, from, size, levels[i]);
          whole[place] = (long) fractions[place];
        }
      }
    }
    FieldVector results = to;
    if (type() instanceof ArrayType) {
      Numbers.begin(to, groups);
      long offsets = Vectors.offsets(to);
      for (int group = 0; group <= groups; group++) {
        Memory.putInt(offsets + group * 4L, group * count);
      }
      results = ((ListVector) to).getDataVector();
    }
    if (Kinds.floating(element)) {
      Numbers.write(fractions, groups * count, results);
    } else {
      Numbers.write(whole, groups * count, results);
    }
    Vectors.finish(to, groups);
  }

  private double between(long[] sorted, int from, int size, double level) {
    double index = Math.max(0, Math.min(size - 1.0, level * (size - 1)));
    int left = (int) index;
    int right = left + 1;
    if (right == size) {
      return number(sorted[from + left]);
    }
    return number(sorted[from + left]) * (right - index)
        + number(sorted[from + right]) * (index - left);
  }

  /** The value as it lies in vectors. */
  private long plain(long value) {
    return argument == PlainType.UINT64 ? value ^ Long.MIN_VALUE : value;
  }

  private double number(long value) {
    if (floating) {
      return Double.longBitsToDouble(ordered(value));
    }
    return argument == PlainType.UINT64 ? DoubleSums.unsigned(value ^ Long.MIN_VALUE) : value;
  }
}
