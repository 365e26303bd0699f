package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.text.ByteText;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * A pattern of LIKE: {@code %} any characters, {@code _} one, a backslash takes both as they are.
 */
final class LikePattern {
  private static final int ANY = -1;
  private static final int ONE = -2;

  private final int[] pattern;
  private final boolean ignoreCase;

  LikePattern(String text, boolean ignoreCase) {
    this.ignoreCase = ignoreCase;
    int[] points = fold(text).codePoints().toArray();
    int[] out = new int[points.length];
    int size = 0;
    for (int i = 0; i < points.length; i++) {
      int c = points[i];
      if (c == '\\') {
        if (i + 1 == points.length) {
          throw EngineException.of(
              ErrorCode.CANNOT_PARSE_ESCAPE_SEQUENCE, "LIKE: the pattern ends with a backslash");
        }
        int next = points[i + 1];
        if (next == '%' || next == '_' || next == '\\') {
          i++;
          out[size++] = next;
        } else {
          out[size++] = '\\';
        }
      } else if (c == '%') {
        if (size == 0 || out[size - 1] != ANY) {
          out[size++] = ANY;
        }
      } else {
        out[size++] = c == '_' ? ONE : c;
      }
    }
    pattern = Arrays.copyOf(out, size);
  }

  /**
   * The bytes that a pattern looks for, if it is but bytes with {@code %} around or beside them.
   */
  static Optional<ByteMatcher> bytes(byte[] pattern) {
    int from = 0;
    int to = pattern.length;
    while (from < to && pattern[from] == '%') {
      from++;
    }
    while (to > from && pattern[to - 1] == '%') {
      to--;
    }
    for (int i = from; i < to; i++) {
      if (pattern[i] == '%' || pattern[i] == '_' || pattern[i] == '\\') {
        return Optional.empty();
      }
    }
    boolean before = from > 0;
    boolean behind = to < pattern.length;
    ByteMatcher.Place place =
        before
            ? behind || from == to ? ByteMatcher.Place.ANYWHERE : ByteMatcher.Place.END
            : behind ? ByteMatcher.Place.START : ByteMatcher.Place.WHOLE;
    return Optional.of(new ByteMatcher(Arrays.copyOfRange(pattern, from, to), place));
  }

  private String fold(String text) {
    return ignoreCase ? text.toLowerCase(Locale.ROOT) : text;
  }

  boolean matches(byte[] value) {
    int[] text = fold(ByteText.of(value)).codePoints().toArray();
    int t = 0;
    int p = 0;
    int star = -1;
    int resume = 0;
    // Greedy with one point of return: the last %.
    while (t < text.length) {
      if (p < pattern.length && (pattern[p] == ONE || pattern[p] == text[t])) {
        t++;
        p++;
      } else if (p < pattern.length && pattern[p] == ANY) {
        star = p++;
        resume = t;
      } else if (star >= 0) {
        p = star + 1;
        t = ++resume;
      } else {
        return false;
      }
    }
    while (p < pattern.length && pattern[p] == ANY) {
      p++;
    }
    return p == pattern.length;
  }
}
