package io.coppice.parts.compress;

import io.coppice.base.bytes.Memory;

/**
 * Unsigned values of 1, 2, 4 or 8 bytes in memory, and the two bytes most numeric bodies start
 * with.
 */
final class Widths {
  private Widths() {}

  static long load(long address, int widthBytes) {
    return switch (widthBytes) {
      case 1 -> Memory.getByte(address) & 0xffL;
      case 2 -> Memory.getShort(address) & 0xffffL;
      case 4 -> Memory.getInt(address) & 0xffffffffL;
      default -> Memory.getLong(address);
    };
  }

  static void store(long address, int widthBytes, long value) {
    switch (widthBytes) {
      case 1 -> Memory.putByte(address, (byte) value);
      case 2 -> Memory.putShort(address, (short) value);
      case 4 -> Memory.putInt(address, (int) value);
      default -> Memory.putLong(address, value);
    }
  }

  /** All bits of a value of that width set. */
  static long mask(int widthBytes) {
    return -1L >>> (64 - 8 * widthBytes);
  }

  /**
   * Writes width, number of bytes that do not make a whole value, and those bytes, which come
   * first.
   *
   * @return the number of such bytes
   */
  static int putStart(long source, int size, int widthBytes, long target) {
    int skip = size % widthBytes;
    Memory.putByte(target, (byte) widthBytes);
    Memory.putByte(target + 1, (byte) skip);
    Memory.copy(source, target + 2, skip);
    return skip;
  }
}
