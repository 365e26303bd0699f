package io.coppice.language.expression;

import io.coppice.language.expression.Expression.Aliased;
import io.coppice.language.expression.Expression.Asterisk;
import io.coppice.language.expression.Expression.Columns;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Expression.Identifier;
import io.coppice.language.expression.Expression.Lambda;
import io.coppice.language.expression.Expression.Parenthesized;
import io.coppice.language.expression.Expression.Subquery;
import io.coppice.language.expression.Literal.BoolLiteral;
import io.coppice.language.expression.Literal.FloatLiteral;
import io.coppice.language.expression.Literal.IntegerLiteral;
import io.coppice.language.expression.Literal.NullLiteral;
import io.coppice.language.expression.Literal.StringLiteral;
import io.coppice.language.text.FloatText;
import io.coppice.language.text.Identifiers;
import java.util.List;
import java.util.Map;

/**
 * The canonical text of expressions. An operator among the operands of another is always put in
 * parentheses, whatever the precedence; those of {@link Parenthesized} are printed once.
 */
final class ExpressionText {
  /** Functions of two arguments that are printed between them. */
  private static final Map<String, String> INFIX =
      Map.ofEntries(
          Map.entry("plus", "+"),
          Map.entry("minus", "-"),
          Map.entry("multiply", "*"),
          Map.entry("divide", "/"),
          Map.entry("modulo", "%"),
          Map.entry("equals", "="),
          Map.entry("notEquals", "!="),
          Map.entry("isNotDistinctFrom", "<=>"),
          Map.entry("less", "<"),
          Map.entry("lessOrEquals", "<="),
          Map.entry("greater", ">"),
          Map.entry("greaterOrEquals", ">="),
          Map.entry("like", "LIKE"),
          Map.entry("notLike", "NOT LIKE"),
          Map.entry("ilike", "ILIKE"),
          Map.entry("notILike", "NOT ILIKE"),
          Map.entry("in", "IN"),
          Map.entry("notIn", "NOT IN"),
          Map.entry("globalIn", "GLOBAL IN"),
          Map.entry("globalNotIn", "GLOBAL NOT IN"),
          Map.entry("and", "AND"),
          Map.entry("or", "OR"));

  private final StringBuilder out = new StringBuilder();
  private final int indent;

  private ExpressionText(int indent) {
    this.indent = indent;
  }

  static String print(Expression expression, int indent) {
    ExpressionText text = new ExpressionText(indent);
    text.any(expression);
    return text.out.toString();
  }

  private void any(Expression expression) {
    if (expression instanceof Literal literal) {
      literal(literal);
    } else if (expression instanceof Identifier identifier) {
      identifier(identifier);
    } else if (expression instanceof FunctionCall call) {
      if (call.operator()) {
        operator(call);
      } else {
        call(call);
      }
    } else if (expression instanceof Lambda lambda) {
      lambda(lambda);
    } else if (expression instanceof Parenthesized parenthesized) {
      out.append('(');
      any(parenthesized.inner());
      out.append(')');
    } else if (expression instanceof Aliased aliased) {
      any(aliased.inner());
      out.append(" AS ").append(Identifiers.backQuoteIfNeeded(aliased.alias()));
    } else if (expression instanceof Asterisk) {
      out.append('*');
    } else if (expression instanceof Columns columns) {
      columns(columns);
    } else if (expression instanceof Subquery subquery) {
      subquery(subquery);
    }
  }

  private void subquery(Subquery subquery) {
    String line = "\n" + " ".repeat(indent);
    out.append(subquery.exists() ? "exists((" : "(");
    out.append(line).append("    ").append(subquery.body().text(indent + 4)).append(line);
    out.append(subquery.exists() ? "))" : ")");
  }

  private void columns(Columns columns) {
    columns.qualifier().ifPresent(q -> out.append(Identifiers.backQuoteIfNeeded(q)).append('.'));
    columns
        .matching()
        .ifPresentOrElse(
            regexp -> out.append("COLUMNS(").append(Identifiers.quoteString(regexp)).append(')'),
            () -> out.append('*'));
    if (!columns.except().isEmpty()) {
      boolean one = columns.except().size() == 1;
      out.append(one ? " EXCEPT " : " EXCEPT (");
      String comma = "";
      for (String name : columns.except()) {
        out.append(comma).append(Identifiers.backQuoteIfNeeded(name));
        comma = ", ";
      }
      out.append(one ? "" : ")");
    }
    if (!columns.replaced().isEmpty()) {
      out.append(" REPLACE (");
      String comma = "";
      for (Aliased expression : columns.replaced()) {
        out.append(comma);
        any(expression);
        comma = ", ";
      }
      out.append(')');
    }
  }

