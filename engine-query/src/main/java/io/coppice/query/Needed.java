package io.coppice.query;

import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.Identifier;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Which columns of a source expressions read. Stateless. */
final class Needed {
  private Needed() {}

  /** The column that a name is or is an element of: that of the longest beginning. */
  static Optional<String> column(Identifier identifier, Source source) {
    List<String> parts = identifier.parts();
    for (int size = parts.size(); size > 0; size--) {
      String name = String.join(".", parts.subList(0, size));
      if (source.types().containsKey(name)) {
        return Optional.of(name);
      }
    }
    return Optional.empty();
  }

  /** The columns of resolved expressions, in the order of first use. */
  static Set<String> columns(List<Expression> resolved, Source source) {
    Set<String> columns = new LinkedHashSet<>();
    resolved.forEach(expression -> collect(expression, source, columns));
    return columns;
  }

  private static void collect(Expression expression, Source source, Set<String> to) {
    if (expression instanceof Identifier identifier) {
      column(identifier, source).ifPresent(to::add);
    }
    expression.children().forEach(child -> collect(child, source, to));
  }
}
