package io.coppice.parts.compress;

import io.coppice.base.bytes.Memory;
import java.util.Arrays;

/**
 * The body of T64.
 *
 * <pre>
 *   offset  size  field
 *        0     1  number of the type ({@link T64Type}); bit 7 set: whole bytes are transposed by bits
 *        1     s  the first s bytes, as they are; s = uncompressed size mod width of the type
 *      1+s     8  smallest value, extended to 64 bits with its sign; nothing more without values
 *      9+s     8  greatest value, likewise
 *     17+s        blocks of 64 values, the last one filled up with zeros
 * </pre>
 *
 * All values share their bits above bit n; the blocks hold the low n bits of each value as n*8
 * bytes. Where the smallest value is negative and the greatest is not, the highest of the n bits is
 * the sign. If all values are equal, n is 0 and the body ends after the greatest value.
 *
 * <p>A block holds byte 0 of the 64 values, then byte 1, and so on; the last n mod 8 bits are
 * transposed: 8 bytes with one bit of each value, per bit. In the variant {@code 'bit'} the whole
 * bytes are transposed in the same way.
 */
final class T64Body {
  /** Bytes of the smallest and the greatest value. */
  private static final int RANGE_BYTES = 16;

  private T64Body() {}

  /** Bytes that suffice for the body of {@code size} bytes. */
  static long bound(int widthBytes, long size) {
    return 1 + widthBytes + RANGE_BYTES + (size / widthBytes / 64 + 1) * 64 * widthBytes;
  }

  static int encode(T64Type type, boolean byBits, long first, int size, long target) {
    int widthBytes = type.widthBytes();
    int skip = size % widthBytes;
    Memory.putByte(target, (byte) (type.number() | (byBits ? 0x80 : 0)));
    Memory.copy(first, target + 1, skip);
    int count = size / widthBytes;
    if (count == 0) {
      return 1 + skip;
    }
    long source = first + skip;
    long range = target + 1 + skip;
    int unused = 64 - 8 * widthBytes;
    boolean signed = type.signed();
    long min = signed ? Long.MAX_VALUE : -1L;
    long max = signed ? Long.MIN_VALUE : 0;
    for (int i = 0; i < count; i++) {
      long value = Widths.load(source + (long) i * widthBytes, widthBytes);
      if (signed) {
        value = value << unused >> unused;
        min = Math.min(min, value);
        max = Math.max(max, value);
      } else {
        min = Long.compareUnsigned(value, min) < 0 ? value : min;
        max = Long.compareUnsigned(value, max) > 0 ? value : max;
      }
    }
    Memory.putLong(range, min);
    Memory.putLong(range + 8, max);
    int bitCount = bitCount(min, max, signed);
    if (bitCount == 0) {
      return 1 + skip + RANGE_BYTES;
    }
    int wholeBytes = bitCount / 8;
    int oddBits = bitCount % 8;
    long to = range + RANGE_BYTES;
    for (int at = 0; at < count; at += 64) {
      int valueCount = Math.min(64, count - at);
      long from = source + (long) at * widthBytes;
      for (int plane = 0; plane < wholeBytes; plane++) {
        if (byBits) {
          putBits(from + plane, widthBytes, valueCount, 8, to);
        } else {
          for (int i = 0; i < valueCount; i++) {
            Memory.putByte(to + i, Memory.getByte(from + plane + (long) i * widthBytes));
          }
          Memory.fill(to + valueCount, 64 - valueCount, (byte) 0);
        }
        to += 64;
      }
      if (oddBits > 0) {
        putBits(from + wholeBytes, widthBytes, valueCount, oddBits, to);
        to += 8L * oddBits;
      }
    }
    return (int) (to - target);
  }

  /** Writes bit 0 of the bytes at {@code from}, {@code stride} apart, as 64 bits, then bit 1, … */
  private static void putBits(long from, int stride, int valueCount, int bits, long to) {
    for (int bit = 0; bit < bits; bit++) {
      long word = 0;
      for (int i = 0; i < valueCount; i++) {
        word |= (long) (Memory.getByte(from + (long) i * stride) >>> bit & 1) << i;
      }
      Memory.putLong(to + 8L * bit, word);
    }
  }