  private void literal(Literal literal) {
    if (literal instanceof NullLiteral) {
      out.append("NULL");
    } else if (literal instanceof BoolLiteral bool) {
      out.append(bool.value());
    } else if (literal instanceof IntegerLiteral integer) {
      out.append(integer.value());
    } else if (literal instanceof FloatLiteral number) {
      String text = FloatText.of(number.value());
      out.append(text);
      boolean whole = text.chars().allMatch(c -> Character.isDigit(c) || c == '-');
      if (whole) {
        out.append('.');
      }
    } else if (literal instanceof StringLiteral string) {
      out.append(Identifiers.quoteString(string.value()));
    }
  }

  private void identifier(Identifier identifier) {
    String dot = "";
    for (String part : identifier.parts()) {
      out.append(dot).append(Identifiers.backQuoteIfNeeded(part));
      dot = ".";
    }
  }

  private void call(FunctionCall call) {
    out.append(Identifiers.functionName(call.name()));
    if (!call.parameters().isEmpty()) {
      list("(", call.parameters(), ")");
    }
    list("(", call.arguments(), ")");
  }

  private void operator(FunctionCall call) {
    List<Expression> arguments = call.arguments();
    switch (call.name()) {
      case "array" -> list("[", arguments, "]");
      case "tuple" -> list(arguments.size() > 1 ? "(" : "tuple(", arguments, ")");
      case "negate" -> {
        out.append('-');
        // Two minus signs would begin a comment, and -1 be a literal.
        boolean number =
            arguments.get(0) instanceof IntegerLiteral || arguments.get(0) instanceof FloatLiteral;
        operand(arguments.get(0), number);
      }
      case "not" -> {
        out.append("NOT ");
        operand(arguments.get(0), false);
      }
      case "isNull" -> {
        operand(arguments.get(0), false);
        out.append(" IS NULL");
      }
      case "isNotNull" -> {
        operand(arguments.get(0), false);
        out.append(" IS NOT NULL");
      }
      case "arrayElement" -> {
        operand(arguments.get(0), false);
        list("[", arguments.subList(1, arguments.size()), "]");
      }
      case "tupleElement" -> {
        boolean call0 = arguments.get(0) instanceof FunctionCall of && !bracketed(of);
        operand(arguments.get(0), call0);
        out.append('.').append(arguments.get(1).text());
      }
      default -> infix(call);
    }
  }

  private void infix(FunctionCall call) {
    String sign = INFIX.get(call.name());
    if (sign == null) {
      call(call);
      return;
    }
    boolean set = sign.endsWith("IN");
    for (int i = 0; i < call.arguments().size(); i++) {
      Expression argument = call.arguments().get(i);
      if (i > 0) {
        out.append(' ').append(sign).append(' ');
      }
      boolean loneInSet =
          set && i > 0 && (argument instanceof Literal || argument instanceof Identifier);
      operand(argument, loneInSet);
    }
  }

  private void operand(Expression expression, boolean always) {
    boolean brackets =
        always
            || expression instanceof Lambda
            || expression instanceof Aliased
            || (expression instanceof FunctionCall call && call.operator() && !bracketed(call));
    if (brackets) {
      out.append('(');
    }
    any(expression);
    if (brackets) {
      out.append(')');
    }
  }

  private static boolean bracketed(FunctionCall call) {
    return call.operator() && (call.name().equals("array") || call.name().equals("tuple"));
  }

  private void lambda(Lambda lambda) {
    if (lambda.parameters().size() == 1) {
      out.append(Identifiers.backQuoteIfNeeded(lambda.parameters().get(0)));
    } else {
      String comma = "(";
      for (String parameter : lambda.parameters()) {
        out.append(comma).append(Identifiers.backQuoteIfNeeded(parameter));
        comma = ", ";
      }
      out.append(')');
    }
    out.append(" -> ");
    operand(lambda.body(), false);
  }

  private void list(String open, List<Expression> expressions, String close) {
    out.append(open);
    String comma = "";
    for (Expression expression : expressions) {
      out.append(comma);
      any(expression);
      comma = ", ";
    }
    out.append(close);
  }
}
