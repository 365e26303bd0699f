package io.coppice.language.statement;

import io.coppice.language.expression.Literal;
import java.util.Map;
import java.util.Optional;

/** {@code EXPLAIN}. */
public record Explain(Kind kind, Map<String, Literal> settings, Statement statement)
    implements Statement {
  /** What is told. */
  public enum Kind {
    /** The parsed tree. */
    AST,
    /** The text after rewriting. */
    SYNTAX,
    /** The steps, and with {@code indexes = 1} what each index left. */
    PLAN,
    /** The processors. */
    PIPELINE,
    /** Parts, rows and marks to read. */
    ESTIMATE
  }

  public Explain {
    settings = StatementText.ordered(settings);
  }

  @Override
  public Optional<String> format() {
    return statement.format();
  }

  @Override
  public String text() {
    return "EXPLAIN"
        + (kind == Kind.PLAN ? "" : " " + kind)
        + StatementText.settings(" ", settings)
        + "\n"
        + statement.text();
  }
}
