package io.coppice.base.setting;

import io.coppice.base.check.Check;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;

/**
 * A setting whose value is a whole number.
 *
 * @param name ClickHouse's name where ClickHouse has the setting
 * @param defaultValue what holds when nothing is set
 * @param unit what is counted
 * @param min the smallest value allowed, inclusive
 * @param max the largest value allowed, inclusive
 * @param text what it does, and what more and less of it does
 */
public record Setting(String name, long defaultValue, Unit unit, long min, long max, String text) {
  /** What a setting counts. */
  public enum Unit {
    COUNT,
    ROWS,
    BYTES,
    MILLISECONDS,
    SECONDS,
    /** 0 or 1. */
    FLAG
  }

  public Setting {
    Check.argument(name.matches("[a-z][a-z0-9_]*"), "name of a setting: \"%s\"", name);
    Check.argument(min <= max, "%s: limits %d to %d", name, min, max);
    Check.argument(min <= defaultValue, "%s: default %d below %d", name, defaultValue, min);
    Check.argument(defaultValue <= max, "%s: default %d above %d", name, defaultValue, max);
    Check.argument(unit != Unit.FLAG || (min == 0 && max == 1), "%s: a flag is 0 or 1", name);
    Check.argument(!text.isBlank(), "%s: needs a text", name);
  }

  /** A setting that is on or off. */
  public static Setting flag(String name, boolean defaultValue, String text) {
    return new Setting(name, defaultValue ? 1 : 0, Unit.FLAG, 0, 1, text);
  }

  /** {@code value} if it is within the limits; else {@code ARGUMENT_OUT_OF_BOUND}. */
  public long check(long value) {
    if (value < min || value > max) {
      throw EngineException.of(
          ErrorCode.ARGUMENT_OUT_OF_BOUND,
          "setting %s = %d: from %d to %d is allowed",
          name,
          value,
          min,
          max);
    }
    return value;
  }

  /**
   * The value that a text stands for: a whole number, or {@code true} and {@code false} for a flag.
   * Anything else is {@code CANNOT_PARSE_NUMBER}, out of limits {@code ARGUMENT_OUT_OF_BOUND}.
   */
  public long parse(String value) {
    if (unit == Unit.FLAG && (value.equals("true") || value.equals("false"))) {
      return value.equals("true") ? 1 : 0;
    }
    try {
      return check(Long.parseLong(value));
    } catch (NumberFormatException e) {
      throw EngineException.of(
          ErrorCode.CANNOT_PARSE_NUMBER, "setting %s = %s: not a whole number", name, value);
    }
  }
}
