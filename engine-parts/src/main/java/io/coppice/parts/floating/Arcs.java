package io.coppice.parts.floating;

import java.math.BigDecimal;

/**
 * The inverse functions of {@link Circle}.
 *
 * <p>The arc tangent of two arguments is the real value rounded once. That of one, the arc sine and
 * the arc cosine take the steps of LLVM's C library without its accurate pass, so that they are off
 * where 26.7 is: the first in its last place, the others by up to five units, from a polynomial of
 * the square of the argument.
 */
public final class Arcs {
  private static final int STEPS = 64;
  private static final Twofold[] ARCS = arcs();
  private static final Twofold HALF_PI = Twofold.of(Series.PI.divide(BigDecimal.valueOf(2)));
  private static final Twofold PI = HALF_PI.scaled(2);
  private static final Twofold THIRD = Series.quotient(-1, 3);

  private Arcs() {}

  /** Arc tangents of multiples of 1/64, each from the one before. */
  private static Twofold[] arcs() {
    Twofold[] out = new Twofold[STEPS + 1];
    BigDecimal arc = BigDecimal.ZERO;
    out[0] = Twofold.ZERO;
    for (int i = 1; i <= STEPS; i++) {
      long denominator = (long) STEPS * STEPS + (long) i * (i - 1);
      arc = arc.add(Series.atan(BigDecimal.valueOf(STEPS), BigDecimal.valueOf(denominator)));
      out[i] = Twofold.of(arc);
    }
    return out;
  }

  public static double atan(double x) {
    double magnitude = Math.abs(x);
    if (magnitude < 0x1p-26 || Double.isNaN(x)) {
      return x;
    }
    if (magnitude >= 0x1p53) {
      return Math.copySign(HALF_PI.high(), x);
    }
    return Math.copySign(magnitude < 1 ? below(magnitude) : above(magnitude), x);
  }

  private static double below(double x) {
    double steps = Math.rint(x * STEPS);
    double near = steps / STEPS;
    double denominator = Math.fma(x, near, 1);
    double product = x * near;
    double lower = Math.fma(x, near, -product) + (product + (1 - denominator));
    double numerator = x - near;
    double inverse = 1 / denominator;
    double ratio = numerator * inverse;
    double rest = Math.fma(-ratio, denominator, numerator) + Math.fma(-ratio, lower, 0);
    Twofold table = ARCS[(int) steps];
    return table.high() + (ratio + (table.low() + tail(ratio, inverse * rest)));
  }

  /** By the arc of the inverse, which is not computed itself. */
  private static double above(double x) {
    double steps = Math.rint(1 / x * STEPS);
    double near = steps / STEPS;
    Twofold denominator = Twofold.ordered(x, near);
    double numerator = Math.fma(-x, near, 1);
    double product = x * near;
    double lower = ((1 - numerator) - product) - Math.fma(x, near, -product);
    double inverse = 1 / denominator.high();
    double ratio = numerator * inverse;
    double rest =
        Math.fma(-ratio, denominator.high(), numerator)
            + Math.fma(-ratio, denominator.low(), lower);
    Twofold table = ARCS[(int) steps];
    double low = (tail(ratio, inverse * rest) + table.low()) - HALF_PI.low();
    return -((table.high() - HALF_PI.high()) + (ratio + low));
  }

  /** What the arc tangent of {@code x} + {@code low} has beyond {@code x}. */
  private static double tail(double x, double low) {
    double square = x * x;
    double fourth = square * square;
    double terms =
        Math.fma(fourth, Math.fma(square, 1 / 9.0, -1 / 7.0), Math.fma(square, 1 / 5.0, -1 / 3.0));
    return Math.fma(x * square, terms, Math.fma(fourth - square, low, low));
  }

