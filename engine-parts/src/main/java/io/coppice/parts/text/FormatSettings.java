package io.coppice.parts.text;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Values of the {@link FormatSetting}s. Immutable; each change gives a copy. */
public final class FormatSettings {
  /** ClickHouse 26.7's defaults. */
  public static final FormatSettings DEFAULT =
      new FormatSettings(new EnumMap<>(FormatSetting.class));

  private final Map<FormatSetting, String> values;

  private FormatSettings(Map<FormatSetting, String> values) {
    this.values = values;
  }

  /**
   * With one value changed.
   *
   * @throws EngineException CANNOT_PARSE_BOOL, CANNOT_PARSE_NUMBER, BAD_ARGUMENTS
   */
  public FormatSettings with(FormatSetting setting, String value) {
    Map<FormatSetting, String> changed = new EnumMap<>(FormatSetting.class);
    changed.putAll(values);
    changed.put(
        setting,
        switch (setting.kind()) {
          case FLAG -> flag(setting, value);
          case NUMBER -> number(setting, value);
          case TEXT -> text(setting, value);
        });
    return new FormatSettings(changed);
  }

  private static String flag(FormatSetting setting, String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "1", "true" -> "1";
      case "0", "false" -> "0";
      default ->
          throw EngineException.of(
              ErrorCode.CANNOT_PARSE_BOOL,
              "setting %s = '%s', expected 0 or 1",
              setting.text(),
              value);
    };
  }

  private static String number(FormatSetting setting, String value) {
    try {
      return Long.toString(Long.parseUnsignedLong(value));
    } catch (NumberFormatException e) {
      throw new EngineException(
          ErrorCode.CANNOT_PARSE_NUMBER,
          "setting " + setting.text() + " = '" + value + "', expected a whole number",
          e);
    }
  }

  private static String text(FormatSetting setting, String value) {
    String allowed =
        switch (setting) {
          case DATE_TIME_INPUT -> "best_effort"; // the only way of reading there is
          case DATE_TIME_OUTPUT -> "simple, iso, unix_timestamp";
          case PRETTY_COLOR -> "auto, 0, 1, false, true";
          case PRETTY_CHARSET -> "UTF-8, ASCII";
          default -> "";
        };
    boolean known = allowed.isEmpty() || (", " + allowed + ",").contains(", " + value + ",");
    boolean oneByte = value.length() == 1 && value.charAt(0) < 0x80;
    if (setting == FormatSetting.CSV_DELIMITER
        && (!oneByte || value.equals("\"") || value.equals("\n"))) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS,
          "setting %s = '%s', expected one ASCII character that is no quote",
          setting.text(),
          value);
    }
    if (!known) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS,
          "setting %s = '%s', expected one of %s",
          setting.text(),
          value,
          allowed);
    }
    return value;
  }

  /** A value as text. */
  public String text(FormatSetting setting) {
    return values.getOrDefault(setting, setting.standard());
  }

  /** Whether a flag is set. */
  public boolean is(FormatSetting setting) {
    return text(setting).equals("1");
  }

  /** A number, read as unsigned and cut to what a long holds. */
  public long number(FormatSetting setting) {
    long value = Long.parseUnsignedLong(text(setting));
    return value < 0 ? Long.MAX_VALUE : value;
  }
}
