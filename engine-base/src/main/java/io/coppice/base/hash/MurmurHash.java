package io.coppice.base.hash;

import static io.coppice.base.bytes.Memory.byteAt;
import static io.coppice.base.bytes.Memory.intAt;
import static io.coppice.base.bytes.Memory.longAt;

import io.coppice.base.bytes.Memory;
import java.util.Objects;

/**
 * MurmurHash 2 and 3 as ClickHouse's functions of these names have them. Ranges are raw memory (not
 * checked) or a part of an array (checked). Stateless; any thread may call it.
 */
public final class MurmurHash {
  private static final int M2_32 = 0x5bd1e995;
  private static final long M2_64 = 0xc6a4a7935bd1e995L;

  /** The seed that libstdc++ gives to its hash of bytes. */
  private static final long GCC_SEED = 0xc70f6907L;

  /** The seed of Kafka's default partitioner. */
  private static final int KAFKA_SEED = 0x9747b28c;

  private MurmurHash() {}

  /** {@code murmurHash2_32} of raw memory. */
  public static int murmurHash2x32(long address, long size) {
    return murmur2x32(null, address, size, 0);
  }

  /** {@code murmurHash2_32} of a part of an array. */
  public static int murmurHash2x32(byte[] bytes, int offset, int size) {
    Objects.checkFromIndexSize(offset, size, bytes.length);
    return murmur2x32(bytes, Memory.arrayOffset(offset), size, 0);
  }

  /** {@code kafkaMurmurHash} of raw memory: MurmurHash2 with Kafka's seed, without sign. */
  public static int kafkaMurmurHash(long address, long size) {
    return murmur2x32(null, address, size, KAFKA_SEED) & Integer.MAX_VALUE;
  }

  /** {@code kafkaMurmurHash} of a part of an array. */
  public static int kafkaMurmurHash(byte[] bytes, int offset, int size) {
    Objects.checkFromIndexSize(offset, size, bytes.length);
    return murmur2x32(bytes, Memory.arrayOffset(offset), size, KAFKA_SEED) & Integer.MAX_VALUE;
  }

  /** {@code murmurHash2_64} of raw memory. */
  public static long murmurHash2x64(long address, long size) {
    return murmur2x64(null, address, size, 0);
  }

  /** {@code murmurHash2_64} of a part of an array. */
  public static long murmurHash2x64(byte[] bytes, int offset, int size) {
    Objects.checkFromIndexSize(offset, size, bytes.length);
    return murmur2x64(bytes, Memory.arrayOffset(offset), size, 0);
  }

  /** {@code gccMurmurHash} of raw memory: what {@code std::hash} of a string is with GCC. */
  public static long gccMurmurHash(long address, long size) {
    return murmur2x64(null, address, size, GCC_SEED);
  }

  /** {@code gccMurmurHash} of a part of an array. */
  public static long gccMurmurHash(byte[] bytes, int offset, int size) {
    Objects.checkFromIndexSize(offset, size, bytes.length);
    return murmur2x64(bytes, Memory.arrayOffset(offset), size, GCC_SEED);
  }

  /** {@code murmurHash3_32} of raw memory. */
  public static int murmurHash3x32(long address, long size) {
    return murmur3x32(null, address, size);
  }

  /** {@code murmurHash3_32} of a part of an array. */
  public static int murmurHash3x32(byte[] bytes, int offset, int size) {
    Objects.checkFromIndexSize(offset, size, bytes.length);
    return murmur3x32(bytes, Memory.arrayOffset(offset), size);
  }

  /** {@code murmurHash3_64} of raw memory: both halves of the 128 bits, xored. */
  public static long murmurHash3x64(long address, long size) {
    return murmur3x128(null, address, size, null);
  }

  /** {@code murmurHash3_64} of a part of an array. */
  public static long murmurHash3x64(byte[] bytes, int offset, int size) {
    Objects.checkFromIndexSize(offset, size, bytes.length);
    return murmur3x128(bytes, Memory.arrayOffset(offset), size, null);
  }

  /** {@code murmurHash3_128} of raw memory, into {@code result}. */
  public static void murmurHash3x128(long address, long size, Hash128Slot result) {
    murmur3x128(null, address, size, result);
  }

  /** {@code murmurHash3_128} of a part of an array, into {@code result}. */
  public static void murmurHash3x128(byte[] bytes, int offset, int size, Hash128Slot result) {
    Objects.checkFromIndexSize(offset, size, bytes.length);
    murmur3x128(bytes, Memory.arrayOffset(offset), size, result);
  }

