package io.coppice.base.hash;

import static io.coppice.base.bytes.Memory.byteAt;
import static io.coppice.base.bytes.Memory.longAt;

import io.coppice.base.bytes.Memory;
import java.util.Objects;

/**
 * SipHash-2-4 of 64 bits, and of 128 bits in ClickHouse's own way (the two halves of the final
 * state, not the 128-bit variant of the reference), which partition ids, hashed file names and
 * block ids are made of. {@link #reference128()} is the reference's variant.
 *
 * <p>An instance takes bytes piece by piece and is confined to one thread. {@code hash…()} answers
 * for the bytes so far and may be followed by more. The static functions do one range at once, make
 * no garbage, and may be called from any thread. Raw ranges are not checked: the caller vouches for
 * them.
 */
public final class SipHash {
  private static final long INIT0 = 0x736f6d6570736575L;
  private static final long INIT1 = 0x646f72616e646f6dL;
  private static final long INIT2 = 0x6c7967656e657261L;
  private static final long INIT3 = 0x7465646279746573L;

  private enum Form {
    HASH64,
    CLICKHOUSE128,
    REFERENCE128
  }

  private final long key0;
  private final long key1;
  private final boolean reference;
  private long v0;
  private long v1;
  private long v2;
  private long v3;
  private long rest;
  private long sizeBytes;

  /** Without a key, as ClickHouse's files have it (key zero). */
  public SipHash() {
    this(0, 0);
  }

  /** With a key of 128 bits. */
  public SipHash(long key0, long key1) {
    this(key0, key1, false);
  }

  private SipHash(long key0, long key1, boolean reference) {
    this.key0 = key0;
    this.key1 = key1;
    this.reference = reference;
    reset();
  }

  /** A hash whose 128 bits are those of the reference implementation, key zero. */
  public static SipHash reference128() {
    return reference128(0, 0);
  }

  /** A hash whose 128 bits are those of the reference implementation. */
  public static SipHash reference128(long key0, long key1) {
    return new SipHash(key0, key1, true);
  }

  /** Forgets all bytes; the key stays. */
  public void reset() {
    v0 = INIT0 ^ key0;
    v1 = INIT1 ^ key1;
    v2 = INIT2 ^ key0;
    v3 = INIT3 ^ key1;
    if (reference) {
      v1 ^= 0xee;
    }
    rest = 0;
    sizeBytes = 0;
  }

  /** Adds {@code size} bytes at {@code address}. */
  public SipHash update(long address, long size) {
    add(null, address, size);
    return this;
  }

  /** Adds a part of an array. */
  public SipHash update(byte[] bytes, int offset, int size) {
    Objects.checkFromIndexSize(offset, size, bytes.length);
    add(bytes, Memory.arrayOffset(offset), size);
    return this;
  }

  /** Adds a whole array. */
  public SipHash update(byte[] bytes) {
    add(bytes, Memory.arrayOffset(0), bytes.length);
    return this;
  }

  /** Adds one byte, the low eight bits of {@code value}. */
  public SipHash updateU8(int value) {
    int filled = (int) sizeBytes & 7;
    rest |= (value & 0xffL) << (filled * 8);
    sizeBytes++;
    if (filled == 7) {
      compress(rest);
      rest = 0;
    }
    return this;
  }

  /** Adds two bytes, little-endian. */
  public SipHash updateU16(int value) {
    return updateU8(value).updateU8(value >>> 8);
  }

  /** Adds four bytes, little-endian. */
  public SipHash updateU32(int value) {
    return updateU16(value).updateU16(value >>> 16);
  }

  /** Adds eight bytes, little-endian. */
  public SipHash updateU64(long value) {
    int filledBits = ((int) sizeBytes & 7) * 8;
    sizeBytes += 8;
    if (filledBits == 0) {
      compress(value);
    } else {
      compress(rest | (value << filledBits));
      rest = value >>> (64 - filledBits);
    }
    return this;
  }

