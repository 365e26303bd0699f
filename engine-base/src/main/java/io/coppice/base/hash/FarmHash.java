package io.coppice.base.hash;

import static io.coppice.base.bytes.Memory.byteAt;
import static io.coppice.base.bytes.Memory.intAt;
import static io.coppice.base.bytes.Memory.longAt;

import io.coppice.base.bytes.Memory;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.util.Objects;

/**
 * ClickHouse's {@code farmHash64} of strings (FarmHash's "xo" variant, no seed: up to 32 bytes and
 * from 97 to 256 as in "na", above as in "uo"). Stateless; any thread may call it.
 *
 * <p>From 512 bytes on ClickHouse's builds for x86-64 take a variant made of vector instructions,
 * which gives other values than its other builds. Such strings are refused with {@code
 * SUPPORT_IS_DISABLED} rather than hashed to what no x86-64 server would answer.
 */
public final class FarmHash {
  private static final long K0 = 0xc3a5c85c97cb3127L;
  private static final long K1 = 0xb492b66fbe98f273L;
  private static final long K2 = 0x9ae16a3b2f90404fL;

  private FarmHash() {}

  /** {@code farmHash64} of raw memory. */
  public static long farmHash64(long address, long size) {
    return hash(null, address, size);
  }

  /** {@code farmHash64} of a part of an array. */
  public static long farmHash64(byte[] bytes, int offset, int size) {
    Objects.checkFromIndexSize(offset, size, bytes.length);
    return hash(bytes, Memory.arrayOffset(offset), size);
  }

  private static long rotate(long value, int bits) {
    return Long.rotateRight(value, bits);
  }

  private static long shiftMix(long value) {
    return value ^ (value >>> 47);
  }

  private static long fold(long u, long v, long mul) {
    long a = shiftMix((u ^ v) * mul);
    return shiftMix((v ^ a) * mul) * mul;
  }

  private static long hash(byte[] base, long at, long size) {
    if (size <= 16) {
      return upTo16(base, at, (int) size);
    }
    if (size <= 32) {
      return upTo32(base, at, (int) size);
    }
    if (size <= 64) {
      return upTo64(base, at, (int) size);
    }
    if (size <= 96) {
      return upTo96(base, at, (int) size);
    }
    if (size >= 512) {
      throw EngineException.of(
          ErrorCode.SUPPORT_IS_DISABLED,
          "farmHash64 of a string of %d bytes: ClickHouse's value depends on its build from 512"
              + " bytes on; shard by another function, cityHash64 for example",
          size);
    }
    return size <= 256 ? upTo256(base, at, size) : longHash(base, at, size);
  }

  private static long upTo16(byte[] base, long at, int size) {
    long mul = K2 + size * 2L;
    if (size >= 8) {
      long a = longAt(base, at) + K2;
      long b = longAt(base, at + size - 8);
      return fold(rotate(b, 37) * mul + a, (rotate(a, 25) + b) * mul, mul);
    }
    if (size >= 4) {
      long first = intAt(base, at) & 0xffffffffL;
      return fold(size + (first << 3), intAt(base, at + size - 4) & 0xffffffffL, mul);
    }
    if (size > 0) {
      int a = byteAt(base, at) & 0xff;
      int b = byteAt(base, at + (size >>> 1)) & 0xff;
      int c = byteAt(base, at + size - 1) & 0xff;
      return shiftMix((a + (b << 8)) * K2 ^ (size + (c << 2)) * K0) * K2;
    }
    return K2;
  }

  private static long upTo32(byte[] base, long at, int size) {
    long mul = K2 + size * 2L;
    long a = longAt(base, at) * K1;
    long b = longAt(base, at + 8);
    long c = longAt(base, at + size - 8) * mul;
    long d = longAt(base, at + size - 16) * K2;
    return fold(rotate(a + b, 43) + rotate(c, 30) + d, a + rotate(b + K2, 18) + c, mul);
  }

  private static long chunk32(byte[] base, long at, long mul, long seed0, long seed1) {
    long a = longAt(base, at) * K1;
    long b = longAt(base, at + 8);
    long c = longAt(base, at + 24) * mul;
    long d = longAt(base, at + 16) * K2;
    long u = rotate(a + b, 43) + rotate(c, 30) + d + seed0;
    long v = a + rotate(b + K2, 18) + c + seed1;
    a = shiftMix((u ^ v) * mul);
    return shiftMix((v ^ a) * mul);
  }

  private static long upTo64(byte[] base, long at, int size) {
    long mul0 = K2 - 30;
    long mul1 = K2 - 30 + 2L * size;
    long h0 = chunk32(base, at, mul0, 0, 0);
    long h1 = chunk32(base, at + size - 32, mul1, 0, 0);
    return (h1 * mul1 + h0) * mul1;
  }

  private static long upTo96(byte[] base, long at, int size) {
    long mul0 = K2 - 114;
    long mul1 = K2 - 114 + 2L * size;
    long h0 = chunk32(base, at, mul0, 0, 0);
    long h1 = chunk32(base, at + 32, mul1, 0, 0);
    long h2 = chunk32(base, at + size - 32, mul1, h0, h1);
    return (h2 * 9 + (h0 >>> 17) + (h1 >>> 21)) * mul1;
  }

