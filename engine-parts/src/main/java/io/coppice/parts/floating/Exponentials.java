package io.coppice.parts.floating;

import java.math.BigDecimal;

/**
 * Powers of e, 2 and 10, and the hyperbolic functions. The exponent is a multiple of 1/128 in base
 * 2, whose power is in a table, and a rest, for which few terms of the series are enough.
 *
 * <p>Results are the real values rounded once, but {@link #exp10}, which is what ClickHouse makes
 * of {@code exp2}: up to four units in the last place off.
 */
public final class Exponentials {
  private static final int STEPS = 128;
  private static final Twofold[] POWERS = powers();
  private static final Twofold LN2 = Twofold.of(Series.LN2);
  private static final double STEPS_PER_UNIT = STEPS / LN2.high();
  private static final double STEP = Reduction.shortened(LN2.high() / STEPS);
  private static final Twofold STEP_REST =
      Twofold.of(Series.LN2.divide(BigDecimal.valueOf(STEPS)).subtract(new BigDecimal(STEP)));
  private static final Twofold SIXTH = Series.quotient(1, 6);
  private static final Twofold[] SINH = sinhTerms();

  /** {@code value} * 2^{@code exponent}. */
  private record Scaled(Twofold value, int exponent) {
    double rounded() {
      return value.rounded(exponent);
    }
  }

  private Exponentials() {}

  private static Twofold[] powers() {
    Twofold[] out = new Twofold[STEPS];
    BigDecimal step = Series.exp(Series.LN2.divide(BigDecimal.valueOf(STEPS), Series.DIGITS));
    BigDecimal power = BigDecimal.ONE;
    for (int i = 0; i < STEPS; i++) {
      out[i] = Twofold.of(power);
      power = power.multiply(step, Series.DIGITS);
    }
    return out;
  }

  /** The table of powers of two, in steps of 1/128. */
  static Twofold power(int steps) {
    return POWERS[steps & STEPS - 1];
  }

  /** One over 3!, 5!, 7!, … */
  private static Twofold[] sinhTerms() {
    Twofold[] out = new Twofold[8];
    long factorial = 1;
    for (int i = 0; i < out.length; i++) {
      factorial *= (long) (2 * i + 2) * (2 * i + 3);
      out[i] = Series.quotient(1, factorial);
    }
    return out;
  }

  public static double exp(double x) {
    if (Double.isNaN(x)) {
      return x;
    }
    if (x > 709.8) {
      return Double.POSITIVE_INFINITY;
    }
    if (x < -745.2) {
      return 0;
    }
    double steps = Math.rint(x * STEPS_PER_UNIT);
    double first = Math.fma(-steps, STEP, x);
    double second = -steps * STEP_REST.high();
    double rest = first + second;
    double power = quick((int) steps, rest, second - (rest - first));
    return Double.isNaN(power) ? natural(x).rounded() : power;
  }

  /**
   * 2^({@code steps} / 128) * e^({@code rest} + {@code low}), or NaN where some 70 bits are not
   * enough to know how it rounds.
   */
  private static double quick(int steps, double rest, double low) {
    int exponent = steps >> 7;
    if (exponent <= Double.MIN_EXPONENT) {
      return Double.NaN;
    }
    Twofold power = power(steps);
    double cubes =
        Math.fma(rest, Math.fma(rest, Math.fma(rest, 1 / 720.0, 1 / 120.0), 1 / 24.0), 1 / 6.0);
    double more = Math.fma(rest * rest, Math.fma(rest, cubes, 0.5), low);
    double product = power.high() * rest;
    double high = power.high() + product;
    double lower = product - (high - power.high()) + Math.fma(power.high(), rest, -product);
    lower += Math.fma(power.high(), more, Math.fma(power.low(), rest, power.low()));
    double doubt = high * 0x1p-62;
    double rounded = high + (lower - doubt);
    return rounded == high + (lower + doubt) ? Math.scalb(rounded, exponent) : Double.NaN;
  }

