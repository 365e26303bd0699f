package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.text.ByteText;
import java.util.Locale;

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
    pattern = java.util.Arrays.copyOf(out, size);
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
