package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.parts.expression.ArithmeticFunctions.Operation;
import io.coppice.parts.expression.Function.Call;
import io.coppice.parts.expression.Function.Kernel;
import io.coppice.parts.expression.Function.Resolved;
import java.math.BigInteger;

/**
 * Arithmetic where at least one side is a decimal and none is floating point.
 *
 * <p>As in 26.7, both sides are first cut to the integer that holds the wider decimal, so that a
 * larger integer wraps; what scaling or the operation itself makes too large for it is an error.
 */
final class DecimalArithmetic {
  private DecimalArithmetic() {}

  /** Whether one is a decimal and the other an integer. */
  static boolean oneIsInteger(DataType a, DataType b) {
    return (a instanceof DecimalType && Types.integer(b))
        || (b instanceof DecimalType && Types.integer(a));
  }

  private static int width(DataType a, DataType b) {
    return Math.max(
        a instanceof DecimalType ? Types.width(a) : 0,
        b instanceof DecimalType ? Types.width(b) : 0);
  }

  /** The arguments of an operation, cut to one integer type. */
  private record Operands(DataType a, DataType b, DataType integer, Call call) {
    static Operands of(DataType a, DataType b, Call call) {
      return new Operands(a, b, Types.integerOf(true, width(a, b)), call);
    }

    BigInteger left(Values[] args, int row) {
      return Types.wrap(Numbers.big(args[0], a, row), integer);
    }

    BigInteger right(Values[] args, int row) {
      return Types.wrap(Numbers.big(args[1], b, row), integer);
    }

    int scaleLeft() {
      return Types.scale(a);
    }

    int scaleRight() {
      return Types.scale(b);
    }

    /** The scale of a quotient, which is the dividend's. */
    int scaleOfQuotient() {
      if (a instanceof DecimalType && b instanceof DecimalType && scaleLeft() < scaleRight()) {
        throw EngineException.of(
            ErrorCode.ARGUMENT_OUT_OF_BOUND,
            "%s of %s and %s: the scale of the divisor is more than that of the result; convert"
                + " one",
            call.name(),
            a.text(),
            b.text());
      }
      return a instanceof DecimalType ? scaleLeft() : scaleRight();
    }

    BigInteger scaled(BigInteger value, int digits) {
      return fitting(value.multiply(Numbers.power10(digits)), integer, call);
    }

    BigInteger quotient(BigInteger x, BigInteger y, int scale) {
      // x / 10^sa / (y / 10^sb) * 10^scale
      BigInteger dividend = scaled(x, scale - scaleLeft() + scaleRight());
      return dividend.divide(notZero(y));
    }
  }

  private static BigInteger fitting(BigInteger value, DataType integer, Call call) {
    if (!Numbers.fits(value, integer)) {
      throw EngineException.of(
          ErrorCode.DECIMAL_OVERFLOW,
          "decimal overflow in %s: %s does not fit %s; convert to a wider decimal",
          call.name(),
          value,
          integer.text());
    }
    return value;
  }

  private static BigInteger notZero(BigInteger divisor) {
    if (divisor.signum() == 0) {
      throw EngineException.of(ErrorCode.ILLEGAL_DIVISION, "division by zero");
    }
    return divisor;
  }

  static Resolved of(Operation operation, DataType a, DataType b, Call call) {
    Operands operands = Operands.of(a, b, call);
    int width = width(a, b);
    int scale =
        switch (operation) {
          case PLUS, MINUS, MODULO, POSITIVE_MODULO ->
              Math.max(operands.scaleLeft(), operands.scaleRight());
          case MULTIPLY -> operands.scaleLeft() + operands.scaleRight();
          case DIVIDE -> operands.scaleOfQuotient();
          default -> throw Families.illegalPair(call);
        };
    DecimalType maximal = Types.decimalOfWidth(width, 0);
    if (scale > maximal.precision()) {
      throw EngineException.of(
          ErrorCode.ARGUMENT_OUT_OF_BOUND,
          "%s of %s and %s: scale %d is more than %s holds",
          call.name(),
          a.text(),
          b.text(),
          scale,
          maximal.text());
    }
    DecimalType widest = Types.decimalOfWidth(width, scale);
    // Beside an integer a decimal keeps its precision.
    DecimalType result =
        oneIsInteger(a, b)
            ? new DecimalType(((DecimalType) (Types.integer(a) ? b : a)).precision(), scale)
            : widest;
    Kernel kernel =
        (args, rows) -> {
          BigInteger[] out = new BigInteger[Families.rows(args, rows)];
          for (int i = 0; i < out.length; i++) {
            BigInteger x = operands.left(args, i);
            BigInteger y = operands.right(args, i);
            out[i] = fitting(value(operation, x, y, operands, scale), operands.integer, call);
          }
          return Numbers.ofBigs(out, result, Families.allConstant(args));
        };
    return new Resolved(result, kernel);
  }

