package io.coppice.parts.floating;

import java.math.BigDecimal;

/**
 * Sine, cosine and tangent. The angle is a multiple of pi / 128, whose sine and cosine are in a
 * table, and a rest, for which few terms of the series are enough.
 *
 * <p>Sine and cosine are the real values rounded once. The tangent is, as in LLVM's C library
 * without its accurate pass, the quotient of two values rounded to doubles: the sine and the
 * cosine, both divided by the cosine of the rest. It is up to two units in the last place off.
 */
public final class Circle {
  private static final int STEPS = 128;
  private static final Twofold[] SINES = sines();
  private static final Twofold SIXTH = Series.quotient(-1, 6);
  private static final Twofold THIRD = Series.quotient(1, 3);

  /** The angle is {@code steps} * pi / 128 + {@code rest}. */
  private record Angle(int steps, Twofold rest) {}

  private Circle() {}

  private static Twofold[] sines() {
    Twofold[] out = new Twofold[STEPS / 2 + 1];
    BigDecimal step = Series.PI.divide(BigDecimal.valueOf(STEPS), Series.DIGITS);
    for (int i = 0; i < out.length; i++) {
      out[i] = Twofold.of(Series.sin(step.multiply(BigDecimal.valueOf(i), Series.DIGITS)));
    }
    out[STEPS / 2] = new Twofold(1, 0);
    return out;
  }

  private static Twofold sine(int steps) {
    int within = steps & (STEPS - 1);
    Twofold sine = SINES[within <= STEPS / 2 ? within : STEPS - within];
    return (steps & STEPS) == 0 ? sine : sine.negated();
  }

  private static Twofold cosine(int steps) {
    return sine(steps + STEPS / 2);
  }

  private static Angle angle(double magnitude) {
    if (magnitude < Reduction.LARGE) {
      double steps = Math.rint(magnitude * Reduction.STEPS_PER_RADIAN);
      return new Angle((int) steps, Reduction.rest(magnitude, steps));
    }
    LargeReduction.Rest rest = LargeReduction.of(magnitude);
    return new Angle(rest.steps(), rest.rest());
  }

  public static double sin(double x) {
    double magnitude = Math.abs(x);
    if (!(magnitude <= Double.MAX_VALUE)) {
      return Double.NaN;
    }
    if (magnitude < 0x1p-27) {
      return x;
    }
    double sine = quick(magnitude, 0);
    if (Double.isNaN(sine)) {
      Angle angle = angle(magnitude);
      sine = turned(angle, sine(angle.steps), cosine(angle.steps)).rounded();
    }
    return x < 0 ? -sine : sine;
  }

  public static double cos(double x) {
    double magnitude = Math.abs(x);
    if (!(magnitude <= Double.MAX_VALUE)) {
      return Double.NaN;
    }
    double cosine = quick(magnitude, STEPS / 2);
    if (Double.isNaN(cosine)) {
      Angle angle = angle(magnitude);
      return turned(angle, cosine(angle.steps), sine(angle.steps).negated()).rounded();
    }
    return cosine;
  }

  /**
   * The sine so many steps further, or NaN where some 66 bits are not enough to know how it rounds:
   * two times in a thousand, and for large angles.
   */
  private static double quick(double magnitude, int more) {
    if (magnitude >= Reduction.LARGE) {
      return Double.NaN;
    }
    double steps = Math.rint(magnitude * Reduction.STEPS_PER_RADIAN);
    double first = Math.fma(-steps, Reduction.FIRST, magnitude);
    double second = -steps * Reduction.SECOND;
    double sum = first + second;
    double ofSecond = sum - first;
    double low = (first - (sum - ofSecond)) + (second - ofSecond);
    low = Math.fma(-steps, Reduction.THIRD.high(), low);
    double y = sum + low;
    low -= y - sum;
    Twofold level = sine((int) steps + more);
    Twofold slope = sine((int) steps + more + STEPS / 2);
    double z = y * y;
    double sineTail = Math.fma(z, Math.fma(z, 1 / 362880.0, -1 / 5040.0), 1 / 120.0);
    double sine = Math.fma(y * z, Math.fma(z, sineTail, -1 / 6.0), low);
    double cosineTail = Math.fma(z, Math.fma(z, 1 / 40320.0, -1 / 720.0), 1 / 24.0);
    double cosine = z * Math.fma(z, cosineTail, -0.5) - y * low;
    double product = slope.high() * y;
    double high = level.high() + product;
    double rest =
        Math.abs(level.high()) >= Math.abs(product)
            ? product - (high - level.high())
            : level.high() - (high - product);
    rest += Math.fma(slope.high(), y, -product) + level.low();
    rest += level.high() * cosine + slope.high() * sine + slope.low() * y;
    double doubt = Math.abs(high) * 0x1p-62;
    double rounded = high + (rest - doubt);
    return rounded == high + (rest + doubt) ? rounded : Double.NaN;
  }

  public static double tan(double x) {
    double magnitude = Math.abs(x);
    if (!(magnitude <= Double.MAX_VALUE)) {
      return Double.NaN;
    }
    if (magnitude < 0x1p-27) {
      return x;
    }
    Angle angle = angle(magnitude);
    Twofold rest = tangent(angle.rest);
    Twofold sine = sine(angle.steps);
    Twofold cosine = cosine(angle.steps);
    double quotient =
        sine.plus(cosine.times(rest)).rounded() / cosine.minus(sine.times(rest)).rounded();
    return x < 0 ? -quotient : quotient;
  }

  /** {@code level} * cos rest + {@code slope} * sin rest. */
  private static Twofold turned(Angle angle, Twofold level, Twofold slope) {
    Twofold rest = angle.rest;
    Twofold square = rest.times(rest);
    double s = square.high();
    double sineTail = s * Math.fma(s, Math.fma(s, 1 / 362880.0, -1 / 5040.0), 1 / 120.0);
    Twofold sine = rest.plus(rest.times(square).times(SIXTH.plus(sineTail)));
    double cosineTail = s * s * Math.fma(s, Math.fma(s, 1 / 40320.0, -1 / 720.0), 1 / 24.0);
    Twofold below = square.scaled(-0.5).plus(cosineTail);
    return level.plus(level.times(below)).plus(slope.times(sine));
  }

  private static Twofold tangent(Twofold rest) {
    Twofold square = rest.times(rest);
    double s = square.high();
    double tail =
        s
            * Math.fma(
                s, Math.fma(s, Math.fma(s, 1382 / 155925.0, 62 / 2835.0), 17 / 315.0), 2 / 15.0);
    return rest.plus(rest.times(square).times(THIRD.plus(tail)));
  }
}
