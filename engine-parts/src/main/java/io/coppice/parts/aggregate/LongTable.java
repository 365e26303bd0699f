package io.coppice.parts.aggregate;

import java.util.Arrays;

/**
 * Gives distinct longs the numbers that its user counts: open hash tables whose slots hold key and
 * number side by side. Keys of 32 bits have a table of their own, with slots half as large.
 */
final class LongTable {
  private static final long NARROW = 0xFFFFFFFFL;

  /** Keys whose slots are read ahead at once. */
  private static final int AHEAD = 32;

  /** A key in the low half, its number plus one in the high half; 0 is an empty slot. */
  private long[] narrow = new long[64];

  /** A key, then its number plus one; there the empty slot has 0. */
  private long[] wide = new long[128];

  /** Nobody reads it; written so that what {@link #touch} reads is read. */
  private long touched;

  private int narrowCount;
  private int wideCount;

  /** The number of {@code key}; if it is new, {@code next}, which is its number from now on. */
  int number(long key, int next) {
    return key >>> 32 == 0 ? narrow(key, next) : wide(key, next);
  }

  /**
   * Numbers keys [0, {@code count}), new ones from {@code next} on.
   *
   * @param numbers takes the number of each
   * @param fresh takes the places of the new ones
   * @return how many are new
   */
  int number(long[] keys, int count, int next, int[] numbers, int[] fresh) {
    long all = 0;
    for (int i = 0; i < count; i++) {
      all |= keys[i];
    }
    boolean isNarrow = all >>> 32 == 0;
    int found = 0;
    for (int from = 0; from < count; from += AHEAD) {
      int to = Math.min(count, from + AHEAD);
      if (isNarrow) {
        touch(keys, from, to);
      }
      for (int i = from; i < to; i++) {
        int number = isNarrow ? narrow(keys[i], next + found) : number(keys[i], next + found);
        numbers[i] = number;
        if (number == next + found) {
          fresh[found++] = i;
        }
      }
    }
    return found;
  }

  /** Reads the slots that come next: their cache misses overlap, which those of a search do not. */
  private void touch(long[] keys, int from, int to) {
    long[] slots = narrow;
    int mask = slots.length - 1;
    long seen = 0;
    for (int i = from; i < to; i++) {
      seen += slots[slot(keys[i]) & mask];
    }
    touched = seen;
  }

  /** Forgets all keys and keeps the memory. */
  void clear() {
    if (narrowCount > 0) {
      Arrays.fill(narrow, 0);
      narrowCount = 0;
    }
    if (wideCount > 0) {
      Arrays.fill(wide, 0);
      wideCount = 0;
    }
  }

  private int narrow(long key, int next) {
    long[] slots = narrow;
    int mask = slots.length - 1;
    int slot = slot(key) & mask;
    for (long there = slots[slot]; there != 0; there = slots[slot]) {
      if ((there & NARROW) == key) {
        return (int) (there >>> 32) - 1;
      }
      slot = slot + 1 & mask;
    }
    slots[slot] = next + 1L << 32 | key;
    if (++narrowCount * 2 > slots.length) {
      growNarrow();
    }
    return next;
  }

  private int wide(long key, int next) {
    long[] slots = wide;
    int mask = slots.length - 2;
    int slot = slot(key) * 2 & mask;
    for (long number = slots[slot + 1]; number != 0; number = slots[slot + 1]) {
      if (slots[slot] == key) {
        return (int) number - 1;
      }
      slot = slot + 2 & mask;
    }
    slots[slot] = key;
    slots[slot + 1] = next + 1L;
    if (++wideCount * 4 > slots.length) {
      growWide();
    }
    return next;
  }

  private void growNarrow() {
    long[] old = narrow;
    narrow = new long[Math.multiplyExact(old.length, 2)];
    int mask = narrow.length - 1;
    for (long there : old) {
      if (there != 0) {
        int slot = slot(there & NARROW) & mask;
        while (narrow[slot] != 0) {
          slot = slot + 1 & mask;
        }
        narrow[slot] = there;
      }
    }
  }

  private void growWide() {
    long[] old = wide;
    wide = new long[Math.multiplyExact(old.length, 2)];
    int mask = wide.length - 2;
    for (int i = 0; i < old.length; i += 2) {
      if (old[i + 1] != 0) {
        int slot = slot(old[i]) * 2 & mask;
        while (wide[slot + 1] != 0) {
          slot = slot + 2 & mask;
        }
        wide[slot] = old[i];
        wide[slot + 1] = old[i + 1];
      }
    }
  }

  long heapBytes() {
    return 8L * narrow.length + 8L * wide.length;
  }

  static int slot(long key) {
    long h = key * 0x9E3779B97F4A7C15L;
    h ^= h >>> 32;
    h *= 0xBF58476D1CE4E5B9L;
    return (int) (h >>> 32);
  }
}
