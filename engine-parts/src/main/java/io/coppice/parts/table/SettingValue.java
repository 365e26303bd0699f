package io.coppice.parts.table;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Literal;
import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a CREATE TABLE says of one setting, read as ClickHouse reads it. Immutable.
 *
 * @param name of the setting, for errors
 * @param literal as it was written
 */
public record SettingValue(String name, Literal literal) {
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,40})(?:([KMGTkmgt])(i)?)?");
  private static final Pattern SIGNED = Pattern.compile("-[0-9]{1,19}");

  /** Its words, without quotes; of a Bool 0 or 1. */
  public String text() {
    if (literal instanceof Literal.StringLiteral s) {
      return s.value();
    }
    if (literal instanceof Literal.BoolLiteral b) {
      return b.value() ? "1" : "0";
    }
    return literal.text();
  }

  /**
   * A whole number of 0 or more as ClickHouse takes it: of a fraction the whole part, of text with
   * K, M, G or T behind it, also with an i, the product. What is larger than a long is the largest.
   *
   * @throws EngineException CANNOT_CONVERT_TYPE for a negative one, else
   *     CANNOT_PARSE_INPUT_ASSERTION_FAILED
   */
  public long whole() {
    if (literal instanceof Literal.FloatLiteral number) {
      return (long) number.value();
    }
    String text = text();
    Matcher matcher = SIZE.matcher(text);
    boolean fits =
        matcher.matches() && (matcher.group(2) == null || literal instanceof Literal.StringLiteral);
    if (!fits) {
      throw EngineException.of(
          text.startsWith("-")
              ? ErrorCode.CANNOT_CONVERT_TYPE
              : ErrorCode.CANNOT_PARSE_INPUT_ASSERTION_FAILED,
          "setting %s = %s, expected a whole number",
          name,
          text);
    }
    BigInteger value = new BigInteger(matcher.group(1));
    if (matcher.group(2) != null) {
      int power = "KMGT".indexOf(Character.toUpperCase(matcher.group(2).charAt(0))) + 1;
      value = value.multiply(BigInteger.valueOf(matcher.group(3) == null ? 1000 : 1024).pow(power));
    }
    return value.bitLength() > 63 ? Long.MAX_VALUE : value.longValue();
  }

  /** As {@link #whole}, but of a setting that may be negative as well. */
  public long signed() {
    String text = text();
    return SIGNED.matcher(text).matches() ? Long.parseLong(text) : whole();
  }

  /**
   * Whether it is on.
   *
   * @throws EngineException CANNOT_CONVERT_TYPE or CANNOT_PARSE_BOOL if it is neither 0 nor 1
   */
  public boolean flag() {
    String text = text();
    return switch (text) {
      case "1", "true" -> true;
      case "0", "false" -> false;
      default ->
          throw EngineException.of(
              text.matches("[0-9]+") ? ErrorCode.CANNOT_CONVERT_TYPE : ErrorCode.CANNOT_PARSE_BOOL,
              "setting %s = %s, expected 0 or 1",
              name,
              text);
    };
  }

  /**
   * A number with a fraction.
   *
   * @throws EngineException CANNOT_PARSE_NUMBER
   */
  public double decimal() {
    String text = text();
    double number;
    try {
      number = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      number = Double.NaN;
    }
    if (!Double.isFinite(number)) {
      throw EngineException.of(
          ErrorCode.CANNOT_PARSE_NUMBER, "setting %s = %s, expected a number", name, text);
    }
    return number;
  }
}
