package io.coppice.parts.expression;

import io.coppice.base.bytes.Memory;

/**
 * Finds constant bytes in strings where they lie: anywhere, at the start, at the end, or as the
 * whole string. Immutable; any thread may use it.
 */
final class ByteMatcher {
  /** Where the bytes are looked for. */
  enum Place {
    ANYWHERE,
    START,
    END,
    WHOLE
  }

  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;

  private final byte[] wanted;
  private final Place place;

  ByteMatcher(byte[] wanted, Place place) {
    this.wanted = wanted.clone();
    this.place = place;
  }

  /** Whether a string in memory has the bytes. */
  boolean matches(long at, int size) {
    if (size < wanted.length) {
      return false;
    }
    return switch (place) {
      case START -> equal(at);
      case END -> equal(at + size - wanted.length);
      case WHOLE -> size == wanted.length && equal(at);
      case ANYWHERE -> find(at, at + size) >= 0;
    };
  }

  /**
   * Keeps the rows whose strings match, or do not; see {@link ArgumentTest#select}.
   *
   * @param offsets where the 32-bit offsets of the strings lie
   */
  int select(long data, long offsets, int[] rows, int count, boolean others) {
    boolean neighbours = rows[count - 1] - rows[0] == count - 1;
    if (place == Place.ANYWHERE && neighbours && wanted.length > 0) {
      return selectNeighbours(data, offsets, rows, count, others);
    }
    int kept = 0;
    for (int i = 0; i < count; i++) {
      int row = rows[i];
      int begin = Memory.getInt(offsets + row * 4L);
      int size = Memory.getInt(offsets + row * 4L + 4) - begin;
      if (matches(data + begin, size) != others) {
        rows[kept++] = row;
      }
    }
    return kept;
  }

  /** One search through the bytes of all strings, which lie one behind another. */
  private int selectNeighbours(long data, long offsets, int[] rows, int count, boolean others) {
    int row = rows[0];
    int end = row + count;
    long last = data + Memory.getInt(offsets + end * 4L);
    int kept = 0;
    long from = data + Memory.getInt(offsets + row * 4L);
    while (row < end) {
      long found = find(from, last);
      int next = row;
      if (found < 0) {
        next = end;
      } else {
        while (data + Memory.getInt(offsets + (next + 1) * 4L) <= found) {
          next++;
        }
      }
      for (; row < next; row++) {
        if (others) {
          rows[kept++] = row;
        }
      }
      if (row == end) {
        break;
      }
      long rowEnd = data + Memory.getInt(offsets + (row + 1) * 4L);
      if (found + wanted.length <= rowEnd) {
        if (!others) {
          rows[kept++] = row;
        }
        row++;
        from = rowEnd;
      } else {
        from = found + 1; // it reaches over the end of the row
      }
    }
    return kept;
  }

  private boolean equal(long at) {
    for (int i = 0; i < wanted.length; i++) {
      if (Memory.getByte(at + i) != wanted[i]) {
        return false;
      }
    }
    return true;
  }

  /** Where the bytes lie first in [from, to), or -1. */
  private long find(long from, long to) {
    int size = wanted.length;
    if (size == 0) {
      return from;
    }
    long at = from;
    long first = (wanted[0] & 0xFFL) * ONES;
    long end = (wanted[size - 1] & 0xFFL) * ONES;
    // Eight places at once: where both the first and the last byte seem to be, all are compared.
    for (; at + size - 1 + 8 <= to; at += 8) {
      long a = Memory.getLong(at) ^ first;
      long b = Memory.getLong(at + size - 1) ^ end;
      long x = a | b;
      long zeros = x - ONES & ~x & HIGH_BITS;
      while (zeros != 0) {
        long candidate = at + (Long.numberOfTrailingZeros(zeros) >>> 3);
        if (equal(candidate)) {
          return candidate;
        }
        zeros &= zeros - 1;
      }
    }
    for (; at + size <= to; at++) {
      if (equal(at)) {
        return at;
      }
    }
    return -1;
  }
}
