package io.coppice.parts.text;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Literal;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import java.math.BigDecimal;

/** Numbers among the expressions of VALUES whose digits must not be lost. Stateless. */
final class ValuesNumbers {
  /** Digits of a decimal number that a Float64 keeps whatever they are. */
  private static final int FLOAT_DIGITS = 15;

  private ValuesNumbers() {}

  /**
   * A number as its text where the column keeps more digits than a float has.
   *
   * @throws EngineException NOT_IMPLEMENTED when the number as written may have had more
   */
  static Expression exact(Expression value, DataType column) {
    DataType type =
        column.storage() instanceof DataType.NullableType nullable
            ? nullable.inner()
            : column.storage();
    boolean wide = type instanceof PlainType plain && plain.integer() && plain.widthBytes() > 8;
    boolean negated =
        value.bare() instanceof FunctionCall call
            && call.name().equals("negate")
            && call.arguments().get(0).bare() instanceof Literal.FloatLiteral;
    Expression bare =
        negated ? ((FunctionCall) value.bare()).arguments().get(0).bare() : value.bare();
    if (!(bare instanceof Literal.FloatLiteral number)
        || !Double.isFinite(number.value())
        || !(wide || type instanceof DataType.DecimalType)) {
      return value;
    }
    BigDecimal digits = new BigDecimal(Double.toString(number.value())).stripTrailingZeros();
    if (wide || digits.precision() > FLOAT_DIGITS) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED,
          "the number %s may have had more digits than are kept of it; write it in quotes",
          value.text());
    }
    return new Literal.StringLiteral((negated ? digits.negate() : digits).toPlainString());
  }
}