  private void compress(long word) {
    long a = v0;
    long b = v1;
    long c = v2;
    long d = v3 ^ word;
    for (int round = 0; round < 2; round++) {
      a += b;
      b = Long.rotateLeft(b, 13) ^ a;
      a = Long.rotateLeft(a, 32);
      c += d;
      d = Long.rotateLeft(d, 16) ^ c;
      a += d;
      d = Long.rotateLeft(d, 21) ^ a;
      c += b;
      b = Long.rotateLeft(b, 17) ^ c;
      c = Long.rotateLeft(c, 32);
    }
    v0 = a ^ word;
    v1 = b;
    v2 = c;
    v3 = d;
  }

  private void add(byte[] base, long start, long size) {
    long at = start;
    long end = start + size;
    while (at < end && (sizeBytes & 7) != 0) {
      updateU8(byteAt(base, at++));
    }
    long words = (end - at) >>> 3;
    if (words > 0) {
      sizeBytes += words * 8;
      long a = v0;
      long b = v1;
      long c = v2;
      long d = v3;
      for (long wordsEnd = at + words * 8; at < wordsEnd; at += 8) {
        long word = longAt(base, at);
        d ^= word;
        a += b;
        b = Long.rotateLeft(b, 13) ^ a;
        a = Long.rotateLeft(a, 32);
        c += d;
        d = Long.rotateLeft(d, 16) ^ c;
        a += d;
        d = Long.rotateLeft(d, 21) ^ a;
        c += b;
        b = Long.rotateLeft(b, 17) ^ c;
        c = Long.rotateLeft(c, 32);
        a += b;
        b = Long.rotateLeft(b, 13) ^ a;
        a = Long.rotateLeft(a, 32);
        c += d;
        d = Long.rotateLeft(d, 16) ^ c;
        a += d;
        d = Long.rotateLeft(d, 21) ^ a;
        c += b;
        b = Long.rotateLeft(b, 17) ^ c;
        c = Long.rotateLeft(c, 32);
        a ^= word;
      }
      v0 = a;
      v1 = b;
      v2 = c;
      v3 = d;
    }
    while (at < end) {
      updateU8(byteAt(base, at++));
    }
  }

  /** The hash of 64 bits of all bytes so far. */
  public long hash64() {
    return finish(v0, v1, v2, v3, rest | (sizeBytes << 56), Form.HASH64, null);
  }

  /** Writes the hash of 128 bits of all bytes so far to {@code result}. */
  public void hash128(Hash128Slot result) {
    finish(
        v0,
        v1,
        v2,
        v3,
        rest | (sizeBytes << 56),
        reference ? Form.REFERENCE128 : Form.CLICKHOUSE128,
        result);
  }

  /** The hash of 128 bits of all bytes so far. */
  public Hash128 hash128() {
    Hash128Slot slot = new Hash128Slot();
    hash128(slot);
    return slot.value();
  }

  /** Hash of 64 bits of raw memory, key zero. */
  public static long hash64(long address, long size) {
    return once(0, 0, null, address, size, Form.HASH64, null);
  }

  /** Hash of 64 bits of a part of an array, key zero. */
  public static long hash64(byte[] bytes, int offset, int size) {
    return hash64(0, 0, bytes, offset, size);
  }

  /** Hash of 64 bits of raw memory with a key. */
  public static long hash64(long key0, long key1, long address, long size) {
    return once(key0, key1, null, address, size, Form.HASH64, null);
  }

  /** Hash of 64 bits of a part of an array with a key. */
  public static long hash64(long key0, long key1, byte[] bytes, int offset, int size) {
    Objects.checkFromIndexSize(offset, size, bytes.length);
    return once(key0, key1, bytes, Memory.arrayOffset(offset), size, Form.HASH64, null);
  }

  /** ClickHouse's hash of 128 bits of raw memory, key zero, into {@code result}. */
  public static void hash128(long address, long size, Hash128Slot result) {
    once(0, 0, null, address, size, Form.CLICKHOUSE128, result);
  }

