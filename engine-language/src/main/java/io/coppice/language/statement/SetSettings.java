package io.coppice.language.statement;

import io.coppice.language.expression.Literal;
import java.util.Map;

/** {@code SET name = value, …}: for the session. */
public record SetSettings(Map<String, Literal> settings) implements Statement {
  public SetSettings {
    settings = StatementText.ordered(settings);
  }

  @Override
  public String text() {
    return StatementText.settings("SET ", settings);
  }
}
