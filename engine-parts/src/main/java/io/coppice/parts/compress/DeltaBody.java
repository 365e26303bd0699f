package io.coppice.parts.compress;

import io.coppice.base.bytes.Memory;

/**
 * The body of Delta.
 *
 * <pre>
 *   offset  size  field
 *        0     1  width of a value, bytes: 1, 2, 4 or 8
 *        1     1  s = uncompressed size mod width
 *        2     s  the first s bytes, as they are
 *      2+s        values, each minus the one before it, modulo 2^(8*width); the first as it is
 * </pre>
 */
final class DeltaBody {
  private DeltaBody() {}

  static int encode(int widthBytes, long source, int size, long target) {
    int skip = Widths.putStart(source, size, widthBytes, target);
    long from = source + skip;
    long end = source + size;
    long to = target + 2 + skip;
    switch (widthBytes) {
      case 1 -> {
        byte previous = 0;
        for (; from < end; from++, to++) {
          byte value = Memory.getByte(from);
          Memory.putByte(to, (byte) (value - previous));
          previous = value;
        }
      }
      case 2 -> {
        short previous = 0;
        for (; from < end; from += 2, to += 2) {
          short value = Memory.getShort(from);
          Memory.putShort(to, (short) (value - previous));
          previous = value;
        }
      }
      case 4 -> {
        int previous = 0;
        for (; from < end; from += 4, to += 4) {
          int value = Memory.getInt(from);
          Memory.putInt(to, value - previous);
          previous = value;
        }
      }
      default -> {
        long previous = 0;
        for (; from < end; from += 8, to += 8) {
          long value = Memory.getLong(from);
          Memory.putLong(to, value - previous);
          previous = value;
        }
      }
    }
    return size + 2;
  }

  static void decode(long source, int sourceSize, long target, int targetSize) {
    int start = Body.start("Delta", source, sourceSize, target, targetSize, 8);
    int widthBytes = start & 0xff;
    int skip = start >>> 8;
    Body.expect(
        sourceSize == targetSize + 2,
        "Delta: a body of %d bytes for %d bytes, expected two more",
        sourceSize,
        targetSize);
    long from = source + 2 + skip;
    long to = target + skip;
    long end = target + targetSize;
    switch (widthBytes) {
      case 1 -> {
        byte value = 0;
        for (; to < end; from++, to++) {
          value += Memory.getByte(from);
          Memory.putByte(to, value);
        }
      }
      case 2 -> {
        short value = 0;
        for (; to < end; from += 2, to += 2) {
          value += Memory.getShort(from);
          Memory.putShort(to, value);
        }
      }
      case 4 -> {
        int value = 0;
        for (; to < end; from += 4, to += 4) {
          value += Memory.getInt(from);
          Memory.putInt(to, value);
        }
      }
      default -> {
        long value = 0;
        for (; to < end; from += 8, to += 8) {
          value += Memory.getLong(from);
          Memory.putLong(to, value);
        }
      }
    }
  }
}
