package io.coppice.base.hash;

import io.coppice.base.bytes.Memory;
import java.util.HexFormat;

/**
 * A hash of 128 bits.
 *
 * @param low the 64 bits that ClickHouse stores first
 * @param high the 64 bits stored after them
 */
public record Hash128(long low, long high) {
  /** Both halves zero: the file hash of an empty file. */
  public static final Hash128 ZERO = new Hash128(0, 0);

  /**
   * The 16 bytes as stored, low half first, each half little-endian: partition ids, patch hashes,
   * {@code hex(sipHash128(…))}.
   */
  public String memoryHex() {
    return HexFormat.of().formatHex(toBytes());
  }

  /**
   * The 32 digits of the number {@code high * 2^64 + low}: hashed file names, the hashes of {@code
   * system.parts}, checksums of a backup manifest.
   */
  public String numberHex() {
    return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
  }

  /** The 16 bytes as stored; the caller owns them. */
  public byte[] toBytes() {
    byte[] bytes = new byte[16];
    Memory.putLong(bytes, 0, low);
    Memory.putLong(bytes, 8, high);
    return bytes;
  }

  /** The hash whose {@link #memoryHex()} is {@code hex}; anything else is refused. */
  public static Hash128 ofMemoryHex(String hex) {
    if (hex.length() != 32) {
      throw new IllegalArgumentException("a 128-bit hash has 32 hex digits, not " + hex.length());
    }
    byte[] bytes = HexFormat.of().parseHex(hex);
    return new Hash128(Memory.getLong(bytes, 0), Memory.getLong(bytes, 8));
  }

  /** The hash whose {@link #numberHex()} is {@code hex}; anything else is refused. */
  public static Hash128 ofNumberHex(String hex) {
    if (hex.length() != 32) {
      throw new IllegalArgumentException("a 128-bit hash has 32 hex digits, not " + hex.length());
    }
    return new Hash128(
        HexFormat.fromHexDigitsToLong(hex, 16, 32), HexFormat.fromHexDigitsToLong(hex, 0, 16));
  }

  @Override
  public String toString() {
    return numberHex();
  }
}
