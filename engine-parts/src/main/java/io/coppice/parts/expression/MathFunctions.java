package io.coppice.parts.expression;

import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.Function.Call;
import io.coppice.parts.expression.Function.Resolved;
import io.coppice.parts.floating.Arcs;
import io.coppice.parts.floating.Circle;
import io.coppice.parts.floating.Exponentials;
import io.coppice.parts.floating.Logarithms;
import io.coppice.parts.floating.Powers;
import io.coppice.parts.floating.Roots;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/**
 * Functions of floating point numbers, which all give Float64, to the last digit as 26.7 does;
 * {@link io.coppice.parts.floating} has those that Java rounds otherwise.
 */
final class MathFunctions {
  private static final Map<String, DoubleUnaryOperator> OF_ONE = new TreeMap<>();
  private static final Map<String, DoubleBinaryOperator> OF_TWO =
      Map.of("pow", Powers::pow, "atan2", Arcs::atan2, "hypot", Roots::hypot);

  static {
    OF_ONE.put("sqrt", Math::sqrt);
    OF_ONE.put("cbrt", Roots::cbrt);
    OF_ONE.put("exp", Exponentials::exp);
    OF_ONE.put("exp2", Exponentials::exp2);
    OF_ONE.put("exp10", Exponentials::exp10);
    OF_ONE.put("log", Logarithms::ln);
    OF_ONE.put("log2", Logarithms::log2);
    OF_ONE.put("log10", Logarithms::log10);
    OF_ONE.put("log1p", Logarithms::log1p);
    OF_ONE.put("sin", Circle::sin);
    OF_ONE.put("cos", Circle::cos);
    OF_ONE.put("tan", Circle::tan);
    OF_ONE.put("asin", Arcs::asin);
    OF_ONE.put("acos", Arcs::acos);
    OF_ONE.put("atan", Arcs::atan);
    OF_ONE.put("sinh", Exponentials::sinh);
    OF_ONE.put("cosh", Exponentials::cosh);
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
