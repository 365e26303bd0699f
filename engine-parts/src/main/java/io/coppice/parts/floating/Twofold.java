package io.coppice.parts.floating;

import java.math.BigDecimal;

/**
 * An unevaluated sum of two doubles, which carries some 106 bits.
 *
 * @param high the sum rounded to a double
 * @param low what rounding left, at most half a unit in the last place of {@code high}
 */
record Twofold(double high, double low) {
  static final Twofold ZERO = new Twofold(0, 0);

  /** The sum of two doubles without error. */
  static Twofold sum(double a, double b) {
    double sum = a + b;
    double ofB = sum - a;
    return new Twofold(sum, (a - (sum - ofB)) + (b - ofB));
  }

  /** The same where {@code a} is not smaller than {@code b} in magnitude, or zero. */
  static Twofold ordered(double a, double b) {
    double sum = a + b;
    return new Twofold(sum, b - (sum - a));
  }

  /** The product of two doubles without error, unless it is near underflow. */
  static Twofold product(double a, double b) {
    double product = a * b;
    return new Twofold(product, Math.fma(a, b, -product));
  }

  static Twofold of(BigDecimal value) {
    double high = value.doubleValue();
    return new Twofold(high, value.subtract(new BigDecimal(high)).doubleValue());
  }

  Twofold plus(Twofold other) {
    Twofold highs = sum(high, other.high);
    return ordered(highs.high, highs.low + (low + other.low));
  }

  Twofold plus(double other) {
    Twofold highs = sum(high, other);
    return ordered(highs.high, highs.low + low);
  }

  Twofold minus(Twofold other) {
    return plus(other.negated());
  }

  Twofold negated() {
    return new Twofold(-high, -low);
  }

  Twofold times(Twofold other) {
    Twofold highs = product(high, other.high);
    return ordered(highs.high, highs.low + Math.fma(high, other.low, low * other.high));
  }

  Twofold times(double other) {
    Twofold highs = product(high, other);
    return ordered(highs.high, Math.fma(low, other, highs.low));
  }

  /** Exactly so many times as large; {@code factor} is a power of two. */
  Twofold scaled(double factor) {
    return new Twofold(high * factor, low * factor);
  }

  Twofold over(Twofold other) {
    double quotient = high / other.high;
    Twofold rest = minus(other.times(quotient));
    return ordered(quotient, rest.high / other.high);
  }

  /** The sum rounded once. */
  double rounded() {
    return high + low;
  }

  /**
   * The sum times a power of two, rounded once also where the result has fewer digits because it is
   * small.
   */
  double rounded(int exponent) {
    if (Math.getExponent(high) + exponent >= Double.MIN_EXPONENT) {
      return Math.scalb(high + low, exponent);
    }
    int last = Double.MIN_EXPONENT - 52 - exponent;
    double magnet = Math.scalb(1.5, last + 52);
    double nearest = magnet + high;
    double rest = (high - (nearest - magnet)) + low;
    return Math.scalb((nearest + rest) - magnet, exponent);
  }
}
