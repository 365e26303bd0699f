package io.coppice.language.parse;

import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenFactory;
import org.antlr.v4.runtime.TokenSource;
import org.antlr.v4.runtime.WritableToken;

/**
 * The lexer's tokens, of which NULL behind a point and SELECT and WITH become plain names where no
 * query can begin: before what cannot begin an expression. The grammar then knows by the word alone
 * what a bracket in front of it is; were both possible, it would have to read on to the end of the
 * text to find out.
 */
final class QueryWords implements TokenSource {
  private final ClickHouseLexer lexer;
  private Token ahead;
  private boolean behindDot;

  QueryWords(ClickHouseLexer lexer) {
    this.lexer = lexer;
  }

  @Override
  public Token nextToken() {
    Token token = ahead == null ? lexer.nextToken() : ahead;
    ahead = null;
    int type = token.getType();
    if (type == ClickHouseLexer.NULL && behindDot) { // a.null is a subcolumn
      ((WritableToken) token).setType(ClickHouseLexer.ID);
    }
    behindDot = token.getText().equals(".");
    if (type == ClickHouseLexer.SELECT || type == ClickHouseLexer.WITH) {
      ahead = lexer.nextToken();
      if (!mayBeginExpression(ahead)) {
        ((WritableToken) token).setType(ClickHouseLexer.ID);
      }
    }
    return token;
  }

  private static boolean mayBeginExpression(Token token) {
    return token.getType() != Token.EOF
        && switch (token.getText()) {
          case ")", "]", ",", ";", ".", ":", "::", "?", "->", "||", "/", "%" -> false;
          case "=", "==", "!=", "<>", "<=>", "<", "<=", ">", ">=" -> false;
          default -> true;
        };
  }

  @Override
  public int getLine() {
    return lexer.getLine();
  }

  @Override
  public int getCharPositionInLine() {
    return lexer.getCharPositionInLine();
  }

  @Override
  public CharStream getInputStream() {
    return lexer.getInputStream();
  }

  @Override
  public String getSourceName() {
    return lexer.getSourceName();
  }

  @Override
  public void setTokenFactory(TokenFactory<?> factory) {
    lexer.setTokenFactory(factory);
  }

  @Override
  public TokenFactory<?> getTokenFactory() {
    return lexer.getTokenFactory();
  }
}
