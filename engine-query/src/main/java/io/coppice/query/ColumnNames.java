package io.coppice.query;

import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.Aliased;
import io.coppice.language.expression.Expression.Asterisk;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Expression.Identifier;
import io.coppice.language.expression.Expression.Lambda;
import io.coppice.language.expression.Expression.Parenthesized;
import io.coppice.language.expression.Literal;
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
        return array(call, floats(call));
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

  /** Whether it is made of literals alone, a floating one among them: then all are such. */
  private static boolean floats(FunctionCall array) {
    return array.operator()
        && array.arguments().stream().allMatch(ColumnNames::literal)
        && array.arguments().stream().anyMatch(ColumnNames::floating);
  }

  private static boolean literal(Expression element) {
    return element instanceof Literal.IntegerLiteral
        || element instanceof Literal.FloatLiteral
        || element instanceof FunctionCall call
            && call.name().equals("array")
            && call.arguments().stream().allMatch(ColumnNames::literal);
  }

  private static boolean floating(Expression element) {
    return element instanceof Literal.FloatLiteral
        || element instanceof FunctionCall call
            && call.arguments().stream().anyMatch(ColumnNames::floating);
  }

  private static String array(FunctionCall array, boolean floats) {
    return array.arguments().stream()
        .map(
            element ->
                floats && element instanceof FunctionCall inner
                    ? array(inner, true)
                    : floats && element instanceof Literal.IntegerLiteral number
                        ? new Literal.FloatLiteral(number.value().doubleValue()).text()
                        : of(element))
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static String list(String open, List<Expression> expressions, String close) {
    return expressions.stream()
        .filter(expression -> !(expression instanceof Asterisk))
        .map(ColumnNames::of)
        .collect(Collectors.joining(", ", open, close));
  }
}
