package io.coppice.parts.compress;

import io.coppice.base.bytes.Memory;
import java.math.BigInteger;

/**
 * The body of GCD.
 *
 * <pre>
 *   offset  size  field
 *        0     1  width w of a value, bytes: 1, 2, 4, 8, 16 or 32
 *        1     1  s = uncompressed size mod w
 *        2     s  the first s bytes, as they are
 *      2+s     w  greatest common divisor of all values taken as unsigned; absent without values
 *    2+s+w        the quotients, w bytes each; zeros if the divisor is 0
 * </pre>
 */
final class GcdBody {
  private GcdBody() {}

  static int encode(int widthBytes, long source, int size, long target) {
    int skip = Widths.putStart(source, size, widthBytes, target);
    if (skip == size) {
      return 2 + skip;
    }
    long from = source + skip;
    long to = target + 2 + skip;
    int count = (size - skip) / widthBytes;
    if (widthBytes <= 8) {
      long divisor = 0;
      for (int i = 0; i < count && divisor != 1; i++) {
        divisor = gcd(divisor, Widths.load(from + (long) i * widthBytes, widthBytes));
      }
      Widths.store(to, widthBytes, divisor);
      to += widthBytes;
      if (divisor <= 1 && divisor >= 0) {
        Memory.copy(from, to, (long) count * widthBytes);
      } else {
        for (int i = 0; i < count; i++) {
          long value = Widths.load(from + (long) i * widthBytes, widthBytes);
          long quotient =
              value >= 0 && divisor > 0 ? value / divisor : Long.divideUnsigned(value, divisor);
          Widths.store(to + (long) i * widthBytes, widthBytes, quotient);
        }
      }
    } else {
      encodeWide(widthBytes, from, count, to);
    }
    return 2 + size + widthBytes;
  }

  private static void encodeWide(int widthBytes, long from, int count, long to) {
    BigInteger divisor = BigInteger.ZERO;
    for (int i = 0; i < count && !divisor.equals(BigInteger.ONE); i++) {
      divisor = divisor.gcd(big(from + (long) i * widthBytes, widthBytes));
    }
    putBig(to, widthBytes, divisor);
    long at = to + widthBytes;
    if (divisor.signum() == 0 || divisor.equals(BigInteger.ONE)) {
      Memory.copy(from, at, (long) count * widthBytes);
      return;
    }
    for (int i = 0; i < count; i++) {
      long offset = (long) i * widthBytes;
      putBig(at + offset, widthBytes, big(from + offset, widthBytes).divide(divisor));
    }
  }

  static void decode(long source, int sourceSize, long target, int targetSize) {
    int start = Body.start("GCD", source, sourceSize, target, targetSize, 32);
    int widthBytes = start & 0xff;
    int skip = start >>> 8;
    int count = (targetSize - skip) / widthBytes;
    int expected = 2 + targetSize + (count == 0 ? 0 : widthBytes);
    Body.expect(
        sourceSize == expected, "GCD: a body of %d bytes, expected %d", sourceSize, expected);
    if (count == 0) {
      return;
    }
    long from = source + 2 + skip;
    long to = target + skip;
    if (widthBytes <= 8) {
      long divisor = Widths.load(from, widthBytes);
      from += widthBytes;
      for (int i = 0; i < count; i++) {
        long offset = (long) i * widthBytes;
        Widths.store(to + offset, widthBytes, Widths.load(from + offset, widthBytes) * divisor);
      }
    } else {
      BigInteger divisor = big(from, widthBytes);
      from += widthBytes;
      for (int i = 0; i < count; i++) {
        long offset = (long) i * widthBytes;
        putBig(to + offset, widthBytes, big(from + offset, widthBytes).multiply(divisor));
      }
    }
  }

  private static long gcd(long a, long b) {
    while (b != 0) {
      long rest = a >= 0 && b > 0 ? a % b : Long.remainderUnsigned(a, b);
      a = b;
      b = rest;
    }
    return a;
  }

  private static BigInteger big(long address, int widthBytes) {
    byte[] bigEndian = new byte[widthBytes];
    for (int i = 0; i < widthBytes; i++) {
      bigEndian[widthBytes - 1 - i] = Memory.getByte(address + i);
    }
    return new BigInteger(1, bigEndian);
  }

  /** Stores the low bytes of {@code value}. */
  private static void putBig(long address, int widthBytes, BigInteger value) {
    byte[] bigEndian = value.toByteArray();
    for (int i = 0; i < widthBytes; i++) {
      int index = bigEndian.length - 1 - i;
      Memory.putByte(address + i, index >= 0 ? bigEndian[index] : 0);
    }
  }
}
