package io.coppice.parts.floating;

import java.math.BigDecimal;

/**
 * What is left of an angle once multiples of pi / 128 are taken off, for angles that are not large.
 */
final class Reduction {
  /** From here on the multiples have too many digits. */
  static final double LARGE = 0x1p16;

  private static final BigDecimal STEP = Series.PI.divide(BigDecimal.valueOf(128), Series.DIGITS);

  static final double STEPS_PER_RADIAN = BigDecimal.ONE.divide(STEP, Series.DIGITS).doubleValue();

  /** Two parts so short that their multiples are exact, and the rest. */
  static final double FIRST = shortened(STEP.doubleValue());

  static final double SECOND = shortened(STEP.subtract(new BigDecimal(FIRST)).doubleValue());
  static final Twofold THIRD =
      Twofold.of(STEP.subtract(new BigDecimal(FIRST)).subtract(new BigDecimal(SECOND)));

  private Reduction() {}

  /** The first 28 bits. */
  static double shortened(double value) {
    return Double.longBitsToDouble(Double.doubleToRawLongBits(value) & -1L << 25);
  }

  static Twofold rest(double magnitude, double steps) {
    double first = Math.fma(-steps, FIRST, magnitude);
    return Twofold.sum(first, -steps * SECOND).minus(THIRD.times(steps));
  }
}
