package io.coppice.language.text;

import java.util.Locale;
import java.util.Set;

/** Quoting of names and strings as ClickHouse writes them. */
public final class Identifiers {
  /** The only words that ClickHouse quotes when they are names. */
  private static final Set<String> RESERVED =
      Set.of("all", "distinct", "from", "null", "select", "table", "values");

  private Identifiers() {}

  /** {@code name} in backquotes, backquote and backslash escaped, as columns.txt has every name. */
  public static String backQuote(String name) {
    return quote(name, '`');
  }

  /** {@code name} as it is when it reads as an identifier, else in backquotes. */
  public static String backQuoteIfNeeded(String name) {
    return plain(name) && !RESERVED.contains(name.toLowerCase(Locale.ROOT))
        ? name
        : backQuote(name);
  }

  /** The name of a function, which no keyword stands in the way of. */
  public static String functionName(String name) {
    return plain(name) ? name : backQuote(name);
  }

  /** {@code text} as a string literal. */
  public static String quoteString(String text) {
    return quote(text, '\'');
  }

  private static boolean plain(String name) {
    if (name.isEmpty() || Character.isDigit(name.charAt(0))) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean word =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
      if (!word) {
        return false;
      }
    }
    return true;
  }

  private static String quote(String text, char mark) {
    StringBuilder out = new StringBuilder(text.length() + 2).append(mark);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case '\0' -> out.append("\\0");
        case '\\' -> out.append("\\\\");
        default -> {
          boolean pair = i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
          if (!pair && ByteText.stray(c)) {
            out.append("\\x").append(Integer.toHexString(c & 0xff).toUpperCase(Locale.ROOT));
          } else {
            if (c == mark) {
              out.append('\\');
            }
            out.append(c);
          }
        }
      }
    }
    return out.append(mark).toString();
  }
}
