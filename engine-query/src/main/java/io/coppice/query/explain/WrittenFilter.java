package io.coppice.query.explain;

import io.coppice.base.error.EngineException;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Expression.Identifier;
import io.coppice.language.expression.Literal;
import io.coppice.language.text.ByteText;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.ConstantText;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.TypedExpression;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A condition as 26.7 rewrites it before it looks at keys; the rows that fulfil it are the same.
 * Nested conjunctions become one, {@code LIKE 'x%'} is {@code startsWith}, three comparisons of one
 * thing are IN, and a year or month is an interval of days. Stateless but for the compiler.
 */
public final class WrittenFilter {
  /** Equal sides of OR from which on it is IN. */
  private static final int SIDES_OF_IN = 3;

  private final ExpressionCompiler compiler;
  private final Map<String, DataType> types;

  /** Conditions over columns of these types. */
  public WrittenFilter(ExpressionCompiler compiler, Map<String, DataType> types) {
    this.compiler = compiler;
    this.types = types;
  }

  /** The rewritten condition; a constant where that is what it comes to. */
  public Expression of(Expression condition) {
    Expression rewritten = rewrite(condition);
    if (rewritten instanceof FunctionCall call && call.name().equals("and")) {
      return conjunction(call.arguments());
    }
    return rewritten;
  }

  /** The conditions all of which must hold. */
  public static List<Expression> conjuncts(Expression condition) {
    return condition instanceof FunctionCall call && call.name().equals("and")
        ? call.arguments()
        : List.of(condition);
  }

  private static Expression conjunction(List<Expression> all) {
    Set<Expression> distinct = new LinkedHashSet<>(all);
    for (Expression one : distinct) {
      if (one.integerValue().filter(number -> number.signum() == 0).isPresent()) {
        return one;
      }
    }
    if (contradictory(distinct) || empty(distinct)) {
      return Literal.IntegerLiteral.of(0);
    }
    if (distinct.stream().anyMatch(WrittenFilter::isNull)) {
      return new Literal.NullLiteral();
    }
    return distinct.size() == 1
        ? distinct.iterator().next()
        : new FunctionCall("and", List.of(), List.copyOf(distinct), false);
  }

  private static boolean isNull(Expression expression) {
    return expression instanceof Literal.NullLiteral;
  }

  /** Whether one thing shall be at least one number and at most a lesser one. */
  private static boolean empty(Set<Expression> all) {
    Map<Expression, BigInteger> least = new LinkedHashMap<>();
    Map<Expression, BigInteger> most = new LinkedHashMap<>();
    for (Expression one : all) {
      if (one instanceof FunctionCall call && call.arguments().size() == 2) {
        Optional<BigInteger> number = call.arguments().get(1).integerValue();
        Expression of = call.arguments().get(0);
        if (number.isPresent() && call.name().startsWith("greater")) {
          least.merge(of, number.get(), BigInteger::max);
        } else if (number.isPresent() && call.name().startsWith("less")) {
          most.merge(of, number.get(), BigInteger::min);
        }
      }
    }
    return least.entrySet().stream()
        .anyMatch(
            entry ->
                most.containsKey(entry.getKey())
                    && entry.getValue().compareTo(most.get(entry.getKey())) > 0);
  }

  /** Whether one thing shall equal different numbers. */
  private static boolean contradictory(Set<Expression> all) {
    Map<Expression, Expression> equal = new LinkedHashMap<>();
    for (Expression one : all) {
      if (one instanceof FunctionCall call
          && call.name().equals("equals")
          && call.arguments().get(1).integerValue().isPresent()) {
        Expression before = equal.putIfAbsent(call.arguments().get(0), call.arguments().get(1));
        if (before != null && !before.equals(call.arguments().get(1))) {
          return true;
        }
      }
    }
    return false;
  }