  /**
   * {@code murmurHash3_128} of several arguments: the hash so far and the next, from left to right.
   */
  public static Hash128 combine128(Hash128 soFar, Hash128 next) {
    byte[] both = new byte[32];
    Memory.putLong(both, 0, soFar.low());
    Memory.putLong(both, 8, soFar.high());
    Memory.putLong(both, 16, next.low());
    Memory.putLong(both, 24, next.high());
    Hash128Slot slot = new Hash128Slot();
    murmurHash3x128(both, 0, both.length, slot);
    return slot.value();
  }

  /** The last bytes, fewer than eight, as a little-endian number. */
  private static long tail(byte[] base, long at, int size) {
    long value = 0;
    for (int i = size - 1; i >= 0; i--) {
      value = value << 8 | (byteAt(base, at + i) & 0xff);
    }
    return value;
  }

  private static int murmur2x32(byte[] base, long start, long size, int seed) {
    int h = seed ^ (int) size;
    long at = start;
    for (long end = start + (size & ~3L); at < end; at += 4) {
      int k = intAt(base, at) * M2_32;
      k ^= k >>> 24;
      h = h * M2_32 ^ k * M2_32;
    }
    int left = (int) (size & 3);
    if (left > 0) {
      h = (h ^ (int) tail(base, at, left)) * M2_32;
    }
    h ^= h >>> 13;
    h *= M2_32;
    return h ^ (h >>> 15);
  }

  private static long murmur2x64(byte[] base, long start, long size, long seed) {
    long h = seed ^ size * M2_64;
    long at = start;
    for (long end = start + (size & ~7L); at < end; at += 8) {
      long k = longAt(base, at) * M2_64;
      k ^= k >>> 47;
      h = (h ^ k * M2_64) * M2_64;
    }
    int left = (int) (size & 7);
    if (left > 0) {
      h = (h ^ tail(base, at, left)) * M2_64;
    }
    h ^= h >>> 47;
    h *= M2_64;
    return h ^ (h >>> 47);
  }

  private static int scramble32(int k) {
    return Integer.rotateLeft(k * 0xcc9e2d51, 15) * 0x1b873593;
  }

  private static int murmur3x32(byte[] base, long start, long size) {
    int h = 0;
    long at = start;
    for (long end = start + (size & ~3L); at < end; at += 4) {
      h = Integer.rotateLeft(h ^ scramble32(intAt(base, at)), 13) * 5 + 0xe6546b64;
    }
    h ^= scramble32((int) tail(base, at, (int) (size & 3))); // of no bytes: 0
    h ^= (int) size;
    h ^= h >>> 16;
    h *= 0x85ebca6b;
    h ^= h >>> 13;
    h *= 0xc2b2ae35;
    return h ^ (h >>> 16);
  }

  private static final long C1 = 0x87c37b91114253d5L;
  private static final long C2 = 0x4cf5ad432745937fL;

  private static long murmur3x128(byte[] base, long start, long size, Hash128Slot result) {
    long h1 = 0;
    long h2 = 0;
    long at = start;
    for (long end = start + (size & ~15L); at < end; at += 16) {
      h1 ^= Long.rotateLeft(longAt(base, at) * C1, 31) * C2;
      h1 = (Long.rotateLeft(h1, 27) + h2) * 5 + 0x52dce729;
      h2 ^= Long.rotateLeft(longAt(base, at + 8) * C2, 33) * C1;
      h2 = (Long.rotateLeft(h2, 31) + h1) * 5 + 0x38495ab5;
    }
    int left = (int) (size & 15);
    if (left > 8) {
      h2 ^= Long.rotateLeft(tail(base, at + 8, left - 8) * C2, 33) * C1;
    }
    if (left > 0) {
      long k1 = left >= 8 ? longAt(base, at) : tail(base, at, left);
      h1 ^= Long.rotateLeft(k1 * C1, 31) * C2;
    }
    h1 ^= size;
    h2 ^= size;
    h1 += h2;
    h2 += h1;
    h1 = IntHash.murmurFinalizer(h1);
    h2 = IntHash.murmurFinalizer(h2);
    h1 += h2;
    h2 += h1;
    if (result != null) {
      result.set(h1, h2);
    }
    return h1 ^ h2;
  }
}