  @SuppressWarnings("ConstantOverflow") // the algorithm is modulo 2^64
  private static long upTo256(byte[] base, long start, long size) {
    long x = 81;
    long y = 81 * K1 + 113;
    long z = shiftMix(y * K2 + 113) * K2;
    long v0 = 0;
    long v1 = 0;
    long w0 = 0;
    long w1 = 0;
    x = x * K2 + longAt(base, start);
    long tail = (size - 1) & 63;
    long end = start + ((size - 1) & ~63L);
    long at = start;
    long mul = K1;
    boolean last = false;
    // Whole rounds of 64 bytes, then one over the last 64, which overlaps the round before it.
    while (true) {
      long nine = last ? 9 : 1;
      x = rotate(x + y + v0 + longAt(base, at + 8), 37) * mul;
      y = rotate(y + v1 + longAt(base, at + 48), 42) * mul;
      x ^= w1 * nine;
      y += v0 * nine + longAt(base, at + 40);
      z = rotate(z + w0, 33) * mul;
      long a = v1 * mul + longAt(base, at);
      long s = longAt(base, at + 24);
      long b = rotate(x + w0 + a + s, 21);
      long c = a;
      a += longAt(base, at + 8) + longAt(base, at + 16);
      v0 = a + s;
      v1 = b + rotate(a, 44) + c;
      a = z + w1 + longAt(base, at + 32);
      s = longAt(base, at + 56);
      b = rotate(y + longAt(base, at + 16) + a + s, 21);
      c = a;
      a += longAt(base, at + 40) + longAt(base, at + 48);
      w0 = a + s;
      w1 = b + rotate(a, 44) + c;
      long swap = z;
      z = x;
      x = swap;
      if (last) {
        break;
      }
      at += 64;
      if (at == end) {
        last = true;
        mul = K1 + ((z & 0xff) << 1);
        at = end + tail - 63;
        w0 += tail;
        v0 += w0;
        w0 += v0;
      }
    }
    return fold(fold(v0, w0, mul) + shiftMix(y) * K0 + z, fold(v1, w1, mul) + x, mul);
  }

  private static long fold(long x, long y, long mul, int bits) {
    long a = shiftMix((x ^ y) * mul);
    return rotate((y ^ a) * mul, bits) * mul;
  }

  @SuppressWarnings("ConstantOverflow") // the algorithm is modulo 2^64
  private static long longHash(byte[] base, long start, long size) {
    long x = 81;
    long y = 113;
    long z = shiftMix(y * K2) * K2;
    long v0 = 81;
    long v1 = 0;
    long w0 = 0;
    long w1 = 0;
    long u = x - z;
    x *= K2;
    long mul = K2 + (u & 0x82);
    long tail = (size - 1) & 63;
    long end = start + ((size - 1) & ~63L);
    long at = start;
    do {
      long l0 = longAt(base, at);
      long l1 = longAt(base, at + 8);
      long l2 = longAt(base, at + 16);
      long l3 = longAt(base, at + 24);
      long l4 = longAt(base, at + 32);
      long l5 = longAt(base, at + 40);
      long l6 = longAt(base, at + 48);
      long l7 = longAt(base, at + 56);
      x += l0 + l1;
      y += l2;
      z += l3;
      v0 += l4;
      v1 += l5 + l1;
      w0 += l6;
      w1 += l7;
      x = rotate(x, 26) * 9;
      y = rotate(y, 29);
      z *= mul;
      v0 = rotate(v0, 33);
      v1 = rotate(v1, 30);
      w0 = (w0 ^ x) * 9;
      z = rotate(z, 32) + w1;
      w1 += z;
      z *= 9;
      long swap = u;
      u = y;
      y = swap;
      z += l0 + l6;
      v0 += l2;
      v1 += l3;
      w0 += l4;
      w1 += l5 + l6;
      x += l1;
      y += l7;
      y += v0;
      v0 += x - y;
      v1 += w0;
      w0 += v1;
      w1 += x - y;
      x += w1;
      w1 = rotate(w1, 34);
      swap = u;
      u = z;
      z = swap;
      at += 64;
    } while (at != end);
    at = end + tail - 63;
    u *= 9;
    v1 = rotate(v1, 28);
    v0 = rotate(v0, 20);
    w0 += tail;
    u += y;
    y += u;
    x = rotate(y - x + v0 + longAt(base, at + 8), 37) * mul;
    y = rotate(y ^ v1 ^ longAt(base, at + 48), 42) * mul;
    x ^= w1 * 9;
    y += v0 + longAt(base, at + 40);
    z = rotate(z + w0, 33) * mul;
    long a = v1 * mul + longAt(base, at);
    long s = longAt(base, at + 24);
    long b = rotate(x + w0 + a + s, 21);
    long c = a;
    a += longAt(base, at + 8) + longAt(base, at + 16);
    v0 = a + s;
    v1 = b + rotate(a, 44) + c;
    a = z + w1 + longAt(base, at + 32);
    s = longAt(base, at + 56);
    b = rotate(y + longAt(base, at + 16) + a + s, 21);
    c = a;
    a += longAt(base, at + 40) + longAt(base, at + 48);
    w0 = a + s;
    w1 = b + rotate(a, 44) + c;
    return fold(fold(v0 + x, w0 ^ y, mul) + z - u, fold(v1 + y, w1 + z, K2, 30) ^ x, K2, 31);
  }
}
