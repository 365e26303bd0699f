package io.coppice.parts.aggregate;

import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.FieldVector;

/**
 * What is computed of sums of numbers and of their products: variances, deviations, covariances and
 * correlation. Sums are added in the order of the rows.
 */
final class Moments extends Aggregator {
  /** What is told of the sums. */
  enum Measure {
    VAR_POP("varPop", 1),
    VAR_SAMP("varSamp", 1),
    STDDEV_POP("stddevPop", 1),
    STDDEV_SAMP("stddevSamp", 1),
    COVAR_POP("covarPop", 2),
    COVAR_SAMP("covarSamp", 2),
    CORR("corr", 2);

    final String function;
    final int arguments;

    Measure(String function, int arguments) {
      this.function = function;
      this.arguments = arguments;
    }
  }

  private static final int SUMS = 5;

  private final Measure measure;
  private final List<DataType> arguments;
  private long[] counts = new long[0];

  /** For each group the sums of x, x², y, y², xy. */
  private double[] sums = new double[0];

  private double[] x = new double[0];
  private double[] y = new double[0];
  private long[] longs = new long[0];

  Moments(Measure measure, List<DataType> arguments) {
    super(PlainType.FLOAT64);
    this.measure = measure;
    this.arguments = List.copyOf(arguments);
  }

  @Override
  void grow(int groups) {
    if (groups > counts.length) {
      int size = capacity(counts.length, groups);
      counts = Arrays.copyOf(counts, size);
      sums = Arrays.copyOf(sums, Math.multiplyExact(size, SUMS));
    }
  }

  @Override
  void take(List<FieldVector> vectors, int[] groups, int rows) {
    if (x.length < rows) {
      x = new double[rows];
      y = new double[rows];
      longs = new long[rows];
    }
    numbers(vectors.get(0), arguments.get(0), rows, x);
    if (arguments.size() > 1) {
      numbers(vectors.get(1), arguments.get(1), rows, y);
    }
    for (int row = 0; row < rows; row++) {
      if (groups[row] >= 0) {
        int at = groups[row] * SUMS;
        counts[groups[row]]++;
        sums[at] += x[row];
        sums[at + 1] += x[row] * x[row];
        sums[at + 2] += y[row];
        sums[at + 3] += y[row] * y[row];
        sums[at + 4] += x[row] * y[row];
      }
    }
  }

  private void numbers(FieldVector vector, DataType type, int rows, double[] to) {
    if (Kinds.floating(type)) {
      Numbers.doubles(vector, rows, to);
      return;
    }
    Numbers.longs(vector, type, rows, longs);
    for (int row = 0; row < rows; row++) {
      to[row] = type == PlainType.UINT64 ? DoubleSums.unsigned(longs[row]) : longs[row];
    }
  }

  @Override
  void absorb(Aggregator other, int[] groups) {
    Moments theirs = (Moments) other;
    for (int i = 0; i < groups.length; i++) {
      if (groups[i] >= 0) {
        counts[groups[i]] += theirs.counts[i];
        for (int k = 0; k < SUMS; k++) {
          sums[groups[i] * SUMS + k] += theirs.sums[i * SUMS + k];
        }
      }
    }
  }

  @Override
  public long heapBytes() {
    return 8L * counts.length + 8L * sums.length;
  }

  @Override
  void write(FieldVector to, int groups) {
    double[] results = new double[groups];
    for (int i = 0; i < groups; i++) {
      results[i] = result(counts[i], i * SUMS);
    }
    Numbers.write(results, groups, to);
  }

  private double result(double n, int at) {
    double varied = sums[at + 1] - sums[at] * sums[at] / n;
    double shared = sums[at + 4] - sums[at] * sums[at + 2] / n;
    return switch (measure) {
      case VAR_POP -> n == 0 ? Double.NaN : Math.max(0, varied / n);
      case VAR_SAMP -> n <= 1 ? Double.NaN : Math.max(0, varied / (n - 1));
      case STDDEV_POP -> n == 0 ? Double.NaN : Math.sqrt(Math.max(0, varied / n));
      case STDDEV_SAMP -> n <= 1 ? Double.NaN : Math.sqrt(Math.max(0, varied / (n - 1)));
      case COVAR_POP -> n == 0 ? Double.NaN : shared / n;
      case COVAR_SAMP -> n <= 1 ? Double.NaN : shared / (n - 1);
      case CORR ->
          (n * sums[at + 4] - sums[at] * sums[at + 2])
              / Math.sqrt(
                  (n * sums[at + 1] - sums[at] * sums[at])
                      * (n * sums[at + 3] - sums[at + 2] * sums[at + 2]));
    };
  }
}
