package io.coppice.parts.aggregate;

import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;

/**
 * Gives a function some rows only: those without NULL in an argument, or with the combinator If
 * those whose last argument is not 0. Where the result has NULL, it is that of a group without any
 * such row.
 */
final class SomeRows extends Aggregator {
  private final Aggregator of;
  private final boolean condition;
  private boolean[] seen = new boolean[0];
  private int[] chosen = new int[0];
  private long[] holds = new long[0];

  private SomeRows(Aggregator of, DataType type, boolean condition) {
    super(type);
    this.of = of;
    this.condition = condition;
  }

  /** Rows without NULL; the type has NULL where the function gives no default of its own. */
  static SomeRows withoutNull(Aggregator of, DataType type) {
    return new SomeRows(of, type, false);
  }

  /** Rows whose last argument, a UInt8 or Bool, holds. */
  static SomeRows where(Aggregator of) {
    return new SomeRows(of, of.type(), true);
  }

  @Override
  void grow(int groups) {
    of.grow(groups);
    if (groups > seen.length) {
      seen = Arrays.copyOf(seen, capacity(seen.length, groups));
    }
  }

  @Override
  void take(List<FieldVector> arguments, int[] groups, int rows) {
    if (chosen.length < rows) {
      chosen = new int[rows];
    }
    System.arraycopy(groups, 0, chosen, 0, rows);
    if (condition) {
      int last = arguments.size() - 1;
      FieldVector conditions = arguments.get(last);
      if (!(conditions instanceof NullVector)) {
        if (holds.length < rows) {
          holds = new long[rows];
        }
        Numbers.longs(conditions, PlainType.UINT8, rows, holds);
        for (int row = 0; row < rows; row++) {
          if (holds[row] == 0) {
            chosen[row] = -1;
          }
        }
      }
      leaveOutNulls(conditions, rows);
      of.take(arguments.subList(0, last), chosen, rows);
      return;
    }
    for (FieldVector argument : arguments) {
      leaveOutNulls(argument, rows);
    }
    for (int row = 0; row < rows; row++) {
      if (chosen[row] >= 0) {
        seen[chosen[row]] = true;
      }
    }
    of.take(arguments, chosen, rows);
  }

  private void leaveOutNulls(FieldVector argument, int rows) {
    if (argument.getField().isNullable() && argument.getNullCount() > 0) {
      for (int row = 0; row < rows; row++) {
        if (argument.isNull(row)) {
          chosen[row] = -1;
        }
      }
    }
  }

  @Override
  void absorb(Aggregator other, int[] groups) {
    SomeRows theirs = (SomeRows) other;
    for (int i = 0; i < groups.length; i++) {
      if (groups[i] >= 0 && theirs.seen[i]) {
        seen[groups[i]] = true;
      }
    }
    of.absorb(theirs.of, groups);
  }

  @Override
  public boolean clear() {
    Arrays.fill(seen, false);
    return of.clear();
  }

  @Override
  public boolean ordered() {
    return of.ordered();
  }

  @Override
  public long heapBytes() {
    return of.heapBytes() + seen.length;
  }

  @Override
  void write(FieldVector to, int groups) {
    of.write(to, groups);
    if (!condition && type() instanceof DataType.NullableType && !(to instanceof NullVector)) {
      for (int group = 0; group < groups; group++) {
        if (!seen[group]) {
          BitVectorHelper.unsetBit(to.getValidityBuffer(), group);
        }
      }
    }
  }

  @Override
  public void close() {
    of.close();
  }
}
