package io.coppice.language.statement;

import io.coppice.language.expression.Expression;
import io.coppice.language.text.Identifiers;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A kind of thing with its arguments: an engine, a codec, the type of an index, a statistic.
 *
 * @param name as written, ClickHouse's case
 * @param arguments none if there were no brackets, or nothing in them
 */
public record Definition(String name, List<Expression> arguments) {
  public Definition {
    arguments = List.copyOf(arguments);
  }

  /** {@code name} or {@code name(arguments)}. */
  public String text() {
    String plain = Identifiers.functionName(name);
    return arguments.isEmpty()
        ? plain
        : arguments.stream()
            .map(Expression::text)
            .collect(Collectors.joining(", ", plain + "(", ")"));
  }

  /** {@code CODEC(…)}, {@code STATISTICS(…)}: several after a keyword. */
  static String list(String keyword, List<Definition> definitions) {
    return definitions.stream()
        .map(Definition::text)
        .collect(Collectors.joining(", ", keyword + "(", ")"));
  }
}
