package io.coppice.base.hash;

import static io.coppice.base.bytes.Memory.byteAt;
import static io.coppice.base.bytes.Memory.intAt;
import static io.coppice.base.bytes.Memory.longAt;

import io.coppice.base.bytes.Memory;
import java.util.HexFormat;

/** XXH3 of 64 bits, seed zero and the standard secret. */
final class Xxh3 {
  private static final long P32_1 = 0x9e3779b1L;
  private static final long P32_2 = 0x85ebca77L;
  private static final long P32_3 = 0xc2b2ae3dL;
  private static final long P64_1 = 0x9e3779b185ebca87L;
  private static final long P64_2 = 0xc2b2ae3d27d4eb4fL;
  private static final long P64_3 = 0x165667b19e3779f9L;
  private static final long P64_4 = 0x85ebca77c2b2ae63L;
  private static final long P64_5 = 0x27d4eb2f165667c5L;
  private static final long MIX_1 = 0x165667919e3779f9L;
  private static final long MIX_2 = 0x9fb21c651e98df25L;

  private static final int STRIPE_BYTES = 64;
  private static final int LANES = 8;

  /** The secret of the specification, 192 bytes. */
  private static final byte[] SECRET =
      HexFormat.of()
          .parseHex(
              "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
                  + "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
                  + "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8"
                  + "fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364ea"
                  + "c5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b"
                  + "16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e");

  private static final int SECRET_BYTES = SECRET.length;
  private static final int STRIPES_PER_BLOCK = (SECRET_BYTES - STRIPE_BYTES) / 8;

  private Xxh3() {}

  private static long secret(int index) {
    return Memory.getLong(SECRET, index);
  }

  static long hash(byte[] base, long at, long size) {
    if (size <= 16) {
      return upTo16(base, at, (int) size);
    }
    if (size <= 128) {
      return upTo128(base, at, (int) size);
    }
    if (size <= 240) {
      return upTo240(base, at, (int) size);
    }
    return longHash(base, at, size);
  }

  private static long upTo16(byte[] base, long at, int size) {
    if (size > 8) {
      long low = longAt(base, at) ^ (secret(24) ^ secret(32));
      long high = longAt(base, at + size - 8) ^ (secret(40) ^ secret(48));
      return avalanche(size + Long.reverseBytes(low) + high + foldedProduct(low, high));
    }
    if (size >= 4) {
      long first = intAt(base, at) & 0xffffffffL;
      long last = intAt(base, at + size - 4) & 0xffffffffL;
      long h = (last + (first << 32)) ^ (secret(8) ^ secret(16));
      h ^= Long.rotateLeft(h, 49) ^ Long.rotateLeft(h, 24);
      h *= MIX_2;
      h ^= (h >>> 35) + size;
      h *= MIX_2;
      return h ^ (h >>> 28);
    }
    if (size > 0) {
      long first = byteAt(base, at) & 0xff;
      long middle = byteAt(base, at + (size >>> 1)) & 0xff;
      long last = byteAt(base, at + size - 1) & 0xff;
      long combined = first << 16 | middle << 24 | last | (long) size << 8;
      long flip = (Memory.getInt(SECRET, 0) ^ Memory.getInt(SECRET, 4)) & 0xffffffffL;
      return XxHash.avalanche64(combined ^ flip);
    }
    return XxHash.avalanche64(secret(56) ^ secret(64));
  }

  private static long mix16(byte[] base, long at, int secretAt) {
    return foldedProduct(
        longAt(base, at) ^ secret(secretAt), longAt(base, at + 8) ^ secret(secretAt + 8));
  }

  private static long upTo128(byte[] base, long at, int size) {
    long sum = size * P64_1;
    for (int i = (size - 1) / 32; i >= 0; i--) {
      sum += mix16(base, at + 16L * i, 32 * i);
      sum += mix16(base, at + size - 16L * (i + 1), 32 * i + 16);
    }
    return avalanche(sum);
  }

  private static long upTo240(byte[] base, long at, int size) {
    long sum = size * P64_1;
    for (int i = 0; i < 8; i++) {
      sum += mix16(base, at + 16L * i, 16 * i);
    }
    sum = avalanche(sum);
    int rounds = size / 16;
    for (int i = 8; i < rounds; i++) {
      sum += mix16(base, at + 16L * i, 16 * (i - 8) + 3);
    }
    sum += mix16(base, at + size - 16, 136 - 17);
    return avalanche(sum);
  }

  private static long longHash(byte[] base, long start, long size) {
    long[] lanes = {P32_3, P64_1, P64_2, P64_3, P64_4, P32_2, P64_5, P32_1};
    long blockBytes = (long) STRIPE_BYTES * STRIPES_PER_BLOCK;
    long blocks = (size - 1) / blockBytes;
    long at = start;
    for (long block = 0; block < blocks; block++) {
      for (int stripe = 0; stripe < STRIPES_PER_BLOCK; stripe++) {
        accumulate(lanes, base, at, stripe * 8);
        at += STRIPE_BYTES;
      }
      for (int i = 0; i < LANES; i++) {
        long lane = lanes[i];
        lanes[i] = (lane ^ (lane >>> 47) ^ secret(SECRET_BYTES - STRIPE_BYTES + 8 * i)) * P32_1;
      }
    }
    int stripes = (int) ((size - 1 - blockBytes * blocks) / STRIPE_BYTES);
    for (int stripe = 0; stripe < stripes; stripe++) {
      accumulate(lanes, base, at, stripe * 8);
      at += STRIPE_BYTES;
    }
    accumulate(lanes, base, start + size - STRIPE_BYTES, SECRET_BYTES - STRIPE_BYTES - 7);

    long result = size * P64_1;
    for (int i = 0; i < LANES; i += 2) {
      result +=
          foldedProduct(lanes[i] ^ secret(11 + 8 * i), lanes[i + 1] ^ secret(11 + 8 * (i + 1)));
    }
    return avalanche(result);
  }

  private static void accumulate(long[] lanes, byte[] base, long at, int secretAt) {
    for (int i = 0; i < LANES; i++) {
      long value = longAt(base, at + 8L * i);
      long key = value ^ secret(secretAt + 8 * i);
      lanes[i ^ 1] += value;
      lanes[i] += (key & 0xffffffffL) * (key >>> 32);
    }
  }

  private static long foldedProduct(long a, long b) {
    // The high half of the unsigned product; Math.unsignedMultiplyHigh came with Java 18.
    long high = Math.multiplyHigh(a, b) + ((a >> 63) & b) + ((b >> 63) & a);
    return a * b ^ high;
  }

  private static long avalanche(long value) {
    long h = value ^ (value >>> 37);
    h *= MIX_1;
    return h ^ (h >>> 32);
  }
}
