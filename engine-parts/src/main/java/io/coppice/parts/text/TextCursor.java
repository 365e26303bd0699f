package io.coppice.parts.text;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A place in bytes of text, moved on by what reads them. Made once and set on each piece of text;
 * confined to one thread. Its errors do not say where in the input the text stands: the reader of
 * the format adds that.
 */
final class TextCursor {
  byte[] bytes = new byte[0];
  int position;
  int end;

  private byte[] scratch = new byte[256];
  private int scratchSize;

  TextCursor on(byte[] text, int from, int to) {
    this.bytes = text;
    this.position = from;
    this.end = to;
    return this;
  }

  boolean atEnd() {
    return position >= end;
  }

  /** The next byte without moving on, or -1. */
  int peek() {
    return position < end ? bytes[position] & 0xFF : -1;
  }

  void skipSpace() {
    while (position < end) {
      byte b = bytes[position];
      if (b != ' ' && b != '\t' && b != '\n' && b != '\r') {
        return;
      }
      position++;
    }
  }

  /** Moves on if the next byte is {@code b}. */
  boolean accept(int b) {
    if (peek() == b) {
      position++;
      return true;
    }
    return false;
  }

  void expect(int b, String what) {
    if (!accept(b)) {
      throw error("expected " + what);
    }
  }

