package io.coppice.parts.floating;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Numbers to the power of numbers, by the steps of LLVM's C library: the logarithm in base 2 as a
 * sum of two doubles, then the power of 2 by a table and a polynomial. Half a percent of the
 * results are the neighbour of the nearest double, as they are in 26.7.
 */
public final class Powers {
  private static final int STEPS = 128;
  private static final double[] INVERSES = new double[STEPS];

  /** Logarithms of the inverses, negated: a high part of few digits and the rest. */
  private static final Twofold[] LOGARITHMS = new Twofold[STEPS];

  private static final double LOG2_OF_E = 0x1.71547652b82fep0;

  /** |y| beyond which every power but that of 1 is zero or infinite. */
  private static final double HUGE = Double.longBitsToDouble(0x43d74910d52d3052L);

  static {
    INVERSES[0] = 1;
    LOGARITHMS[0] = Twofold.ZERO;
    double step = 0x1p-41;
    BigDecimal unit = new BigDecimal(step);
    for (int i = 1; i < STEPS; i++) {
      INVERSES[i] = Math.ceil(255.0 * STEPS / (STEPS + i)) / 256;
      BigDecimal log =
          Series.ln(new BigDecimal(INVERSES[i])).divide(Series.LN2, Series.DIGITS).negate();
      BigDecimal high = log.divide(unit).setScale(0, RoundingMode.HALF_EVEN).multiply(unit);
      LOGARITHMS[i] = new Twofold(high.doubleValue(), log.subtract(high).doubleValue());
    }
    INVERSES[STEPS - 1] = 0.5;
    LOGARITHMS[STEPS - 1] = new Twofold(1, 0);
  }

  private Powers() {}

  public static double pow(double x, double y) {
    double magnitude = Math.abs(x);
    double exponent = Math.abs(y);
    if (exponent == 0
        || x == 1
        || !(magnitude <= Double.MAX_VALUE)
        || !(exponent <= HUGE)
        || x == 0) {
      return x == 1 ? 1 : Math.pow(x, y);
    }
    if (exponent == 0.5 || exponent == 1 || exponent == 2) {
      double power = exponent == 1 ? x : exponent == 2 ? x * x : Math.sqrt(x);
      return y < 0 ? 1 / power : power;
    }
    if (x > 0) {
      return positive(x, y);
    }
    if (y != Math.rint(y)) {
      return Double.NaN;
    }
    boolean odd = exponent < 0x1p53 && (((long) exponent) & 1) == 1;
    return odd ? -positive(magnitude, y) : positive(magnitude, y);
  }

  private static double positive(double x, double y) {
    int binary = Math.getExponent(x);
    double normal = x;
    if (binary < Double.MIN_EXPONENT) {
      normal = x * 0x1p64;
      binary = Math.getExponent(normal) - 64;
    }
    long digits = Double.doubleToRawLongBits(normal) & ((1L << 52) - 1);
    int index = (int) (digits >> 45);
    double mantissa = Double.longBitsToDouble(digits | 0x3ffL << 52);
    double rest = Math.fma(INVERSES[index], mantissa, -1);
    Twofold first = Twofold.product(rest, LOG2_OF_E);
    double square = rest * rest;
    Twofold high = Twofold.ordered(binary + LOGARITHMS[index].high(), first.high());
    double low = Math.fma(square, terms(rest, square), first.low() + LOGARITHMS[index].low());
    Twofold sum = Twofold.ordered(high.high(), low);
    double factor = y * 64;
    return power(Twofold.product(factor, sum.high()), factor, high.low() + sum.low());
  }

  /** What the logarithm of 1 + x in base 2 has from the square on; LLVM's coefficients. */
  private static double terms(double x, double square) {
    double second = Math.fma(x, 0x1.ec709dc3b1fd5p-2, -0x1.71547652b82e7p-1);
    double fourth = Math.fma(x, 0x1.2776bd90259d8p-2, -0x1.7154766124215p-2);
    double sixth = Math.fma(x, 0x1.9c4775eccf524p-3, -0x1.ec586c6f3d311p-3);
    return Math.fma(square, Math.fma(square, sixth, fourth), second);
  }

  /** 2^(sum / 64) of the product and of what the low part of the logarithm adds. */
  private static double power(Twofold product, double factor, double lowLog) {
    double low = Math.fma(factor, lowLog, product.low());
    double high = product.high();
    double scale = 1;
    if (Math.abs(high) >= 512 * 64) {
      scale = high > 0 ? 0x1p512 : 0x1p-512;
      high = high > 0 ? Math.min(high - 512 * 64, 513 * 64) : high + 512 * 64;
      high = high < -564 * 64 ? -564 * 64 : high;
    }
    double steps = Math.rint(high);
    double rest = (high - steps) + low;
    Twofold table = Exponentials.power(((int) steps & 63) * 2);
    int binary = (int) steps >> 6;
    double tableHigh = Math.scalb(table.high(), binary);
    double tableLow = Math.scalb(table.low(), binary);
    double result = Math.fma(tableHigh * rest, exponential(rest), tableLow) + tableHigh;
    return result * scale;
  }

  /** 2^(x / 64) - 1 over x; LLVM's coefficients. */
  private static double exponential(double x) {
    double square = x * x;
    double first = Math.fma(x, 0x1.ebfbdff82a23ap-15, 0x1.62e42fefa39efp-7);
    double second = Math.fma(x, 0x1.3b2ad33f8b48bp-31, 0x1.c6b08d7076268p-23);
    return Math.fma(square, Math.fma(square, 0x1.5d870c4d84445p-40, second), first);
  }
}
