package io.coppice.parts.column;

import io.coppice.base.bytes.Memory;

/**
 * Numbers of short keys that were looked up lately, each in one of the two slots that its bytes
 * choose: most values of a dictionary's column are among them, and are found without a search.
 *
 * <p>Confined to one thread.
 */
final class RecentKeys {
  /** Longer keys have no place here. */
  private static final int MOST_BYTES = 7;

  private static final int SLOTS = 1024;

  /** What {@link #packed} gave, which is never 0. */
  private final long[] keys = new long[SLOTS];

  private final int[] numbers = new int[SLOTS];

  /**
   * A key as a long, different ones as different longs; 0 when it is too long.
   *
   * @param end where the memory ends in which the key lies
   */
  static long packed(long at, int size, long end) {
    if (size > MOST_BYTES) {
      return 0;
    }
    long value = 0;
    if (at + Long.BYTES <= end) {
      value = Memory.getLong(at) & (1L << 8 * size) - 1;
    } else {
      for (int i = 0; i < size; i++) {
        value |= (Memory.getByte(at + i) & 0xFFL) << 8 * i;
      }
    }
    return value << 8 | size + 1;
  }

  /** The number of a packed key, or -1. */
  int find(long packed) {
    int slot = slot(packed);
    if (keys[slot] == packed) {
      return numbers[slot];
    }
    return keys[slot + 1] == packed ? numbers[slot + 1] : -1;
  }

  /** Remembers the number of a packed key that is not 0. */
  void put(long packed, int number) {
    int slot = slot(packed);
    keys[slot + 1] = keys[slot];
    numbers[slot + 1] = numbers[slot];
    keys[slot] = packed;
    numbers[slot] = number;
  }

  /** The first of a pair of slots. */
  private static int slot(long packed) {
    return (int) (packed * 0x9E3779B97F4A7C15L >>> 55) << 1;
  }
}
