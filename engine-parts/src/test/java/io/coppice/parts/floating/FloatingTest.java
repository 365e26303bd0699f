package io.coppice.parts.floating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

class FloatingTest {
  private static final long SEED = 20261201;

  /** Against series of many digits, also where the quick way is not enough and for large angles. */
  @Test
  void realValuesAreRoundedOnce() {
    Random random = new Random(SEED);
    BigDecimal turn = Series.PI.multiply(BigDecimal.valueOf(2));
    for (int i = 0; i < 1_000; i++) {
      double x = random.nextDouble() * Math.pow(10, random.nextInt(12) - 3);
      BigDecimal exact = new BigDecimal(x);
      BigDecimal angle = exact.remainder(turn);
      same("sin", x, Circle::sin, Series.sin(angle));
      BigDecimal quarter = turn.divide(BigDecimal.valueOf(4)).subtract(angle);
      same("cos", x, Circle::cos, Series.sin(quarter));
      double small = x % 20;
      same("exp", small, Exponentials::exp, Series.exp(new BigDecimal(small)));
      BigDecimal natural = new BigDecimal(small).multiply(Series.LN2);
      same("exp2", small, Exponentials::exp2, Series.exp(natural));
    }
  }

  private static void same(String name, double x, DoubleUnaryOperator function, BigDecimal exact) {
    assertThat(function.applyAsDouble(x))
        .as("%s(%s), seed %d", name, x, SEED)
        .isEqualTo(exact.doubleValue());
    if (!name.startsWith("exp")) {
      double other = name.equals("sin") ? -exact.doubleValue() : exact.doubleValue();
      assertThat(function.applyAsDouble(-x)).as("%s(-%s)", name, x).isEqualTo(other);
    }
  }

  @Test
  void exactResultsAreExact() {
    for (int i = -1074; i < 1024; i++) {
      double power = Math.scalb(1.0, i);
      assertThat(Exponentials.exp2(i)).isEqualTo(power);
      assertThat(Logarithms.log2(power)).isEqualTo(i);
    }
    for (int i = -2000; i <= 2000; i++) {
      assertThat(Roots.cbrt((double) i * i * i)).isEqualTo(i);
      assertThat(Roots.hypot(3 * i, 4 * i)).isEqualTo(5 * Math.abs(i));
      assertThat(Powers.pow(i, 2)).isEqualTo((double) i * i);
    }
    assertThat(Powers.pow(-2, 3)).isEqualTo(-8);
    assertThat(Powers.pow(-2, 0.3)).isNaN();
  }

  @Test
  void endsOfTheRange() {
    assertThat(Circle.sin(1e22)).isEqualTo(-0.8522008497671888);
    assertThat(Circle.tan(Double.POSITIVE_INFINITY)).isNaN();
    assertThat(Circle.sin(-0.0)).isEqualTo(-0.0);
    assertThat(Exponentials.exp(709.782712893384)).isEqualTo(1.7976931348622732e308);
    assertThat(Exponentials.exp(709.79)).isInfinite();
    assertThat(Exponentials.exp(-745.13)).isEqualTo(Double.MIN_VALUE);
    assertThat(Exponentials.exp(-745.14)).isEqualTo(0);
    assertThat(Exponentials.exp10(308)).isEqualTo(1e308);
    assertThat(Exponentials.exp10(-323)).isEqualTo(1e-323);
    assertThat(Exponentials.exp10(-324)).isEqualTo(0);
    assertThat(Exponentials.cosh(-711)).isInfinite();
    assertThat(Exponentials.sinh(-711)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(Logarithms.log1p(-1)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(Logarithms.log1p(-1.5)).isNaN();
    assertThat(Roots.cbrt(Double.MIN_VALUE)).isEqualTo(Math.cbrt(Double.MIN_VALUE));
    assertThat(Roots.hypot(Double.MAX_VALUE, Double.MAX_VALUE)).isInfinite();
    assertThat(Roots.hypot(Double.NaN, Double.NEGATIVE_INFINITY)).isInfinite();
    assertThat(Arcs.asin(-1)).isEqualTo(-Math.PI / 2);
    assertThat(Arcs.acos(-1)).isEqualTo(Math.PI);
    assertThat(Arcs.acos(1.1)).isNaN();
  }

  @Test
  void arcsOfTwoArgumentsKnowTheirQuadrant() {
    double[] ends = {0.0, -0.0, 1, -1, 1e-320, -1e-320, 1e300, Double.POSITIVE_INFINITY, -1.0 / 0};
    for (double y : ends) {
      for (double x : ends) {
        assertThat(Arcs.atan2(y, x))
            .as("%s, %s", y, x)
            .isCloseTo(Math.atan2(y, x), within(Math.ulp(Math.atan2(y, x))));
      }
    }
  }
}
