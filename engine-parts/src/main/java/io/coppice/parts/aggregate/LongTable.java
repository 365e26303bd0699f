package io.coppice.parts.aggregate;

import java.util.Arrays;

/** Numbers distinct longs in the order in which they come: an open hash table. */
final class LongTable {
  private long[] keys = new long[64];
  private int[] numbers = new int[64];
  private int count;

  LongTable() {
    Arrays.fill(numbers, -1);
  }

  int count() {
    return count;
  }

  /** The number of {@code key}, the next one if it is new. */
  int number(long key) {
    int mask = numbers.length - 1;
    int slot = slot(key) & mask;
    while (numbers[slot] >= 0) {
      if (keys[slot] == key) {
        return numbers[slot];
      }
      slot = slot + 1 & mask;
    }
    keys[slot] = key;
    numbers[slot] = count++;
    if (count * 2 > numbers.length) {
      grow();
    }
    return count - 1;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldNumbers = numbers;
    keys = new long[oldKeys.length * 2];
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

  private static int slot(long key) {
    long h = key * 0x9E3779B97F4A7C15L;
    h ^= h >>> 32;
    h *= 0xBF58476D1CE4E5B9L;
    return (int) (h >>> 32);
  }
}
