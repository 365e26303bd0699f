package io.coppice.base.hash;

import static io.coppice.base.bytes.Memory.byteAt;

import io.coppice.base.bytes.Memory;
import java.util.Objects;

/**
 * ClickHouse's {@code javaHash} and {@code hiveHash}: the hash codes of Java's boxed numbers and,
 * byte by byte, of strings. Stateless; any thread may call it.
 */
public final class JavaHash {
  private JavaHash() {}

  /** {@code javaHash} of Int8, Int16 and Int32: the value. */
  public static int javaHash(int value) {
    return value;
  }

  /** {@code javaHash} of Int64: both halves, xored. */
  public static int javaHash(long value) {
    return Long.hashCode(value);
  }

  /** {@code javaHash} of raw memory: {@code 31 * h + byte}, bytes with sign. */
  public static int javaHash(long address, long size) {
    return hash(null, address, size);
  }

  /** {@code javaHash} of a part of an array. */
  public static int javaHash(byte[] bytes, int offset, int size) {
    Objects.checkFromIndexSize(offset, size, bytes.length);
    return hash(bytes, Memory.arrayOffset(offset), size);
  }

  /** {@code hiveHash} of raw memory: {@code javaHash} without its sign bit. */
  public static int hiveHash(long address, long size) {
    return javaHash(address, size) & Integer.MAX_VALUE;
  }

  /** {@code hiveHash} of a part of an array. */
  public static int hiveHash(byte[] bytes, int offset, int size) {
    return javaHash(bytes, offset, size) & Integer.MAX_VALUE;
  }

  private static int hash(byte[] base, long start, long size) {
    int h = 0;
    for (long at = start; at < start + size; at++) {
      h = 31 * h + byteAt(base, at);
    }
    return h;
  }
}
