package io.coppice.parts.compress;

import io.coppice.base.bytes.Memory;
import java.util.Arrays;

/**
 * The body of FPC.
 *
 * <pre>
 *   offset  size  field
 *        0     1  width w of a value, bytes: 4 or 8
 *        1     1  level
 *        2        pairs of values, an odd last one paired with zero bits
 * </pre>
 *
 * A pair is a byte and the low bytes of two residues. High half of the byte: bit 3 says which
 * prediction the first residue is taken from (1: differential), bits 0 to 2 how many of its high
 * bytes are zero and left out; low half: the same for the second. For w = 8 counts of 4 and more
 * are stored less one, so that 8 can be said and 4 is stored, and read, as 3.
 *
 * <p>A residue is the value xor a prediction. There are two predictors with tables of 2^level
 * entries, all zero at first: one guesses the value that followed the recent values before, the
 * other the difference. The one with more leading zero bits in its residue is taken, the first if
 * both are equal.
 *
 * <p>Confined to one thread; keeps its tables for the next body.
 */
final class FpcBody {
  /**
   * Highest level accepted: two tables of 32 MiB. ClickHouse goes up to 28, tables of 2 GiB, which
   * a few damaged bytes could ask for.
   */
  static final int LEVEL_LIMIT = 22;

  private long[] values = new long[0];
  private long[] differences = new long[0];
  private int valueHash;
  private int differenceHash;
  private long previous;
  private int tableMask;
  private boolean wide;

  /** Bytes that suffice for the body of {@code size} bytes. */
  static long bound(int widthBytes, long size) {
    return 2 + (size / widthBytes / 2 + 2) * (1 + 2L * widthBytes);
  }

  private void reset(int level, int widthBytes) {
    int entries = 1 << level;
    if (values.length < entries) {
      values = new long[entries];
      differences = new long[entries];
    } else {
      Arrays.fill(values, 0, entries, 0);
      Arrays.fill(differences, 0, entries, 0);
    }
    valueHash = 0;
    differenceHash = 0;
    previous = 0;
    tableMask = entries - 1;
    wide = widthBytes == 8;
  }

  private void learn(long value) {
    values[valueHash] = value;
    long difference = value - previous;
    if (!wide) {
      difference &= 0xffffffffL;
    }
    differences[differenceHash] = difference;
    previous = value;
    if (wide) {
      valueHash = (int) ((long) valueHash << 6 ^ value >>> 48) & tableMask;
      differenceHash = (int) ((long) differenceHash << 2 ^ difference >>> 40) & tableMask;
    } else {
      valueHash = (int) ((long) valueHash << 1 ^ value >>> 22) & tableMask;
      differenceHash = (int) ((long) differenceHash << 4 ^ difference >>> 23) & tableMask;
    }
  }

  private long predictByDifference() {
    long prediction = differences[differenceHash] + previous;
    return wide ? prediction : prediction & 0xffffffffL;
  }

  int encode(int level, int widthBytes, long source, int size, long target) {
    reset(level, widthBytes);
    Memory.putByte(target, (byte) widthBytes);
    Memory.putByte(target + 1, (byte) level);
    long to = target + 2;
    int count = (size + widthBytes - 1) / widthBytes;
    int unused = 64 - 8 * widthBytes;
    for (int i = 0; i < count; i += 2) {
      long head = to++;
      int header = 0;
      for (int k = 0; k < 2; k++) {
        long value = valueAt(source, size, widthBytes, i + k);
        long byDifference = predictByDifference() ^ value;
        long byValue = values[valueHash] ^ value;
        learn(value);
        int differenceZeros = Long.numberOfLeadingZeros(byDifference) - unused;
        int valueZeros = Long.numberOfLeadingZeros(byValue) - unused;
        boolean differential = differenceZeros > valueZeros;
        long residue = differential ? byDifference : byValue;
        int zeroBytes = (differential ? differenceZeros : valueZeros) / 8;
        int code = wide && zeroBytes >= 4 ? zeroBytes - 1 : zeroBytes;
        header |= (code | (differential ? 8 : 0)) << (k == 0 ? 4 : 0);
        int kept = widthBytes - decoded(code);
        for (int b = 0; b < kept; b++) {
          Memory.putByte(to++, (byte) (residue >>> (8 * b)));
        }
      }
      Memory.putByte(head, (byte) header);
    }
    return (int) (to - target);
  }

  private static long valueAt(long source, int size, int widthBytes, int index) {
    long offset = (long) index * widthBytes;
    if (offset + widthBytes <= size) {
      return Widths.load(source + offset, widthBytes);
    }
    long value = 0;
    for (int i = 0; offset + i < size; i++) {
      value |= (Memory.getByte(source + offset + i) & 0xffL) << (8 * i);
    }
    return value;
  }

  private int decoded(int code) {
    return wide && code >= 4 ? code + 1 : code;
  }

  void decode(long source, int sourceSize, long target, int targetSize) {
    Body.expect(sourceSize >= 2, "FPC: a body of %d bytes", sourceSize);
    int widthBytes = Memory.getByte(source) & 0xff;
    int level = Memory.getByte(source + 1) & 0xff;
    Body.expect(widthBytes == 4 || widthBytes == 8, "FPC: width %d", widthBytes);
    Body.expect(
        1 <= level && level <= LEVEL_LIMIT, "FPC: level %d, expected 1 to %d", level, LEVEL_LIMIT);
    int count = (targetSize + widthBytes - 1) / widthBytes;
    Body.expect(count <= 2L * sourceSize, "FPC: %d bytes for %d values", sourceSize, count);
    reset(level, widthBytes);
    long from = source + 2;
    long end = source + sourceSize;
    for (int i = 0; i < count; i += 2) {
      Body.expect(from < end, "FPC: the body ends at value %d of %d", i, count);
      int header = Memory.getByte(from++) & 0xff;
      for (int k = 0; k < 2; k++) {
        int half = k == 0 ? header >>> 4 : header & 15;
        int kept = widthBytes - decoded(half & 7);
        Body.expect(
            0 <= kept && kept <= end - from, "FPC: the body ends at value %d of %d", i + k, count);
        long residue = 0;
        for (int b = 0; b < kept; b++) {
          residue |= (Memory.getByte(from++) & 0xffL) << (8 * b);
        }
        long value = residue ^ (half >= 8 ? predictByDifference() : values[valueHash]);
        learn(value);
        put(target, targetSize, widthBytes, i + k, value);
      }
    }
  }

  private static void put(long target, int size, int widthBytes, int index, long value) {
    long offset = (long) index * widthBytes;
    if (offset + widthBytes <= size) {
      Widths.store(target + offset, widthBytes, value);
    } else {
      for (int i = 0; offset + i < size; i++) {
        Memory.putByte(target + offset + i, (byte) (value >>> (8 * i)));
      }
    }
  }
}
