package io.coppice.query;

import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.Aliased;
import io.coppice.language.expression.Expression.Asterisk;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Expression.Identifier;
import io.coppice.language.expression.Expression.Lambda;
import io.coppice.language.expression.Expression.Parenthesized;
import java.util.List;
import java.util.stream.Collectors;

/** The name of a column that was given none: {@code a + 1} is {@code plus(a, 1)}. Stateless. */
final class ColumnNames {
  private ColumnNames() {}

  static String of(Expression expression) {
    if (expression instanceof Aliased aliased) {
      return aliased.alias();
    }
    if (expression instanceof Parenthesized parenthesized) {
      return of(parenthesized.inner());
    }
    if (expression instanceof Identifier identifier) {
      return identifier.name();
    }
    if (expression instanceof FunctionCall call) {
      if (call.name().equals("array")) {
        return list("[", call.arguments(), "]");
      }
      if (call.name().equals("tuple") && !call.arguments().isEmpty()) {
        return list("(", call.arguments(), ")");
      }
      String parameters = call.parameters().isEmpty() ? "" : list("(", call.parameters(), ")");
      return call.name() + parameters + list("(", call.arguments(), ")");
    }
    if (expression instanceof Lambda lambda) {
      return "lambda(tuple("
          + String.join(", ", lambda.parameters())
          + "), "
          + of(lambda.body())
          + ")";
    }
    return expression.text();
  }

  private static String list(String open, List<Expression> expressions, String close) {
    return expressions.stream()
        .filter(expression -> !(expression instanceof Asterisk))
        .map(ColumnNames::of)
        .collect(Collectors.joining(", ", open, close));
  }
}
