package io.coppice.language.text;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * ClickHouse's strings are bytes, Java's are not. Here a byte that is no part of valid UTF-8
 * becomes the lone surrogate U+DC00 + byte, which UTF-8 never yields, so that bytes survive the way
 * to a {@link String} and back.
 */
public final class ByteText {
  private static final char STRAY = 0xDC00;

  private ByteText() {}

  /** The text of {@code bytes}. */
  public static String of(byte[] bytes) {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length + 1);
    while (true) {
      CoderResult result = decoder.decode(in, out, true);
      if (!result.isError()) {
        return out.flip().toString();
      }
      for (int i = 0; i < result.length(); i++) {
        out.put((char) (STRAY + (in.get() & 0xff)));
      }
      decoder.reset();
    }
  }

  /** The bytes of {@code text}, the inverse of {@link #of}. */
  public static byte[] bytes(String text) {
    if (text.chars().noneMatch(c -> stray((char) c))) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    byte[] out = new byte[text.length() * 3];
    int size = 0;
    for (int i = 0; i < text.length(); ) {
      char c = text.charAt(i);
      if (stray(c)) {
        out[size++] = (byte) c;
        i++;
      } else {
        int point = text.codePointAt(i);
        byte[] encoded = Character.toString(point).getBytes(StandardCharsets.UTF_8);
        System.arraycopy(encoded, 0, out, size, encoded.length);
        size += encoded.length;
        i += Character.charCount(point);
      }
    }
    return Arrays.copyOf(out, size);
  }

  /** Whether {@code c} stands for a byte outside of UTF-8, provided no high surrogate precedes. */
  static boolean stray(char c) {
    return c >= STRAY + 0x80 && c <= STRAY + 0xff;
  }
}
