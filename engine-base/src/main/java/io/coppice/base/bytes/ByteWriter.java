package io.coppice.base.bytes;

import io.coppice.base.check.Check;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * A growing array of bytes, for files and messages that are made in memory. Numbers are
 * little-endian. Confined to one thread; holds at most 2 GB.
 */
public final class ByteWriter {
  private static final int MOST_BYTES = Integer.MAX_VALUE - 8;

  private byte[] bytes;
  private int size;

  /** Empty, with room for a small file. */
  public ByteWriter() {
    this(256);
  }

  /** Empty, with room for {@code expectedBytes}. */
  public ByteWriter(int expectedBytes) {
    Check.argument(expectedBytes >= 0, "expected size %d", expectedBytes);
    this.bytes = new byte[Math.max(16, expectedBytes)];
  }

  private void room(int more) {
    if (bytes.length - size < more) {
      long needed = (long) size + more;
      if (needed > MOST_BYTES) {
        throw EngineException.of(
            ErrorCode.CANNOT_ALLOCATE_MEMORY,
            "writing to memory: %d bytes exceed the limit of %d",
            needed,
            MOST_BYTES);
      }
      bytes = Arrays.copyOf(bytes, (int) Math.min(MOST_BYTES, Math.max(needed, 2L * bytes.length)));
    }
  }

  /** Appends one byte, the low eight bits of {@code value}. */
  public ByteWriter u8(int value) {
    room(1);
    bytes[size++] = (byte) value;
    return this;
  }

  /** Appends two bytes, the low sixteen bits of {@code value}. */
  public ByteWriter u16(int value) {
    room(2);
    Memory.putShort(bytes, size, (short) value);
    size += 2;
    return this;
  }

  /** Appends four bytes. */
  public ByteWriter u32(int value) {
    room(4);
    Memory.putInt(bytes, size, value);
    size += 4;
    return this;
  }

  /** Appends eight bytes. */
  public ByteWriter u64(long value) {
    room(8);
    Memory.putLong(bytes, size, value);
    size += 8;
    return this;
  }

  /** Appends 16 bytes, the low half first. */
  public ByteWriter u128(long low, long high) {
    return u64(low).u64(high);
  }

  /** Appends a {@link VarUInt}. */
  public ByteWriter varUInt(long value) {
    room(VarUInt.MAX_BYTES);
    size = VarUInt.write(bytes, size, value);
    return this;
  }

  /** Appends the length of the UTF-8 text as a {@link VarUInt}, then the text. */
  public ByteWriter string(String text) {
    return string(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Appends the length as a {@link VarUInt}, then the bytes. */
  public ByteWriter string(byte[] text) {
    return varUInt(text.length).bytes(text);
  }

  /** Appends UTF-8 text without a length. */
  public ByteWriter text(String text) {
    return bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Appends a whole array. */
  public ByteWriter bytes(byte[] from) {
    return bytes(from, 0, from.length);
  }

  /** Appends a part of an array. */
  public ByteWriter bytes(byte[] from, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, from.length);
    room(length);
    System.arraycopy(from, offset, bytes, size, length);
    size += length;
    return this;
  }

  /** Appends {@code length} bytes at {@code address}, which the caller vouches for. */
  public ByteWriter bytes(long address, int length) {
    Check.argument(length >= 0, "length %d", length);
    room(length);
    Memory.copy(address, bytes, size, length);
    size += length;
    return this;
  }

  /** Appends {@code count} zero bytes. */
  public ByteWriter zeros(int count) {
    Check.argument(count >= 0, "count %d", count);
    room(count);
    Arrays.fill(bytes, size, size + count, (byte) 0);
    size += count;
    return this;
  }

  /** Overwrites four bytes written before, for example a size known only afterwards. */
  public void putU32(int offset, int value) {
    Objects.checkFromIndexSize(offset, 4, size);
    Memory.putInt(bytes, offset, value);
  }

  /** Overwrites eight bytes written before. */
  public void putU64(int offset, long value) {
    Objects.checkFromIndexSize(offset, 8, size);
    Memory.putLong(bytes, offset, value);
  }

  /** Bytes written. */
  public int size() {
    return size;
  }

  /** Forgets what was written and keeps the room. */
  public void clear() {
    size = 0;
  }

  /** A copy of what was written; the caller owns it. */
  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  /** What was written, without a copy: valid until the next write. */
  public ByteBuffer toByteBuffer() {
    return ByteBuffer.wrap(bytes, 0, size);
  }

  /**
   * The array that holds what was written, from 0 to {@link #size()}: valid until the next write.
   */
  public byte[] array() {
    return bytes;
  }

  /** Writes everything to {@code out}. */
  public void writeTo(OutputStream out) throws IOException {
    out.write(bytes, 0, size);
  }
}
