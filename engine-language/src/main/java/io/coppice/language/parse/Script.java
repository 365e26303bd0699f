package io.coppice.language.parse;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.statement.Insert;
import io.coppice.language.statement.Statement;
import java.util.Optional;
import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.Interval;

/**
 * Reads statements one after the other from a text in which semicolons separate them. A statement
 * is only read when it is asked for, so that what comes before an error can be carried out.
 *
 * <p>Data behind {@code INSERT … VALUES} ends at the semicolon outside of quotes; data behind
 * {@code INSERT … FORMAT name} ends with its line, or, where it begins on a line of its own, with
 * the first empty line. Not thread-safe.
 */
public final class Script {
  private final String text;
  private final CharStream chars;
  private int at;
  private int line = 1;
  private int lineStart;

  /** A script of at most {@link Parser#MAX_TEXT_CHARS} characters. */
  public Script(String text) {
    Parser.bound(text);
    this.text = text;
    this.chars = CharStreams.fromString(text);
  }

  /**
   * A statement of a script.
   *
   * @param text as written, without semicolon, and without the data
   * @param data that stands behind an INSERT in the script; absent where a query or a file brings
   *     the rows, empty where it is to come from elsewhere
   */
  public record Item(Statement statement, String text, Optional<String> data) {}

  /**
   * The one statement of a text, with the data behind it.
   *
   * @throws EngineException SYNTAX_ERROR when there is none, or another behind it
   */
  public static Item one(String text) {
    Script script = new Script(text);
    Item item =
        script
            .next()
            .orElseThrow(
                () -> EngineException.of(ErrorCode.SYNTAX_ERROR, "an empty text, no statement"));
    if (script.next().isPresent()) {
      throw EngineException.of(
          ErrorCode.SYNTAX_ERROR,
          "more than one statement where one was expected; the second follows '%s'",
          item.text().length() <= 80 ? item.text() : item.text().substring(0, 80) + "…");
    }
    return item;
  }

  /** The next statement, or none at the end. */
  public Optional<Item> next() {
    CommonTokenStream tokens = tokens();
    while (tokens.LT(1).getText().equals(";")) {
      tokens.consume();
    }
    Token first = tokens.LT(1);
    if (first.getType() == Token.EOF) {
      return Optional.empty();
    }
    TreeBuilder builder = new TreeBuilder(text);
    if (first.getType() != ClickHouseParser.INSERT) {
      ClickHouseParser.OneStatementContext tree =
          Parser.tree(tokens, ClickHouseParser::oneStatement);
      Statement statement = new StatementBuilder(builder).statement(tree.statement());
      int stop = tree.statement().getStop().getStopIndex();
      advance(
          tree.getStop().getType() == Token.EOF ? chars.size() : tree.getStop().getStopIndex() + 1);
      return Optional.of(
          new Item(statement, between(first.getStartIndex(), stop), Optional.empty()));
    }
    ClickHouseParser.OneInsertContext tree = Parser.tree(tokens, ClickHouseParser::oneInsert);
    Insert insert = new StatementBuilder(builder).insert(tree.insert());
    int stop = tree.insert().getStop().getStopIndex();
    String written = between(first.getStartIndex(), stop);
    if (insert.infile().isEmpty()
        && insert.source() instanceof Insert.Source.Data data
        && data.name().isPresent()) {
      boolean values = data.name().get().equals("Values");
      return Optional.of(new Item(insert, written, Optional.of(data(stop + 1, values))));
    }
    Token next = tokens.LT(1);
    if (next.getType() != Token.EOF && !next.getText().equals(";")) {
      throw SyntaxErrors.error(next, "';' or the end of the text");
    }
    advance(next.getType() == Token.EOF ? chars.size() : next.getStopIndex() + 1);
    return Optional.of(
        new Item(
            insert,
            written,
            insert.source() instanceof Insert.Source.Data && insert.infile().isEmpty()
                ? Optional.of("")
                : Optional.empty()));
  }

  private CommonTokenStream tokens() {
    chars.seek(at);
    ClickHouseLexer lexer = new ClickHouseLexer(chars);
    lexer.removeErrorListeners();
    lexer.setLine(line);
    lexer.setCharPositionInLine(at - lineStart);
    return new CommonTokenStream(new QueryWords(lexer));
  }

  private void advance(int to) {
    for (int i = at; i < to; i++) {
      if (codePoint(i) == '\n') {
        line++;
        lineStart = i + 1;
      }
    }
    at = to;
  }

  private int codePoint(int index) {
    chars.seek(index);
    return chars.LA(1);
  }

  private String between(int from, int last) {
    return last < from ? "" : chars.getText(Interval.of(from, last));
  }

  private String data(int from, boolean values) {
    int start = from;
    while (start < chars.size() && isBlank(codePoint(start))) {
      start++;
    }
    boolean ownLine = start < chars.size() && codePoint(start) == '\n';
    if (ownLine) {
      start++;
    }
    int end = values ? endOfValues(start) : endOfData(start, ownLine);
    String data = between(start, end - 1);
    boolean semicolon = values && end < chars.size();
    advance(semicolon ? end + 1 : end);
    return data;
  }

  private static boolean isBlank(int c) {
    return c == ' ' || c == '\t' || c == '\r';
  }

  private int endOfValues(int start) {
    int quote = 0;
    for (int i = start; i < chars.size(); i++) {
      int c = codePoint(i);
      if (quote != 0) {
        if (c == '\\') {
          i++;
        } else if (c == quote) {
          quote = 0;
        }
      } else if (c == '\'' || c == '"' || c == '`') {
        quote = c;
      } else if (c == ';') {
        return i;
      }
    }
    return chars.size();
  }

  private int endOfData(int start, boolean ownLine) {
    for (int i = start; i < chars.size(); i++) {
      boolean newline = codePoint(i) == '\n';
      boolean ends =
          !ownLine || (i + 1 < chars.size() && codePoint(i + 1) == '\n') || i == chars.size() - 1;
      if (newline && ends) {
        return i + 1;
      }
    }
    return chars.size();
  }
}
