package io.coppice.parts.expression;

import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.Function.Call;
import io.coppice.parts.expression.Function.Resolved;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/**
 * Functions of floating point numbers, which all give Float64. They are Java's, which differ from
 * ClickHouse's by a last digit for some arguments; square roots and logarithms do not.
 */
final class MathFunctions {
  private static final Map<String, DoubleUnaryOperator> OF_ONE = new TreeMap<>();
  private static final Map<String, DoubleBinaryOperator> OF_TWO =
      Map.of("pow", Math::pow, "atan2", Math::atan2, "hypot", Math::hypot);

  static {
    OF_ONE.put("sqrt", Math::sqrt);
    OF_ONE.put("cbrt", Math::cbrt);
    OF_ONE.put("exp", Math::exp);
    OF_ONE.put("exp2", value -> Math.pow(2, value));
    OF_ONE.put("exp10", value -> Math.pow(10, value));
    OF_ONE.put("log", Math::log);
    OF_ONE.put("log2", MathFunctions::log2);
    OF_ONE.put("log10", Math::log10);
    OF_ONE.put("log1p", Math::log1p);
    OF_ONE.put("sin", Math::sin);
    OF_ONE.put("cos", Math::cos);
    OF_ONE.put("tan", Math::tan);
    OF_ONE.put("asin", Math::asin);
    OF_ONE.put("acos", Math::acos);
    OF_ONE.put("atan", Math::atan);
    OF_ONE.put("sinh", Math::sinh);
    OF_ONE.put("cosh", Math::cosh);
    OF_ONE.put("degrees", value -> value * (180 / Math.PI));
    OF_ONE.put("radians", value -> value * (Math.PI / 180));
  }

  private MathFunctions() {}

  static void register(FunctionRegistry registry) {
    OF_ONE.forEach((name, operator) -> registry.add(name, call -> ofOne(call, operator)));
    OF_TWO.forEach((name, operator) -> registry.add(name, call -> ofTwo(call, operator)));
    registry.add("pi", call -> constant(call, Math.PI));
    registry.add("e", call -> constant(call, Math.E));
    registry.add("isNaN", call -> told(call, Double::isNaN));
    registry.add("isInfinite", call -> told(call, Double::isInfinite));
    registry.add("isFinite", call -> told(call, Double::isFinite));
  }

  /** Powers of two exactly, which a quotient of logarithms is not sure to give. */
  private static double log2(double value) {
    int exponent = Math.getExponent(value);
    boolean power = value > 0 && Math.abs(exponent) <= 1022 && value == Math.scalb(1.0, exponent);
    return power ? exponent : Math.log(value) / Math.log(2);
  }

  private static Resolved constant(Call call, double value) {
    Families.count(call, 0, 0);
    return new Resolved(
        PlainType.FLOAT64, (args, rows) -> new Values.Doubles(new double[] {value}, true, null));
  }

  private static void number(Call call, int index) {
    if (!Types.number(call.type(index))) {
      throw Families.illegal(call, index);
    }
  }

  private static Resolved ofOne(Call call, DoubleUnaryOperator operator) {
    Families.count(call, 1, 1);
    number(call, 0);
    DataType type = call.type(0);
    return new Resolved(
        PlainType.FLOAT64,
        (args, rows) -> {
          double[] out = Numbers.doubles(args[0], type).values.clone();
          for (int i = 0; i < out.length; i++) {
            out[i] = operator.applyAsDouble(out[i]);
          }
          return new Values.Doubles(out, args[0].constant(), null);
        });
  }

  private static Resolved ofTwo(Call call, DoubleBinaryOperator operator) {
    Families.count(call, 2, 2);
    number(call, 0);
    number(call, 1);
    return new Resolved(
        PlainType.FLOAT64,
        (args, rows) -> {
          int count = Families.rows(args, rows);
          Values.Doubles x = Numbers.doubles(args[0], call.type(0));
          Values.Doubles y = Numbers.doubles(args[1], call.type(1));
          double[] out = new double[count];
          for (int i = 0; i < count; i++) {
            out[i] = operator.applyAsDouble(x.values[x.at(i)], y.values[y.at(i)]);
          }
          return new Values.Doubles(out, Families.allConstant(args), null);
        });
  }

  private interface Claim {
    boolean of(double value);
  }

  private static Resolved told(Call call, Claim claim) {
    Families.count(call, 1, 1);
    number(call, 0);
    return new Resolved(
        PlainType.UINT8,
        (args, rows) -> {
          double[] values = Numbers.doubles(args[0], call.type(0)).values;
          long[] out = new long[values.length];
          for (int i = 0; i < out.length; i++) {
            out[i] = claim.of(values[i]) ? 1 : 0;
          }
          return new Values.Longs(out, args[0].constant(), null);
        });
  }
}
