package io.coppice.language.text;

import java.math.BigDecimal;

/**
 * Floating point numbers as ClickHouse prints them: the fewest digits that read back as the same
 * number; an exponent from 1e21 on and below 1e-6; {@code nan}, {@code inf}, {@code -inf}.
 */
public final class FloatText {
  private FloatText() {}

  /** The text of a Float64. */
  public static String of(double value) {
    if (Double.isNaN(value)) {
      return "nan";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "inf" : "-inf";
    }
    return value == 0 ? zero(1 / value < 0) : digits(value, shortest(value));
  }

  /** The text of a Float32, which has fewer digits than the same value as Float64. */
  public static String of(float value) {
    if (Float.isNaN(value) || Float.isInfinite(value)) {
      return of((double) value);
    }
    return value == 0 ? zero(1 / value < 0) : digits(value, shortest(value));
  }

  private static String zero(boolean negative) {
    return negative ? "-0" : "0";
  }

  /** The JDK's digits until 19 are at times one too many, so fewer are tried first. */
  private static BigDecimal shortest(double value) {
    BigDecimal printed = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    BigDecimal exact = new BigDecimal(value);
    for (int precision = printed.precision() - 1; precision > 0; precision--) {
      BigDecimal shorter =
          exact.round(new java.math.MathContext(precision, java.math.RoundingMode.HALF_EVEN));
      if (shorter.doubleValue() != value) {
        break;
      }
      printed = shorter.stripTrailingZeros();
    }
    return closest(printed, exact, candidate -> candidate.doubleValue() == value);
  }

  private static BigDecimal shortest(float value) {
    BigDecimal printed = new BigDecimal(Float.toString(value)).stripTrailingZeros();
    BigDecimal exact = new BigDecimal(value);
    for (int precision = printed.precision() - 1; precision > 0; precision--) {
      BigDecimal shorter =
          exact.round(new java.math.MathContext(precision, java.math.RoundingMode.HALF_EVEN));
      if (shorter.floatValue() != value) {
        break;
      }
      printed = shorter.stripTrailingZeros();
    }
    return closest(printed, exact, candidate -> candidate.floatValue() == value);
  }

  /** Of the numbers with as many digits, the one nearest to the exact value. */
  private static BigDecimal closest(
      BigDecimal printed, BigDecimal exact, java.util.function.Predicate<BigDecimal> same) {
    BigDecimal rounded =
        exact.round(
            new java.math.MathContext(printed.precision(), java.math.RoundingMode.HALF_EVEN));
    return same.test(rounded) ? rounded.stripTrailingZeros() : printed;
  }

  private static String digits(double sign, BigDecimal value) {
    String digits = value.unscaledValue().abs().toString();
    int exponent = digits.length() - value.scale() - 1; // of the first digit
    StringBuilder out = new StringBuilder();
    if (sign < 0) {
      out.append('-');
    }
    if (exponent >= 21 || exponent < -6) {
      out.append(digits.charAt(0));
      if (digits.length() > 1) {
        out.append('.').append(digits, 1, digits.length());
      }
      return out.append('e').append(exponent).toString();
    }
    if (exponent < 0) {
      return out.append("0.").append("0".repeat(-exponent - 1)).append(digits).toString();
    }
    if (digits.length() <= exponent + 1) {
      return out.append(digits).append("0".repeat(exponent + 1 - digits.length())).toString();
    }
    return out.append(digits, 0, exponent + 1)
        .append('.')
        .append(digits, exponent + 1, digits.length())
        .toString();
  }
}