  private static int bitCount(long min, long max, boolean signed) {
    if (signed && min < 0 && max >= 0) {
      long greatest = min + max >= 0 ? max : ~min;
      return 64 - Long.numberOfLeadingZeros(greatest) + 1;
    }
    return 64 - Long.numberOfLeadingZeros(min ^ max);
  }

  static void decode(long body, int bodySize, long target, int targetSize) {
    Body.expect(bodySize >= 1, "T64: an empty body");
    int first = Memory.getByte(body) & 0xff;
    boolean byBits = first >= 0x80;
    T64Type type = T64Type.ofNumber(first & 0x7f).orElse(null);
    Body.expect(type != null, "T64: type number %d", first & 0x7f);
    int widthBytes = type.widthBytes();
    int skip = targetSize % widthBytes;
    int count = targetSize / widthBytes;
    int headBytes = 1 + skip + (count == 0 ? 0 : RANGE_BYTES);
    Body.expect(bodySize >= headBytes, "T64: a body of %d bytes", bodySize);
    Memory.copy(body + 1, target, skip);
    if (count == 0) {
      return;
    }
    long start = target + skip;
    long min = Memory.getLong(body + 1 + skip);
    long max = Memory.getLong(body + 9 + skip);
    boolean signed = type.signed();
    boolean ordered = signed ? min <= max : Long.compareUnsigned(min, max) <= 0;
    Body.expect(ordered, "T64: smallest value above the greatest");
    int bitCount = bitCount(min, max, signed);
    Body.expect(bitCount <= 8 * widthBytes, "T64: %d bits in %d bytes", bitCount, widthBytes);
    long blockCount = (count + 63L) / 64;
    Body.expect(
        bodySize == headBytes + blockCount * 8 * bitCount,
        "T64: a body of %d bytes for %d values of %d bits",
        bodySize,
        count,
        bitCount);
    if (bitCount == 0) {
      for (int i = 0; i < count; i++) {
        Widths.store(start + (long) i * widthBytes, widthBytes, min);
      }
      return;
    }
    long upperMin = bitCount < 64 ? min >>> bitCount << bitCount : 0;
    long upperMax = upperMin;
    long signBit = 0;
    if (signed && min < 0 && max >= 0 && bitCount < 64) {
      signBit = 1L << (bitCount - 1);
      upperMax = max >>> bitCount << bitCount;
    }
    int wholeBytes = bitCount / 8;
    int oddBits = bitCount % 8;
    long[] values = new long[64];
    long from = body + headBytes;
    for (int at = 0; at < count; at += 64) {
      int valueCount = Math.min(64, count - at);
      Arrays.fill(values, 0);
      for (int plane = 0; plane < wholeBytes; plane++) {
        if (byBits) {
          addBits(from, 8, 8 * plane, values);
        } else {
          for (int i = 0; i < 64; i++) {
            values[i] |= (Memory.getByte(from + i) & 0xffL) << (8 * plane);
          }
        }
        from += 64;
      }
      if (oddBits > 0) {
        addBits(from, oddBits, 8 * wholeBytes, values);
        from += 8L * oddBits;
      }
      long to = start + (long) at * widthBytes;
      for (int i = 0; i < valueCount; i++) {
        long value = values[i];
        long upper = signBit == 0 || (value & signBit) != 0 ? upperMin : upperMax;
        Widths.store(to + (long) i * widthBytes, widthBytes, value | upper);
      }
    }
  }

  private static void addBits(long from, int bits, int shift, long[] values) {
    for (int bit = 0; bit < bits; bit++) {
      long word = Memory.getLong(from + 8L * bit);
      for (int i = 0; i < 64; i++) {
        values[i] |= (word >>> i & 1) << (shift + bit);
      }
    }
  }
}
