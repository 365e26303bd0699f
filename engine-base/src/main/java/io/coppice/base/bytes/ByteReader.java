package io.coppice.base.bytes;

import io.coppice.base.check.Check;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * Reads what an array holds, from front to back, never past its end. Numbers are little-endian.
 * Every failure is an {@link EngineException} that names the file and the offset: {@code
 * ATTEMPT_TO_READ_AFTER_EOF} when nothing is left, {@code CANNOT_READ_ALL_DATA} when some is but
 * not enough. Confined to one thread; borrows the array.
 */
public final class ByteReader {
  private final byte[] bytes;
  private final int start;
  private final int limit;
  private final String name;
  private final long baseOffset;
  private int at;

  /**
   * Reads the whole array.
   *
   * @param name of what the bytes are, for messages: a file of a part, say
   */
  public ByteReader(byte[] bytes, String name) {
    this(bytes, 0, bytes.length, name, 0);
  }

  /**
   * Reads a part of an array.
   *
   * @param baseOffset what offset of the file {@code bytes[offset]} is, for messages
   */
  public ByteReader(byte[] bytes, int offset, int length, String name, long baseOffset) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    this.bytes = bytes;
    this.start = offset;
    this.at = offset;
    this.limit = offset + length;
    this.name = name;
    this.baseOffset = baseOffset;
  }

  /** Bytes not read yet. */
  public int remaining() {
    return limit - at;
  }

  /** Whether everything was read. */
  public boolean atEnd() {
    return at == limit;
  }

  /** Where the next byte lies in the file. */
  public long offset() {
    return baseOffset + (at - start);
  }

  /** The name for messages. */
  public String name() {
    return name;
  }

  private int take(int size) {
    if (limit - at < size) {
      throw tooShort(size);
    }
    int from = at;
    at += size;
    return from;
  }

  private EngineException tooShort(long size) {
    return at == limit
        ? EngineException.of(
            ErrorCode.ATTEMPT_TO_READ_AFTER_EOF,
            "%s: ends at offset %d, expected %d more bytes",
            name,
            offset(),
            size)
        : EngineException.of(
            ErrorCode.CANNOT_READ_ALL_DATA,
            "%s: expected %d bytes at offset %d, found %d",
            name,
            size,
            offset(),
            limit - at);
  }

  /** The next byte, 0 to 255. */
  public int u8() {
    return bytes[take(1)] & 0xff;
  }

  /** The next byte without moving, or -1 at the end. */
  public int peek() {
    return at == limit ? -1 : bytes[at] & 0xff;
  }

  /** Two bytes, 0 to 65535. */
  public int u16() {
    int from = take(2);
    return (bytes[from] & 0xff) | (bytes[from + 1] & 0xff) << 8;
  }

  /** Four bytes, as their bits. */
  public int u32() {
    return Memory.getInt(bytes, take(4));
  }

  /** Eight bytes, as their bits. */
  public long u64() {
    return Memory.getLong(bytes, take(8));
  }

  /** A {@link VarUInt}, as its bits: values of 2^63 and more are negative. */
  public long varUInt() {
    int size = VarUInt.encodedBytes(bytes, at, limit);
    if (size <= 0) {
      throw at == limit ? tooShort(1) : VarUInt.broken(size, name, offset());
    }
    return VarUInt.decode(bytes, take(size), size);
  }

  /**
   * A {@link VarUInt} that counts something, 0 to {@code most}.
   *
   * @param what is counted, for the message, in the plural
   */
  public int count(String what, int most) {
    Check.argument(most >= 0, "limit %d", most);
    long offset = offset();
    long value = varUInt();
    if (value < 0 || value > most) {
      throw EngineException.of(
          ErrorCode.TOO_LARGE_ARRAY_SIZE,
          "%s: %s %s at offset %d, at most %d are possible",
          name,
          Long.toUnsignedString(value),
          what,
          offset,
          most);
    }
    return (int) value;
  }

  /** Length as a {@link VarUInt}, then as many bytes of UTF-8; not longer than {@code maxBytes}. */
  public String string(int maxBytes) {
    return new String(stringBytes(maxBytes), StandardCharsets.UTF_8);
  }

  /** Length as a {@link VarUInt}, then as many bytes; not longer than {@code maxBytes}. */
  public byte[] stringBytes(int maxBytes) {
    long offset = offset();
    long size = varUInt();
    if (size < 0 || size > maxBytes) {
      throw EngineException.of(
          ErrorCode.TOO_LARGE_STRING_SIZE,
          "%s: a string of %s bytes at offset %d, at most %d are possible",
          name,
          Long.toUnsignedString(size),
          offset,
          maxBytes);
    }
    return bytes((int) size);
  }

  /** A copy of the next {@code size} bytes; nothing is allocated when they are not there. */
  public byte[] bytes(int size) {
    Check.argument(size >= 0, "size %d", size);
    int from = take(size);
    return Arrays.copyOfRange(bytes, from, from + size);
  }

  /** Copies the next bytes into a part of an array. */
  public void read(byte[] to, int offset, int size) {
    Objects.checkFromIndexSize(offset, size, to.length);
    System.arraycopy(bytes, take(size), to, offset, size);
  }

  /** Passes over {@code size} bytes. */
  public void skip(long size) {
    Check.argument(size >= 0, "size %d", size);
    if (limit - at < size) {
      throw tooShort(size);
    }
    at += (int) size;
  }

  /** Takes exactly these bytes of ASCII; anything else is {@code INCORRECT_DATA}. */
  public void expect(String text) {
    long offset = offset();
    for (int i = 0; i < text.length(); i++) {
      if (u8() != text.charAt(i)) {
        throw EngineException.of(
            ErrorCode.INCORRECT_DATA,
            "%s: expected \"%s\" at offset %d",
            name,
            text.replace("\n", "\\n"),
            offset);
      }
    }
  }

  /** Refuses bytes that were not read, with {@code INCORRECT_DATA}. */
  public void expectEnd() {
    if (at != limit) {
      throw EngineException.of(
          ErrorCode.INCORRECT_DATA,
          "%s: %d bytes too many from offset %d",
          name,
          limit - at,
          offset());
    }
  }
}
