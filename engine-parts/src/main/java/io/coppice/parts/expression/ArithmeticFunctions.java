package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.Function.Call;
import io.coppice.parts.expression.Function.Kernel;
import io.coppice.parts.expression.Function.MonotonicityRule;
import io.coppice.parts.expression.Function.Resolved;
import java.math.BigInteger;
import java.util.Optional;

/** {@code + - * / intDiv modulo …}, bits, gcd, lcm, abs, sign, with ClickHouse's result types. */
final class ArithmeticFunctions {
  private ArithmeticFunctions() {}

  /** What a function does to two integers of 64 bits, to two floats, to two big ones. */
  enum Operation {
    PLUS,
    MINUS,
    MULTIPLY,
    DIVIDE,
    INT_DIV,
    INT_DIV_OR_ZERO,
    MODULO,
    MODULO_OR_ZERO,
    MODULO_LEGACY,
    POSITIVE_MODULO,
    BIT_AND,
    BIT_OR,
    BIT_XOR,
    SHIFT_LEFT,
    SHIFT_RIGHT,
    GCD,
    LCM;

    boolean bits() {
      return this == BIT_AND || this == BIT_OR || this == BIT_XOR;
    }

    boolean shift() {
      return this == SHIFT_LEFT || this == SHIFT_RIGHT;
    }

    boolean modulo() {
      return this == MODULO
          || this == MODULO_OR_ZERO
          || this == MODULO_LEGACY
          || this == POSITIVE_MODULO;
    }

    boolean intDiv() {
      return this == INT_DIV || this == INT_DIV_OR_ZERO;
    }

    boolean zeroAllowed() {
      return this == INT_DIV_OR_ZERO || this == MODULO_OR_ZERO;
    }
  }

  static void register(FunctionRegistry registry) {
    add(registry, "plus", Operation.PLUS);
    add(registry, "minus", Operation.MINUS);
    add(registry, "multiply", Operation.MULTIPLY);
    add(registry, "divide", Operation.DIVIDE);
    add(registry, "intDiv", Operation.INT_DIV);
    add(registry, "intDivOrZero", Operation.INT_DIV_OR_ZERO);
    add(registry, "modulo", Operation.MODULO);
    add(registry, "moduloOrZero", Operation.MODULO_OR_ZERO);
    add(registry, "moduloLegacy", Operation.MODULO_LEGACY);
    add(registry, "positiveModulo", Operation.POSITIVE_MODULO);
    add(registry, "bitAnd", Operation.BIT_AND);
    add(registry, "bitOr", Operation.BIT_OR);
    add(registry, "bitXor", Operation.BIT_XOR);
    add(registry, "bitShiftLeft", Operation.SHIFT_LEFT);
    add(registry, "bitShiftRight", Operation.SHIFT_RIGHT);
    add(registry, "gcd", Operation.GCD);
    add(registry, "lcm", Operation.LCM);
    registry.add("negate", ArithmeticFunctions::negate);
    registry.add("abs", ArithmeticFunctions::abs);
    registry.add("sign", ArithmeticFunctions::sign);
    registry.add("bitNot", ArithmeticFunctions::bitNot);
    registry.addWithNulls("least", call -> extreme(call, true));
    registry.addWithNulls("greatest", call -> extreme(call, false));
  }

  private static void add(FunctionRegistry registry, String name, Operation operation) {
    boolean defaults =
        operation == Operation.GCD
            || operation == Operation.LCM
            || operation == Operation.MODULO_LEGACY;
    if (defaults) {
      registry.addSeeingDefaults(name, call -> binary(call, operation));
    } else {
      registry.add(name, call -> binary(call, operation));
    }
  }

  // Two arguments

