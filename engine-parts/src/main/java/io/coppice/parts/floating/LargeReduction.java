package io.coppice.parts.floating;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/**
 * Multiples of pi / 128 taken off angles of any size, by as many digits of 128 / pi as it takes.
 */
final class LargeReduction {
  /** Bits of 128 / pi behind the point: the exponents of doubles and what is left of them. */
  private static final int BITS = 1400;

  /** Bits of the fraction that are kept. */
  private static final int KEPT = 300;

  private static final BigInteger STEPS_PER_RADIAN =
      new BigDecimal(BigInteger.ONE.shiftLeft(BITS + 7))
          .divide(Series.pi(new MathContext(440)), new MathContext(440))
          .toBigInteger();
  private static final Twofold STEP =
      Twofold.of(Series.PI.divide(BigDecimal.valueOf(128), Series.DIGITS));

  /** The multiple, modulo a whole turn, and what is left. */
  record Rest(int steps, Twofold rest) {}

  private LargeReduction() {}

  static Rest of(double magnitude) {
    int exponent = Math.getExponent(magnitude) - 52;
    long digits = (Double.doubleToRawLongBits(magnitude) & ((1L << 52) - 1)) | 1L << 52;
    BigInteger product =
        STEPS_PER_RADIAN.shiftRight(BITS - exponent - KEPT).multiply(BigInteger.valueOf(digits));
    BigInteger steps = product.shiftRight(KEPT - 1).add(BigInteger.ONE).shiftRight(1);
    BigInteger fraction = product.subtract(steps.shiftLeft(KEPT));
    double high = fraction.doubleValue();
    double low = fraction.subtract(new BigDecimal(high).toBigInteger()).doubleValue();
    Twofold rest = new Twofold(Math.scalb(high, -KEPT), Math.scalb(low, -KEPT)).times(STEP);
    return new Rest(steps.intValue() & 255, rest);
  }
}
