package io.coppice.base.setting;

import io.coppice.base.check.Check;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;

/**
 * A setting whose value is a fraction.
 *
 * @param name ClickHouse's name where ClickHouse has the setting
 * @param defaultValue what holds when nothing is set
 * @param min the smallest value allowed, inclusive
 * @param max the largest value allowed, inclusive
 * @param text what it does, and what more and less of it does
 */
public record RatioSetting(String name, double defaultValue, double min, double max, String text) {
  public RatioSetting {
    Check.argument(name.matches("[a-z][a-z0-9_]*"), "name of a setting: \"%s\"", name);
    Check.argument(min <= defaultValue, "%s: default %s below %s", name, defaultValue, min);
    Check.argument(defaultValue <= max, "%s: default %s above %s", name, defaultValue, max);
    Check.argument(!text.isBlank(), "%s: needs a text", name);
  }

  /** {@code value} if it is within the limits; else {@code ARGUMENT_OUT_OF_BOUND}. */
  public double check(double value) {
    if (!(value >= min && value <= max)) {
      throw EngineException.of(
          ErrorCode.ARGUMENT_OUT_OF_BOUND,
          "setting %s = %s: from %s to %s is allowed",
          name,
          value,
          min,
          max);
    }
    return value;
  }

  /** The value that a text stands for; not a number is {@code CANNOT_PARSE_NUMBER}. */
  public double parse(String value) {
    try {
      return check(Double.parseDouble(value));
    } catch (NumberFormatException e) {
      throw EngineException.of(
          ErrorCode.CANNOT_PARSE_NUMBER, "setting %s = %s: not a number", name, value);
    }
  }
}
