package io.coppice.parts.compress;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * One call in the text of a chain, not yet understood: a name and its arguments, each as written.
 */
record CodecText(String name, List<String> arguments) {
  /** Longest text accepted; ClickHouse writes some dozens of characters. */
  private static final int LENGTH_LIMIT = 4096;

  CodecText {
    arguments = List.copyOf(arguments);
  }

  /** The calls in {@code text}, with or without {@code CODEC( )} around them. */
  static List<CodecText> parse(String text) {
    if (text.length() > LENGTH_LIMIT) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_SYNTAX_FOR_CODEC_TYPE, "a codec text of %d characters", text.length());
    }
    return new Reader(text).all();
  }

  void atMost(int count) {
    if (arguments.size() > count) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_SYNTAX_FOR_CODEC_TYPE,
          "codec %s: %d parameters, at most %d",
          name,
          arguments.size(),
          count);
    }
  }

  /** Argument {@code index}, a number in [from, to]; empty when absent. */
  OptionalInt number(int index, int from, int to) {
    if (index >= arguments.size()) {
      return OptionalInt.empty();
    }
    String argument = arguments.get(index);
    int value = -1;
    if (argument.matches("[0-9]{1,4}")) {
      value = Integer.parseInt(argument);
    }
    if (value < from || value > to) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_CODEC_PARAMETER,
          "codec %s: parameter %s, expected %d to %d",
          name,
          argument,
          from,
          to);
    }
    return OptionalInt.of(value);
  }

  private static final class Reader {
    private final String text;
    private int at;

    Reader(String text) {
      this.text = text;
    }

    List<CodecText> all() {
      String first = word();
      boolean wrapped = first.equals("CODEC");
      if (wrapped) {
        expect('(');
        first = word();
      }
      List<CodecText> calls = new ArrayList<>();
      calls.add(call(first));
      while (peek() == ',') {
        at++;
        calls.add(call(word()));
      }
      if (wrapped) {
        expect(')');
      }
      if (peek() != 0) {
        throw broken();
      }
      return calls;
    }

    private CodecText call(String name) {
      List<String> arguments = new ArrayList<>();
      if (peek() == '(') {
        at++;
        while (peek() != ')') {
          if (!arguments.isEmpty()) {
            expect(',');
          }
          arguments.add(argument());
        }
        at++;
      }
      return new CodecText(name, arguments);
    }

    private String argument() {
      if (peek() == '\'') {
        int end = text.indexOf('\'', at + 1);
        if (end < 0) {
          throw broken();
        }
        String quoted = text.substring(at, end + 1);
        at = end + 1;
        return quoted;
      }
      return word();
    }

    private String word() {
      peek();
      int from = at;
      while (at < text.length() && wordPart(text.charAt(at))) {
        at++;
      }
      if (from == at) {
        throw broken();
      }
      return text.substring(from, at);
    }

    private static boolean wordPart(char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    }

    private void expect(char c) {
      if (peek() != c) {
        throw broken();
      }
      at++;
    }

    /** The next character that is not a space, 0 at the end. */
    private char peek() {
      while (at < text.length() && text.charAt(at) == ' ') {
        at++;
      }
      return at < text.length() ? text.charAt(at) : 0;
    }

    private EngineException broken() {
      return EngineException.of(
          ErrorCode.ILLEGAL_SYNTAX_FOR_CODEC_TYPE,
          "'%s' is not a list of codecs: unexpected at character %d",
          text,
          at);
    }
  }
}
