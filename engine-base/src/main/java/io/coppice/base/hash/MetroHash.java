package io.coppice.base.hash;

import static io.coppice.base.bytes.Memory.byteAt;
import static io.coppice.base.bytes.Memory.intAt;
import static io.coppice.base.bytes.Memory.longAt;
import static io.coppice.base.bytes.Memory.shortAt;

import io.coppice.base.bytes.Memory;
import java.util.Objects;

/**
 * ClickHouse's {@code metroHash64} of strings (MetroHash64 variant 1, seed zero). Stateless; any
 * thread may call it.
 */
public final class MetroHash {
  private static final long K0 = 0xc83a91e1L;
  private static final long K1 = 0x8648dbdbL;
  private static final long K2 = 0x7bdec03bL;
  private static final long K3 = 0x2f5870a5L;

  private MetroHash() {}

  /** {@code metroHash64} of raw memory. */
  public static long metroHash64(long address, long size) {
    return hash(null, address, size);
  }

  /** {@code metroHash64} of a part of an array. */
  public static long metroHash64(byte[] bytes, int offset, int size) {
    Objects.checkFromIndexSize(offset, size, bytes.length);
    return hash(bytes, Memory.arrayOffset(offset), size);
  }

  private static long rotate(long value, int bits) {
    return Long.rotateRight(value, bits);
  }

  private static long hash(byte[] base, long start, long size) {
    long at = start;
    long end = start + size;
    long h = K2 * K0 + size;
    if (size >= 32) {
      long a = h;
      long b = h;
      long c = h;
      long d = h;
      do {
        a = rotate(a + longAt(base, at) * K0, 29) + c;
        b = rotate(b + longAt(base, at + 8) * K1, 29) + d;
        c = rotate(c + longAt(base, at + 16) * K2, 29) + a;
        d = rotate(d + longAt(base, at + 24) * K3, 29) + b;
        at += 32;
      } while (at <= end - 32);
      c ^= rotate((a + d) * K0 + b, 33) * K1;
      d ^= rotate((b + c) * K1 + a, 33) * K0;
      a ^= rotate((a + c) * K0 + d, 33) * K1;
      b ^= rotate((b + d) * K1 + c, 33) * K0;
      h += a ^ b;
    }
    if (end - at >= 16) {
      long a = rotate(h + longAt(base, at) * K0, 33) * K1;
      long b = rotate(h + longAt(base, at + 8) * K1, 33) * K2;
      a ^= rotate(a * K0, 35) + b;
      b ^= rotate(b * K3, 35) + a;
      h += b;
      at += 16;
    }
    if (end - at >= 8) {
      h += longAt(base, at) * K3;
      h ^= rotate(h, 33) * K1;
      at += 8;
    }
    if (end - at >= 4) {
      h += (intAt(base, at) & 0xffffffffL) * K3;
      h ^= rotate(h, 15) * K1;
      at += 4;
    }
    if (end - at >= 2) {
      h += (shortAt(base, at) & 0xffffL) * K3;
      h ^= rotate(h, 13) * K1;
      at += 2;
    }
    if (end - at >= 1) {
      h += (byteAt(base, at) & 0xffL) * K3;
      h ^= rotate(h, 25) * K1;
    }
    h ^= rotate(h, 33);
    h *= K0;
    return h ^ rotate(h, 33);
  }
}
