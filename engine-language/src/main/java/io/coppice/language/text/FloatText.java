package io.coppice.language.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.function.Predicate;

/**
 * Floating point numbers as ClickHouse prints them: the fewest digits that read back as the same
 * number; an exponent from 1e21 on and below 1e-6; {@code nan}, {@code inf}, {@code -inf}.
 */
public final class FloatText {
  /** What {@code -nan} reads as: a NaN with the sign's bit. */
  public static final double NEGATIVE_NAN = Double.longBitsToDouble(0xfff8000000000000L);

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

  private static BigDecimal shortest(double value) {
    return shortest(
        new BigDecimal(Double.toString(value)),
        new BigDecimal(value),
        candidate -> candidate.doubleValue() == value);
  }

  private static BigDecimal shortest(float value) {
    return shortest(
        new BigDecimal(Float.toString(value)),
        new BigDecimal(value),
        candidate -> candidate.floatValue() == value);
  }

  /**
   * The JDK's digits until 19 are at times one too many, and not always the nearest of their
   * number.
   */
  private static BigDecimal shortest(
      BigDecimal printed, BigDecimal exact, Predicate<BigDecimal> same) {
    BigDecimal best = printed.stripTrailingZeros();
    for (int precision = best.precision(); precision > 0; precision--) {
      BigDecimal near = exact.round(new MathContext(precision, RoundingMode.HALF_EVEN));
      BigDecimal away = exact.round(new MathContext(precision, RoundingMode.UP));
      if (same.test(near)) {
        best = near.stripTrailingZeros();
      } else if (same.test(away)) {
        best = away.stripTrailingZeros();
      } else if (precision < printed.precision()) {
        break;
      }
    }
    return best;
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
