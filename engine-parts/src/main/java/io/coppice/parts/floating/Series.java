package io.coppice.parts.floating;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * Constants and functions to many digits, for tables; arguments are small, so that series are
 * short.
 */
final class Series {
  /** More digits than two doubles hold. */
  static final MathContext DIGITS = new MathContext(60, RoundingMode.HALF_EVEN);

  static final BigDecimal PI = pi(DIGITS);
  static final BigDecimal LN2 = atanh(BigDecimal.ONE, BigDecimal.valueOf(3)).multiply(two());

  private Series() {}

  private static BigDecimal two() {
    return BigDecimal.valueOf(2);
  }

  /** By Machin's formula. */
  static BigDecimal pi(MathContext digits) {
    MathContext more = new MathContext(digits.getPrecision() + 5, RoundingMode.HALF_EVEN);
    BigDecimal quarter =
        BigDecimal.valueOf(4)
            .multiply(arc(BigDecimal.ONE, BigDecimal.valueOf(5), -1, more))
            .subtract(arc(BigDecimal.ONE, BigDecimal.valueOf(239), -1, more));
    return quarter.multiply(BigDecimal.valueOf(4)).round(digits);
  }

  static BigDecimal atan(BigDecimal numerator, BigDecimal denominator) {
    return arc(numerator, denominator, -1, DIGITS);
  }

  static BigDecimal atanh(BigDecimal numerator, BigDecimal denominator) {
    return arc(numerator, denominator, 1, DIGITS);
  }

  /** The natural logarithm of a positive number near 1. */
  static BigDecimal ln(BigDecimal value) {
    return atanh(value.subtract(BigDecimal.ONE), value.add(BigDecimal.ONE)).multiply(two());
  }

  private static BigDecimal arc(
      BigDecimal numerator, BigDecimal denominator, int sign, MathContext digits) {
    BigDecimal power = numerator.divide(denominator, digits);
    BigDecimal square = power.multiply(power, digits).multiply(BigDecimal.valueOf(sign));
    BigDecimal sum = BigDecimal.ZERO;
    for (int n = 1;
        power.signum() != 0 && power.precision() - power.scale() > -digits.getPrecision();
        n += 2) {
      sum = sum.add(power.divide(BigDecimal.valueOf(n), digits), digits);
      power = power.multiply(square, digits);
    }
    return sum;
  }

  static BigDecimal sin(BigDecimal value) {
    return factorials(value, value, -1, 1);
  }

  static BigDecimal exp(BigDecimal value) {
    return factorials(BigDecimal.ONE, value, 1, 0);
  }

  /** Terms of a power series over factorials, from the first one on. */
  private static BigDecimal factorials(BigDecimal first, BigDecimal value, int sign, int from) {
    boolean odd = from == 1;
    BigDecimal step =
        odd ? value.multiply(value, DIGITS).multiply(BigDecimal.valueOf(sign)) : value;
    BigDecimal sum = BigDecimal.ZERO;
    BigDecimal term = first;
    for (int n = from;
        term.signum() != 0 && term.precision() - term.scale() > -DIGITS.getPrecision(); ) {
      sum = sum.add(term, DIGITS);
      n += odd ? 2 : 1;
      long divisor = odd ? (long) n * (n - 1) : n;
      term = term.multiply(step, DIGITS).divide(BigDecimal.valueOf(divisor), DIGITS);
    }
    return sum;
  }

  static Twofold quotient(long numerator, long denominator) {
    return Twofold.of(
        BigDecimal.valueOf(numerator).divide(BigDecimal.valueOf(denominator), DIGITS));
  }
}
