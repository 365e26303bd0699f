package io.coppice.parts.compress;

import io.coppice.base.bytes.Memory;

/**
 * The body of Gorilla.
 *
 * <pre>
 *   offset  size  field
 *        0     1  width w of a value, bytes: 1, 2, 4 or 8
 *        1     1  s = uncompressed size mod w
 *        2     s  the first s bytes, as they are
 *      2+s     4  count of values
 *      6+s     w  the first value, if there is one
 *    6+s+w        bits, the high bit of each byte first: one entry per further value
 * </pre>
 *
 * An entry is the value xor the one before it: {@code 0} if that is 0; {@code 10} and the bits in
 * the window of the entry before, if it fits there; else {@code 11}, the count of leading zero
 * bits, the count of bits from the first to the last 1, and those bits. The two counts have 6 and 7
 * bits for w = 8, 5 and 6 for 4, 4 and 5 for 2, 3 and 4 for 1.
 */
final class GorillaBody {
  private GorillaBody() {}

  private static int leadingBits(int widthBytes) {
    return 3 + Integer.numberOfTrailingZeros(widthBytes);
  }

  /** Bytes that suffice for the body of {@code size} bytes. */
  static long bound(int widthBytes, long size) {
    return 2 + 2L * widthBytes + 4 + (size / widthBytes * (15 + 8 * widthBytes) + 7) / 8 + 8;
  }

  static int encode(int widthBytes, long source, int size, long target) {
    int skip = Widths.putStart(source, size, widthBytes, target);
    long to = target + 2 + skip;
    int count = (size - skip) / widthBytes;
    Memory.putInt(to, count);
    to += 4;
    if (count == 0) {
      return (int) (to - target);
    }
    long from = source + skip;
    long previous = Widths.load(from, widthBytes);
    Widths.store(to, widthBytes, previous);
    BitWriter bits = new BitWriter(to + widthBytes);
    int leadingBits = leadingBits(widthBytes);
    int unused = 64 - 8 * widthBytes;
    int leading = 0;
    int trailing = 0;
    int length = 0;
    for (int i = 1; i < count; i++) {
      from += widthBytes;
      long value = Widths.load(from, widthBytes);
      long changed = value ^ previous;
      previous = value;
      if (changed == 0) {
        bits.write(1, 0);
        continue;
      }
      int newLeading = Long.numberOfLeadingZeros(changed) - unused;
      int newTrailing = Long.numberOfTrailingZeros(changed);
      if (length != 0 && leading <= newLeading && trailing <= newTrailing) {
        bits.write(2, 0b10);
        bits.write(length, changed >>> trailing);
      } else {
        leading = newLeading;
        trailing = newTrailing;
        length = 8 * widthBytes - leading - trailing;
        bits.write(2, 0b11);
        bits.write(leadingBits, leading);
        bits.write(leadingBits + 1, length);
        bits.write(length, changed >>> trailing);
      }
    }
    return (int) (bits.finish() - target);
  }

  static void decode(long source, int sourceSize, long target, int targetSize) {
    int start = Body.start("Gorilla", source, sourceSize, target, targetSize, 8);
    int widthBytes = start & 0xff;
    int skip = start >>> 8;
    int count = (targetSize - skip) / widthBytes;
    int headBytes = 2 + skip + 4 + Math.min(count, 1) * widthBytes;
    Body.expect(sourceSize >= headBytes, "Gorilla: a body of %d bytes", sourceSize);
    int given = Memory.getInt(source + 2 + skip);
    Body.expect(given == count, "Gorilla: %d values, expected %d", given, count);
    if (count == 0) {
      return;
    }
    long value = Widths.load(source + 6 + skip, widthBytes);
    long to = target + skip;
    Widths.store(to, widthBytes, value);
    BitReader bits = new BitReader(source + headBytes, sourceSize - headBytes);
    int leadingBits = leadingBits(widthBytes);
    int trailing = 0;
    int length = 0;
    for (int i = 1; i < count; i++) {
      if (bits.read(1) == 1) {
        if (bits.read(1) == 1) {
          int leading = (int) bits.read(leadingBits);
          length = (int) bits.read(leadingBits + 1);
          trailing = 8 * widthBytes - leading - length;
          Body.expect(
              length > 0 && trailing >= 0,
              "Gorilla: a window of %d bits after %d in a value of %d",
              length,
              leading,
              8 * widthBytes);
        }
        Body.expect(length > 0, "Gorilla: the first window is missing");
        value ^= bits.read(length) << trailing;
      }
      to += widthBytes;
      Widths.store(to, widthBytes, value);
    }
  }
}
