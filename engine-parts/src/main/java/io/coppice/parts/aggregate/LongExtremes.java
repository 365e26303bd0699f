package io.coppice.parts.aggregate;

import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Defaults;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.FieldVector;

/**
 * {@code min} and {@code max} of whole numbers of up to eight bytes, dates and times among them.
 */
final class LongExtremes extends Aggregator {
  private final boolean greatest;
  private final long flip;
  private long[] best = new long[0];
  private boolean[] seen = new boolean[0];
  private long[] values = new long[0];

  LongExtremes(DataType type, boolean greatest) {
    super(type);
    this.greatest = greatest;
    this.flip = type == PlainType.UINT64 ? Long.MIN_VALUE : 0;
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
      values = new long[rows];
    }
    Numbers.longs(arguments.get(0), type(), rows, values);
    for (int row = 0; row < rows; row++) {
      if (groups[row] >= 0) {
        take(groups[row], values[row]);
      }
    }
  }

  private void take(int group, long value) {
    long now = best[group] ^ flip;
    long next = value ^ flip;
    if (!seen[group] || (greatest ? next > now : next < now)) {
      best[group] = value;
      seen[group] = true;
    }
  }

  @Override
  void absorb(Aggregator other, int[] groups) {
    LongExtremes theirs = (LongExtremes) other;
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
  public boolean ordered() {
    return false;
  }

  @Override
  public long heapBytes() {
    return 9L * best.length;
  }

  @Override
  void write(FieldVector to, int groups) {
    Numbers.write(best, groups, to);
    Defaults defaults = Defaults.of(type());
    for (int group = 0; group < groups; group++) {
      if (!seen[group]) {
        defaults.appendMissing(to, group, 1);
      }
    }
  }
}
