package io.coppice.parts.aggregate;

import java.util.function.LongConsumer;

/** Distinct longs: open hash tables, one of ints for those of 32 bits. */
final class LongSet {
  /** Values whose slots are read ahead at once. */
  private static final int AHEAD = 32;

  private int[] narrow = new int[64];
  private long[] wide = new long[64];
  private int narrowCount;
  private int wideCount;
  private boolean zero;

  /** Nobody reads it; written so that what {@link #touch} reads is read. */
  private int touched;

  /** Adds a value; whether it is new. */
  boolean add(long value) {
    return value >>> 32 == 0 ? addNarrow((int) value) : addWide(value);
  }

  /** Adds values [0, {@code count}); how many are new. */
  int addAll(long[] values, int count) {
    long all = 0;
    for (int i = 0; i < count; i++) {
      all |= values[i];
    }
    boolean isNarrow = all >>> 32 == 0;
    int fresh = 0;
    for (int from = 0; from < count; from += AHEAD) {
      int to = Math.min(count, from + AHEAD);
      if (isNarrow) {
        touch(values, from, to);
      }
      for (int i = from; i < to; i++) {
        fresh += (isNarrow ? addNarrow((int) values[i]) : add(values[i])) ? 1 : 0;
      }
    }
    return fresh;
  }

  /** Reads the slots that come next: their cache misses overlap, which those of a search do not. */
  private void touch(long[] values, int from, int to) {
    int[] slots = narrow;
    int mask = slots.length - 1;
    int seen = 0;
    for (int i = from; i < to; i++) {
      seen += slots[LongTable.slot((int) values[i]) & mask];
    }
    touched = seen;
  }

  private boolean addNarrow(int value) {
    if (value == 0) {
      boolean fresh = !zero;
      zero = true;
      return fresh;
    }
    int[] slots = narrow;
    int mask = slots.length - 1;
    int slot = LongTable.slot(value) & mask;
    while (slots[slot] != 0) {
      if (slots[slot] == value) {
        return false;
      }
      slot = slot + 1 & mask;
    }
    slots[slot] = value;
    if (++narrowCount * 2 > slots.length) {
      narrow = new int[Math.multiplyExact(slots.length, 2)];
      for (int old : slots) {
        if (old != 0) {
          put(narrow, old);
        }
      }
    }
    return true;
  }

  private static void put(int[] slots, int value) {
    int mask = slots.length - 1;
    int slot = LongTable.slot(value) & mask;
    while (slots[slot] != 0) {
      slot = slot + 1 & mask;
    }
    slots[slot] = value;
  }

  private boolean addWide(long value) {
    long[] slots = wide;
    int mask = slots.length - 1;
    int slot = LongTable.slot(value) & mask;
    while (slots[slot] != 0) {
      if (slots[slot] == value) {
        return false;
      }
      slot = slot + 1 & mask;
    }
    slots[slot] = value;
    if (++wideCount * 2 > slots.length) {
      wide = new long[Math.multiplyExact(slots.length, 2)];
      for (long old : slots) {
        if (old != 0) {
          put(wide, old);
        }
      }
    }
    return true;
  }

  private static void put(long[] slots, long value) {
    int mask = slots.length - 1;
    int slot = LongTable.slot(value) & mask;
    while (slots[slot] != 0) {
      slot = slot + 1 & mask;
    }
    slots[slot] = value;
  }

  /** Gives each value once, in no order of any meaning. */
  void forEach(LongConsumer to) {
    if (zero) {
      to.accept(0);
    }
    for (int value : narrow) {
      if (value != 0) {
        to.accept(value & 0xFFFFFFFFL);
      }
    }
    for (long value : wide) {
      if (value != 0) {
        to.accept(value);
      }
    }
  }

  long heapBytes() {
    return 4L * narrow.length + 8L * wide.length;
  }
}
