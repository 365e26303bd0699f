package io.coppice.cli;

/**
 * Text that may hold anything, names and values out of damaged files among it, made fit for a
 * terminal: no character of it moves a cursor, changes a colour or hides what stands before it.
 * Stateless.
 */
final class Plain {
  private Plain() {}

  /** {@code text} with control characters and stray bytes as backslash escapes, all on one line. */
  static String text(String text) {
    StringBuilder plain = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean pair =
          Character.isHighSurrogate(c)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (pair) {
        if (plain != null) {
          plain.append(c).append(text.charAt(i + 1));
        }
        i++;
      } else if (moves(c)) {
        if (plain == null) {
          plain = new StringBuilder(text.length() + 16).append(text, 0, i);
        }
        plain.append(escaped(c));
      } else if (plain != null) {
        plain.append(c);
      }
    }
    return plain == null ? text : plain.toString();
  }

  private static boolean moves(char c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }

  private static String escaped(char c) {
    if (c == '\n') {
      return "\\n";
    }
    if (c == '\t') {
      return "\\t";
    }
    if (c == '\r') {
      return "\\r";
    }
    if (c >= 0xDC00 && c <= 0xDCFF) { // a byte that is no part of valid UTF-8
      return String.format("\\x%02X", c & 0xFF);
    }
    return c < 0x100 ? String.format("\\x%02X", (int) c) : String.format("\\u%04X", (int) c);
  }

  /** A message that may have several lines, on one. */
  static String line(String message) {
    return text(message.replaceAll("\\s*\\R\\s*", " "));
  }

  /** JSON, whose control characters below the space are escaped already, fit for a terminal. */
  static String json(String json) {
    StringBuilder plain = new StringBuilder(json.length());
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      boolean pair =
          Character.isHighSurrogate(c)
              && i + 1 < json.length()
              && Character.isLowSurrogate(json.charAt(i + 1));
      if (pair) {
        plain.append(c).append(json.charAt(++i));
      } else if (c != '\n' && c != '\r' && moves(c)) { // only strings hold such a thing
        plain.append(String.format("\\u%04x", (int) c));
      } else {
        plain.append(c);
      }
    }
    return plain.toString();
  }
}