  private static Resolved binary(Call call, Operation operation) {
    Families.count(call, 2, 2);
    DataType a = call.type(0);
    DataType b = call.type(1);
    boolean sum = operation == Operation.PLUS || operation == Operation.MINUS;
    if (sum && (Types.dateLike(a) || Types.dateLike(b) || Types.interval(a))) {
      return TimeFunctions.sum(call, operation == Operation.MINUS);
    }
    if (sum && a == PlainType.TIME && Types.integer(b) && !Types.big(b)) {
      return secondsLater(operation == Operation.MINUS);
    }
    if (operation.modulo() && (a == PlainType.DATE || a instanceof DataType.DateTimeType)) {
      a = a == PlainType.DATE ? PlainType.UINT16 : PlainType.UINT32;
      DataType result =
          Types.integer(b) ? Types.integerOf(Types.signed(b), b.widthBytes()) : PlainType.FLOAT64;
      return integers(operation, a, b, result, call);
    }
    if (!Types.number(a) || !Types.number(b)) {
      throw Families.illegalPair(call);
    }
    boolean floating = Types.floating(a) || Types.floating(b);
    boolean decimal = a instanceof DecimalType || b instanceof DecimalType;
    if (decimal && operation.intDiv()) {
      DataType result = Types.integerOf(true, Types.width(a));
      return DecimalArithmetic.whole(operation, a, b, result, call);
    }
    if (decimal
        && (operation == Operation.MODULO_OR_ZERO || operation == Operation.MODULO_LEGACY)) {
      throw Families.illegalPair(call);
    }
    if (decimal && !floating) {
      return DecimalArithmetic.of(operation, a, b, call);
    }
    boolean exact =
        operation.bits()
            || operation.shift()
            || operation == Operation.GCD
            || operation == Operation.LCM;
    if (floating && exact) {
      throw Families.illegalPair(call);
    }
    boolean wide = Types.big(a) || Types.big(b);
    if (floating && wide && sumLike(operation) && !decimal) {
      throw Families.illegalPair(call);
    }
    if (operation.shift() && Types.big(b)) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED, "%s by %s is not served by 26.7", call.name(), b.text());
    }
    DataType result = resultType(operation, a, b, floating);
    if (Types.floating(result)) {
      return floats(operation, a, b, result, call);
    }
    return integers(operation, a, b, result, call);
  }

  private static boolean sumLike(Operation operation) {
    return operation == Operation.PLUS
        || operation == Operation.MINUS
        || operation == Operation.MULTIPLY;
  }

  private static DataType resultType(
      Operation operation, DataType a, DataType b, boolean floating) {
    int widthA = Types.width(a);
    int widthB = Types.width(b);
    boolean signed = Types.signed(a) || Types.signed(b);
    return switch (operation) {
      case PLUS, MULTIPLY, GCD, LCM ->
          floating
              ? floatResult(a, b)
              : Types.integerOf(signed, Types.nextWidth(Math.max(widthA, widthB)));
      case MINUS ->
          floating
              ? floatResult(a, b)
              : Types.integerOf(true, Types.nextWidth(Math.max(widthA, widthB)));
      case DIVIDE -> PlainType.FLOAT64;
      case INT_DIV, INT_DIV_OR_ZERO -> Types.integerOf(signed, widthA);
      case MODULO, MODULO_OR_ZERO ->
          floating
              ? PlainType.FLOAT64
              : Types.integerOf(
                  Types.signed(a), Types.signed(a) ? Types.nextWidth(widthB) : widthB);
      case MODULO_LEGACY -> floating ? PlainType.FLOAT64 : Types.integerOf(signed, widthB);
      case POSITIVE_MODULO -> floating ? PlainType.FLOAT64 : Types.integerOf(false, widthB);
      case BIT_AND, BIT_OR, BIT_XOR, SHIFT_LEFT, SHIFT_RIGHT ->
          Types.integerOf(signed, Math.max(widthA, widthB));
    };
  }

  private static DataType floatResult(DataType a, DataType b) {
    if (a instanceof DecimalType || b instanceof DecimalType) {
      return PlainType.FLOAT64;
    }
    return Types.floatOf(Types.nextWidth(Math.max(Types.width(a), Types.width(b))));
  }

  private static Resolved integers(
      Operation operation, DataType a, DataType b, DataType result, Call call) {
    if (Types.floating(result)) {
      return floats(operation, a, b, result, call);
    }
    MonotonicityRule rule = rule(operation, a, b, result, call);
    if (Types.big(a) || Types.big(b) || Types.big(result)) {
      return new Resolved(result, bigKernel(operation, a, b, result), rule);
    }
    if (operation.intDiv() && (Types.floating(a) || Types.floating(b))) {
      return new Resolved(result, intDivOfFloats(operation, a, b, result), rule);
    }
    Kernel kernel =
        (args, rows) -> {
          Values.Longs left = (Values.Longs) args[0];
          Values.Longs right = (Values.Longs) args[1];
          int count = Families.rows(args, rows);
          long[] out = new long[count];
          longs(operation, left, right, out, a, b);
          Types.wrap(out, result);
          return new Values.Longs(out, Families.allConstant(args), null);
        };
    return new Resolved(result, kernel, rule);
  }

  private static void longs(
      Operation operation,
      Values.Longs left,
      Values.Longs right,
      long[] out,
      DataType a,
      DataType b) {
    long[] x = left.values;
    long[] y = right.values;
    int mx = left.mask();
    int my = right.mask();
    switch (operation) {
      case PLUS -> {
        for (int i = 0; i < out.length; i++) {
          out[i] = x[i & mx] + y[i & my];
        }
      }
      case MINUS -> {
        for (int i = 0; i < out.length; i++) {
          out[i] = x[i & mx] - y[i & my];
        }
      }
      case MULTIPLY -> {
        for (int i = 0; i < out.length; i++) {
          out[i] = x[i & mx] * y[i & my];
        }
      }
      case BIT_AND -> {
        for (int i = 0; i < out.length; i++) {
          out[i] = x[i & mx] & y[i & my];
        }
      }
      case BIT_OR -> {
        for (int i = 0; i < out.length; i++) {
          out[i] = x[i & mx] | y[i & my];
        }
      }
      case BIT_XOR -> {
        for (int i = 0; i < out.length; i++) {
          out[i] = x[i & mx] ^ y[i & my];
        }
      }
      case SHIFT_LEFT, SHIFT_RIGHT -> {
        // Of the wider type, of a sign if one has it; all bits of the first gone, nothing is left.
        boolean unsigned = !Types.signed(a) && !Types.signed(b);
        boolean leftward = operation == Operation.SHIFT_LEFT;
        int bits = Types.width(a) * 8;
        int rest = 64 - 8 * Math.max(Types.width(a), Types.width(b));
        for (int i = 0; i < out.length; i++) {
          long by = y[i & my];
          if (by < 0 && Types.signed(b)) {
            throw EngineException.of(
                ErrorCode.ARGUMENT_OUT_OF_BOUND, "shift by %d bits, expected 0 or more", by);
          }
          long value = x[i & mx];
          if (by < 0 || by >= bits) {
            out[i] = 0;
          } else if (leftward) {
            out[i] = value << by;
          } else {
            out[i] = unsigned ? value >>> by : value << rest >> rest >> by;
          }
        }
      }
      default -> {
        boolean ua = a == PlainType.UINT64;
        boolean ub = b == PlainType.UINT64;
        boolean signed = Types.signed(a) || Types.signed(b);
        if (operation.intDiv() && signed) {
          int sa = 64 - Types.width(a) * 8;
          // A narrower divisor is widened first, so that its sign stays.
          int sb = Types.width(b) < Types.width(a) ? 0 : 64 - Types.width(b) * 8;
          long least = Long.MIN_VALUE >> sa;
          for (int i = 0; i < out.length; i++) {
            out[i] = signedQuotient(operation, x[i & mx] << sa >> sa, y[i & my] << sb >> sb, least);
          }
          return;
        }
        int width = Math.max(4, Math.max(Types.width(a), Types.width(b)));
        boolean asUnsigned =
            (Types.width(a) == width && !Types.signed(a))
                || (Types.width(b) == width && !Types.signed(b));
        if (operation.modulo() && asUnsigned) {
          // As C++ brings both to the unsigned type of the wider.
          long cut = width == 8 ? -1 : 0xffffffffL;
          for (int i = 0; i < out.length; i++) {
            long rest = quotient(operation, x[i & mx] & cut, y[i & my] & cut, true, true, false);
            // A rest taken for a signed number, as that of a signed dividend is, may be below zero.
            boolean below = Types.signed(a) && (width == 8 ? rest : (int) rest) < 0;
            out[i] = below && operation == Operation.POSITIVE_MODULO ? rest + y[i & my] : rest;
          }
          return;
        }
        for (int i = 0; i < out.length; i++) {
          long rest = quotient(operation, x[i & mx], y[i & my], ua, ub, signed);
          boolean below = operation == Operation.POSITIVE_MODULO && rest < 0 && !ua;
          out[i] = below ? rest + magnitude(y[i & my], b) : rest;
        }
      }
    }
  }

  /** Both taken for signed numbers of their own widths, as there. */
  private static long signedQuotient(Operation operation, long x, long y, long least) {
    boolean over = y == -1 && x == least;
    if (y != 0 && !over) {
      return x / y;
    }
    if (operation.zeroAllowed()) {
      return 0;
    }
    throw EngineException.of(
        ErrorCode.ILLEGAL_DIVISION,
        over ? "division of the least signed number by minus one" : "division by zero");
  }

  /** Division and its like. ClickHouse first brings both to one type, signed if either is. */
  private static long quotient(
      Operation operation, long x, long y, boolean ua, boolean ub, boolean signed) {
    if (operation == Operation.GCD || operation == Operation.LCM) {
      return gcd(operation, x, y, ua && !signed, ub && !signed);
    }
    if (y == 0) {
      if (operation.zeroAllowed()) {
        return 0;
      }
      throw EngineException.of(ErrorCode.ILLEGAL_DIVISION, "division by zero");
    }
    if (operation.intDiv()) {
      if (!signed) {
        return Long.divideUnsigned(x, y);
      }
      if (y == -1 && !ub && x == Long.MIN_VALUE && !ua) {
        if (operation.zeroAllowed()) {
          return 0;
        }
        throw EngineException.of(
            ErrorCode.ILLEGAL_DIVISION, "division of the least signed number by minus one");
      }
      // A UInt64 beyond Int64 is taken for its signed twin, as there.
      return x / y;
    }
    long rest;
    if (!signed) {
      rest = Long.remainderUnsigned(x, y);
    } else if (y == -1 && !ub) {
      rest = 0;
    } else if (ua || ub) {
      rest = mixedRemainder(x, y, ua, ub);
    } else {
      rest = x % y;
    }
    return rest;
  }

  /** What is added to a rest below zero. */
  private static long magnitude(long divisor, DataType type) {
    if (Types.signed(type) && divisor == Long.MIN_VALUE >> 64 - Types.width(type) * 8) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_DIVISION, "positive modulo by the least number of %s", type.text());
    }
    return Math.abs(divisor);
  }

  private static long mixedRemainder(long x, long y, boolean ua, boolean ub) {
    BigInteger bx = ua ? Types.unsigned(x) : BigInteger.valueOf(x);
    BigInteger by = ub ? Types.unsigned(y) : BigInteger.valueOf(y);
    return bx.remainder(by).longValue();
  }

  private static long gcd(Operation operation, long x, long y, boolean ua, boolean ub) {
    if (x == 0 || y == 0) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_DIVISION, "greatest common divisor with zero, which is not defined");
    }
    if ((!ua && x == Long.MIN_VALUE) || (!ub && y == Long.MIN_VALUE)) {
      throw EngineException.of(
          ErrorCode.DECIMAL_OVERFLOW, "intermediate result overflow of gcd or lcm");
    }
    BigInteger bx = ua ? Types.unsigned(x) : BigInteger.valueOf(x);
    BigInteger by = ub ? Types.unsigned(y) : BigInteger.valueOf(y);
    BigInteger divisor = bx.gcd(by);
    return operation == Operation.GCD
        ? divisor.longValue()
        : bx.abs().divide(divisor).multiply(by.abs()).longValue();
  }

  private static Kernel bigKernel(Operation operation, DataType a, DataType b, DataType result) {
    DataType left = operand(operation, a, b);
    DataType right = operand(operation, b, a);
    return (args, rows) -> {
      int count = Families.rows(args, rows);
      BigInteger[] out = new BigInteger[count];
      for (int i = 0; i < count; i++) {
        BigInteger x = Types.wrap(Numbers.big(args[0], a, i), left);
        BigInteger y = Types.wrap(Numbers.big(args[1], b, i), right);
        out[i] = Types.wrap(big(operation, x, y, a), result);
      }
      return Numbers.ofBigs(out, result, Families.allConstant(args));
    };
  }

  /**
   * What an operand is taken for: as in C++, the rest is of two unsigned numbers if the wider is.
   */
  private static DataType operand(Operation operation, DataType type, DataType other) {
    boolean signed = Types.signed(type) || Types.signed(other);
    int width = Math.max(Types.width(type), Types.width(other));
    if (operation.modulo()) {
      boolean unsigned =
          (Types.width(type) == width && !Types.signed(type))
              || (Types.width(other) == width && !Types.signed(other));
      return unsigned ? Types.integerOf(false, width) : Types.integerOf(true, width);
    }
    boolean divides =
        operation.intDiv() || operation == Operation.GCD || operation == Operation.LCM;
    return divides && signed ? Types.integerOf(true, width) : type;
  }

  private static BigInteger big(Operation operation, BigInteger x, BigInteger y, DataType a) {
    boolean divides =
        operation.intDiv()
            || operation.modulo()
            || operation == Operation.GCD
            || operation == Operation.LCM;
    if (divides && y.signum() == 0) {
      if (operation.zeroAllowed()) {
        return BigInteger.ZERO;
      }
      throw EngineException.of(ErrorCode.ILLEGAL_DIVISION, "division by zero");
    }
    return switch (operation) {
      case PLUS -> x.add(y);
      case MINUS -> x.subtract(y);
      case MULTIPLY -> x.multiply(y);
      case INT_DIV, INT_DIV_OR_ZERO -> x.divide(y);
      case MODULO, MODULO_OR_ZERO, MODULO_LEGACY -> x.remainder(y);
      case POSITIVE_MODULO -> x.mod(y.abs());
      case BIT_AND -> x.and(y);
      case BIT_OR -> x.or(y);
      case BIT_XOR -> x.xor(y);
      case SHIFT_LEFT, SHIFT_RIGHT -> shifted(operation, x, y, a);
      case GCD -> x.gcd(y);
      case LCM -> x.divide(x.gcd(y)).multiply(y);
      case DIVIDE -> throw new AssertionError("divide of integers is of floats");
    };
  }

  private static BigInteger shifted(
      Operation operation, BigInteger value, BigInteger by, DataType type) {
    if (by.signum() < 0) {
      throw EngineException.of(
          ErrorCode.ARGUMENT_OUT_OF_BOUND, "shift by %s bits, expected 0 or more", by);
    }
    if (by.bitLength() > 30 || by.intValue() >= Types.width(type) * 8) {
      return BigInteger.ZERO;
    }
    return operation == Operation.SHIFT_LEFT
        ? value.shiftLeft(by.intValue())
        : value.shiftRight(by.intValue());
  }

  private static Resolved floats(
      Operation operation, DataType a, DataType b, DataType result, Call call) {
    Kernel kernel =
        (args, rows) -> {
          int count = Families.rows(args, rows);
          Values.Doubles left = Numbers.doubles(args[0], a);
          Values.Doubles right = Numbers.doubles(args[1], b);
          double[] x = left.values;
          double[] y = right.values;
          int mx = left.mask();
          int my = right.mask();
          double[] out = new double[count];
          switch (operation) {
            case PLUS -> {
              for (int i = 0; i < count; i++) {
                out[i] = x[i & mx] + y[i & my];
              }
            }
            case MINUS -> {
              for (int i = 0; i < count; i++) {
                out[i] = x[i & mx] - y[i & my];
              }
            }
            case MULTIPLY -> {
              for (int i = 0; i < count; i++) {
                out[i] = x[i & mx] * y[i & my];
              }
            }
            case DIVIDE -> {
              for (int i = 0; i < count; i++) {
                out[i] = x[i & mx] / y[i & my];
              }
            }
            case POSITIVE_MODULO -> {
              for (int i = 0; i < count; i++) {
                double rest = remainder(x[i & mx], y[i & my]);
                double divisor = Math.abs(y[i & my]);
                if (rest < 0 && Types.integer(b)) {
                  divisor = magnitude((long) y[i & my], b);
                }
                out[i] = rest < 0 ? rest + divisor : rest;
              }
            }
            default -> {
              for (int i = 0; i < count; i++) {
                out[i] = remainder(x[i & mx], y[i & my]);
              }
            }
          }
          Numbers.round(out, result);
          return new Values.Doubles(out, Families.allConstant(args), null);
        };
    return new Resolved(result, kernel, inFloats(operation, a, b, call));
  }

  /** By way of the quotient, whose rounding shows in the rest. */
  private static double remainder(double x, double y) {
    double quotient = x / y;
    return x - (quotient < 0 ? Math.ceil(quotient) : Math.floor(quotient)) * y;
  }

  private static Kernel intDivOfFloats(
      Operation operation, DataType a, DataType b, DataType result) {
    return (args, rows) -> {
      int count = Families.rows(args, rows);
      Values.Doubles left = Numbers.doubles(args[0], a);
      Values.Doubles right = Numbers.doubles(args[1], b);
      long[] out = new long[count];
      double limit = Math.scalb(1.0, Types.width(result) * 8 - (Types.signed(result) ? 1 : 0));
      for (int i = 0; i < count; i++) {
        double x = left.values[left.at(i)];
        double y = right.values[right.at(i)];
        double quotient = x / y;
        if (y == 0 || Double.isNaN(quotient) || Double.isInfinite(quotient)) {
          if (operation.zeroAllowed()) {
            out[i] = 0;
            continue;
          }
          throw EngineException.of(
              ErrorCode.ILLEGAL_DIVISION, "integer division by zero or of what is no number");
        }
        if (Math.abs(quotient) >= limit) {
          throw EngineException.of(
              ErrorCode.ILLEGAL_DIVISION, "integer division gives too large a number");
        }
        out[i] = (long) quotient;
      }
      Types.wrap(out, result);
      return new Values.Longs(out, Families.allConstant(args), null);
    };
  }

  // Monotonicity

  private static MonotonicityRule rule(
      Operation operation, DataType a, DataType b, DataType result, Call call) {
    Optional<Values> left = call.arguments().get(0).constant();
    Optional<Values> right = call.arguments().get(1).constant();
    if (left.isPresent() == right.isPresent()) {
      return MonotonicityRule.NONE;
    }
    if (operation == Operation.INT_DIV && right.isPresent()) {
      int sign = Numbers.big(right.get(), b, 0).signum();
      boolean unsignedTwin = a == PlainType.UINT64 && Types.signed(b);
      if (sign == 0 || unsignedTwin) {
        return MonotonicityRule.NONE;
      }
      return (low, high) -> sign > 0 ? Monotonicity.INCREASING : Monotonicity.DECREASING;
    }
    if (operation == Operation.PLUS || operation == Operation.MINUS) {
      DataType variable = left.isPresent() ? b : a;
      boolean down = left.isPresent() && operation == Operation.MINUS;
      BigInteger fixed = Numbers.big(left.orElseGet(right::get), left.isPresent() ? a : b, 0);
      BigInteger other = operation == Operation.MINUS && right.isPresent() ? fixed.negate() : fixed;
      return (low, high) -> {
        BigInteger from = low.map(v -> Numbers.big(v, variable, 0)).orElse(Numbers.min(variable));
        BigInteger to = high.map(v -> Numbers.big(v, variable, 0)).orElse(Numbers.max(variable));
        boolean fits =
            Numbers.fits(down ? other.subtract(from) : other.add(from), result)
                && Numbers.fits(down ? other.subtract(to) : other.add(to), result);
        if (!fits) {
          return Monotonicity.NONE;
        }
        boolean always = low.isEmpty() && high.isEmpty();
        return new Monotonicity(true, !down, always);
      };
    }
    if (operation == Operation.MULTIPLY) {
      DataType variable = left.isPresent() ? b : a;
      BigInteger factor = Numbers.big(left.orElseGet(right::get), left.isPresent() ? a : b, 0);
      return (low, high) -> {
        BigInteger from = low.map(v -> Numbers.big(v, variable, 0)).orElse(Numbers.min(variable));
        BigInteger to = high.map(v -> Numbers.big(v, variable, 0)).orElse(Numbers.max(variable));
        boolean fits =
            Numbers.fits(factor.multiply(from), result)
                && Numbers.fits(factor.multiply(to), result);
        boolean always = low.isEmpty() && high.isEmpty();
        return fits ? new Monotonicity(true, factor.signum() >= 0, always) : Monotonicity.NONE;
      };
    }
    return MonotonicityRule.NONE;
  }

  /** In floats nothing wraps, and rounding keeps the order. A NaN stays one. */
  private static MonotonicityRule inFloats(Operation operation, DataType a, DataType b, Call call) {
    Optional<Values> left = call.arguments().get(0).constant();
    Optional<Values> right = call.arguments().get(1).constant();
    if (left.isPresent() == right.isPresent() || left.orElseGet(right::get).isNull(0)) {
      return MonotonicityRule.NONE;
    }
    double fixed =
        left.orElseGet(right::get) instanceof Values.Doubles doubles
            ? doubles.values[0]
            : Numbers.decimal(left.orElseGet(right::get), left.isPresent() ? a : b, 0)
                .doubleValue();
    boolean up =
        switch (operation) {
          case PLUS -> true;
          case MINUS -> right.isPresent();
          default -> fixed > 0;
        };
    boolean known =
        operation == Operation.PLUS
            || operation == Operation.MINUS
            || fixed != 0
                && (operation == Operation.MULTIPLY
                    || operation == Operation.DIVIDE && right.isPresent());
    return known && Double.isFinite(fixed)
        ? (low, high) -> up ? Monotonicity.INCREASING : Monotonicity.DECREASING
        : MonotonicityRule.NONE;
  }

  // One argument

  private static Resolved negate(Call call) {
    Families.count(call, 1, 1);
    DataType type = call.type(0);
    if (Types.interval(type)) {
      return new Resolved(
          type,
          (args, rows) -> {
            long[] out = ((Values.Longs) args[0]).values.clone();
            for (int i = 0; i < out.length; i++) {
              out[i] = -out[i];
            }
            return new Values.Longs(out, args[0].constant(), null);
          });
    }
    if (!Types.number(type) || type == PlainType.BFLOAT16) {
      throw Families.illegal(call, 0);
    }
    if (Types.floating(type)) {
      return new Resolved(
          type,
          (args, rows) -> {
            double[] out = ((Values.Doubles) args[0]).values.clone();
            for (int i = 0; i < out.length; i++) {
              out[i] = -out[i];
            }
            return new Values.Doubles(out, args[0].constant(), null);
          },
          (low, high) -> Monotonicity.DECREASING);
    }
    DataType result =
        type instanceof DecimalType
            ? type
            : Types.integerOf(
                true, Types.signed(type) ? Types.width(type) : Types.nextWidth(Types.width(type)));
    Kernel kernel = bigOrLong(type, result, BigInteger::negate, value -> -value);
    return new Resolved(
        result,
        kernel,
        (low, high) -> {
          BigInteger from = low.map(v -> Numbers.big(v, type, 0)).orElse(Numbers.min(type));
          BigInteger to = high.map(v -> Numbers.big(v, type, 0)).orElse(Numbers.max(type));
          return Numbers.fits(from.negate(), result) && Numbers.fits(to.negate(), result)
              ? new Monotonicity(true, false, low.isEmpty() && high.isEmpty())
              : Monotonicity.NONE;
        });
  }

  private static Resolved abs(Call call) {
    Families.count(call, 1, 1);
    DataType type = call.type(0);
    if (!Types.number(type) || type == PlainType.BFLOAT16) {
      throw Families.illegal(call, 0);
    }
    if (Types.floating(type)) {
      return new Resolved(
          type,
          (args, rows) -> {
            double[] out = ((Values.Doubles) args[0]).values.clone();
            for (int i = 0; i < out.length; i++) {
              out[i] = Math.abs(out[i]);
            }
            return new Values.Doubles(out, args[0].constant(), null);
          });
    }
    DataType result =
        type instanceof DecimalType ? type : Types.integerOf(false, Types.width(type));
    boolean signed = Types.signed(type);
    Kernel kernel =
        bigOrLong(type, result, BigInteger::abs, value -> signed && value < 0 ? -value : value);
    MonotonicityRule rule =
        (low, high) -> {
          if (!signed) {
            return Monotonicity.INCREASING;
          }
          if (low.isPresent() && Numbers.big(low.get(), type, 0).signum() >= 0) {
            return Monotonicity.INCREASING_HERE;
          }
          return high.isPresent() && Numbers.big(high.get(), type, 0).signum() <= 0
              ? Monotonicity.DECREASING_HERE
              : Monotonicity.NONE;
        };
    return new Resolved(result, kernel, rule);
  }

  private static Resolved sign(Call call) {
    Families.count(call, 1, 1);
    DataType type = call.type(0);
    if (!Types.number(type)) {
      throw Families.illegal(call, 0);
    }
    Kernel kernel =
        (args, rows) -> {
          int count = Families.rows(args, rows);
          long[] out = new long[count];
          for (int i = 0; i < count; i++) {
            out[i] =
                args[0] instanceof Values.Doubles doubles
                    ? (long) Math.signum(doubles.values[i])
                    : Numbers.big(args[0], type, i).signum();
          }
          return new Values.Longs(out, args[0].constant(), null);
        };
    return new Resolved(PlainType.INT8, kernel, MonotonicityRule.INCREASING);
  }

  private static Resolved bitNot(Call call) {
    Families.count(call, 1, 1);
    DataType type = call.type(0);
    if (!Types.integer(type)) {
      throw Families.illegal(call, 0);
    }
    DataType result = Types.integerOf(Types.signed(type), Types.width(type));
    return new Resolved(result, bigOrLong(type, result, BigInteger::not, value -> ~value));
  }

  private static Kernel bigOrLong(
      DataType type,
      DataType result,
      java.util.function.UnaryOperator<BigInteger> ofBig,
      java.util.function.LongUnaryOperator ofLong) {
    return (args, rows) -> {
      if (args[0] instanceof Values.Longs longs && !Types.big(result)) {
        long[] out = new long[longs.values.length];
        for (int i = 0; i < out.length; i++) {
          out[i] = ofLong.applyAsLong(longs.values[i]);
        }
        Types.wrap(out, result);
        return new Values.Longs(out, args[0].constant(), null);
      }
      BigInteger[] out = new BigInteger[args[0].size()];
      for (int i = 0; i < out.length; i++) {
        out[i] = Types.wrap(ofBig.apply(Numbers.big(args[0], type, i)), result);
      }
      return Numbers.ofBigs(out, result, args[0].constant());
    };
  }

  /** A time of day some seconds later or earlier. */
  private static Resolved secondsLater(boolean earlier) {
    return new Resolved(
        PlainType.TIME,
        (args, rows) -> {
          Values.Longs times = (Values.Longs) args[0];
          Values.Longs seconds = (Values.Longs) args[1];
          long[] out = new long[Families.rows(args, rows)];
          for (int i = 0; i < out.length; i++) {
            long by = seconds.values[seconds.at(i)];
            out[i] = times.values[times.at(i)] + (earlier ? -by : by);
          }
          Types.wrap(out, PlainType.TIME);
          return new Values.Longs(out, Families.allConstant(args), null);
        });
  }

  private static DataType extremeType(Call call, boolean least) {
    java.util.List<DataType> types =
        call.arguments().stream().map(Function.Argument::type).toList();
    if (types.size() == 2 && types.stream().allMatch(Types::integer)) {
      boolean mixed = Types.signed(types.get(0)) != Types.signed(types.get(1));
      DataType unsigned = Types.signed(types.get(0)) ? types.get(1) : types.get(0);
      boolean words = types.stream().allMatch(t -> Types.width(t) == 8);
      if (mixed && words && unsigned == PlainType.UINT64) {
        return least ? PlainType.INT64 : PlainType.UINT64;
      }
    }
    if (types.size() == 2 && types.stream().allMatch(Types::number)) {
      DataType a = types.get(0);
      DataType b = types.get(1);
      if (DecimalArithmetic.oneIsInteger(a, b)) {
        return a instanceof DecimalType ? a : b;
      }
      if ((Types.floating(a) && Types.integer(b) && Types.width(b) >= 8)
          || (Types.floating(b) && Types.integer(a) && Types.width(a) >= 8)) {
        throw Families.illegalPair(call);
      }
    }
    boolean decimal = types.stream().anyMatch(DecimalType.class::isInstance);
    if (decimal && types.stream().anyMatch(Types::floating)) {
      return PlainType.FLOAT64;
    }
    DataType common = Types.common(types, call.name());
    return common == PlainType.BOOL ? PlainType.UINT8 : common;
  }

  /** least and greatest: of all arguments that are not NULL. */
  private static Resolved extreme(Call call, boolean least) {
    if (call.count() == 0) {
      throw EngineException.of(
          ErrorCode.NUMBER_OF_ARGUMENTS_DOESNT_MATCH, "function %s needs arguments", call.name());
    }
    DataType result = extremeType(call, least);
    boolean two = call.count() == 2;
    boolean aligned = two && DecimalArithmetic.oneIsInteger(call.type(0), call.type(1));
    boolean words = two && Types.integer(call.type(0)) && Types.integer(call.type(1));
    Kernel kernel =
        (args, rows) -> {
          int count = Families.rows(args, rows);
          Values best = null;
          for (int k = 0; k < args.length; k++) {
            Values next =
                aligned && Types.integer(call.type(k))
                    ? DecimalArithmetic.aligned(args[k], call.type(k), result, call)
                    : Conversions.convert(args[k], call.type(k), result, call, rows);
            if (best == null) {
              best = next;
              continue;
            }
            int[] rowsOf = new int[count];
            boolean[] second = new boolean[count];
            for (int i = 0; i < count; i++) {
              rowsOf[i] = i;
              boolean takeNext;
              if (best.isNull(i) || next.isNull(i)) {
                takeNext = best.isNull(i);
              } else {
                int order =
                    words
                        ? Types.bigAt(args[0], call.type(0), i)
                            .compareTo(Types.bigAt(args[1], call.type(1), i))
                        : Comparisons.compare(best, i, next, i, Types.notNull(result));
                takeNext = least ? order > 0 : order < 0;
              }
              second[i] = takeNext;
            }
            best = ConditionalFunctions.choose(second, next, best, count);
          }
          return Families.allConstant(args) ? best.asConstant() : best;
        };
    return new Resolved(result, kernel);
  }
}
