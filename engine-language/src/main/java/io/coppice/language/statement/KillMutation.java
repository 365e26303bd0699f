package io.coppice.language.statement;

import io.coppice.language.expression.Expression;
import java.util.Optional;

/** {@code KILL MUTATION WHERE}. */
public record KillMutation(Expression where, Mode mode, Optional<String> format)
    implements Statement {
  /** How much waiting there is. */
  public enum Mode {
    /** Asks, and does not wait. */
    ASYNC,
    /** Waits until it is gone. */
    SYNC,
    /** Only says what it would do. */
    TEST
  }

  @Override
  public String text() {
    return "KILL MUTATION WHERE "
        + where.text()
        + (mode == Mode.ASYNC ? " ASYNC" : " " + mode)
        + StatementText.format(format);
  }
}