  private Expression rewrite(Expression given) {
    Expression expression = given.bare();
    if (!(expression instanceof FunctionCall call)) {
      return expression;
    }
    return switch (call.name()) {
      case "and" -> conjunction(flattened(call, "and"));
      case "or" -> disjunction(flattened(call, "or"));
      case "not" -> FunctionCall.of("not", rewrite(call.arguments().get(0)));
      case "like", "notLike" -> like(call);
      case "equals" -> equality(call);
      case "notEquals", "less", "greater", "lessOrEquals", "greaterOrEquals" ->
          interval(call).orElse(call);
      case "has" -> has(call);
      case "isNull", "isNotNull" -> nullness(call);
      default -> call;
    };
  }

  private List<Expression> flattened(FunctionCall call, String name) {
    List<Expression> flat = new ArrayList<>();
    for (Expression argument : call.arguments()) {
      Expression rewritten = rewrite(argument);
      if (rewritten instanceof FunctionCall inner && inner.name().equals(name)) {
        flat.addAll(inner.arguments());
      } else {
        flat.add(rewritten);
      }
    }
    return flat;
  }

  private Expression disjunction(List<Expression> sides) {
    for (Expression side : sides) {
      if (side.integerValue().filter(number -> number.signum() != 0).isPresent()) {
        return side;
      }
    }
    Map<Expression, List<Expression>> equal = new LinkedHashMap<>();
    for (Expression side : sides) {
      if (side instanceof FunctionCall call
          && call.name().equals("equals")
          && constant(call.arguments().get(1)).isPresent()) {
        equal
            .computeIfAbsent(call.arguments().get(0), of -> new ArrayList<>())
            .add(call.arguments().get(1));
      }
    }
    equal.values().removeIf(values -> values.size() < SIDES_OF_IN);
    List<Expression> left = new ArrayList<>();
    for (Expression side : sides) {
      boolean taken =
          side instanceof FunctionCall call
              && call.name().equals("equals")
              && equal.containsKey(call.arguments().get(0));
      if (!taken) {
        left.add(side);
      }
    }
    equal.forEach(
        (of, values) ->
            left.add(
                FunctionCall.of("in", of, new FunctionCall("tuple", List.of(), values, false))));
    return left.size() == 1 ? left.get(0) : new FunctionCall("or", List.of(), left, false);
  }

  private Optional<ConstantText> constant(Expression expression) {
    try {
      TypedExpression compiled = compiler.compile(expression);
      return compiled.columns().isEmpty() ? ConstantText.of(compiled, "UTC") : Optional.empty();
    } catch (EngineException e) {
      return Optional.empty(); // compiling the filter itself tells
    }
  }

  /** Whether a column that is never NULL is so, which is known. */
  private Expression nullness(FunctionCall call) {
    boolean never =
        call.arguments().get(0).bare() instanceof Identifier column
            && types.containsKey(column.name())
            && !types.get(column.name()).nullable();
    return never ? Literal.IntegerLiteral.of(call.name().equals("isNull") ? 0 : 1) : call;
  }

  /** Only one % at an end: the affix itself. */
  private static Expression like(FunctionCall call) {
    if (!(call.arguments().get(1).bare() instanceof Literal.StringLiteral pattern)) {
      return call;
    }
    String text = ByteText.of(pattern.bytes());
    String inner =
        text.endsWith("%") ? text.substring(0, text.length() - 1) : text.replaceFirst("^%", "");
    if (inner.isEmpty() || inner.length() == text.length() || inner.matches("(?s).*[%_\\\\].*")) {
      return call;
    }
    Expression affix =
        FunctionCall.of(
            text.endsWith("%") ? "startsWith" : "endsWith",
            call.arguments().get(0),
            new Literal.StringLiteral(inner));
    return call.name().equals("like") ? affix : FunctionCall.of("not", affix);
  }