  private static BigInteger value(
      Operation operation, BigInteger x, BigInteger y, Operands operands, int scale) {
    return switch (operation) {
      case MULTIPLY -> x.multiply(y);
      case DIVIDE -> operands.quotient(x, y, scale);
      // The rest is that of the unscaled numbers, whatever their scales are: so 26.7 has it.
      case MODULO -> x.remainder(notZero(y));
      case POSITIVE_MODULO -> x.mod(notZero(y).abs());
      default -> {
        BigInteger left = operands.scaled(x, scale - operands.scaleLeft());
        BigInteger right = operands.scaled(y, scale - operands.scaleRight());
        yield operation == Operation.PLUS ? left.add(right) : left.subtract(right);
      }
    };
  }

  /** {@code intDiv}: the quotient without its fraction, which must fit the result. */
  static Resolved whole(Operation operation, DataType a, DataType b, DataType result, Call call) {
    if (Types.floating(a) || Types.floating(b)) {
      return new Resolved(result, ofFloats(operation, a, b, result));
    }
    Operands operands = Operands.of(a, b, call);
    int scale = operands.scaleOfQuotient();
    Kernel kernel =
        (args, rows) -> {
          BigInteger[] out = new BigInteger[Families.rows(args, rows)];
          for (int i = 0; i < out.length; i++) {
            BigInteger y = operands.right(args, i);
            if (y.signum() == 0 && operation.zeroAllowed()) {
              out[i] = BigInteger.ZERO;
              continue;
            }
            BigInteger quotient = operands.quotient(operands.left(args, i), y, scale);
            out[i] = fitting(quotient.divide(Numbers.power10(scale)), result, call);
          }
          return Numbers.ofBigs(out, result, Families.allConstant(args));
        };
    return new Resolved(result, kernel);
  }

  private static Kernel ofFloats(Operation operation, DataType a, DataType b, DataType result) {
    return (args, rows) -> {
      BigInteger[] out = new BigInteger[Families.rows(args, rows)];
      for (int i = 0; i < out.length; i++) {
        java.math.BigDecimal x = Numbers.decimal(args[0], a, i);
        java.math.BigDecimal y = Numbers.decimal(args[1], b, i);
        if (y.signum() == 0 && operation.zeroAllowed()) {
          out[i] = BigInteger.ZERO;
          continue;
        }
        notZero(y.unscaledValue());
        out[i] = Types.wrap(x.divideToIntegralValue(y).toBigInteger(), result);
      }
      return Numbers.ofBigs(out, result, Families.allConstant(args));
    };
  }

  /**
   * Integers as the decimal beside them, as {@code least} and {@code greatest} bring them to it.
   */
  static Values aligned(Values values, DataType type, DataType decimal, Call call) {
    DataType integer = Types.integerOf(true, Types.width(decimal));
    BigInteger factor = Numbers.power10(Types.scale(decimal));
    BigInteger[] out = new BigInteger[values.size()];
    for (int i = 0; i < out.length; i++) {
      BigInteger value = Types.wrap(Numbers.big(values, type, i), integer);
      out[i] = fitting(value.multiply(factor), integer, call);
    }
    return Numbers.ofBigs(out, decimal, values.constant());
  }

  /** How an integer and a decimal, or two decimals, compare: 26.7's integer for it, and errors. */
  static ComparisonFunctions.Order order(Values x, DataType a, Values y, DataType b, Call call) {
    int width =
        !(b instanceof DecimalType) ? Types.width(a) : Math.max(Types.width(a), Types.width(b));
    DataType integer = Types.integerOf(true, Math.max(4, width));
    int scale = Math.max(Types.scale(a), Types.scale(b));
    BigInteger left = Numbers.power10(scale - Types.scale(a));
    BigInteger right = Numbers.power10(scale - Types.scale(b));
    return row ->
        comparable(Types.bigAt(x, a, row), left, integer, call)
            .compareTo(comparable(Types.bigAt(y, b, row), right, integer, call));
  }

  /** Scaled numbers of 256 bits wrap there; others are errors. */
  private static BigInteger comparable(
      BigInteger value, BigInteger factor, DataType integer, Call call) {
    BigInteger scaled = fitting(value, integer, call).multiply(factor);
    return Types.width(integer) == 32
        ? Types.wrap(scaled, integer)
        : fitting(scaled, integer, call);
  }
}
