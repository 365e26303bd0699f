package io.coppice.base.hash;

import static io.coppice.base.bytes.Memory.byteAt;
import static io.coppice.base.bytes.Memory.intAt;
import static io.coppice.base.bytes.Memory.longAt;

import io.coppice.base.bytes.Memory;
import java.util.Objects;

/**
 * CityHash of version 1.0.2, which ClickHouse froze into its files; later versions of CityHash give
 * other values. Checksums of compressed blocks are {@link #cityHash128}, file hashes are chains of
 * {@link #cityHash128WithSeed} (see {@link FileHash}), and {@code cityHash64} of a string is {@link
 * #cityHash64}.
 *
 * <p>Ranges are raw memory ({@code address}, {@code size} in bytes, not checked: the caller vouches
 * for it) or a part of an array (checked). Stateless, makes no garbage; any thread may call it.
 */
public final class CityHash {
  /*
   * Inside, a place is a base and an offset (see Memory), so that memory and arrays share one loop.
   * The pairs v and w of the algorithm are kept in locals: a helper that returned a pair would
   * either allocate or pass through memory.
   */
  private static final long K0 = 0xc3a5c85c97cb3127L;
  private static final long K1 = 0xb492b66fbe98f273L;
  private static final long K2 = 0x9ae16a3b2f90404fL;
  private static final long K3 = 0xc949d7c7509e6557L;
  private static final long MUL = 0x9ddfea08eb382d69L;

  private CityHash() {}

  /** Hash of 64 bits of {@code size} bytes at {@code address}. */
  public static long cityHash64(long address, long size) {
    return hash64(null, address, size);
  }

  /** Hash of 64 bits of {@code size} bytes of {@code bytes} from {@code offset}. */
  public static long cityHash64(byte[] bytes, int offset, int size) {
    Objects.checkFromIndexSize(offset, size, bytes.length);
    return hash64(bytes, Memory.arrayOffset(offset), size);
  }

  /** Hash of 64 bits with one seed. */
  public static long cityHash64WithSeed(long address, long size, long seed) {
    return cityHash64WithSeeds(address, size, K2, seed);
  }

  /** Hash of 64 bits with one seed. */
  public static long cityHash64WithSeed(byte[] bytes, int offset, int size, long seed) {
    return cityHash64WithSeeds(bytes, offset, size, K2, seed);
  }

  /** Hash of 64 bits with two seeds. */
  public static long cityHash64WithSeeds(long address, long size, long seed0, long seed1) {
    return hash128to64(cityHash64(address, size) - seed0, seed1);
  }

  /** Hash of 64 bits with two seeds. */
  public static long cityHash64WithSeeds(
      byte[] bytes, int offset, int size, long seed0, long seed1) {
    return hash128to64(cityHash64(bytes, offset, size) - seed0, seed1);
  }

  /** Writes the hash of 128 bits of {@code size} bytes at {@code address} to {@code result}. */
  public static void cityHash128(long address, long size, Hash128Slot result) {
    hash128(null, address, size, result);
  }

  /** Writes the hash of 128 bits of a part of an array to {@code result}. */
  public static void cityHash128(byte[] bytes, int offset, int size, Hash128Slot result) {
    Objects.checkFromIndexSize(offset, size, bytes.length);
    hash128(bytes, Memory.arrayOffset(offset), size, result);
  }

  /** The hash of 128 bits of a whole array. */
  public static Hash128 cityHash128(byte[] bytes) {
    Hash128Slot slot = new Hash128Slot();
    cityHash128(bytes, 0, bytes.length, slot);
    return slot.value();
  }

  /** As {@link #cityHash128}, starting from a seed of 128 bits. */
  public static void cityHash128WithSeed(
      long address, long size, long seedLow, long seedHigh, Hash128Slot result) {
    hash128WithSeed(null, address, size, seedLow, seedHigh, result);
  }

  /** As {@link #cityHash128}, starting from a seed of 128 bits. */
  public static void cityHash128WithSeed(
      byte[] bytes, int offset, int size, long seedLow, long seedHigh, Hash128Slot result) {
    Objects.checkFromIndexSize(offset, size, bytes.length);
    hash128WithSeed(bytes, Memory.arrayOffset(offset), size, seedLow, seedHigh, result);
  }

  /**
   * Folds 128 bits into 64. ClickHouse's {@code cityHash64} of several arguments, and of array
   * elements, is this over the hash so far ({@code low}) and the next ({@code high}).
   */
  public static long hash128to64(long low, long high) {
    long a = (low ^ high) * MUL;
    a ^= a >>> 47;
    long b = (high ^ a) * MUL;
    b ^= b >>> 47;
    return b * MUL;
  }

  private static long shiftMix(long value) {
    return value ^ (value >>> 47);
  }

  private static long rotate(long value, int bits) {
    return Long.rotateRight(value, bits);
  }

