package io.coppice.parts.scan;

import io.coppice.base.error.EngineException;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Literal;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.ConstantText;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.TypedExpression;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;

/**
 * The values that a comparison with a constant lets through, as ClickHouse's EXPLAIN prints them:
 * {@code in (-Inf, 20]}. Ends that are whole numbers are included, where there is such a number.
 */
final class RangeText {
  private static final String ZONE = "UTC";

  private final String value;
  private final Optional<BigInteger> whole;
  private final boolean fraction;
  private final boolean signed;

  private RangeText(String value, Optional<BigInteger> whole, boolean fraction, boolean signed) {
    this.value = value;
    this.whole = whole;
    this.fraction = fraction;
    this.signed = signed;
  }

  /**
   * The constant as a value of a type; empty where 26.7 makes no condition of it.
   *
   * @param type of what is compared, without Nullable and LowCardinality
   */
  static Optional<RangeText> of(ExpressionCompiler compiler, DataType type, Expression constant) {
    Optional<ConstantText> given = text(compiler, constant);
    if (given.isEmpty() || given.get().isNull()) {
      return Optional.empty();
    }
    boolean integer = type instanceof PlainType plain && plain.integer();
    boolean signed = !(type instanceof PlainType plain) || !plain.integer() || plain.signed();
    Optional<Double> floating = given.get().floating();
    if (floating.isPresent()) {
      double number = floating.get();
      if (Double.isNaN(number) || type instanceof DataType.DecimalType) {
        return Optional.empty();
      }
      if (integer) {
        return Double.isInfinite(number) ? Optional.empty() : wholeBelow(number, signed);
      }
    }
    if (integer && ((PlainType) type).widthBytes() <= 8 && given.get().whole().isPresent()) {
      BigInteger number = given.get().whole().get();
      return Optional.of(new RangeText(number.toString(), Optional.of(number), false, signed));
    }
    Expression converted =
        FunctionCall.of("CAST", constant, new Literal.StringLiteral(type.text()));
    return text(compiler, converted)
        .filter(text -> !text.isNull())
        .map(text -> new RangeText(text.stored(), text.whole(), false, signedNumber(type)));
  }

  private static boolean signedNumber(DataType type) {
    return type instanceof PlainType plain && plain.signed()
        || type == PlainType.DATE32
        || type instanceof DataType.EnumType;
  }

  private static Optional<RangeText> wholeBelow(double number, boolean signed) {
    BigInteger below =
        new BigDecimal(number).setScale(0, java.math.RoundingMode.FLOOR).toBigInteger();
    boolean fraction = Math.floor(number) != number;
    return Optional.of(new RangeText(below.toString(), Optional.of(below), fraction, signed));
  }

  private static Optional<ConstantText> text(ExpressionCompiler compiler, Expression constant) {
    try {
      TypedExpression compiled = compiler.compile(constant);
      return compiled.columns().isEmpty() ? ConstantText.of(compiled, ZONE) : Optional.empty();
    } catch (EngineException e) {
      return Optional.empty(); // the filter says so itself when it is compiled
    }
  }

  /** The range of an operator; empty where it lets everything or nothing through. */
  Optional<String> text(String operator) {
    if (fraction) {
      // The value lies between two whole numbers.
      return switch (operator) {
        case "less", "lessOrEquals" -> Optional.of(" in (-Inf, " + value + "]");
        case "greater", "greaterOrEquals" ->
            Optional.of(" in [" + whole.orElseThrow().add(BigInteger.ONE) + ", +Inf)");
        default -> Optional.empty();
      };
    }
    return Optional.of(
        switch (operator) {
          case "equals" -> " in [" + value + ", " + value + "]";
          case "notEquals" -> " not in [" + value + ", " + value + "]";
          case "lessOrEquals" -> " in (-Inf, " + value + "]";
          case "greaterOrEquals" -> " in [" + value + ", +Inf)";
          case "less" ->
              moved(-1).map(end -> " in (-Inf, " + end + "]").orElse(" in (-Inf, " + value + ")");
          default ->
              moved(1).map(end -> " in [" + end + ", +Inf)").orElse(" in (" + value + ", +Inf)");
        });
  }

  private Optional<BigInteger> moved(int by) {
    return whole
        .map(number -> number.add(BigInteger.valueOf(by)))
        .filter(number -> signed || number.signum() >= 0);
  }
}
