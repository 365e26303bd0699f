package io.coppice.parts.text;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;

/**
 * Dates and times as text: {@code 2020-01-02}, {@code 20200102}; {@code 2020-01-02 03:04:05.678},
 * with {@code T} for the blank, without seconds or time, with {@code Z} or an offset behind it;
 * {@code 20200102030405}; seconds since 1970 (9 or 10 digits, a fraction may follow) or
 * milliseconds (13 digits); spans {@code [-]hhh:mm:ss.fff}. Zero dates stand for 1970-01-01, as old
 * servers print them.
 *
 * <p>Times that a change of clocks skips are taken with the offset behind the change, those that
 * come twice with the offset before it, as ClickHouse does. Stateless.
 */
final class TimeText {
  private static final int MOST_CHARS = 64;

  private TimeText() {}

  private static EngineException wrong(
      ErrorCode code, String what, byte[] bytes, int from, int to) {
    String found = from == to ? "nothing" : "'" + TextCursor.shown(bytes, from, to) + "'";
    return new EngineException(code, "expected " + what + ", found " + found);
  }

  private static EngineException noDate(byte[] bytes, int from, int to) {
    return wrong(ErrorCode.CANNOT_PARSE_DATE, "a date such as 2020-01-02", bytes, from, to);
  }

  private static EngineException noTime(byte[] bytes, int from, int to) {
    return wrong(
        ErrorCode.CANNOT_PARSE_DATETIME, "a time such as 2020-01-02 03:04:05", bytes, from, to);
  }

  private static boolean digit(byte b) {
    return b >= '0' && b <= '9';
  }

  private static int number(byte[] bytes, int from, int to) {
    int value = 0;
    for (int i = from; i < to; i++) {
      value = value * 10 + bytes[i] - '0';
    }
    return value;
  }

  private static int digits(byte[] bytes, int from, int to) {
    int i = from;
    while (i < to && digit(bytes[i])) {
      i++;
    }
    return i - from;
  }

  /**
   * Days since 1970 of a date alone. As ClickHouse has it, days that a month lacks count on into
   * the next one; months and days that are none give 1970-01-01.
   */
  static long date(byte[] bytes, int from, int to) {
    int[] parts = dateParts(bytes, from, to, true);
    if (parts[3] != to) {
      throw noDate(bytes, from, to);
    }
    boolean possible = parts[1] >= 1 && parts[1] <= 12 && parts[2] >= 1 && parts[2] <= 31;
    return possible ? LocalDate.of(parts[0], parts[1], 1).toEpochDay() + parts[2] - 1 : 0;
  }

  private static long datePart(byte[] bytes, int from, int to, int[] end) {
    int[] parts = dateParts(bytes, from, to, false);
    end[0] = parts[3];
    if (parts[0] == 0 && parts[1] == 0 && parts[2] == 0) {
      return 0;
    }
    try {
      return LocalDate.of(parts[0], parts[1], parts[2]).toEpochDay();
    } catch (DateTimeException e) {
      throw noDate(bytes, from, to);
    }
  }

  /**
   * Year, month, day and where they end.
   *
   * @param freely whether anything but digits may stand between them
   */
  private static int[] dateParts(byte[] bytes, int from, int to, boolean freely) {
    int run = digits(bytes, from, Math.min(to, from + MOST_CHARS));
    int year;
    int month;
    int day;
    int at;
    if (run == 8) {
      year = number(bytes, from, from + 4);
      month = number(bytes, from + 4, from + 6);
      day = number(bytes, from + 6, from + 8);
      at = from + 8;
    } else if (run == 4 && from + 4 < to && !digit(bytes[from + 4])) {
      year = number(bytes, from, from + 4);
      byte separator = bytes[from + 4];
      if (!freely && separator != '-' && separator != '/' && separator != '.') {
        throw noDate(bytes, from, to);
      }
      int monthDigits = digits(bytes, from + 5, Math.min(to, from + 7));
      int second = from + 5 + monthDigits;
      if (monthDigits == 0
          || second >= to
          || (freely ? digit(bytes[second]) : bytes[second] != separator)) {
        throw noDate(bytes, from, to);
      }
      month = number(bytes, from + 5, second);
      int dayDigits = digits(bytes, second + 1, Math.min(to, second + 3));
      if (dayDigits == 0) {
        throw noDate(bytes, from, to);
      }
      at = second + 1 + dayDigits;
      day = number(bytes, second + 1, at);
    } else {
      throw noDate(bytes, from, to);
    }
    return new int[] {year, month, day, at};
  }

  private static long tenTo(int exponent) {
    long power = 1;
    for (int i = 0; i < exponent; i++) {
      power *= 10;
    }
    return power;
  }

  /** Ticks of 10^-scale seconds since 1970 in UTC; a finer fraction is cut off. */
  static long ticks(byte[] bytes, int from, int to, int scale, ZoneId zone) {
    if (to - from > MOST_CHARS) {
      throw noTime(bytes, from, to);
    }
    int run = digits(bytes, from, to);
    try {
      if (run == 9 || run == 10) {
        long fraction = fraction(bytes, from + run, to, scale);
        return Math.addExact(Math.multiplyExact(longOf(bytes, from, run), tenTo(scale)), fraction);
      }
      if (run == 13 && to - from == 13) {
        long millis = longOf(bytes, from, run);
        return scale >= 3
            ? Math.multiplyExact(millis, tenTo(scale - 3))
            : millis / tenTo(3 - scale);
      }
      return calendar(bytes, from, to, scale, zone, run == 14);
    } catch (EngineException e) {
      throw e.code() == ErrorCode.CANNOT_PARSE_DATE ? noTime(bytes, from, to) : e;
    } catch (ArithmeticException e) {
      throw wrong(
          ErrorCode.DECIMAL_OVERFLOW, "a time that fits 64 bits of its unit", bytes, from, to);
    }
  }

