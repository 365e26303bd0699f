package io.coppice.parts.compress;

import io.coppice.base.bytes.Memory;

/**
 * The body of DoubleDelta.
 *
 * <pre>
 *   offset  size  field
 *        0     1  width w of a value, bytes: 1, 2, 4 or 8
 *        1     1  s = uncompressed size mod w
 *        2     s  the first s bytes, as they are
 *      2+s     4  count of values
 *      6+s     w  the first value, if there is one
 *    6+s+w     w  the second minus the first, if there is a second
 *   6+s+2w        bits, the high bit of each byte first: one entry per further value
 * </pre>
 *
 * An entry says how the difference to the value before differs from the difference before it, both
 * modulo 2^(8w) and read as signed: d. It is {@code 0} for d = 0, else a prefix, a sign bit, and
 * |d| - 1 in the bits left:
 *
 * <pre>
 *   10     7 bits   -63 &lt; d &lt; 64
 *   110    9 bits   -255 &lt; d &lt; 256
 *   1110  12 bits   -2047 &lt; d &lt; 2048
 *   11110 32 bits   -2^31 &lt; d &lt; 2^31 - 1
 *   11111 64 bits
 * </pre>
 */
final class DoubleDeltaBody {
  /* After how many ones in the prefix how many bits follow, sign included. */
  private static final int[] BITS = {0, 7, 9, 12, 32, 64};

  private DoubleDeltaBody() {}

  /** Bytes that suffice for the body of {@code size} bytes. */
  static long bound(int widthBytes, long size) {
    return 2 + 3L * widthBytes + 4 + (size / widthBytes * 69 + 7) / 8 + 8;
  }

  static int encode(int widthBytes, long source, int size, long target) {
    int skip = Widths.putStart(source, size, widthBytes, target);
    long to = target + 2 + skip;
    int count = (size - skip) / widthBytes;
    Memory.putInt(to, count);
    to += 4;
    long from = source + skip;
    if (count == 0) {
      return (int) (to - target);
    }
    long previous = Widths.load(from, widthBytes);
    Widths.store(to, widthBytes, previous);
    to += widthBytes;
    if (count == 1) {
      return (int) (to - target);
    }
    from += widthBytes;
    long value = Widths.load(from, widthBytes);
    long previousDelta = value - previous;
    previous = value;
    Widths.store(to, widthBytes, previousDelta);
    to += widthBytes;
    BitWriter bits = new BitWriter(to);
    int unused = 64 - 8 * widthBytes;
    for (int i = 2; i < count; i++) {
      from += widthBytes;
      value = Widths.load(from, widthBytes);
      long delta = value - previous;
      long change = (delta - previousDelta) << unused >> unused;
      previousDelta = delta;
      previous = value;
      if (change == 0) {
        bits.write(1, 0);
      } else {
        long sign = change < 0 ? 1 : 0;
        long less = Math.abs(change) - 1; // |Long.MIN_VALUE| - 1 comes out right as well
        if (-63 < change && change < 64) {
          bits.write(9, 0b10L << 7 | sign << 6 | less);
        } else if (-255 < change && change < 256) {
          bits.write(12, 0b110L << 9 | sign << 8 | less);
        } else if (-2047 < change && change < 2048) {
          bits.write(16, 0b1110L << 12 | sign << 11 | less);
        } else if (Integer.MIN_VALUE < change && change < Integer.MAX_VALUE) {
          bits.write(37, 0b11110L << 32 | sign << 31 | less);
        } else {
          bits.write(6, 0b11111L << 1 | sign);
          bits.write(63, less);
        }
      }
    }
    return (int) (bits.finish() - target);
  }

  static void decode(long source, int sourceSize, long target, int targetSize) {
    int start = Body.start("DoubleDelta", source, sourceSize, target, targetSize, 8);
    int widthBytes = start & 0xff;
    int skip = start >>> 8;
    int count = (targetSize - skip) / widthBytes;
    int headBytes = 2 + skip + 4 + Math.min(count, 2) * widthBytes;
    Body.expect(sourceSize >= headBytes, "DoubleDelta: a body of %d bytes", sourceSize);
    int given = Memory.getInt(source + 2 + skip);
    Body.expect(given == count, "DoubleDelta: %d values, expected %d", given, count);
    if (count == 0) {
      return;
    }
    long from = source + 6 + skip;
    long to = target + skip;
    long value = Widths.load(from, widthBytes);
    Widths.store(to, widthBytes, value);
    if (count == 1) {
      return;
    }
    long delta = Widths.load(from + widthBytes, widthBytes);
    value += delta;
    to += widthBytes;
    Widths.store(to, widthBytes, value);
    BitReader bits = new BitReader(source + headBytes, sourceSize - headBytes);
    for (int i = 2; i < count; i++) {
      int ones = bits.ones(5);
      if (ones > 0) {
        long sign = bits.read(1);
        long size = bits.read(BITS[ones] - 1) + 1;
        delta += sign == 0 ? size : -size;
      }
      value += delta;
      to += widthBytes;
      Widths.store(to, widthBytes, value);
    }
  }
}
