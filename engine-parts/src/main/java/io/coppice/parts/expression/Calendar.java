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

  /**
   * The first moment whose wall clock shows {@code local}; a time that a change of clocks skips is
   * taken with the offset behind the change, as ClickHouse does.
   */
  long utc(long local) {
    if (offsets.length == 1) {
      return local - offsets[0];
    }
    // Changes are days apart: one lies between a day before and a day after, or none.
    int before = offset(local - 86400 - offsets[0]);
    int after = offset(local + 86400 - offsets[0]);
    long early = local - before;
    return before == after || early + offset(early) == local ? early : local - after;
  }

  /**
   * The moment at which a day begins: behind a change of clocks that skips its midnight; of two
   * midnights the second if a piece of the day before lies between them.
   */
  long startOfDay(long day) {
    long local = day * 86400;
    long early = utc(local);
    if (offsets.length == 1) {
      return early;
    }
    long late = local - offset(early + 86400);
    if (local(early) != local) {
      return starts[indexAfter(early)];
    }
    boolean twice = late > early && local(late) == local;
    return twice && starts[indexAfter(early)] < late ? late : early;
  }

  /** The first change of clocks behind a moment. */
  private int indexAfter(long second) {
    int index = Arrays.binarySearch(starts, second + 1);
    return index >= 0 ? index : -index - 1;
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
