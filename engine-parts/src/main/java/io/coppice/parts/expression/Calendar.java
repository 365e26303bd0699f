package io.coppice.parts.expression;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Days to dates and back without objects, and the offsets of one time zone. Days count from
 * 1970-01-01; local seconds are seconds of the wall clock as if it were UTC.
 */
final class Calendar {
  /** As far as ClickHouse's tables go. */
  static final long MIN_DAY = -25567; // 1900-01-01

  static final long MAX_DAY = 120529; // 2299-12-31

  private static final Map<String, Calendar> ZONES = new ConcurrentHashMap<>();

  private final long[] starts;
  private final int[] offsets;

  private Calendar(ZoneRules rules) {
    if (rules.isFixedOffset()) {
      starts = new long[] {Long.MIN_VALUE};
      offsets = new int[] {rules.getOffset(Instant.EPOCH).getTotalSeconds()};
      return;
    }
    long[] times = new long[2048];
    int[] seconds = new int[2048];
    Instant at = Instant.ofEpochSecond(MIN_DAY * 86400 - 86400L * 366);
    Instant end = Instant.ofEpochSecond((MAX_DAY + 366) * 86400);
    times[0] = Long.MIN_VALUE;
    seconds[0] = rules.getOffset(at).getTotalSeconds();
    int count = 1;
    while (count < times.length) {
      ZoneOffsetTransition next = rules.nextTransition(at);
      if (next == null || next.getInstant().isAfter(end)) {
        break;
      }
      times[count] = next.toEpochSecond();
      seconds[count] = next.getOffsetAfter().getTotalSeconds();
      count++;
      at = next.getInstant();
    }
    starts = Arrays.copyOf(times, count);
    offsets = Arrays.copyOf(seconds, count);
  }

  static Calendar of(String zone) {
    return ZONES.computeIfAbsent(
        zone,
        name ->
            new Calendar(
                name.equals("UTC") ? ZoneOffset.UTC.getRules() : ZoneId.of(name).getRules()));
  }

  /** Seconds to add to UTC at {@code second}. */
  int offset(long second) {
    if (offsets.length == 1) {
      return offsets[0];
    }
    int low = 0;
    int high = starts.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (starts[middle] <= second) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return offsets[low];
  }

  long local(long second) {
    return second + offset(second);
  }

  /** The first moment whose wall clock shows {@code local}; in a gap, the moment after it. */
  long utc(long local) {
    if (offsets.length == 1) {
      return local - offsets[0];
    }
    long guess = local - offset(local);
    long before = local - offset(guess - 86400);
    if (before + offset(before) == local) {
      return before;
    }
    int offset = offset(guess);
    if (guess + offset == local) {
      return guess;
    }
    long other = local - offset;
    return other + offset(other) == local ? other : guess;
  }

  static long floorDay(long second) {
    return Math.floorDiv(second, 86400L);
  }

  /** Year, month and day of a day in one number: {@code year << 9 | month << 5 | day}. */
  static int ymd(long day) {
    long z = day + 719468;
    long era = Math.floorDiv(z, 146097L);
    long doe = z - era * 146097;
    long yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    long doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    long mp = (5 * doy + 2) / 153;
    int d = (int) (doy - (153 * mp + 2) / 5 + 1);
    int m = (int) (mp < 10 ? mp + 3 : mp - 9);
    int y = (int) (yoe + era * 400 + (m <= 2 ? 1 : 0));
    return y << 9 | m << 5 | d;
  }

  static int year(int ymd) {
    return ymd >> 9;
  }

  static int month(int ymd) {
    return ymd >> 5 & 15;
  }

  static int day(int ymd) {
    return ymd & 31;
  }

  static long days(long year, int month, int day) {
    long y = month <= 2 ? year - 1 : year;
    long era = Math.floorDiv(y, 400L);
    long yoe = y - era * 400;
    long doy = (153L * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    long doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
    return era * 146097 + doe - 719468;
  }

  static int daysInMonth(int year, int month) {
    return switch (month) {
      case 4, 6, 9, 11 -> 30;
      case 2 -> year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
      default -> 31;
    };
  }

  /** {@code months} later, the day cut to the month's last. */
  static long addMonths(long day, long months) {
    int ymd = ymd(day);
    long total = year(ymd) * 12L + month(ymd) - 1 + months;
    int year = (int) Math.floorDiv(total, 12L);
    int month = (int) Math.floorMod(total, 12L) + 1;
    return days(year, month, Math.min(day(ymd), daysInMonth(year, month)));
  }

  /** 1 for Monday to 7. */
  static int dayOfWeek(long day) {
    return (int) Math.floorMod(day + 3, 7L) + 1;
  }

  static long monday(long day) {
    return day - Math.floorMod(day + 3, 7L);
  }

  static int dayOfYear(long day) {
    return (int) (day - days(year(ymd(day)), 1, 1) + 1);
  }

  /** ISO 8601 year and week: {@code year << 6 | week}. */
  static int isoWeek(long day) {
    long thursday = monday(day) + 3;
    int year = year(ymd(thursday));
    return year << 6 | (int) ((thursday - days(year, 1, 1)) / 7 + 1);
  }
}