  private Expression has(FunctionCall call) {
    return constant(call.arguments().get(0)).isPresent()
            && call.arguments().get(0).bare() instanceof FunctionCall array
            && array.name().equals("array")
        ? FunctionCall.of(
            "in",
            call.arguments().get(1),
            new FunctionCall("tuple", List.of(), array.arguments(), false))
        : call;
  }

  private Expression equality(FunctionCall call) {
    Expression left = call.arguments().get(0).bare();
    Expression right = call.arguments().get(1).bare();
    if (left instanceof FunctionCall a
        && right instanceof FunctionCall b
        && a.name().equals("tuple")
        && b.name().equals("tuple")
        && a.arguments().size() == b.arguments().size()) {
      List<Expression> all = new ArrayList<>();
      for (int i = 0; i < a.arguments().size(); i++) {
        all.add(rewrite(FunctionCall.of("equals", a.arguments().get(i), b.arguments().get(i))));
      }
      return conjunction(all);
    }
    if (isNull(right) || isNull(left)) {
      return new Literal.NullLiteral();
    }
    boolean emptyString =
        left instanceof Identifier column
            && types.get(column.name()) == PlainType.STRING
            && right instanceof Literal.StringLiteral text
            && text.bytes().length == 0;
    if (emptyString) {
      return FunctionCall.of("empty", left);
    }
    boolean truth =
        left instanceof FunctionCall condition
            && Set.of("less", "greater", "lessOrEquals", "greaterOrEquals", "equals", "notEquals")
                .contains(condition.name())
            && right.integerValue().filter(number -> number.intValue() == 1).isPresent();
    return truth ? rewrite(left) : interval(call).orElse(call);
  }

  /** A comparison of the year or the month of a day as one of the days. */
  private Optional<Expression> interval(FunctionCall call) {
    Expression left = call.arguments().get(0).bare();
    Optional<Integer> number =
        call.arguments()
            .get(1)
            .integerValue()
            .filter(value -> value.bitLength() < 31)
            .map(BigInteger::intValue);
    if (number.isEmpty()
        || !(left instanceof FunctionCall of)
        || of.arguments().size() != 1
        || !(of.arguments().get(0).bare() instanceof Identifier column)
        || types.get(column.name()) != PlainType.DATE) {
      return Optional.empty();
    }
    Optional<LocalDate[]> ends = ends(of.name(), number.get());
    return ends.map(days -> between(call.name(), column, day(days[0]), day(days[1])));
  }

  private static Optional<LocalDate[]> ends(String function, int number) {
    if (function.equals("toYear") && number >= 1970 && number < 2149) {
      return Optional.of(
          new LocalDate[] {LocalDate.of(number, 1, 1), LocalDate.of(number + 1, 1, 1)});
    }
    int month = number % 100;
    int year = number / 100;
    if (function.equals("toYYYYMM") && year >= 1970 && year < 2149 && month >= 1 && month <= 12) {
      YearMonth of = YearMonth.of(year, month);
      return Optional.of(new LocalDate[] {of.atDay(1), of.plusMonths(1).atDay(1)});
    }
    return Optional.empty();
  }

  private static Expression day(LocalDate day) {
    return new Literal.StringLiteral(day.toString());
  }

  /**
   * @param first of the interval
   * @param behind the day behind it
   */
  private static Expression between(
      String operator, Expression column, Expression first, Expression behind) {
    return switch (operator) {
      case "equals" ->
          FunctionCall.of(
              "and",
              FunctionCall.of("greaterOrEquals", column, first),
              FunctionCall.of("less", column, behind));
      case "notEquals" ->
          FunctionCall.of(
              "or",
              FunctionCall.of("less", column, first),
              FunctionCall.of("greaterOrEquals", column, behind));
      case "greater" -> FunctionCall.of("greaterOrEquals", column, behind);
      case "lessOrEquals" -> FunctionCall.of("less", column, behind);
      case "less" -> FunctionCall.of("less", column, first);
      default -> FunctionCall.of("greaterOrEquals", column, first);
    };
  }
}
