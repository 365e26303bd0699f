package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.Function.Call;
import io.coppice.parts.expression.Function.MonotonicityRule;
import io.coppice.parts.expression.Function.Resolved;
import java.math.BigInteger;

/** round (half to even for floats), floor, ceiling, trunc, to digits before or after the point. */
final class RoundingFunctions {
  private RoundingFunctions() {}

  private enum Mode {
    ROUND,
    BANKERS,
    FLOOR,
    CEILING,
    TRUNC
  }

  static void register(FunctionRegistry registry) {
    registry.add("round", call -> resolve(call, Mode.ROUND));
    registry.add("roundBankers", call -> resolve(call, Mode.BANKERS));
    registry.add("floor", call -> resolve(call, Mode.FLOOR));
    registry.add("ceiling", call -> resolve(call, Mode.CEILING));
    registry.add("ceil", call -> resolve(call, Mode.CEILING));
    registry.add("trunc", call -> resolve(call, Mode.TRUNC));
    registry.add("truncate", call -> resolve(call, Mode.TRUNC));
  }

  private static Resolved resolve(Call call, Mode mode) {
    Families.count(call, 1, 2);
    DataType type = call.type(0);
    if (!Types.number(type)) {
      throw Families.illegal(call, 0);
    }
    long digits = call.count() == 2 ? Families.constantLong(call, 1) : 0;
    if (digits > 100 || digits < -100) {
      throw EngineException.of(
          ErrorCode.ARGUMENT_OUT_OF_BOUND, "%s to %d digits", call.name(), digits);
    }
    if (Types.floating(type)) {
      return new Resolved(type, floats(mode, (int) digits, type), MonotonicityRule.INCREASING);
    }
    int scale = type instanceof DecimalType ? Types.scale(type) : 0;
    if (digits >= scale) {
      return new Resolved(type, (args, rows) -> args[0], MonotonicityRule.INCREASING);
    }
    BigInteger unit = Numbers.power10(Math.toIntExact(scale - digits));
    boolean wraps = Types.integer(type) && Numbers.fits(unit, type) && mode != Mode.BANKERS;
    return new Resolved(
        type,
        (args, rows) -> {
          int size = args[0].size();
          BigInteger[] out = new BigInteger[size];
          for (int i = 0; i < size; i++) {
            BigInteger value = Types.bigAt(args[0], type, i);
            BigInteger moved = wraps ? moved(mode, value, unit) : value;
            out[i] =
                Numbers.fits(moved, type)
                    ? Types.wrap(whole(mode, value, unit), type)
                    : Types.wrap(moved, type).divide(unit).multiply(unit);
          }
          return Numbers.ofBigs(out, type, args[0].constant());
        },
        MonotonicityRule.INCREASING);
  }

  /** What is added before the digits are cut off; it wraps at the ends of a type, as in 26.7. */
  private static BigInteger moved(Mode mode, BigInteger value, BigInteger unit) {
    BigInteger most = unit.subtract(BigInteger.ONE);
    return switch (mode) {
      case FLOOR -> value.signum() < 0 ? value.subtract(most) : value;
      case CEILING -> value.signum() > 0 ? value.add(most) : value;
      case ROUND ->
          value.signum() < 0 ? value.subtract(unit.shiftRight(1)) : value.add(unit.shiftRight(1));
      case TRUNC, BANKERS -> value;
    };
  }

  private static BigInteger whole(Mode mode, BigInteger value, BigInteger unit) {
    BigInteger[] parts = value.divideAndRemainder(unit);
    BigInteger quotient = parts[0];
    BigInteger rest = parts[1];
    if (rest.signum() == 0) {
      return value;
    }
    int sign = value.signum();
    BigInteger away = quotient.add(BigInteger.valueOf(sign));
    BigInteger result =
        switch (mode) {
          case TRUNC -> quotient;
          case FLOOR -> sign < 0 ? away : quotient;
          case CEILING -> sign > 0 ? away : quotient;
          case ROUND, BANKERS -> {
            int half = rest.abs().shiftLeft(1).compareTo(unit);
            boolean up = half > 0 || (half == 0 && (mode == Mode.ROUND || quotient.testBit(0)));
            yield up ? away : quotient;
          }
        };
    return result.multiply(unit);
  }

  private static Function.Kernel floats(Mode mode, int digits, DataType type) {
    double scale = Math.pow(10, Math.abs(digits));
    return (args, rows) -> {
      double[] out = ((Values.Doubles) args[0]).values.clone();
      for (int i = 0; i < out.length; i++) {
        double value = out[i];
        double exact = digits == 0 ? value : digits > 0 ? value * scale : value / scale;
        double scaled = type == PlainType.FLOAT32 ? (float) exact : exact;
        double rounded =
            switch (mode) {
              case ROUND, BANKERS -> Math.rint(scaled);
              case FLOOR -> Math.floor(scaled);
              case CEILING -> Math.ceil(scaled);
              case TRUNC -> scaled < 0 ? Math.ceil(scaled) : Math.floor(scaled);
            };
        out[i] = digits == 0 ? rounded : digits > 0 ? rounded / scale : rounded * scale;
      }
      Numbers.round(out, type);
      return new Values.Doubles(out, args[0].constant(), null);
    };
  }
}