  public static double atan2(double y, double x) {
    if (Double.isNaN(x) || Double.isNaN(y)) {
      return Double.NaN;
    }
    double up = Math.abs(y);
    double along = Math.abs(x);
    boolean back = Math.copySign(1, x) < 0;
    if (up == 0 || Double.isInfinite(x) || Double.isInfinite(y)) {
      return Math.copySign(special(up, along, back), y);
    }
    boolean steep = up > along;
    double small = steep ? along : up;
    double large = steep ? up : along;
    if (!steep && !back && Math.getExponent(large) - Math.getExponent(small) > 60) {
      return Math.copySign(up / along, y);
    }
    int exponent = Math.getExponent(large);
    Twofold arc = arc(scaled(small, -exponent), scaled(large, -exponent));
    arc = steep ? HALF_PI.minus(arc) : arc;
    arc = back ? PI.minus(arc) : arc;
    return Math.copySign(arc.rounded(), y);
  }

  private static double scaled(double value, int exponent) {
    int half = exponent / 2;
    return Math.scalb(Math.scalb(value, half), exponent - half);
  }

  private static double special(double up, double along, boolean back) {
    double quarter = HALF_PI.high() / 2;
    if (up == 0) {
      return back ? PI.high() : 0;
    }
    if (Double.isInfinite(up)) {
      if (!Double.isInfinite(along)) {
        return HALF_PI.high();
      }
      return back ? HALF_PI.times(1.5).rounded() : quarter;
    }
    return back ? PI.high() : 0;
  }

  /** The arc tangent of a quotient up to 1. */
  private static Twofold arc(double numerator, double denominator) {
    Twofold ratio = new Twofold(numerator, 0).over(new Twofold(denominator, 0));
    double steps = Math.rint(ratio.high() * STEPS);
    double near = steps / STEPS;
    Twofold rest = ratio.plus(-near).over(ratio.times(near).plus(1));
    Twofold square = rest.times(rest);
    double s = square.high();
    double tail =
        s
            * Math.fma(
                s,
                Math.fma(s, Math.fma(s, Math.fma(s, 1 / 13.0, -1 / 11.0), 1 / 9.0), -1 / 7.0),
                1 / 5.0);
    Twofold arc = rest.plus(rest.times(square).times(THIRD.plus(tail)));
    return ARCS[(int) steps].plus(arc);
  }

  public static double asin(double x) {
    double magnitude = Math.abs(x);
    if (magnitude < 0.5) {
      return magnitude < 0x1p-26 ? x : x * ratio(x * x);
    }
    if (!(magnitude < 1)) {
      return magnitude == 1 ? Math.copySign(HALF_PI.high(), x) : Double.NaN;
    }
    double square = Math.fma(-0.5, magnitude, 0.5);
    double arc = Math.fma(ratio(square), -2 * Math.sqrt(square), HALF_PI.high());
    return Math.copySign(arc, x);
  }

  public static double acos(double x) {
    double magnitude = Math.abs(x);
    if (magnitude < 0.5) {
      return magnitude < 0x1p-55
          ? HALF_PI.high()
          : Math.fma(-x, ratio(x * x), HALF_PI.low()) + HALF_PI.high();
    }
    if (!(magnitude < 1)) {
      return magnitude > 1 || Double.isNaN(x) ? Double.NaN : x < 0 ? PI.high() : 0;
    }
    double square = Math.fma(-0.5, magnitude, 0.5);
    double root = 2 * Math.sqrt(square);
    return x < 0 ? PI.high() + Math.fma(ratio(square), -root, PI.low()) : ratio(square) * root;
  }

  /**
   * The arc sine of a number up to one half over the number, by its square; LLVM's coefficients.
   */
  private static double ratio(double square) {
    double fourth = square * square;
    double eighth = fourth * fourth;
    double first = Math.fma(0x1.5555555556dcfp-3, square, 1);
    double second = Math.fma(0x1.6db6dd14099edp-5, square, 0x1.3333333082e11p-4);
    double third = Math.fma(0x1.6e97194225a67p-6, square, 0x1.f1c69b35bf81fp-6);
    double fifth = Math.fma(0x1.d55bd078600d6p-7, square, 0x1.1babddb82ce12p-6);
    double sixth = Math.fma(0x1.2b5993bda1d9bp-6, square, 0x1.33328959e63d6p-7);
    double last = Math.fma(0x1.02614e5ed3936p-5, square, -0x1.806aff270bf25p-7);
    double upper = Math.fma(eighth, Math.fma(fourth, last, sixth), Math.fma(fourth, fifth, third));
    return Math.fma(eighth, upper, Math.fma(fourth, second, first));
  }
}
