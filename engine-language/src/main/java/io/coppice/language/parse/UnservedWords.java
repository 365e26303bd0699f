package io.coppice.language.parse;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.Token;

/**
 * What ClickHouse's dialect has and the grammar has not, found in a text that could not be parsed:
 * so the error tells what is not served, instead of where the grammar got lost behind it.
 * Stateless.
 */
final class UnservedWords {
  private static final Set<String> COMPARISONS =
      Set.of("=", "==", "!=", "<>", "<", "<=", ">", ">=");
  private static final Set<String> BEHIND_FROM =
      Set.of(
          "WHERE",
          "PREWHERE",
          "GROUP",
          "HAVING",
          "ORDER",
          "LIMIT",
          "OFFSET",
          "SETTINGS",
          "FORMAT",
          "UNION",
          "INTERSECT",
          "EXCEPT",
          "QUALIFY",
          "WINDOW",
          "INTO",
          "SAMPLE",
          "FINAL");
  private static final Set<String> KINDS_OF_JOIN =
      Set.of(
          "INNER", "LEFT", "RIGHT", "FULL", "OUTER", "CROSS", "ANY", "ALL", "ASOF", "SEMI", "ANTI",
          "GLOBAL", "PASTE", "NATURAL");
  private static final Set<String> OBJECTS =
      Set.of(
          "VIEW",
          "DICTIONARY",
          "FUNCTION",
          "USER",
          "ROLE",
          "QUOTA",
          "PROFILE",
          "WORKLOAD",
          "RESOURCE",
          "COLLECTION");

  private final List<Token> tokens;

  private UnservedWords(List<Token> tokens) {
    this.tokens = tokens;
  }

  /**
   * The first thing that is not served among the tokens from {@code first} on, up to the one behind
   * the token at which the grammar stopped.
   */
  static Optional<EngineException> in(CommonTokenStream stream, int first, int stopped) {
    stream.LT(5); // what stands behind may be needed to tell
    List<Token> tokens = new ArrayList<>();
    for (int i = first; i < stream.size() && i <= stopped + 9; i++) {
      if (stream.get(i).getChannel() == Token.DEFAULT_CHANNEL) {
        tokens.add(stream.get(i));
      }
    }
    UnservedWords words = new UnservedWords(tokens);
    for (int i = 0; i < tokens.size(); i++) {
      boolean far = tokens.get(i).getTokenIndex() < stopped - 1 && words.word(i).equals(",");
      // Only a comma that stopped the grammar is asked for what stands before it.
      Optional<String> what = far ? Optional.empty() : words.at(i);
      boolean join = words.word(i).equals("JOIN"); // it may have two words before it
      if (what.isPresent() && (join || tokens.get(i).getTokenIndex() <= stopped + 1)) {
        return Optional.of(error(what.get(), tokens.get(i)));
      }
    }
    return Optional.empty();
  }

  /** The error for what is known and not served. */
  static EngineException error(String what, Token at) {
    return EngineException.of(
        ErrorCode.NOT_IMPLEMENTED,
        "%s, at %s: this is not served",
        what,
        SyntaxErrors.position(at));
  }

  /** A word in capitals, or whatever else stands there; empty beyond the ends. */
  private String word(int index) {
    return index < 0 || index >= tokens.size() || tokens.get(index).getType() == Token.EOF
        ? ""
        : tokens.get(index).getText().toUpperCase(Locale.ROOT);
  }

  private Optional<String> at(int i) {
    boolean partOfName = word(i - 1).equals(".") || word(i + 1).equals(".");
    if (partOfName) {
      return Optional.empty();
    }
    String next = word(i + 1);
    switch (word(i)) {
      case "JOIN":
        return Optional.of(
            word(i - 1).equals("ARRAY")
                ? "ARRAY JOIN"
                : KINDS_OF_JOIN.contains(word(i - 1)) ? word(i - 1) + " JOIN" : "JOIN");
      case "OVER":
        return given(word(i - 1).equals(")") && !next.equals(","), "OVER, a window function");
      case "FILTER":
        return given(word(i - 1).equals(")") && next.equals("("), "FILTER behind an aggregate");
      case "QUALIFY":
        return Optional.of("QUALIFY");
      case "FETCH":
        return given(next.equals("FIRST") || next.equals("NEXT"), "FETCH; LIMIT is");
      case "ROW", "ROWS":
        return given(word(i - 2).equals("OFFSET"), "OFFSET … ROWS; without ROWS it is");
      case "FILL":
        return given(word(i - 1).equals("WITH"), "WITH FILL");
      case "SETS":
        return given(word(i - 1).equals("GROUPING"), "GROUPING SETS");
      case "RECURSIVE":
        return given(word(i - 1).equals("WITH"), "WITH RECURSIVE");
      case "WINDOW":
        return given(word(i + 2).equals("AS"), "WINDOW");
      case "ANY", "ALL", "SOME":
        return given(COMPARISONS.contains(word(i - 1)) && next.equals("("), word(i) + " (…)");
      case ",":
        return given(behindFrom(i), "a list of several tables behind FROM");
      default:
        return object(i);
    }
  }

  private static Optional<String> given(boolean condition, String what) {
    return condition ? Optional.of(what) : Optional.empty();
  }

  /** CREATE or ATTACH of something that is no table and no database. */
  private Optional<String> object(int i) {
    if (i != 0 || !(word(0).equals("CREATE") || word(0).equals("ATTACH"))) {
      return Optional.empty();
    }
    for (int k = 1; k < Math.min(5, tokens.size()); k++) {
      if (word(k).equals("TABLE") || word(k).equals("DATABASE")) {
        return Optional.empty();
      }
      if (OBJECTS.contains(word(k))) {
        return Optional.of(
            word(k).equals("VIEW") && word(k - 1).equals("MATERIALIZED")
                ? "a materialized view"
                : "a " + word(k).toLowerCase(Locale.ROOT));
      }
    }
    return Optional.empty();
  }

  /** Whether a comma stands between tables: behind FROM, within no deeper bracket. */
  private boolean behindFrom(int comma) {
    int depth = 0;
    for (int i = comma - 1; i >= 0; i--) {
      String word = word(i);
      if (word.equals(")") || word.equals("]")) {
        depth++;
      } else if (word.equals("(") || word.equals("[")) {
        depth--;
        if (depth < 0) {
          return false;
        }
      } else if (depth == 0 && BEHIND_FROM.contains(word)) {
        return false;
      } else if (depth == 0 && word.equals("FROM")) {
        return true;
      }
    }
    return false;
  }
}
