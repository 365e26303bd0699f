package io.coppice.base.hash;

import static io.coppice.base.bytes.Memory.byteAt;
import static io.coppice.base.bytes.Memory.intAt;
import static io.coppice.base.bytes.Memory.longAt;

import io.coppice.base.bytes.Memory;
import java.util.Objects;

/**
 * XXH32, XXH64 and XXH3 of 64 bits, seed zero: ClickHouse's {@code xxHash32}, {@code xxHash64} and
 * {@code xxh3}. Ranges are raw memory (not checked) or a part of an array (checked). Stateless; any
 * thread may call it.
 */
public final class XxHash {
  private static final int P32_1 = 0x9e3779b1;
  private static final int P32_2 = 0x85ebca77;
  private static final int P32_3 = 0xc2b2ae3d;
  private static final int P32_4 = 0x27d4eb2f;
  private static final int P32_5 = 0x165667b1;
  private static final long P64_1 = 0x9e3779b185ebca87L;
  private static final long P64_2 = 0xc2b2ae3d27d4eb4fL;
  private static final long P64_3 = 0x165667b19e3779f9L;
  private static final long P64_4 = 0x85ebca77c2b2ae63L;
  private static final long P64_5 = 0x27d4eb2f165667c5L;

  private XxHash() {}

  /** {@code xxHash32} of raw memory. */
  public static int xxHash32(long address, long size) {
    return hash32(null, address, size);
  }

  /** {@code xxHash32} of a part of an array. */
  public static int xxHash32(byte[] bytes, int offset, int size) {
    Objects.checkFromIndexSize(offset, size, bytes.length);
    return hash32(bytes, Memory.arrayOffset(offset), size);
  }

  /** {@code xxHash64} of raw memory. */
  public static long xxHash64(long address, long size) {
    return hash64(null, address, size);
  }

  /** {@code xxHash64} of a part of an array. */
  public static long xxHash64(byte[] bytes, int offset, int size) {
    Objects.checkFromIndexSize(offset, size, bytes.length);
    return hash64(bytes, Memory.arrayOffset(offset), size);
  }

  /** {@code xxh3} of raw memory. */
  public static long xxh3(long address, long size) {
    return Xxh3.hash(null, address, size);
  }

  /** {@code xxh3} of a part of an array. */
  public static long xxh3(byte[] bytes, int offset, int size) {
    Objects.checkFromIndexSize(offset, size, bytes.length);
    return Xxh3.hash(bytes, Memory.arrayOffset(offset), size);
  }

  /** {@code xxHash32} of several arguments: the hash so far and the next, from left to right. */
  public static int combine32(int soFar, int next) {
    return IntHash.combine32(soFar, next);
  }

  /** {@code xxHash64} of several arguments: the hash so far and the next, from left to right. */
  public static long combine64(long soFar, long next) {
    return CityHash.hash128to64(soFar, next);
  }

  private static int round32(int accumulator, int lane) {
    return Integer.rotateLeft(accumulator + lane * P32_2, 13) * P32_1;
  }

  @SuppressWarnings("ConstantOverflow") // the algorithm is modulo 2^32
  private static int hash32(byte[] base, long start, long size) {
    long at = start;
    long end = start + size;
    int h;
    if (size >= 16) {
      int a = P32_1 + P32_2;
      int b = P32_2;
      int c = 0;
      int d = -P32_1;
      do {
        a = round32(a, intAt(base, at));
        b = round32(b, intAt(base, at + 4));
        c = round32(c, intAt(base, at + 8));
        d = round32(d, intAt(base, at + 12));
        at += 16;
      } while (end - at >= 16);
      h =
          Integer.rotateLeft(a, 1)
              + Integer.rotateLeft(b, 7)
              + Integer.rotateLeft(c, 12)
              + Integer.rotateLeft(d, 18);
    } else {
      h = P32_5;
    }
    h += (int) size;
    for (; end - at >= 4; at += 4) {
      h = Integer.rotateLeft(h + intAt(base, at) * P32_3, 17) * P32_4;
    }
    for (; at < end; at++) {
      h = Integer.rotateLeft(h + (byteAt(base, at) & 0xff) * P32_5, 11) * P32_1;
    }
    h ^= h >>> 15;
    h *= P32_2;
    h ^= h >>> 13;
    h *= P32_3;
    return h ^ (h >>> 16);
  }

  private static long round64(long accumulator, long lane) {
    return Long.rotateLeft(accumulator + lane * P64_2, 31) * P64_1;
  }

  private static long merge64(long h, long accumulator) {
    return (h ^ round64(0, accumulator)) * P64_1 + P64_4;
  }

  @SuppressWarnings("ConstantOverflow") // the algorithm is modulo 2^64
  private static long hash64(byte[] base, long start, long size) {
    long at = start;
    long end = start + size;
    long h;
    if (size >= 32) {
      long a = P64_1 + P64_2;
      long b = P64_2;
      long c = 0;
      long d = -P64_1;
      do {
        a = round64(a, longAt(base, at));
        b = round64(b, longAt(base, at + 8));
        c = round64(c, longAt(base, at + 16));
        d = round64(d, longAt(base, at + 24));
        at += 32;
      } while (end - at >= 32);
      h =
          Long.rotateLeft(a, 1)
              + Long.rotateLeft(b, 7)
              + Long.rotateLeft(c, 12)
              + Long.rotateLeft(d, 18);
      h = merge64(merge64(merge64(merge64(h, a), b), c), d);
    } else {
      h = P64_5;
    }
    h += size;
    for (; end - at >= 8; at += 8) {
      h = Long.rotateLeft(h ^ round64(0, longAt(base, at)), 27) * P64_1 + P64_4;
    }
    if (end - at >= 4) {
      h = Long.rotateLeft(h ^ (intAt(base, at) & 0xffffffffL) * P64_1, 23) * P64_2 + P64_3;
      at += 4;
    }
    for (; at < end; at++) {
      h = Long.rotateLeft(h ^ (byteAt(base, at) & 0xffL) * P64_5, 11) * P64_1;
    }
    return avalanche64(h);
  }

  static long avalanche64(long value) {
    long h = value;
    h ^= h >>> 33;
    h *= P64_2;
    h ^= h >>> 29;
    h *= P64_3;
    return h ^ (h >>> 32);
  }
}
