package io.coppice.parts.text;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Passes on what is UTF-8 and puts U+FFFD for each run of bytes that are not. What is written at
 * once ends with a whole character. Confined to one thread.
 */
final class Utf8Output extends FilterOutputStream {
  private static final byte[] REPLACEMENT = {(byte) 0xEF, (byte) 0xBF, (byte) 0xBD};

  Utf8Output(OutputStream out) {
    super(out);
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int end = offset + length;
    int start = offset;
    boolean replaced = false;
    int i = offset;
    while (i < end) {
      int size = bytes[i] >= 0 ? 1 : sequence(bytes, i, end);
      if (size > 0) {
        i += size;
        replaced = false;
        continue;
      }
      out.write(bytes, start, i - start);
      if (!replaced) {
        out.write(REPLACEMENT);
      }
      replaced = true;
      i++;
      start = i;
    }
    out.write(bytes, start, end - start);
  }

  /** Size of the sequence of several bytes at {@code at}; 0 if it is none. */
  static int sequence(byte[] bytes, int at, int end) {
    int first = bytes[at] & 0xFF;
    int size = first >= 0xC2 && first < 0xE0 ? 2 : first >= 0xE0 && first < 0xF0 ? 3 : 0;
    size = first >= 0xF0 && first < 0xF5 ? 4 : size;
    if (size == 0 || at + size > end) {
      return 0;
    }
    for (int i = 1; i < size; i++) {
      if ((bytes[at + i] & 0xC0) != 0x80) {
        return 0;
      }
    }
    int second = bytes[at + 1] & 0xFF;
    boolean overlong = first == 0xE0 && second < 0xA0 || first == 0xF0 && second < 0x90;
    boolean outside = first == 0xED && second > 0x9F || first == 0xF4 && second > 0x8F;
    return overlong || outside ? 0 : size;
  }
}
