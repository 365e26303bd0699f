package io.coppice.parts.format;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

/** Strings in the order of their bytes in UTF-8, which is not the order of their characters. */
final class Utf8Order {
  static final Comparator<String> INSTANCE = Utf8Order::compare;

  private Utf8Order() {}

  private static int compare(String a, String b) {
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        if (x < 0x80 || y < 0x80) {
          return Character.compare(x, y);
        }
        return Arrays.compareUnsigned(
            a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
      }
    }
    return Integer.compare(a.length(), b.length());
  }
}
