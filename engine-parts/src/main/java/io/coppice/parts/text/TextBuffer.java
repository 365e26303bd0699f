package io.coppice.parts.text;

import io.coppice.base.bytes.Memory;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Growing bytes of text. Confined to one thread. */
public final class TextBuffer {
  private byte[] bytes = new byte[256];
  private int size;

  public int size() {
    return size;
  }

  public void clear() {
    size = 0;
  }

  private void room(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(size, more)));
    }
  }

  public void put(int b) {
    room(1);
    bytes[size++] = (byte) b;
  }

  /** Appends ASCII text. */
  public void put(String ascii) {
    int n = ascii.length();
    room(n);
    for (int i = 0; i < n; i++) {
      bytes[size++] = (byte) ascii.charAt(i);
    }
  }

  public void put(byte[] from, int offset, int length) {
    room(length);
    System.arraycopy(from, offset, bytes, size, length);
    size += length;
  }

  /** Appends bytes at a raw address. */
  public void put(long address, int length) {
    room(length);
    Memory.copy(address, bytes, size, length);
    size += length;
  }

  /** Appends a number in decimal. */
  public void putLong(long value) {
    if (value == Long.MIN_VALUE) {
      put("-9223372036854775808");
      return;
    }
    room(20);
    long rest = value;
    if (rest < 0) {
      bytes[size++] = '-';
      rest = -rest;
    }
    int digits = 1;
    for (long bound = 10; digits < 19 && rest >= bound; bound *= 10) {
      digits++;
    }
    for (int i = size + digits - 1; i >= size; i--) {
      bytes[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    size += digits;
  }

  /** Appends a number that is not negative, with zeros in front up to {@code width} digits. */
  public void putPadded(long value, int width) {
    long bound = 1;
    for (int i = 1; i < width; i++) {
      bound *= 10;
      if (value < bound) {
        put('0');
      }
    }
    putLong(value);
  }

  /** Cuts the text to its first {@code length} bytes. */
  public void truncate(int length) {
    size = length;
  }

  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  /** The text as it is, for reading only; valid until the next change. */
  byte[] array() {
    return bytes;
  }

  public void writeTo(OutputStream out) throws IOException {
    out.write(bytes, 0, size);
  }
}