  private static long hashUpTo16(byte[] base, long at, int size) {
    if (size > 8) {
      long a = longAt(base, at);
      long b = longAt(base, at + size - 8);
      return hash128to64(a, rotate(b + size, size)) ^ b;
    }
    if (size >= 4) {
      long a = intAt(base, at) & 0xffffffffL;
      return hash128to64(size + (a << 3), intAt(base, at + size - 4) & 0xffffffffL);
    }
    if (size > 0) {
      int a = byteAt(base, at) & 0xff;
      int b = byteAt(base, at + (size >>> 1)) & 0xff;
      int c = byteAt(base, at + size - 1) & 0xff;
      int y = a + (b << 8);
      int z = size + (c << 2);
      return shiftMix((y * K2) ^ (z * K3)) * K2;
    }
    return K2;
  }

  private static long hash17To32(byte[] base, long at, int size) {
    long a = longAt(base, at) * K1;
    long b = longAt(base, at + 8);
    long c = longAt(base, at + size - 8) * K2;
    long d = longAt(base, at + size - 16) * K0;
    return hash128to64(rotate(a - b, 43) + rotate(c, 30) + d, a + rotate(b ^ K3, 20) - c + size);
  }

  private static long hash33To64(byte[] base, long at, int size) {
    long end = at + size;
    long z = longAt(base, at + 24);
    long a = longAt(base, at) + (size + longAt(base, end - 16)) * K0;
    long b = rotate(a + z, 52);
    long c = rotate(a, 37);
    a += longAt(base, at + 8);
    c += rotate(a, 7);
    a += longAt(base, at + 16);
    long vFirst = a + z;
    long vSecond = b + rotate(a, 31) + c;
    a = longAt(base, at + 16) + longAt(base, end - 32);
    z = longAt(base, end - 8);
    b = rotate(a + z, 52);
    c = rotate(a, 37);
    a += longAt(base, end - 24);
    c += rotate(a, 7);
    a += longAt(base, end - 16);
    long wFirst = a + z;
    long wSecond = b + rotate(a, 31) + c;
    long r = shiftMix((vFirst + wSecond) * K2 + (wFirst + vSecond) * K0);
    return shiftMix(r * K0 + vSecond) * K2;
  }

  private static long hash64(byte[] base, long start, long size) {
    if (size <= 32) {
      return size <= 16 ? hashUpTo16(base, start, (int) size) : hash17To32(base, start, (int) size);
    }
    if (size <= 64) {
      return hash33To64(base, start, (int) size);
    }
    long at = start;
    long end = start + size;
    long x = longAt(base, at);
    long y = longAt(base, end - 16) ^ K1;
    long z = longAt(base, end - 56) ^ K0;

    // v = weak(end - 64, size, y); w = weak(end - 32, size * K1, K0)
    long p = longAt(base, end - 64);
    long q = longAt(base, end - 56);
    long r = longAt(base, end - 48);
    long s = longAt(base, end - 40);
    long a = size + p;
    long b = rotate(y + a + s, 21);
    long c = a;
    a += q + r;
    long v0 = a + s;
    long v1 = b + rotate(a, 44) + c;
    p = longAt(base, end - 32);
    q = longAt(base, end - 24);
    r = longAt(base, end - 16);
    s = longAt(base, end - 8);
    a = size * K1 + p;
    b = rotate(K0 + a + s, 21);
    c = a;
    a += q + r;
    long w0 = a + s;
    long w1 = b + rotate(a, 44) + c;

    z += shiftMix(v1) * K1;
    x = rotate(z + x, 39) * K1;
    y = rotate(y, 33) * K1;

    long loopEnd = at + ((size - 1) & ~63L);
    do {
      long l0 = longAt(base, at);
      long l1 = longAt(base, at + 8);
      long l2 = longAt(base, at + 16);
      long l3 = longAt(base, at + 24);
      long l4 = longAt(base, at + 32);
      long l5 = longAt(base, at + 40);
      long l6 = longAt(base, at + 48);
      long l7 = longAt(base, at + 56);
      x = rotate(x + y + v0 + l2, 37) * K1;
      y = rotate(y + v1 + l6, 42) * K1;
      x ^= w1;
      y ^= v0;
      z = rotate(z ^ w0, 33);
      a = v1 * K1 + l0;
      b = rotate(x + w0 + a + l3, 21);
      c = a;
      a += l1 + l2;
      v0 = a + l3;
      v1 = b + rotate(a, 44) + c;
      a = z + w1 + l4;
      b = rotate(y + a + l7, 21);
      c = a;
      a += l5 + l6;
      w0 = a + l7;
      w1 = b + rotate(a, 44) + c;
      long swap = z;
      z = x;
      x = swap;
      at += 64;
    } while (at != loopEnd);
    return hash128to64(hash128to64(v0, w0) + shiftMix(y) * K1 + z, hash128to64(v1, w1) + x);
  }

  private static void hash128(byte[] base, long at, long size, Hash128Slot result) {
    if (size >= 16) {
      hash128WithSeed(
          base, at + 16, size - 16, longAt(base, at) ^ K3, longAt(base, at + 8), result);
    } else if (size >= 8) {
      hash128WithSeed(
          base, at, 0, longAt(base, at) ^ (size * K0), longAt(base, at + size - 8) ^ K1, result);
    } else {
      hash128WithSeed(base, at, size, K0, K1, result);
    }
  }