  /** Whether {@code word} stands next, whatever its case, with no letter or digit behind it. */
  boolean word(String word) {
    if (end - position < word.length()) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      if ((bytes[position + i] | 0x20) != word.charAt(i)) {
        return false;
      }
    }
    int after = position + word.length();
    return after == end || !Character.isLetterOrDigit(bytes[after]);
  }

  /** Bytes of a quoted text, unescaped; valid until the next one is read. */
  byte[] scratch() {
    return scratch;
  }

  int scratchSize() {
    return scratchSize;
  }

  private void put(int b) {
    if (scratchSize == scratch.length) {
      scratch = java.util.Arrays.copyOf(scratch, scratch.length * 2);
    }
    scratch[scratchSize++] = (byte) b;
  }

  private void put(int from, int to) {
    int size = to - from;
    if (scratch.length - scratchSize < size) {
      scratch =
          java.util.Arrays.copyOf(
              scratch, Math.max(scratch.length * 2, Math.addExact(scratchSize, size)));
    }
    System.arraycopy(bytes, from, scratch, scratchSize, size);
    scratchSize += size;
  }

  /** Reads to the end of the text with backslash escapes resolved, into the scratch bytes. */
  void unescapeAll() {
    scratchSize = 0;
    while (position < end) {
      int start = position;
      while (position < end && bytes[position] != '\\') {
        position++;
      }
      put(start, position);
      if (position < end) {
        escape();
      }
    }
  }

  /** Reads {@code '…'} with backslash escapes and doubled quotes, into the scratch bytes. */
  void quoted() {
    int opened = position;
    expect('\'', "a text in single quotes");
    scratchSize = 0;
    while (true) {
      int start = position;
      while (position < end && bytes[position] != '\\' && bytes[position] != '\'') {
        position++;
      }
      put(start, position);
      if (position >= end) {
        position = opened;
        throw error("expected a closing single quote");
      }
      if (bytes[position] == '\\') {
        escape();
      } else {
        position++;
        if (peek() != '\'') {
          return;
        }
        put('\'');
        position++;
      }
    }
  }

  /** Reads what follows a backslash, which is next. */
  private void escape() {
    position++;
    if (position >= end) {
      put('\\');
      return;
    }
    int b = bytes[position++] & 0xFF;
    switch (b) {
      case 'b' -> put('\b');
      case 'f' -> put('\f');
      case 'n' -> put('\n');
      case 'r' -> put('\r');
      case 't' -> put('\t');
      case '0' -> put(0);
      case 'a' -> put(7);
      case 'v' -> put(11);
      case 'e' -> put(27);
      case 'N' -> {}
      case 'x' -> {
        int high = position < end ? Character.digit(bytes[position], 16) : -1;
        int low = position + 1 < end ? Character.digit(bytes[position + 1], 16) : -1;
        if (high < 0 || low < 0) {
          throw error("expected two hexadecimal digits behind \\x");
        }
        put(high << 4 | low);
        position += 2;
      }
      case '\\', '\'', '"', '`', '/', '=', '\n', '\t' -> put(b);
      default -> {
        put('\\');
        put(b);
      }
    }
  }

  /** Reads a JSON string, which is next, into the scratch bytes. */
  void jsonString() {
    int opened = position;
    expect('"', "a string in double quotes");
    scratchSize = 0;
    while (true) {
      int start = position;
      while (position < end && bytes[position] != '\\' && bytes[position] != '"') {
        position++;
      }
      put(start, position);
      if (position >= end) {
        position = opened;
        throw error("expected a closing double quote");
      }
      if (bytes[position++] == '"') {
        return;
      }
      jsonEscape();
    }
  }

  private void jsonEscape() {
    if (position >= end) {
      throw error("expected an escape behind the backslash");
    }
    int b = bytes[position++] & 0xFF;
    switch (b) {
      case 'b' -> put('\b');
      case 'f' -> put('\f');
      case 'n' -> put('\n');
      case 'r' -> put('\r');
      case 't' -> put('\t');
      case 'u' -> {
        int code = hex4();
        if (Character.isHighSurrogate((char) code)
            && end - position >= 6
            && bytes[position] == '\\'
            && bytes[position + 1] == 'u') {
          position += 2;
          int low = hex4();
          if (!Character.isLowSurrogate((char) low)) {
            throw error("expected the second half of a surrogate pair");
          }
          code = Character.toCodePoint((char) code, (char) low);
        } else if (Character.isSurrogate((char) code)) {
          throw error("expected both halves of a surrogate pair");
        }
        for (byte utf8 : Character.toString(code).getBytes(StandardCharsets.UTF_8)) {
          put(utf8);
        }
      }
      default -> put(b);
    }
  }

  private int hex4() {
    int code = 0;
    for (int i = 0; i < 4; i++) {
      int digit = position < end ? Character.digit(bytes[position], 16) : -1;
      if (digit < 0) {
        throw error("expected four hexadecimal digits behind \\u");
      }
      code = code << 4 | digit;
      position++;
    }
    return code;
  }

  /** Moves behind an unquoted token: a number or word. */
  void skipToken() {
    while (position < end) {
      switch (bytes[position]) {
        case ',', ']', ')', '}', ':', ' ', '\t', '\n', '\r', '[', '(', '{', '\'', '"' -> {
          return;
        }
        default -> position++;
      }
    }
  }

  /** Moves behind one JSON value of any kind. */
  void skipJson() {
    skipSpace();
    int depth = 0;
    do {
      int b = peek();
      if (b < 0) {
        throw error("expected a JSON value");
      } else if (b == '"') {
        jsonString();
      } else if (b == '{' || b == '[') {
        depth++;
        position++;
      } else if (b == '}' || b == ']') {
        depth--;
        position++;
      } else if (depth > 0 && (b == ',' || b == ':')) {
        position++;
      } else {
        int before = position;
        skipToken();
        if (position == before) {
          throw error("expected a JSON value");
        }
      }
      if (depth > 0) {
        skipSpace();
      }
    } while (depth > 0);
  }

  /** The error that something else was expected here. */
  EngineException error(String expected) {
    return error(ErrorCode.CANNOT_PARSE_INPUT_ASSERTION_FAILED, expected);
  }

  EngineException error(ErrorCode code, String expected) {
    String found = position >= end ? "the end" : "'" + shown(bytes, position, end) + "'";
    return new EngineException(code, expected + ", found " + found);
  }

  /** Bytes for a message: at most forty, unprintable ones escaped. */
  static String shown(byte[] bytes, int from, int to) {
    StringBuilder out = new StringBuilder();
    int stop = Math.min(to, from + 40);
    for (int i = from; i < stop; i++) {
      int b = bytes[i] & 0xFF;
      if (b >= 0x20 && b < 0x7F) {
        out.append((char) b);
      } else {
        out.append(String.format(Locale.ROOT, "\\x%02X", b));
      }
    }
    return to > stop ? out.append('…').toString() : out.toString();
  }
}
