package io.coppice.parts.format;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Reads the text files of a part from front to back. The text must be UTF-8. Every fault is
 * CANNOT_PARSE_INPUT_ASSERTION_FAILED, naming file and line. Confined to one thread.
 */
final class TextReader {
  private final String name;
  private final String text;
  private int at;

  TextReader(byte[] bytes, String name) {
    this.name = name;
    try {
      this.text =
          StandardCharsets.UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT)
              .decode(ByteBuffer.wrap(bytes))
              .toString();
    } catch (CharacterCodingException e) {
      throw new EngineException(
          ErrorCode.CANNOT_PARSE_INPUT_ASSERTION_FAILED, name + ": not a text in UTF-8", e);
    }
  }

  String name() {
    return name;
  }

  boolean atEnd() {
    return at == text.length();
  }

  int remaining() {
    return text.length() - at;
  }

  /** Takes exactly {@code expected}. */
  void expect(String expected) {
    if (!text.startsWith(expected, at)) {
      throw broken("'" + expected.replace("\n", "\\n").replace("\t", "\\t") + "'");
    }
    at += expected.length();
  }

  /** Takes {@code expected} if it is next. */
  boolean tryExpect(String expected) {
    boolean there = text.startsWith(expected, at);
    if (there) {
      at += expected.length();
    }
    return there;
  }

  void expectEnd() {
    if (!atEnd()) {
      throw broken("the end of the file");
    }
  }

  /** A decimal number of 0 to {@code most}, without leading zeros. */
  long number(long most) {
    int from = at;
    long value = 0;
    while (at < text.length() && digit(text.charAt(at))) {
      long next = value * 10 + (text.charAt(at) - '0');
      if (at - from >= 19 || next < 0 || (at > from && text.charAt(from) == '0')) {
        at = from;
        throw broken("a number of 0 to " + most);
      }
      value = next;
      at++;
    }
    if (at == from || value > most) {
      at = from;
      throw broken("a number of 0 to " + most);
    }
    return value;
  }

  /** A decimal number of up to 64 bits, as its bits. */
  long unsigned() {
    int from = at;
    while (at < text.length() && at - from < 21 && digit(text.charAt(at))) {
      at++;
    }
    String digits = text.substring(from, at);
    try {
      return Long.parseUnsignedLong(digits);
    } catch (NumberFormatException e) {
      at = from;
      throw broken("a number of 64 bits");
    }
  }

  private static boolean digit(char c) {
    return c >= '0' && c <= '9';
  }

  /** What is left of the line, which ends with a line feed; takes that too. */
  String line() {
    int end = text.indexOf('\n', at);
    if (end < 0) {
      throw broken("a line feed after what follows");
    }
    String line = text.substring(at, end);
    at = end + 1;
    return line;
  }

  /** All that is left. */
  String rest() {
    String rest = text.substring(at);
    at = text.length();
    return rest;
  }

  /** A name in backquotes, its escapes undone. */
  String backQuoted() {
    int from = at;
    expect("`");
    StringBuilder out = new StringBuilder();
    while (at < text.length() && text.charAt(at) != '`') {
      char c = text.charAt(at++);
      if (c == '\n') {
        break;
      }
      out.append(c == '\\' ? escaped(from) : c);
    }
    if (at == text.length() || text.charAt(at) != '`') {
      at = from;
      throw broken("a name in backquotes");
    }
    at++;
    return out.toString();
  }

  private char escaped(int from) {
    char c = at < text.length() ? text.charAt(at++) : 0;
    return switch (c) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case '0' -> '\0';
      case '\\', '`', '\'', '"' -> c;
      default -> {
        at = from;
        throw broken("a name in backquotes");
      }
    };
  }

  /** The error of finding something else than {@code expected} here. */
  EngineException broken(String expected) {
    long line = 1 + text.substring(0, at).chars().filter(c -> c == '\n').count();
    String found = text.substring(at, Math.min(text.length(), at + 40)).replace("\n", "\\n");
    return EngineException.of(
        ErrorCode.CANNOT_PARSE_INPUT_ASSERTION_FAILED,
        "%s, line %d: expected %s, found '%s'",
        name,
        line,
        expected,
        found);
  }
}
