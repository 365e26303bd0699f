package io.coppice.language.parse;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.statement.Statement;
import io.coppice.language.statement.TableName;
import io.coppice.language.type.DataType;
import java.util.function.Function;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.DefaultErrorStrategy;
import org.antlr.v4.runtime.InputMismatchException;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.atn.PredictionMode;
import org.antlr.v4.runtime.misc.ParseCancellationException;

/**
 * Reads ClickHouse's texts. Any thread may call it.
 *
 * <p>Errors are {@link EngineException}s: {@code SYNTAX_ERROR} with line and column, both from 1;
 * {@code UNKNOWN_TYPE} and the like for types; {@code TOO_DEEP_RECURSION} for text nested deeper
 * than 1000 levels. Text beyond {@link #MAX_TEXT_CHARS} is a {@code SYNTAX_ERROR} too.
 */
public final class Parser {
  /** The longest text that is read; a CREATE TABLE of 10,000 columns has well under a million. */
  public static final int MAX_TEXT_CHARS = 16 << 20;

  private Parser() {}

  /** The type that {@code text} names, with all of ClickHouse's aliases. */
  public static DataType type(String text) {
    bound(text);
    return TypeParser.parse(text);
  }

  /** The expression that {@code text} is. */
  public static Expression expression(String text) {
    return parse(
        text,
        ClickHouseParser::singleExpression,
        (tree, builder) -> builder.singleExpression(tree));
  }

  /** The statement that {@code text} is: {@code CREATE TABLE} or {@code ATTACH TABLE}. */
  public static CreateTable createTable(String text) {
    return parse(
        text,
        ClickHouseParser::singleCreateTable,
        (tree, builder) -> builder.createTable(tree.createTable()));
  }

  /**
   * The one statement that {@code text} is, with nothing behind it but a semicolon. Data behind an
   * INSERT is not looked at; {@link Script} reads it.
   */
  public static Statement statement(String text) {
    return Script.one(text).statement();
  }

  /** The table that {@code text} names, as {@code table} or {@code database.table}. */
  public static TableName tableName(String text) {
    return parse(
        text,
        ClickHouseParser::singleTableName,
        (tree, builder) -> QueryBuilder.tableName(tree.tableName()));
  }

  private interface Build<C, T> {
    T build(C tree, TreeBuilder builder);
  }

  private static <C, T> T parse(
      String text, Function<ClickHouseParser, C> rule, Build<C, T> build) {
    bound(text);
    ClickHouseLexer lexer = new ClickHouseLexer(CharStreams.fromString(text));
    lexer.removeErrorListeners();
    return build.build(
        tree(new CommonTokenStream(new QueryWords(lexer)), rule), new TreeBuilder(text));
  }

  /** The tree of {@code rule}, beginning at the stream's current token. */
  static <C> C tree(CommonTokenStream tokens, Function<ClickHouseParser, C> rule) {
    tokens.LA(1); // a stream that was not asked yet has no position
    int first = tokens.index();
    ClickHouseParser parser = new ClickHouseParser(tokens);
    parser.removeErrorListeners();
    // The quick prediction first; where it fails, the full one decides and words the error.
    parser.getInterpreter().setPredictionMode(PredictionMode.SLL);
    parser.setErrorHandler(new GiveUp());
    try {
      return rule.apply(parser);
    } catch (ParseCancellationException e) {
      parser.reset();
      tokens.seek(first);
      parser.addErrorListener(new SyntaxErrors());
      parser.setErrorHandler(new StopAtFirst());
      parser.getInterpreter().setPredictionMode(PredictionMode.LL);
      try {
        return rule.apply(parser);
      } catch (EngineException wrong) {
        throw UnservedWords.in(tokens, first, parser.getCurrentToken().getTokenIndex())
            .orElse(wrong);
      }
    }
  }

  static void bound(String text) {
    if (text.length() > MAX_TEXT_CHARS) {
      throw EngineException.of(
          ErrorCode.SYNTAX_ERROR,
          "text of %d characters to parse, at most %d are read",
          text.length(),
          MAX_TEXT_CHARS);
    }
  }

  /** Ends the quick parse at the first doubt. */
  private static final class GiveUp extends org.antlr.v4.runtime.BailErrorStrategy {}

  /** Reports and stops, instead of guessing what was meant. */
  private static final class StopAtFirst extends DefaultErrorStrategy {
    @Override
    public void recover(org.antlr.v4.runtime.Parser recognizer, RecognitionException e) {
      throw SyntaxErrors.error(recognizer, e.getOffendingToken(), e);
    }

    @Override
    public org.antlr.v4.runtime.Token recoverInline(org.antlr.v4.runtime.Parser recognizer) {
      throw SyntaxErrors.error(
          recognizer, recognizer.getCurrentToken(), new InputMismatchException(recognizer));
    }

    @Override
    public void sync(org.antlr.v4.runtime.Parser recognizer) {}
  }
}
