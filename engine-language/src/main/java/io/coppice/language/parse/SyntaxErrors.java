package io.coppice.language.parse;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.util.List;
import java.util.stream.Collectors;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.IntervalSet;

/** Turns the first thing ANTLR objects to into our error. */
final class SyntaxErrors extends BaseErrorListener {
  private static final int MAX_EXPECTED = 8;
  private static final int MAX_FOUND_CHARS = 40;

  @Override
  public void syntaxError(
      Recognizer<?, ?> recognizer,
      Object offendingSymbol,
      int line,
      int charPositionInLine,
      String message,
      RecognitionException cause) {
    throw error(recognizer, (Token) offendingSymbol, cause);
  }

  static EngineException error(
      Recognizer<?, ?> recognizer, Token offending, RecognitionException cause) {
    String expected = "";
    if (recognizer instanceof org.antlr.v4.runtime.Parser parser) {
      IntervalSet tokens =
          cause != null && cause.getExpectedTokens() != null
              ? cause.getExpectedTokens()
              : parser.getExpectedTokens();
      expected = expected(tokens.toList(), parser);
    }
    return EngineException.of(
        ErrorCode.SYNTAX_ERROR,
        "syntax error at %s: found %s%s",
        position(offending),
        found(offending),
        expected);
  }

  /** An error at a token that the grammar allows and the tree does not. */
  static EngineException error(Token at, String expected) {
    return EngineException.of(
        ErrorCode.SYNTAX_ERROR,
        "syntax error at %s: found %s, expected %s",
        position(at),
        found(at),
        expected);
  }

  static String position(Token token) {
    return "line " + token.getLine() + ", column " + (token.getCharPositionInLine() + 1);
  }

  private static String found(Token token) {
    if (token.getType() == Token.EOF) {
      return "the end of the text";
    }
    String text = token.getText();
    return "'"
        + (text.length() <= MAX_FOUND_CHARS ? text : text.substring(0, MAX_FOUND_CHARS) + "…")
        + "'";
  }

  private static String expected(List<Integer> types, org.antlr.v4.runtime.Parser parser) {
    boolean name = types.contains(ClickHouseParser.ID);
    if (name && types.contains(ClickHouseParser.NUMBER)) {
      return ", expected an expression";
    }
    List<String> words =
        types.stream()
            // Where a name may stand, so may most keywords: saying so once is enough.
            .filter(type -> !name || !keyword(type))
            .map(
                type ->
                    type == ClickHouseParser.ID
                        ? "a name"
                        : type == Token.EOF
                            ? "the end of the text"
                            : parser.getVocabulary().getDisplayName(type))
            .distinct()
            .collect(Collectors.toList());
    if (words.isEmpty()) {
      return "";
    }
    boolean cut = words.size() > MAX_EXPECTED;
    return ", expected "
        + (words.size() == 1 ? "" : "one of ")
        + String.join(", ", words.subList(0, Math.min(words.size(), MAX_EXPECTED)))
        + (cut ? ", …" : "");
  }

  private static boolean keyword(int type) {
    return (type >= ClickHouseParser.ADD && type <= ClickHouseParser.WITH)
        || type == ClickHouseParser.QUOTED_ID;
  }
}