  private static Scaled natural(double x) {
    double steps = Math.rint(x * STEPS_PER_UNIT);
    double first = Math.fma(-steps, STEP, x);
    return scaled((int) steps, STEP_REST.times(-steps).plus(first));
  }

  public static double exp2(double x) {
    if (Double.isNaN(x)) {
      return x;
    }
    if (x >= 1024) {
      return Double.POSITIVE_INFINITY;
    }
    if (x <= -1075) {
      return 0;
    }
    double steps = Math.rint(x * STEPS);
    double rest = x - steps / STEPS;
    double product = rest * LN2.high();
    double low = Math.fma(rest, LN2.high(), -product) + rest * LN2.low();
    double power = quick((int) steps, product, low);
    return Double.isNaN(power) ? scaled((int) steps, LN2.times(rest)).rounded() : power;
  }

  /** 2^({@code steps} / 128) * e^{@code rest}. */
  private static Scaled scaled(int steps, Twofold rest) {
    Twofold square = rest.times(rest);
    double r = rest.high();
    double tail =
        r * Math.fma(r, Math.fma(r, Math.fma(r, 1 / 5040.0, 1 / 720.0), 1 / 120.0), 1 / 24.0);
    Twofold cubes = square.times(rest).times(SIXTH.plus(tail));
    Twofold more = rest.plus(square.scaled(0.5)).plus(cubes);
    Twofold power = power(steps);
    return new Scaled(power.plus(power.times(more)), steps >> 7);
  }

  /** 2 to the fraction times its logarithm, rounded to a double, times the power of ten. */
  public static double exp10(double x) {
    if (Double.isNaN(x)) {
      return x;
    }
    double whole = x < 0 ? Math.ceil(x) : Math.floor(x);
    if (whole > 308) {
      return Double.POSITIVE_INFINITY;
    }
    if (whole < -323) {
      return 0;
    }
    double log2Of10 = 0x1.a934f0979a371p1;
    return exp2((x - whole) * log2Of10) * Tens.power((int) whole);
  }

  /** Powers of ten rounded to doubles. */
  private static final class Tens {
    private static final double[] POWERS = new double[309 + 323];

    static {
      for (int i = 0; i < POWERS.length; i++) {
        POWERS[i] = Double.parseDouble("1e" + (i - 323));
      }
    }

    static double power(int exponent) {
      return POWERS[exponent + 323];
    }
  }

  public static double cosh(double x) {
    double magnitude = Math.abs(x);
    if (!(magnitude < 711)) {
      return magnitude * Double.POSITIVE_INFINITY;
    }
    Scaled power = natural(magnitude);
    if (magnitude > 60) {
      return power.value.rounded(power.exponent - 1);
    }
    Twofold grown = grown(power);
    return grown.plus(new Twofold(1, 0).over(grown)).scaled(0.5).rounded();
  }

  public static double sinh(double x) {
    double magnitude = Math.abs(x);
    if (magnitude < 0x1p-28 || Double.isNaN(x)) {
      return x;
    }
    if (magnitude >= 711) {
      return x * Double.POSITIVE_INFINITY;
    }
    if (magnitude < 0.3) {
      return Math.copySign(small(magnitude), x);
    }
    Scaled power = natural(magnitude);
    if (magnitude > 60) {
      return Math.copySign(power.value.rounded(power.exponent - 1), x);
    }
    Twofold grown = grown(power);
    return Math.copySign(grown.minus(new Twofold(1, 0).over(grown)).scaled(0.5).rounded(), x);
  }

  private static Twofold grown(Scaled power) {
    return power.value.scaled(Math.scalb(1.0, power.exponent));
  }

  private static double small(double x) {
    Twofold square = Twofold.product(x, x);
    Twofold sum = SINH[SINH.length - 1];
    for (int i = SINH.length - 2; i >= 0; i--) {
      sum = sum.times(square).plus(SINH[i]);
    }
    return sum.times(square).times(x).plus(x).rounded();
  }
}
