package io.coppice.parts.scan;

/**
 * Per expression of a {@link KeySpace} an interval whose ends are rows of the vectors that hold the
 * values; -1 for an end that is open to infinity. Mutable; confined to one thread.
 */
final class KeyBox {
  final int[] low;
  final int[] high;
  final boolean[] lowIncluded;
  final boolean[] highIncluded;

  KeyBox(int size) {
    low = new int[size];
    high = new int[size];
    lowIncluded = new boolean[size];
    highIncluded = new boolean[size];
    unbound(0);
  }

  /** Opens all intervals from {@code from} on. */
  void unbound(int from) {
    for (int i = from; i < low.length; i++) {
      set(i, -1, false, -1, false);
    }
  }

  void set(int column, int lowRow, boolean withLow, int highRow, boolean withHigh) {
    low[column] = lowRow;
    lowIncluded[column] = withLow;
    high[column] = highRow;
    highIncluded[column] = withHigh;
  }

  void point(int column, int row) {
    set(column, row, true, row, true);
  }
}