  /** ClickHouse's hash of 128 bits of a part of an array, key zero, into {@code result}. */
  public static void hash128(byte[] bytes, int offset, int size, Hash128Slot result) {
    hash128(0, 0, bytes, offset, size, result);
  }

  /** ClickHouse's hash of 128 bits of raw memory with a key, into {@code result}. */
  public static void hash128(long key0, long key1, long address, long size, Hash128Slot result) {
    once(key0, key1, null, address, size, Form.CLICKHOUSE128, result);
  }

  /** ClickHouse's hash of 128 bits of a part of an array with a key, into {@code result}. */
  public static void hash128(
      long key0, long key1, byte[] bytes, int offset, int size, Hash128Slot result) {
    Objects.checkFromIndexSize(offset, size, bytes.length);
    once(key0, key1, bytes, Memory.arrayOffset(offset), size, Form.CLICKHOUSE128, result);
  }

  /** ClickHouse's hash of 128 bits of a whole array, key zero. */
  public static Hash128 hash128(byte[] bytes) {
    Hash128Slot slot = new Hash128Slot();
    hash128(bytes, 0, bytes.length, slot);
    return slot.value();
  }

  private static long once(
      long key0, long key1, byte[] base, long start, long size, Form form, Hash128Slot result) {
    long a = INIT0 ^ key0;
    long b = INIT1 ^ key1;
    long c = INIT2 ^ key0;
    long d = INIT3 ^ key1;
    long at = start;
    for (long wordsEnd = start + (size & ~7L); at < wordsEnd; at += 8) {
      long word = longAt(base, at);
      d ^= word;
      a += b;
      b = Long.rotateLeft(b, 13) ^ a;
      a = Long.rotateLeft(a, 32);
      c += d;
      d = Long.rotateLeft(d, 16) ^ c;
      a += d;
      d = Long.rotateLeft(d, 21) ^ a;
      c += b;
      b = Long.rotateLeft(b, 17) ^ c;
      c = Long.rotateLeft(c, 32);
      a += b;
      b = Long.rotateLeft(b, 13) ^ a;
      a = Long.rotateLeft(a, 32);
      c += d;
      d = Long.rotateLeft(d, 16) ^ c;
      a += d;
      d = Long.rotateLeft(d, 21) ^ a;
      c += b;
      b = Long.rotateLeft(b, 17) ^ c;
      c = Long.rotateLeft(c, 32);
      a ^= word;
    }
    long last = size << 56;
    for (int i = (int) (size & 7) - 1; i >= 0; i--) {
      last |= (byteAt(base, at + i) & 0xffL) << (i * 8);
    }
    return finish(a, b, c, d, last, form, result);
  }

  private static long finish(
      long s0, long s1, long s2, long s3, long last, Form form, Hash128Slot result) {
    long a = s0;
    long b = s1;
    long c = s2;
    long d = s3 ^ last;
    int rounds = form == Form.REFERENCE128 ? 10 : 6;
    long low = 0;
    for (int round = 0; round < rounds; round++) {
      if (round == 2) {
        a ^= last;
        c ^= form == Form.REFERENCE128 ? 0xee : 0xff;
      } else if (round == 6) {
        low = a ^ b ^ c ^ d;
        b ^= 0xdd;
      }
      a += b;
      b = Long.rotateLeft(b, 13) ^ a;
      a = Long.rotateLeft(a, 32);
      c += d;
      d = Long.rotateLeft(d, 16) ^ c;
      a += d;
      d = Long.rotateLeft(d, 21) ^ a;
      c += b;
      b = Long.rotateLeft(b, 17) ^ c;
      c = Long.rotateLeft(c, 32);
    }
    switch (form) {
      case CLICKHOUSE128 -> result.set(a ^ b, c ^ d);
      case REFERENCE128 -> result.set(low, a ^ b ^ c ^ d);
      case HASH64 -> {}
    }
    return a ^ b ^ c ^ d;
  }
}
