package io.coppice.parts.floating;

import java.math.BigDecimal;

/**
 * Logarithms that Java does not round as 26.7 does: the real values rounded once. The mantissa,
 * times a number of few digits near its inverse, is near 1; the logarithm of that number is in a
 * table.
 */
public final class Logarithms {
  private static final int STEPS = 128;

  /**
   * From here on a mantissa is halved, so that logarithms of numbers near 1 are not differences.
   */
  private static final double HALVED = 1.4140625;

  private static final int FIRST = 90;
  private static final int LAST = 181;
  private static final double[] INVERSES = new double[LAST - FIRST + 1];
  private static final Twofold[] LOGARITHMS = new Twofold[LAST - FIRST + 1];
  private static final Twofold LN2 = Twofold.of(Series.LN2);
  private static final Twofold PER_LN2 =
      Twofold.of(BigDecimal.ONE.divide(Series.LN2, Series.DIGITS));
  private static final Twofold THIRD = Series.quotient(1, 3);

  static {
    for (int i = FIRST; i <= LAST; i++) {
      double inverse = Math.rint(512.0 * STEPS / i) / 512;
      INVERSES[i - FIRST] = inverse;
      LOGARITHMS[i - FIRST] = Twofold.of(Series.ln(new BigDecimal(inverse)).negate());
    }
  }

  /** {@code exponent} * ln 2 + {@code rest}. */
  private record Natural(int exponent, Twofold rest) {
    Twofold sum() {
      return exponent == 0 ? rest : LN2.times(exponent).plus(rest);
    }
  }

  private Logarithms() {}

  private static boolean special(double x) {
    return !(x > 0 && x <= Double.MAX_VALUE);
  }

  private static double atSpecial(double x) {
    if (x == 0) {
      return Double.NEGATIVE_INFINITY;
    }
    return x > 0 ? x : Double.NaN;
  }

  /** The natural logarithm; of numbers below zero the NaN without sign. */
  public static double ln(double x) {
    return x < 0 ? Double.NaN : Math.log(x);
  }

  /** The logarithm to base 10; of numbers below zero the NaN without sign. */
  public static double log10(double x) {
    return x < 0 ? Double.NaN : Math.log10(x);
  }

  public static double log2(double x) {
    if (special(x)) {
      return atSpecial(x);
    }
    Natural natural = natural(new Twofold(x, 0));
    return natural.rest.times(PER_LN2).plus(new Twofold(natural.exponent, 0)).rounded();
  }

  public static double log1p(double x) {
    if (Math.abs(x) < 0x1p-54) {
      return x;
    }
    if (special(1 + x)) {
      return atSpecial(1 + x);
    }
    return natural(Twofold.sum(1, x)).sum().rounded();
  }

  private static Natural natural(Twofold x) {
    int exponent = Math.getExponent(x.high());
    Twofold mantissa;
    if (exponent < Double.MIN_EXPONENT) {
      double normal = x.high() * 0x1p54;
      exponent = Math.getExponent(normal);
      mantissa = new Twofold(Math.scalb(normal, -exponent), 0);
      exponent -= 54;
    } else {
      mantissa = new Twofold(Math.scalb(x.high(), -exponent), Math.scalb(x.low(), -exponent));
    }
    if (mantissa.high() >= HALVED) {
      mantissa = mantissa.scaled(0.5);
      exponent++;
    }
    int index = (int) Math.rint(mantissa.high() * STEPS) - FIRST;
    Twofold product = Twofold.product(mantissa.high(), INVERSES[index]);
    Twofold rest =
        Twofold.sum(product.high() - 1, Math.fma(mantissa.low(), INVERSES[index], product.low()));
    return new Natural(exponent, nearOne(rest).plus(LOGARITHMS[index]));
  }

  /** The logarithm of 1 + {@code rest}. */
  private static Twofold nearOne(Twofold rest) {
    double r = rest.high();
    double upper = Math.fma(r, Math.fma(r, Math.fma(r, -1 / 12.0, 1 / 11.0), -1 / 10.0), 1 / 9.0);
    double tail =
        r
            * Math.fma(
                r,
                Math.fma(r, Math.fma(r, Math.fma(r, upper, -1 / 8.0), 1 / 7.0), -1 / 6.0),
                1 / 5.0);
    Twofold square = rest.times(rest);
    Twofold cube = square.times(rest).times(THIRD.plus(r * (tail - 0.25)));
    return rest.plus(square.scaled(-0.5)).plus(cube);
  }
}
