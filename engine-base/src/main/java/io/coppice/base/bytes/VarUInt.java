package io.coppice.base.bytes;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;

/**
 * Unsigned numbers of variable length: seven bits a byte, lowest first, the high bit set on all
 * bytes but the last. A number takes 1 to 10 bytes; the tenth may only be 0 or 1. Encodings longer
 * than needed are read, never written.
 *
 * <p>Stateless; any thread may call it.
 */
public final class VarUInt {
  /** The most bytes that a number takes. */
  public static final int MAX_BYTES = 10;

  private VarUInt() {}

  /** Bytes that {@link #write} takes for {@code value}, read as unsigned. */
  public static int sizeBytes(long value) {
    return (63 - Long.numberOfLeadingZeros(value | 1)) / 7 + 1;
  }

  /**
   * Writes {@code value}, read as unsigned, into an array with room for it.
   *
   * @return index behind the last byte written
   */
  public static int write(byte[] to, int index, long value) {
    int at = index;
    long left = value;
    while ((left & ~0x7fL) != 0) {
      to[at++] = (byte) (left | 0x80);
      left >>>= 7;
    }
    to[at++] = (byte) left;
    return at;
  }

  /**
   * Writes {@code value}, read as unsigned, to memory with room for it.
   *
   * @return address behind the last byte written
   */
  public static long write(long address, long value) {
    long at = address;
    long left = value;
    while ((left & ~0x7fL) != 0) {
      Memory.putByte(at++, (byte) (left | 0x80));
      left >>>= 7;
    }
    Memory.putByte(at++, (byte) left);
    return at;
  }

  /**
   * Bytes of the number that starts at {@code address}, looking no further than {@code limit}.
   *
   * @return 1 to 10; 0 when the memory ends inside the number; -1 when there is no end within ten
   *     bytes or the number exceeds 64 bits
   */
  public static int encodedBytes(long address, long limit) {
    int most = (int) Math.min(MAX_BYTES, limit - address);
    for (int i = 0; i < most; i++) {
      byte b = Memory.getByte(address + i);
      if (b >= 0) {
        return i == MAX_BYTES - 1 && b > 1 ? -1 : i + 1;
      }
    }
    return most == MAX_BYTES ? -1 : 0;
  }

  /** The number in {@code sizeBytes} bytes at {@code address}, as {@link #encodedBytes} said. */
  public static long decode(long address, int sizeBytes) {
    long value = 0;
    for (int i = 0; i < sizeBytes; i++) {
      value |= (Memory.getByte(address + i) & 0x7fL) << (7 * i);
    }
    return value;
  }

  /** As {@link #encodedBytes(long, long)}, in an array up to {@code limit}. */
  public static int encodedBytes(byte[] from, int index, int limit) {
    int most = Math.min(MAX_BYTES, limit - index);
    for (int i = 0; i < most; i++) {
      byte b = from[index + i];
      if (b >= 0) {
        return i == MAX_BYTES - 1 && b > 1 ? -1 : i + 1;
      }
    }
    return most == MAX_BYTES ? -1 : 0;
  }

  /** As {@link #decode(long, int)}, in an array. */
  public static long decode(byte[] from, int index, int sizeBytes) {
    long value = 0;
    for (int i = 0; i < sizeBytes; i++) {
      value |= (from[index + i] & 0x7fL) << (7 * i);
    }
    return value;
  }

  /**
   * The error of a number whose {@link #encodedBytes} is 0 or -1.
   *
   * @param name of the file or buffer, for people
   * @param offset of the number in it, bytes
   */
  public static EngineException broken(int encodedBytes, String name, long offset) {
    return encodedBytes == 0
        ? EngineException.of(
            ErrorCode.CANNOT_READ_ALL_DATA,
            "%s: ends inside the variable-length number at offset %d",
            name,
            offset)
        : EngineException.of(
            ErrorCode.INCORRECT_DATA,
            "%s: the variable-length number at offset %d exceeds 64 bits",
            name,
            offset);
  }
}
