package io.coppice.base.hash;

/**
 * Hashes of one number: ClickHouse's {@code intHash32} and {@code intHash64}, which {@code
 * cityHash64}, {@code farmHash64} and {@code metroHash64} also are of numbers of up to 64 bits
 * (integers, floats by their bits, Date, Date32, DateTime, Bool, IPv4, Enum; all other types are
 * hashed by their bytes). Narrower numbers are widened without sign for {@code cityHash64} and its
 * kin, with sign for {@code intHash32} and {@code intHash64}. Stateless; any thread may call it.
 */
public final class IntHash {
  private static final long SALT32 = 0x75d9543de018bf45L;
  private static final long SALT64 = 0x4cf2d2baae6da887L;

  private IntHash() {}

  /** {@code intHash32}: 32 bits of a number of up to 64. */
  public static int intHash32(long value) {
    long key = value ^ SALT32;
    key = ~key + (key << 18);
    key ^= Long.rotateRight(key, 31);
    key *= 21;
    key ^= Long.rotateRight(key, 11);
    key += key << 6;
    key ^= Long.rotateRight(key, 22);
    return (int) key;
  }

  /** {@code intHash64}: 64 bits of a number of up to 64. */
  public static long intHash64(long value) {
    return murmurFinalizer(value ^ SALT64);
  }

  /**
   * What {@code murmurHash2_32}, {@code murmurHash3_32} and {@code kafkaMurmurHash} of several
   * arguments are: the hash so far and the next, folded from left to right.
   */
  public static int combine32(int soFar, int next) {
    return intHash32(soFar & 0xffffffffL) ^ next;
  }

  /**
   * What {@code murmurHash2_64}, {@code murmurHash3_64} and {@code gccMurmurHash} of several
   * arguments are: the hash so far and the next, folded from left to right.
   */
  public static long combine64(long soFar, long next) {
    return intHash64(soFar) ^ next;
  }

  /** Mixes 64 bits so that each bit of the result depends on all of them. */
  public static long murmurFinalizer(long value) {
    long h = value;
    h ^= h >>> 33;
    h *= 0xff51afd7ed558ccdL;
    h ^= h >>> 33;
    h *= 0xc4ceb9fe1a85ec53L;
    return h ^ (h >>> 33);
  }
}
