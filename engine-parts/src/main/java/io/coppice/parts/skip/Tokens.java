package io.coppice.parts.skip;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** How texts are cut into what token indexes hold. Stateless. */
final class Tokens {
  private Tokens() {}

  /** Takes a token: {@code size} bytes of {@code text} from {@code from}. */
  interface Taker {
    void take(byte[] text, int from, int size);
  }

  /** Letters and digits of ASCII, and all bytes that are not ASCII. */
  static boolean wordByte(byte b) {
    return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9') || b < 0;
  }

  /** Longest runs of word bytes. */
  static void words(byte[] text, int size, Taker taker) {
    int from = 0;
    while (from < size) {
      while (from < size && !wordByte(text[from])) {
        from++;
      }
      int to = from;
      while (to < size && wordByte(text[to])) {
        to++;
      }
      if (to > from) {
        taker.take(text, from, to - from);
      }
      from = to;
    }
  }

  static List<byte[]> words(byte[] text) {
    List<byte[]> words = new ArrayList<>();
    words(
        text, text.length, (t, from, size) -> words.add(Arrays.copyOfRange(t, from, from + size)));
    return words;
  }

  /**
   * All runs of {@code n} characters of UTF-8; a text of fewer has none. A character that the text
   * cuts off counts as it is.
   */
  static void grams(byte[] text, int size, int n, Taker taker) {
    int from = 0;
    while (from < size) {
      int to = from;
      int count = 0;
      while (count < n && to < size) {
        to += characterBytes(text[to]);
        count++;
      }
      if (count < n) {
        return;
      }
      taker.take(text, from, Math.min(to, size) - from);
      from += characterBytes(text[from]);
    }
  }

  /** Whether {@code b} is inside a character of UTF-8, not its first byte. */
  static boolean continues(byte b) {
    return (b & 0xc0) == 0x80;
  }

  /** Whether the last character of {@code text} lacks bytes. */
  static boolean endsInside(byte[] text) {
    for (int back = 1; back <= 4 && back <= text.length; back++) {
      byte b = text[text.length - back];
      if (!continues(b)) {
        return characterBytes(b) > back;
      }
    }
    return true;
  }

  /** Bytes of the character that begins with {@code b}, by that byte alone. */
  private static int characterBytes(byte b) {
    int first = b & 0xff;
    return first < 0x80 || first < 0xc0
        ? 1
        : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 1;
  }
}
