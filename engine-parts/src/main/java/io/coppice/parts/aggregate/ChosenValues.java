package io.coppice.parts.aggregate;

import io.coppice.language.type.DataType;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/**
 * One of the values of a group: {@code any}, {@code anyLast}, {@code min} and {@code max} of any
 * type, and {@code argMin} and {@code argMax}, where another column decides.
 */
final class ChosenValues extends Aggregator {
  /** Which row of a group counts. */
  enum Choice {
    FIRST,
    LAST,
    LEAST,
    GREATEST
  }

  private final Choice choice;
  private final KeptValues result;

  /** What decides: the result itself, or a column beside it. */
  private final KeptValues deciding;

  private ChosenValues(DataType type, Choice choice, KeptValues result, KeptValues deciding) {
    super(type);
    this.choice = choice;
    this.result = result;
    this.deciding = deciding;
  }

  static ChosenValues of(DataType type, Choice choice, BufferAllocator allocator) {
    KeptValues values = new KeptValues(type, allocator);
    return new ChosenValues(type, choice, values, values);
  }

  /** The value of the row where another column is least or greatest, the first of equal ones. */
  static ChosenValues by(
      DataType type, DataType deciding, Choice choice, BufferAllocator allocator) {
    return new ChosenValues(
        type, choice, new KeptValues(type, allocator), new KeptValues(deciding, allocator));
  }

  @Override
  void grow(int groups) {
    result.grow(groups);
    deciding.grow(groups);
  }

  @Override
  void take(List<FieldVector> arguments, int[] groups, int rows) {
    FieldVector values = arguments.get(0);
    FieldVector decisive = arguments.get(arguments.size() - 1);
    for (int row = 0; row < rows; row++) {
      if (groups[row] >= 0) {
        take(groups[row], values, row, decisive, row);
      }
    }
  }

  private void take(int group, FieldVector values, int row, FieldVector decisive, int at) {
    boolean better =
        !deciding.has(group)
            || switch (choice) {
              case FIRST -> false;
              case LAST -> true;
              case LEAST -> deciding.beats(decisive, at, group, false);
              case GREATEST -> deciding.beats(decisive, at, group, true);
            };
    if (better) {
      result.put(group, values, row);
      if (deciding != result) {
        deciding.put(group, decisive, at);
      }
    }
  }

  @Override
  void absorb(Aggregator other, int[] groups) {
    ChosenValues theirs = (ChosenValues) other;
    FieldVector values = theirs.result.values();
    FieldVector decisive = theirs.deciding.values();
    for (int i = 0; i < groups.length; i++) {
      if (groups[i] >= 0 && theirs.result.has(i)) {
        take(groups[i], values, theirs.result.row(i), decisive, theirs.deciding.row(i));
      }
    }
  }

  @Override
  public long heapBytes() {
    return result.heapBytes() + (deciding == result ? 0 : deciding.heapBytes());
  }

  @Override
  void write(FieldVector to, int groups) {
    result.write(to, groups);
  }

  @Override
  public void close() {
    result.close();
    deciding.close();
  }
}