  private static long longOf(byte[] bytes, int from, int count) {
    long value = 0;
    for (int i = from; i < from + count; i++) {
      value = value * 10 + bytes[i] - '0';
    }
    return value;
  }

  /** What stands at {@code from} up to the end: nothing, or a point and digits. */
  private static long fraction(byte[] bytes, int from, int to, int scale) {
    if (from == to) {
      return 0;
    }
    int count = digits(bytes, from + 1, to);
    if (bytes[from] != '.' || from + 1 + count != to) {
      throw noTime(bytes, from, to);
    }
    return fractionTicks(bytes, from + 1, count, scale);
  }

  private static long fractionTicks(byte[] bytes, int from, int count, int scale) {
    long value = 0;
    for (int i = 0; i < scale; i++) {
      value = value * 10 + (i < count ? bytes[from + i] - '0' : 0);
    }
    return value;
  }

  private static long calendar(
      byte[] bytes, int from, int to, int scale, ZoneId zone, boolean together) {
    int[] end = new int[1];
    long day = datePart(bytes, from, together ? from + 8 : to, end);
    int at = end[0];
    int[] clock = new int[3];
    long fraction = 0;
    boolean separated = at < to && (bytes[at] == ' ' || bytes[at] == 'T');
    if (together || separated) {
      at += together ? 0 : 1;
      int fields = 0;
      while (fields < 3) {
        int count = digits(bytes, at, Math.min(to, at + 2));
        if (count != 2 && !(count == 1 && fields == 0)) {
          throw noTime(bytes, from, to);
        }
        clock[fields++] = number(bytes, at, at + count);
        at += count;
        if (fields == 3 || !together && (at >= to || bytes[at] != ':')) {
          break;
        }
        at += together ? 0 : 1;
      }
      if (fields < 2) { // hours, minutes and seconds that are too many count on
        throw noTime(bytes, from, to);
      }
      if (fields == 3 && at < to && bytes[at] == '.') {
        int count = digits(bytes, at + 1, to);
        fraction = fractionTicks(bytes, at + 1, count, scale);
        at += 1 + count;
      }
    }
    long local = day * 86_400 + clock[0] * 3600L + clock[1] * 60L + clock[2];
    long seconds = local - offset(bytes, at, from, to, day, local, zone);
    return Math.addExact(Math.multiplyExact(seconds, tenTo(scale)), fraction);
  }

  /** Seconds east of UTC: as the text says behind the time, or as the zone has it. */
  private static long offset(
      byte[] bytes, int at, int from, int to, long day, long local, ZoneId zone) {
    if (at == to) {
      if (day == 0 && local == 0 && bytes[from] == '0') {
        return 0; // the zero time is the same in all zones
      }
      return offsetOf(local, zone);
    }
    if (bytes[at] == 'Z' && at + 1 == to) {
      return 0;
    }
    boolean colon = to - at == 6 && bytes[at + 3] == ':';
    boolean shape = colon || to - at == 5;
    if (!shape
        || bytes[at] != '+' && bytes[at] != '-'
        || digits(bytes, at + 1, at + 3) != 2
        || digits(bytes, to - 2, to) != 2) {
      throw noTime(bytes, from, to);
    }
    int seconds = number(bytes, at + 1, at + 3) * 3600 + number(bytes, to - 2, to) * 60;
    return bytes[at] == '-' ? -seconds : seconds;
  }

  private static long offsetOf(long local, ZoneId zone) {
    if (zone instanceof ZoneOffset fixed) {
      return fixed.getTotalSeconds();
    }
    LocalDateTime time = LocalDateTime.ofEpochSecond(local, 0, ZoneOffset.UTC);
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(time);
    if (!offsets.isEmpty()) {
      return offsets.get(0).getTotalSeconds();
    }
    ZoneOffsetTransition gap = zone.getRules().getTransition(time);
    return gap.getOffsetAfter().getTotalSeconds();
  }

  /** Ticks of 10^-scale seconds of a time of day or a span of up to 999 hours, also negative. */
  static long span(byte[] bytes, int from, int to, int scale, boolean fractions) {
    int at = from;
    boolean negative = at < to && bytes[at] == '-';
    if (negative) {
      at++;
    }
    long seconds = 0;
    int fields = 0;
    while (true) {
      int count = digits(bytes, at, Math.min(to, at + 4));
      if (count == 0 || count > 3 || fields > 0 && count != 2) {
        throw noSpan(bytes, from, to);
      }
      int value = number(bytes, at, at + count);
      if (fields > 0 && value > 59) {
        throw noSpan(bytes, from, to);
      }
      seconds = seconds * 60 + value;
      fields++;
      at += count;
      if (fields == 3 || at >= to || bytes[at] != ':') {
        break;
      }
      at++;
    }
    long fraction = 0;
    if (fractions && at < to && bytes[at] == '.') {
      int count = digits(bytes, at + 1, to);
      fraction = fractionTicks(bytes, at + 1, count, scale);
      at += 1 + count;
    }
    if (fields < 2 || at != to) {
      throw noSpan(bytes, from, to);
    }
    long ticks = seconds * tenTo(scale) + fraction;
    return negative ? -ticks : ticks;
  }

  private static EngineException noSpan(byte[] bytes, int from, int to) {
    return wrong(ErrorCode.CANNOT_PARSE_DATETIME, "a time such as 03:04:05", bytes, from, to);
  }
}
