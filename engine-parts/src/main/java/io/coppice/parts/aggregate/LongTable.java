package io.coppice.parts.aggregate;

import java.util.Arrays;

/** Gives distinct longs the numbers that its user counts: an open hash table. */
final class LongTable {
  private long[] keys = new long[64];
  private int[] numbers = new int[64];
  private int count;

  LongTable() {
    Arrays.fill(numbers, -1);
  }

  /** The number of {@code key}; if it is new, {@code next}, which is its number from now on. */
  int number(long key, int next) {
    int mask = numbers.length - 1;
    int slot = slot(key) & mask;
    while (numbers[slot] >= 0) {
      if (keys[slot] == key) {
        return numbers[slot];
      }
      slot = slot + 1 & mask;
    }
    keys[slot] = key;
    numbers[slot] = next;
    if (++count * 2 > numbers.length) {
      grow();
    }
    return next;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldNumbers = numbers;
    keys = new long[Math.multiplyExact(oldKeys.length, 2)];
    numbers = new int[keys.length];
    Arrays.fill(numbers, -1);
    int mask = numbers.length - 1;
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldNumbers[i] >= 0) {
        int slot = slot(oldKeys[i]) & mask;
        while (numbers[slot] >= 0) {
          slot = slot + 1 & mask;
        }
        keys[slot] = oldKeys[i];
        numbers[slot] = oldNumbers[i];
      }
    }
  }

  long heapBytes() {
    return 12L * keys.length;
  }

  static int slot(long key) {
    long h = key * 0x9E3779B97F4A7C15L;
    h ^= h >>> 32;
    h *= 0xBF58476D1CE4E5B9L;
    return (int) (h >>> 32);
  }
}
