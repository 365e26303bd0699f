package io.coppice.language.parse;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.TokenStream;

/**
 * What the generated parser extends: it counts how deep rules are nested, so that hostile text
 * meets an error of ours before the JVM's stack ends.
 */
abstract class BoundedParser extends org.antlr.v4.runtime.Parser {
  /** As ClickHouse's max_parser_depth. */
  static final int MAX_DEPTH = 1000;

  private int depth;

  BoundedParser(TokenStream input) {
    super(input);
  }

  @Override
  public void enterRule(ParserRuleContext localctx, int state, int ruleIndex) {
    deeper();
    super.enterRule(localctx, state, ruleIndex);
  }

  @Override
  public void exitRule() {
    depth--;
    super.exitRule();
  }

  @Override
  public void enterRecursionRule(
      ParserRuleContext localctx, int state, int ruleIndex, int precedence) {
    deeper();
    super.enterRecursionRule(localctx, state, ruleIndex, precedence);
  }

  @Override
  public void unrollRecursionContexts(ParserRuleContext parentctx) {
    depth--;
    super.unrollRecursionContexts(parentctx);
  }

  @Override
  public void reset() {
    depth = 0;
    super.reset();
  }

  private void deeper() {
    depth++;
    if (depth > MAX_DEPTH) {
      throw EngineException.of(
          ErrorCode.TOO_DEEP_RECURSION,
          "%s: nested too deeply, more than %d levels; write it with fewer brackets",
          SyntaxErrors.position(getCurrentToken()),
          MAX_DEPTH);
    }
  }
}
