package io.coppice.parts.write;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The rows that may be among the first {@code limit} in an order that is told level by level: those
 * below the bound of a level are in, those at it are told apart by the next. Confined to one
 * thread.
 */
final class Candidates {
  private final int rows;
  private final int limit;
  private final int[] chosen;
  private int chosenCount;

  /** Rows equal by all levels so far, of which some may be wanted. */
  private int[] equal;

  private int equalCount;

  Candidates(int rows, int limit) {
    this.rows = rows;
    this.limit = limit;
    this.chosen = new int[limit];
    this.equal = IntStream.range(0, rows).toArray();
    this.equalCount = rows;
  }

  /**
   * Tells rows apart by a level.
   *
   * @param values a value a row, less for what comes first
   * @return whether another level is worth the while
   */
  boolean narrow(long[] values) {
    long[] among = new long[equalCount];
    for (int i = 0; i < equalCount; i++) {
      among[i] = values[equal[i]];
    }
    long bound = least(among, limit - chosenCount);
    int kept = 0;
    for (int i = 0; i < equalCount; i++) {
      int row = equal[i];
      if (values[row] < bound) {
        chosen[chosenCount++] = row;
      } else if (values[row] == bound) {
        equal[kept++] = row;
      }
    }
    equalCount = kept;
    return kept > 2 * limit;
  }

  /** The rows that are left, ascending; empty when these are most of all. */
  Optional<int[]> found() {
    int count = chosenCount + equalCount;
    if (count > rows / 2) {
      return Optional.empty();
    }
    int[] found = Arrays.copyOf(chosen, count);
    System.arraycopy(equal, 0, found, chosenCount, equalCount);
    Arrays.sort(found);
    return Optional.of(found);
  }

  /**
   * The value that {@code nth} values, counted from 1, are not greater than: found byte by byte
   * from the highest, so that the time depends on how many values there are, not on what they are.
   */
  static long least(long[] values, int nth) {
    int count = values.length;
    int wanted = nth;
    int[] counts = new int[256];
    for (int shift = 56; shift >= 0; shift -= 8) {
      Arrays.fill(counts, 0);
      for (int i = 0; i < count; i++) {
        counts[digit(values[i], shift)]++;
      }
      int digit = 0;
      while (wanted > counts[digit]) {
        wanted -= counts[digit++];
      }
      int kept = 0;
      for (int i = 0; i < count; i++) {
        if (digit(values[i], shift) == digit) {
          values[kept++] = values[i];
        }
      }
      count = kept;
    }
    return values[0];
  }

  /** A byte of a value, as whose unsigned order signed values are ordered. */
  private static int digit(long value, int shift) {
    return (int) ((value ^ Long.MIN_VALUE) >>> shift & 0xFF);
  }
}
