package io.coppice.parts.scan;

import io.coppice.base.check.Check;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Expression.Identifier;
import io.coppice.language.expression.Literal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * Conditions for {@link Scan#where(Expression)} as objects, for programs that have values and no
 * text.
 *
 * <p>A value is a Boolean, a whole number ({@link Long}, {@link Integer}, {@link Short}, {@link
 * Byte}, {@link BigInteger}), a {@link Double} or {@link Float}, or a {@link CharSequence}; text
 * stands for dates, times, UUIDs, IPs and names of enums as well. Stateless; any thread may call
 * it.
 */
public final class Where {
  private Where() {}

  /** {@code column = value}. */
  public static Expression equal(String column, Object value) {
    return compare("equals", column, value);
  }

  /** {@code column != value}. */
  public static Expression notEqual(String column, Object value) {
    return compare("notEquals", column, value);
  }

  /** {@code column < value}. */
  public static Expression less(String column, Object value) {
    return compare("less", column, value);
  }

  /** {@code column <= value}. */
  public static Expression atMost(String column, Object value) {
    return compare("lessOrEquals", column, value);
  }

  /** {@code column > value}. */
  public static Expression greater(String column, Object value) {
    return compare("greater", column, value);
  }

  /** {@code column >= value}. */
  public static Expression atLeast(String column, Object value) {
    return compare("greaterOrEquals", column, value);
  }

  /** {@code column BETWEEN low AND high}, both included. */
  public static Expression between(String column, Object low, Object high) {
    return and(atLeast(column, low), atMost(column, high));
  }

  /** {@code column IN (values)}; of no values, nothing passes. */
  public static Expression in(String column, List<?> values) {
    if (values.isEmpty()) {
      return Literal.IntegerLiteral.of(0);
    }
    List<Expression> literals = new ArrayList<>();
    for (Object value : values) {
      literals.add(literal(value));
    }
    FunctionCall set = new FunctionCall("tuple", List.of(), literals, true);
    return FunctionCall.operator("in", name(column), set);
  }

  /** {@code column LIKE pattern}. */
  public static Expression like(String column, String pattern) {
    return compare("like", column, pattern);
  }

  /** {@code column IS NULL}. */
  public static Expression isNull(String column) {
    return FunctionCall.operator("isNull", name(column));
  }

  /** All of the conditions. */
  public static Expression and(Expression... conditions) {
    return joined("and", conditions);
  }

  /** Any of the conditions. */
  public static Expression or(Expression... conditions) {
    return joined("or", conditions);
  }

  /** Not the condition. */
  public static Expression not(Expression condition) {
    return FunctionCall.operator("not", condition);
  }

  private static Expression joined(String name, Expression... conditions) {
    Check.argument(conditions.length > 0, "%s of no conditions", name);
    return conditions.length == 1
        ? conditions[0]
        : new FunctionCall(name, List.of(), List.of(conditions), true);
  }

  private static Expression compare(String function, String column, Object value) {
    return FunctionCall.operator(function, name(column), literal(value));
  }

  private static Identifier name(String column) {
    return Identifier.of(column);
  }

  private static Literal literal(Object value) {
    if (value instanceof Boolean b) {
      return new Literal.BoolLiteral(b);
    }
    if (value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte) {
      return Literal.IntegerLiteral.of(((Number) value).longValue());
    }
    if (value instanceof BigInteger b) {
      return Literal.IntegerLiteral.fits(b)
          ? new Literal.IntegerLiteral(b)
          : new Literal.StringLiteral(b.toString());
    }
    if (value instanceof Double || value instanceof Float) {
      return new Literal.FloatLiteral(((Number) value).doubleValue());
    }
    if (value instanceof CharSequence text) {
      return new Literal.StringLiteral(text.toString());
    }
    throw new IllegalArgumentException("a condition on a value of " + value.getClass());
  }
}