  /** The short form, for less than 128 bytes. */
  private static void murmur128(
      byte[] base, long start, long size, long seedLow, long seedHigh, Hash128Slot result) {
    long at = start;
    long a = seedLow;
    long b = seedHigh;
    long c;
    long d;
    long left = size - 16;
    if (left <= 0) {
      a = shiftMix(a * K1) * K1;
      c = b * K1 + hashUpTo16(base, at, (int) size);
      d = shiftMix(a + (size >= 8 ? longAt(base, at) : c));
    } else {
      c = hash128to64(longAt(base, at + size - 8) + K1, a);
      d = hash128to64(b + size, c + longAt(base, at + size - 16));
      a += d;
      do {
        a ^= shiftMix(longAt(base, at) * K1) * K1;
        a *= K1;
        b ^= a;
        c ^= shiftMix(longAt(base, at + 8) * K1) * K1;
        c *= K1;
        d ^= c;
        at += 16;
        left -= 16;
      } while (left > 0);
    }
    a = hash128to64(a, c);
    b = hash128to64(d, b);
    result.set(a ^ b, hash128to64(b, a));
  }

  static void hash128WithSeed(
      byte[] base, long start, long size, long seedLow, long seedHigh, Hash128Slot result) {
    if (size < 128) {
      murmur128(base, start, size, seedLow, seedHigh, result);
      return;
    }
    long at = start;
    long x = seedLow;
    long y = seedHigh;
    long z = size * K1;
    long v0 = rotate(y ^ K1, 49) * K1 + longAt(base, at);
    long v1 = rotate(v0, 42) * K1 + longAt(base, at + 8);
    long w0 = rotate(y + z, 35) * K1 + x;
    long w1 = rotate(x + longAt(base, at + 88), 53) * K1;

    // An even number of rounds of 64 bytes, so x and z need not be swapped back.
    long loopEnd = at + (size & ~127L);
    do {
      long l0 = longAt(base, at);
      long l1 = longAt(base, at + 8);
      long l2 = longAt(base, at + 16);
      long l3 = longAt(base, at + 24);
      long l4 = longAt(base, at + 32);
      long l5 = longAt(base, at + 40);
      long l6 = longAt(base, at + 48);
      long l7 = longAt(base, at + 56);
      x = rotate(x + y + v0 + l2, 37) * K1;
      y = rotate(y + v1 + l6, 42) * K1;
      x ^= w1;
      y ^= v0;
      z = rotate(z ^ w0, 33);
      long a = v1 * K1 + l0;
      long b = rotate(x + w0 + a + l3, 21);
      long c = a;
      a += l1 + l2;
      v0 = a + l3;
      v1 = b + rotate(a, 44) + c;
      a = z + w1 + l4;
      b = rotate(y + a + l7, 21);
      c = a;
      a += l5 + l6;
      w0 = a + l7;
      w1 = b + rotate(a, 44) + c;

      l0 = longAt(base, at + 64);
      l1 = longAt(base, at + 72);
      l2 = longAt(base, at + 80);
      l3 = longAt(base, at + 88);
      l4 = longAt(base, at + 96);
      l5 = longAt(base, at + 104);
      l6 = longAt(base, at + 112);
      l7 = longAt(base, at + 120);
      z = rotate(z + y + v0 + l2, 37) * K1;
      y = rotate(y + v1 + l6, 42) * K1;
      z ^= w1;
      y ^= v0;
      x = rotate(x ^ w0, 33);
      a = v1 * K1 + l0;
      b = rotate(z + w0 + a + l3, 21);
      c = a;
      a += l1 + l2;
      v0 = a + l3;
      v1 = b + rotate(a, 44) + c;
      a = x + w1 + l4;
      b = rotate(y + a + l7, 21);
      c = a;
      a += l5 + l6;
      w0 = a + l7;
      w1 = b + rotate(a, 44) + c;
      at += 128;
    } while (at != loopEnd);

    y += rotate(w0, 37) * K0 + z;
    x += rotate(v0 + z, 49) * K0;
    // The tail, up to 127 bytes, in chunks of 32 from the end; the last chunk may reach back.
    int tail = (int) (size & 127);
    for (int done = 0; done < tail; ) {
      done += 32;
      long from = at + tail - done;
      long l0 = longAt(base, from);
      long l1 = longAt(base, from + 8);
      long l2 = longAt(base, from + 16);
      long l3 = longAt(base, from + 24);
      y = rotate(y - x, 42) * K0 + v1;
      w0 += l2;
      x = rotate(x, 49) * K0 + w0;
      w0 += v0;
      long a = v0 + l0;
      long b = rotate(v1 + a + l3, 21);
      long c = a;
      a += l1 + l2;
      v0 = a + l3;
      v1 = b + rotate(a, 44) + c;
    }
    x = hash128to64(x, v0);
    y = hash128to64(y, w0);
    result.set(hash128to64(x + v1, w1) + y, hash128to64(x + w1, y + v1));
  }
}
