package io.coppice.base.hash;

import io.coppice.base.bytes.Memory;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Objects;

/** ClickHouse's {@code halfMD5}: the first eight bytes of MD5 as a big-endian number. Stateless. */
public final class HalfMd5 {
  private HalfMd5() {}

  /** {@code halfMD5} of several arguments: the hash so far and the next, from left to right. */
  public static long combine(long soFar, long next) {
    byte[] both = new byte[16];
    Memory.putLong(both, 0, soFar);
    Memory.putLong(both, 8, next);
    return halfMd5(both, 0, both.length);
  }

  /** {@code halfMD5} of a part of an array. */
  public static long halfMd5(byte[] bytes, int offset, int size) {
    Objects.checkFromIndexSize(offset, size, bytes.length);
    try {
      MessageDigest md5 = MessageDigest.getInstance("MD5");
      md5.update(bytes, offset, size);
      return Long.reverseBytes(Memory.getLong(md5.digest(), 0));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JVM has MD5", e);
    }
  }
}
