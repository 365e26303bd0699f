package io.coppice.parts.aggregate;

import io.coppice.language.type.DataType;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.FieldVector;

/** {@code min} and {@code max} of floats: NaN gives way to any number. */
final class DoubleExtremes extends Aggregator {
  private final boolean greatest;
  private double[] best = new double[0];
  private boolean[] seen = new boolean[0];
  private double[] values = new double[0];

  DoubleExtremes(DataType type, boolean greatest) {
    super(type);
    this.greatest = greatest;
  }

  @Override
  void grow(int groups) {
    if (groups > best.length) {
      int size = capacity(best.length, groups);
      best = Arrays.copyOf(best, size);
      seen = Arrays.copyOf(seen, size);
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
        take(groups[row], values[row]);
      }
    }
  }

  private void take(int group, double value) {
    double now = best[group];
    if (!seen[group] || Double.isNaN(now) || (greatest ? value > now : value < now)) {
      best[group] = value;
      seen[group] = true;
    }
  }

  @Override
  void absorb(Aggregator other, int[] groups) {
    DoubleExtremes theirs = (DoubleExtremes) other;
    for (int i = 0; i < groups.length; i++) {
      if (groups[i] >= 0 && theirs.seen[i]) {
        take(groups[i], theirs.best[i]);
      }
    }
  }

  @Override
  public boolean clear() {
    Arrays.fill(best, 0);
    Arrays.fill(seen, false);
    return true;
  }

  @Override
  public long heapBytes() {
    return 9L * best.length;
  }

  @Override
  void write(FieldVector to, int groups) {
    Numbers.write(best, groups, to);
  }
}
