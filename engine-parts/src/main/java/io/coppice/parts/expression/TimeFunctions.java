package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.DateTime64Type;
import io.coppice.language.type.DataType.DateTimeType;
import io.coppice.language.type.DataType.IntervalType;
import io.coppice.language.type.DataType.IntervalType.Unit;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.Function.Call;
import io.coppice.parts.expression.Function.Kernel;
import io.coppice.parts.expression.Function.MonotonicityRule;
import io.coppice.parts.expression.Function.Resolved;
import java.util.Locale;
import java.util.Optional;

/**
 * Parts and starts of dates and times, sums with intervals, differences. Everything goes by local
 * seconds: those of the wall clock in the argument's zone.
 */
final class TimeFunctions {
  private TimeFunctions() {}

  /** A number of a moment, from its day and its second of the day, both local. */
  private interface Component {
    long of(long day, long second);
  }

  static void register(FunctionRegistry registry) {
    component(registry, "toYear", PlainType.UINT16, true, (d, s) -> Calendar.year(Calendar.ymd(d)));
    component(
        registry,
        "toQuarter",
        PlainType.UINT8,
        false,
        (d, s) -> (Calendar.month(Calendar.ymd(d)) + 2) / 3);
    component(
        registry, "toMonth", PlainType.UINT8, false, (d, s) -> Calendar.month(Calendar.ymd(d)));
    component(
        registry, "toDayOfMonth", PlainType.UINT8, false, (d, s) -> Calendar.day(Calendar.ymd(d)));
    component(registry, "toDayOfYear", PlainType.UINT16, false, (d, s) -> Calendar.dayOfYear(d));
    component(registry, "toHour", PlainType.UINT8, false, (d, s) -> s / 3600);
    component(registry, "toMinute", PlainType.UINT8, false, (d, s) -> s / 60 % 60);
    component(registry, "toSecond", PlainType.UINT8, false, (d, s) -> s % 60);
    component(
        registry,
        "toYYYYMM",
        PlainType.UINT32,
        true,
        (d, s) -> {
          int ymd = Calendar.ymd(d);
          return Calendar.year(ymd) * 100L + Calendar.month(ymd);
        });
    component(registry, "toYYYYMMDD", PlainType.UINT32, true, (d, s) -> yyyymmdd(d));
    component(
        registry,
        "toYYYYMMDDhhmmss",
        PlainType.UINT64,
        true,
        (d, s) -> yyyymmdd(d) * 1000000 + s / 3600 * 10000 + s / 60 % 60 * 100 + s % 60);
    component(registry, "toISOYear", PlainType.UINT16, true, (d, s) -> Calendar.isoWeek(d) >> 6);
    component(registry, "toISOWeek", PlainType.UINT8, false, (d, s) -> Calendar.isoWeek(d) & 63);
    component(
        registry,
        "toRelativeYearNum",
        PlainType.UINT16,
        true,
        (d, s) -> Calendar.year(Calendar.ymd(d)));
    component(
        registry,
        "toRelativeMonthNum",
        PlainType.UINT32,
        true,
        (d, s) -> Calendar.year(Calendar.ymd(d)) * 12L + Calendar.month(Calendar.ymd(d)));
    component(
        registry,
        "toRelativeQuarterNum",
        PlainType.UINT32,
        true,
        (d, s) -> Calendar.year(Calendar.ymd(d)) * 4L + (Calendar.month(Calendar.ymd(d)) - 1) / 3);
    component(
        registry, "toRelativeWeekNum", PlainType.UINT32, true, (d, s) -> Math.floorDiv(d + 3, 7L));
    component(registry, "toRelativeDayNum", PlainType.UINT32, true, (d, s) -> d);
    registry.add("toDayOfWeek", TimeFunctions::dayOfWeek);
    registry.add("toUnixTimestamp", TimeFunctions::unixTimestamp);
    registry.add("toTimeZone", TimeFunctions::toTimeZone);
    start(registry, "toStartOfYear", Unit.YEAR, 1);
    start(registry, "toStartOfQuarter", Unit.QUARTER, 1);
    start(registry, "toStartOfMonth", Unit.MONTH, 1);
    registry.add("toMonday", call -> startOf(call, Unit.WEEK, 1));
    registry.add("toStartOfISOYear", TimeFunctions::startOfIsoYear);
    registry.add("toLastDayOfMonth", TimeFunctions::lastDayOfMonth);
    registry.add("toStartOfWeek", TimeFunctions::startOfWeek);
    start(registry, "toStartOfDay", Unit.DAY, 1);
    start(registry, "toStartOfHour", Unit.HOUR, 1);
    start(registry, "toStartOfMinute", Unit.MINUTE, 1);
    start(registry, "toStartOfFiveMinutes", Unit.MINUTE, 5);
    start(registry, "toStartOfTenMinutes", Unit.MINUTE, 10);
    start(registry, "toStartOfFifteenMinutes", Unit.MINUTE, 15);
    registry.add("toStartOfSecond", TimeFunctions::startOfSecond);
    registry.add("toStartOfInterval", TimeFunctions::startOfInterval);
    registry.add("dateTrunc", TimeFunctions::dateTrunc);
    registry.add("dateDiff", TimeFunctions::dateDiff);
    for (Unit unit : Unit.values()) {
      registry.add("add" + unit.text() + "s", call -> add(call, unit, false));
      registry.add("subtract" + unit.text() + "s", call -> add(call, unit, true));
    }
  }

  private static long yyyymmdd(long day) {
    int ymd = Calendar.ymd(day);
    return Calendar.year(ymd) * 10000L + Calendar.month(ymd) * 100L + Calendar.day(ymd);
  }

  // Reading moments

  private static boolean day(DataType type) {
    return type == PlainType.DATE || type == PlainType.DATE32;
  }

  private static long ticks(DataType type) {
    return Numbers.power10(Types.scale(type)).longValueExact();
  }

  /** The zone of a call: its last argument if that is a constant string, else the type's. */
  private static Calendar calendar(Call call, int zoneAt) {
    String zone =
        call.count() > zoneAt
            ? ConversionFunctions.zone(Families.constantText(call, zoneAt))
            : Types.zone(call.type(0)).orElse(call.defaultZone());
    return Calendar.of(zone);
  }

  private static long local(long value, DataType type, long ticks, Calendar calendar) {
    return day(type) ? value * 86400 : calendar.local(Math.floorDiv(value, ticks));
  }

  private static void moment(Call call) {
    if (!Types.dateLike(call.type(0))) {
      throw Families.illegal(call, 0);
    }
  }

  private static void component(
      FunctionRegistry registry,
      String name,
      PlainType result,
      boolean monotonic,
      Component component) {
    registry.add(
        name,
        call -> {
          Families.count(call, 1, 2);
          moment(call);
          boolean ofDay =
              name.equals("toHour") || name.equals("toMinute") || name.equals("toSecond");
          if (ofDay && day(call.type(0))) {
            throw Families.illegal(call, 0);
          }
          Calendar calendar = calendar(call, 1);
          return new Resolved(
              result,
              each(
                  call,
                  result,
                  local -> component.of(Calendar.floorDay(local), Math.floorMod(local, 86400L)),
                  calendar),
              monotonic ? MonotonicityRule.INCREASING : within(call, name, calendar));
        });
  }

  /** Parts that begin anew: monotonic inside of one year, quarter, month, day … */
  private static MonotonicityRule within(Call call, String name, Calendar calendar) {
    DataType type = call.type(0);
    long ticks = ticks(type);
    java.util.function.LongUnaryOperator period =
        switch (name) {
          case "toQuarter", "toMonth", "toDayOfYear" ->
              local -> Calendar.year(Calendar.ymd(Calendar.floorDay(local)));
          case "toDayOfMonth" -> local -> Calendar.ymd(Calendar.floorDay(local)) >> 5;
          case "toHour" -> Calendar::floorDay;
          case "toMinute" -> local -> Math.floorDiv(local, 3600L);
          case "toSecond" -> local -> Math.floorDiv(local, 60L);
          default -> local -> Calendar.isoWeek(Calendar.floorDay(local)) >> 6;
        };
    return (low, high) -> {
      if (low.isEmpty() || high.isEmpty() || low.get().isNull(0) || high.get().isNull(0)) {
        return Monotonicity.NONE;
      }
      long from = local(((Values.Longs) low.get()).values[0], type, ticks, calendar);
      long to = local(((Values.Longs) high.get()).values[0], type, ticks, calendar);
      return period.applyAsLong(from) == period.applyAsLong(to)
          ? Monotonicity.INCREASING_HERE
          : Monotonicity.NONE;
    };
  }

  private static Kernel each(
      Call call, DataType result, java.util.function.LongUnaryOperator ofLocal, Calendar calendar) {
    DataType type = call.type(0);
    long ticks = ticks(type);
    return (args, rows) -> {
      long[] in = ((Values.Longs) args[0]).values;
      long[] out = new long[in.length];
      for (int i = 0; i < in.length; i++) {
        out[i] = ofLocal.applyAsLong(local(in[i], type, ticks, calendar));
      }
      Types.wrap(out, result);
      return new Values.Longs(out, args[0].constant(), null);
    };
  }

  private static Resolved dayOfWeek(Call call) {
    Families.count(call, 1, 3);
    moment(call);
    long mode = call.count() > 1 ? Families.constantLong(call, 1) : 0;
    Calendar calendar = calendar(call, 2);
    return new Resolved(
        PlainType.UINT8,
        each(
            call,
            PlainType.UINT8,
            local -> {
              int weekday = Calendar.dayOfWeek(Calendar.floorDay(local));
              return switch ((int) (mode & 3)) {
                case 0 -> weekday;
                case 1 -> weekday - 1;
                case 2 -> weekday % 7;
                default -> weekday % 7 + 1;
              };
            },
            calendar));
  }

  private static Resolved unixTimestamp(Call call) {
    Families.count(call, 1, 2);
    DataType type = call.type(0);
    if (Types.string(type)) {
      Call zoned =
          call.count() == 2
              ? new Call(
                  call.name(),
                  call.arguments(),
                  ConversionFunctions.zone(Families.constantText(call, 1)))
              : call;
      return new Resolved(
          PlainType.UINT32,
          (args, rows) ->
              Conversions.convert(args[0], type, new DateTimeType(Optional.empty()), zoned, rows));
    }
    moment(call);
    Calendar calendar = calendar(call, 1);
    long ticks = ticks(type);
    return new Resolved(
        PlainType.UINT32,
        (args, rows) -> {
          long[] in = ((Values.Longs) args[0]).values;
          long[] out = new long[in.length];
          for (int i = 0; i < in.length; i++) {
            out[i] = day(type) ? calendar.startOfDay(in[i]) : Math.floorDiv(in[i], ticks);
          }
          Types.wrap(out, PlainType.UINT32);
          return new Values.Longs(out, args[0].constant(), null);
        },
        MonotonicityRule.INCREASING);
  }

  private static Resolved toTimeZone(Call call) {
    Families.count(call, 2, 2);
    Optional<String> zone = Optional.of(ConversionFunctions.zone(Families.constantText(call, 1)));
    DataType type = call.type(0);
    DataType result;
    if (type instanceof DateTimeType) {
      result = new DateTimeType(zone);
    } else if (type instanceof DateTime64Type time) {
      result = new DateTime64Type(time.scale(), zone);
    } else {
      throw Families.illegal(call, 0);
    }
    return new Resolved(result, (args, rows) -> args[0], MonotonicityRule.INCREASING);
  }

  // Starts

  private static void start(FunctionRegistry registry, String name, Unit unit, int count) {
    registry.add(name, call -> startOf(call, unit, count));
  }

  private static boolean longUnit(Unit unit) {
    return unit.compareTo(Unit.WEEK) >= 0;
  }

  private static Resolved startOf(Call call, Unit unit, long count) {
    Families.count(call, 1, 2);
    moment(call);
    return truncating(call, unit, count, calendar(call, 1), 1, false);
  }

  /**
   * Cuts to a multiple of {@code count} units.
   *
   * @param extended whether wide types give wide types, as dateTrunc has it
   */
  private static Resolved truncating(
      Call call, Unit unit, long count, Calendar calendar, int zoneAt, boolean extended) {
    DataType type = call.type(0);
    Optional<String> zone =
        call.count() > zoneAt ? Optional.of(Families.constantText(call, zoneAt)) : Types.zone(type);
    boolean wide = extended && (type == PlainType.DATE32 || type instanceof DateTime64Type);
    if (longUnit(unit)) {
      return new Resolved(
          wide ? PlainType.DATE32 : PlainType.DATE,
          each(
              call,
              wide ? PlainType.DATE32 : PlainType.DATE,
              local -> {
                long day = startDay(Calendar.floorDay(local), unit, count);
                return wide ? day : clampDay(day);
              },
              calendar),
          MonotonicityRule.INCREASING);
    }
    if (day(type) && unit != Unit.DAY) {
      throw Families.illegal(call, 0);
    }
    DataType result = wide ? new DateTime64Type(0, zone) : new DateTimeType(zone);
    long ticks = ticks(type);
    long span = unit == Unit.DAY ? 86400 : unit == Unit.HOUR ? 3600 : unit == Unit.MINUTE ? 60 : 1;
    long spans = Math.multiplyExact(span, count);
    Kernel kernel =
        (args, rows) -> {
          long[] in = ((Values.Longs) args[0]).values;
          long[] out = new long[in.length];
          for (int i = 0; i < in.length; i++) {
            long local = local(in[i], type, ticks, calendar);
            long seconds;
            if (unit == Unit.DAY) {
              long day = Calendar.floorDay(local);
              seconds = calendar.startOfDay(day - Math.floorMod(day, count));
            } else if (unit == Unit.HOUR && count > 1) {
              seconds = calendar.utc(local - Math.floorMod(Math.floorMod(local, 86400L), spans));
            } else {
              seconds = Math.floorDiv(in[i], ticks) - Math.floorMod(local, spans);
            }
            if (unit == Unit.DAY && !wide && seconds < 0 && count == 1) {
              seconds += 86400; // the day that began before 1970 is not there
            }
            out[i] = wide ? seconds : seconds & 0xffffffffL;
          }
          return new Values.Longs(out, args[0].constant(), null);
        };
    if (type instanceof DateTimeType || wide) {
      return new Resolved(result, kernel, MonotonicityRule.INCREASING);
    }
    // Seconds are cut to 32 bits, so that only times which fit keep their order.
    long last = day(type) ? 0xffffffffL / 86400 - 1 : (0xffffffffL - 86400) * ticks;
    return new Resolved(
        result,
        kernel,
        (low, high) ->
            low.isPresent()
                    && high.isPresent()
                    && !low.get().isNull(0)
                    && !high.get().isNull(0)
                    && ((Values.Longs) low.get()).values[0] >= (day(type) ? 1 : 86400 * ticks)
                    && ((Values.Longs) high.get()).values[0] <= last
                ? Monotonicity.INCREASING_HERE
                : Monotonicity.NONE);
  }

  private static long clampDay(long day) {
    return Math.max(0, Math.min(65535, day));
  }

  private static long startDay(long day, Unit unit, long count) {
    int ymd = Calendar.ymd(day);
    int year = Calendar.year(ymd);
    int month = Calendar.month(ymd);
    return switch (unit) {
      case WEEK -> {
        // Counted from the first Monday, 1970-01-05.
        long week = Math.floorDiv(day - 4, 7L);
        yield (week - Math.floorMod(week, count)) * 7 + 4;
      }
      case MONTH -> {
        long months = year * 12L + month - 1;
        yield monthStart(months - Math.floorMod(months, count));
      }
      case QUARTER -> {
        long quarters = year * 4L + (month - 1) / 3;
        yield monthStart((quarters - Math.floorMod(quarters, count)) * 3);
      }
      default -> Calendar.days(year - Math.floorMod(year, count), 1, 1);
    };
  }

  private static long monthStart(long months) {
    return Calendar.days(Math.floorDiv(months, 12L), (int) Math.floorMod(months, 12L) + 1, 1);
  }

  private static Resolved startOfIsoYear(Call call) {
    Families.count(call, 1, 2);
    moment(call);
    return new Resolved(
        PlainType.DATE,
        each(
            call,
            PlainType.DATE,
            local -> {
              int year = Calendar.isoWeek(Calendar.floorDay(local)) >> 6;
              return clampDay(Calendar.monday(Calendar.days(year, 1, 4)));
            },
            calendar(call, 1)),
        MonotonicityRule.INCREASING);
  }

  private static Resolved lastDayOfMonth(Call call) {
    Families.count(call, 1, 2);
    moment(call);
    return new Resolved(
        PlainType.DATE,
        each(
            call,
            PlainType.DATE,
            local -> {
              int ymd = Calendar.ymd(Calendar.floorDay(local));
              int year = Calendar.year(ymd);
              int month = Calendar.month(ymd);
              return clampDay(Calendar.days(year, month, Calendar.daysInMonth(year, month)));
            },
            calendar(call, 1)),
        MonotonicityRule.INCREASING);
  }

  private static Resolved startOfWeek(Call call) {
    Families.count(call, 1, 3);
    moment(call);
    long mode = call.count() > 1 ? Families.constantLong(call, 1) : 0;
    boolean monday = (mode & 1) != 0;
    return new Resolved(
        PlainType.DATE,
        each(
            call,
            PlainType.DATE,
            local -> {
              long day = Calendar.floorDay(local);
              return clampDay(monday ? Calendar.monday(day) : Calendar.monday(day + 1) - 1);
            },
            calendar(call, 2)),
        MonotonicityRule.INCREASING);
  }

  private static Resolved startOfSecond(Call call) {
    Families.count(call, 1, 2);
    if (!(call.type(0) instanceof DateTime64Type type)) {
      throw Families.illegal(call, 0);
    }
    long ticks = ticks(type);
    return new Resolved(
        type,
        (args, rows) -> {
          long[] out = ((Values.Longs) args[0]).values.clone();
          for (int i = 0; i < out.length; i++) {
            out[i] -= Math.floorMod(out[i], ticks);
          }
          return new Values.Longs(out, args[0].constant(), null);
        },
        MonotonicityRule.INCREASING);
  }

  private static Resolved startOfInterval(Call call) {
    Families.count(call, 2, 3);
    moment(call);
    if (!(call.type(1) instanceof IntervalType interval)) {
      throw Families.illegal(call, 1);
    }
    long count = Families.constantLong(call, 1);
    if (count <= 0) {
      throw EngineException.of(
          ErrorCode.ARGUMENT_OUT_OF_BOUND, "toStartOfInterval: the interval must be positive");
    }
    Calendar calendar = calendar(call, 2);
    if (interval.unit().compareTo(Unit.SECOND) < 0) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED, "toStartOfInterval: units below a second are not supported");
    }
    return truncating(call, interval.unit(), count, calendar, 2, false);
  }

  private static Resolved dateTrunc(Call call) {
    Families.count(call, 2, 3);
    Unit unit = unit(Families.constantText(call, 0));
    java.util.List<Function.Argument> arguments =
        new java.util.ArrayList<>(call.arguments().subList(1, call.count()));
    Call rest = call.withArguments(arguments);
    moment(rest);
    Resolved resolved = truncating(rest, unit, 1, calendar(rest, 1), 1, true);
    return new Resolved(
        resolved.type(),
        (args, rows) ->
            resolved.kernel().run(java.util.Arrays.copyOfRange(args, 1, args.length), rows),
        resolved.monotonicity());
  }

  static Unit unit(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    String singular =
        switch (lower) {
          case "yy", "yyyy" -> "year";
          case "qq", "q" -> "quarter";
          case "mm", "m" -> "month";
          case "wk", "ww" -> "week";
          case "dd", "d" -> "day";
          case "hh", "h" -> "hour";
          case "mi", "n" -> "minute";
          case "ss", "s" -> "second";
          case "ms" -> "millisecond";
          case "us" -> "microsecond";
          case "ns" -> "nanosecond";
          default -> lower.endsWith("s") ? lower.substring(0, lower.length() - 1) : lower;
        };
    for (Unit unit : Unit.values()) {
      if (unit.text().equalsIgnoreCase(singular)) {
        return unit;
      }
    }
    throw EngineException.of(ErrorCode.BAD_ARGUMENTS, "unknown unit of time '%s'", name);
  }

  // Sums and differences

  /** {@code date + interval}, {@code date + number}, {@code date - date} and the like. */
  static Resolved sum(Call call, boolean minus) {
    DataType a = call.type(0);
    DataType b = call.type(1);
    if (Types.dateLike(a) && Types.dateLike(b)) {
      return difference(call, minus);
    }
    boolean swapped = !Types.dateLike(a);
    if (swapped && minus) {
      throw Families.illegalPair(call);
    }
    DataType time = swapped ? b : a;
    DataType other = swapped ? a : b;
    if (!Types.dateLike(time)) {
      boolean sameInterval = a instanceof IntervalType && a.equals(b);
      if (!sameInterval) {
        throw Families.illegalPair(call);
      }
      return intervals(call, minus);
    }
    Unit unit;
    if (other instanceof IntervalType interval) {
      unit = interval.unit();
    } else if ((Types.integer(other) && !Types.big(other)) || Types.floating(other)) {
      unit = day(time) ? Unit.DAY : Unit.SECOND;
    } else {
      throw Families.illegalPair(call);
    }
    Call ordered =
        swapped
            ? call.withArguments(
                java.util.List.of(call.arguments().get(1), call.arguments().get(0)))
            : call;
    Resolved resolved =
        shifting(
            ordered,
            unit,
            minus,
            other instanceof IntervalType ? Widening.INTERVAL : Widening.NONE);
    Kernel kernel =
        swapped
            ? (args, rows) -> resolved.kernel().run(new Values[] {args[1], args[0]}, rows)
            : resolved.kernel();
    return new Resolved(resolved.type(), kernel, resolved.monotonicity());
  }

  private static Resolved intervals(Call call, boolean minus) {
    return new Resolved(
        call.type(0),
        (args, rows) -> {
          int count = Families.rows(args, rows);
          Values.Longs x = (Values.Longs) args[0];
          Values.Longs y = (Values.Longs) args[1];
          long[] out = new long[count];
          for (int i = 0; i < count; i++) {
            long right = y.values[y.at(i)];
            out[i] = x.values[x.at(i)] + (minus ? -right : right);
          }
          return new Values.Longs(out, Families.allConstant(args), null);
        });
  }

  private static Resolved difference(Call call, boolean minus) {
    DataType a = call.type(0);
    DataType b = call.type(1);
    boolean dates = day(a) && day(b);
    boolean times = a instanceof DateTimeType && b instanceof DateTimeType;
    if (!minus || !(dates || times)) {
      throw Families.illegalPair(call);
    }
    return new Resolved(
        PlainType.INT32,
        (args, rows) -> {
          int count = Families.rows(args, rows);
          Values.Longs x = (Values.Longs) args[0];
          Values.Longs y = (Values.Longs) args[1];
          long[] out = new long[count];
          for (int i = 0; i < count; i++) {
            out[i] = x.values[x.at(i)] - y.values[y.at(i)];
          }
          Types.wrap(out, PlainType.INT32);
          return new Values.Longs(out, Families.allConstant(args), null);
        });
  }

  private static Resolved add(Call call, Unit unit, boolean minus) {
    Families.count(call, 2, 3);
    if (Types.string(call.type(0))) {
      throw Families.illegal(call, 0);
    }
    moment(call);
    DataType delta = call.type(1);
    if (!Types.integer(delta) && !Types.floating(delta)) {
      throw Families.illegal(call, 1);
    }
    return shifting(call, unit, minus, Widening.FUNCTION);
  }

  /** What a date becomes when a part of a day is added to it. */
  private enum Widening {
    /** It stays a date. */
    NONE,
    /** A time of whole seconds. */
    FUNCTION,
    /** As FUNCTION, but Date32 gets milliseconds. */
    INTERVAL
  }

  private static Resolved shifting(Call call, Unit unit, boolean minus, Widening widening) {
    DataType type = call.type(0);
    DataType delta = call.type(1);
    DataType result = shiftedType(type, unit, widening);
    Calendar calendar = Calendar.of(Types.zone(type).orElse(call.defaultZone()));
    Kernel kernel =
        (args, rows) -> {
          int count = Families.rows(args, rows);
          Values.Longs times = (Values.Longs) args[0];
          Values.Longs deltas =
              args[1] instanceof Values.Longs longs
                  ? longs
                  : (Values.Longs) Conversions.convert(args[1], delta, PlainType.INT64, call, rows);
          long[] out = new long[count];
          for (int i = 0; i < count; i++) {
            long by = deltas.values[deltas.at(i)];
            out[i] =
                shift(times.values[times.at(i)], minus ? -by : by, unit, type, result, calendar);
          }
          return new Values.Longs(out, Families.allConstant(args), null);
        };
    boolean fixed = call.arguments().get(1).constant().isPresent();
    return new Resolved(
        result,
        kernel,
        fixed && type.equals(result) ? overflowRule(kernel, call) : MonotonicityRule.NONE);
  }

  /** Monotonic as long as neither end wraps: the shifted ends must be in order. */
  private static MonotonicityRule overflowRule(Kernel kernel, Call call) {
    Values delta = call.arguments().get(1).constant().orElseThrow();
    return (low, high) -> {
      if (low.isEmpty() || high.isEmpty() || low.get().isNull(0) || high.get().isNull(0)) {
        return Monotonicity.NONE;
      }
      long from = ((Values.Longs) low.get()).values[0];
      long to = ((Values.Longs) high.get()).values[0];
      long a = ((Values.Longs) kernel.run(new Values[] {low.get(), delta}, 1)).values[0];
      long b = ((Values.Longs) kernel.run(new Values[] {high.get(), delta}, 1)).values[0];
      boolean sameWay = Long.signum(Long.compare(a, from)) == Long.signum(Long.compare(b, to));
      return a <= b && sameWay ? Monotonicity.INCREASING_HERE : Monotonicity.NONE;
    };
  }

  private static DataType shiftedType(DataType type, Unit unit, Widening widening) {
    boolean partOfDay = unit.compareTo(Unit.DAY) < 0;
    boolean partOfSecond = unit.compareTo(Unit.SECOND) < 0;
    if (day(type)) {
      if (!partOfDay || widening == Widening.NONE) {
        return type;
      }
      if (partOfSecond) {
        return new DateTime64Type(subSecondScale(unit), Optional.empty());
      }
      return type == PlainType.DATE
          ? new DateTimeType(Optional.empty())
          : new DateTime64Type(widening == Widening.INTERVAL ? 3 : 0, Optional.empty());
    }
    if (partOfSecond) {
      return new DateTime64Type(
          Math.max(Types.scale(type), subSecondScale(unit)), Types.zone(type));
    }
    return type;
  }

  private static int subSecondScale(Unit unit) {
    return unit == Unit.MILLISECOND ? 3 : unit == Unit.MICROSECOND ? 6 : 9;
  }

  private static long shift(
      long value, long by, Unit unit, DataType type, DataType result, Calendar calendar) {
    boolean toDay = day(result);
    if (toDay) {
      long day =
          switch (unit) {
            case DAY -> value + by;
            case WEEK -> value + by * 7;
            case MONTH -> Calendar.addMonths(value, by);
            case QUARTER -> Calendar.addMonths(value, by * 3);
            case YEAR -> Calendar.addMonths(value, by * 12);
            default -> value + by;
          };
      boolean byMonths = unit.compareTo(Unit.WEEK) > 0;
      return result == PlainType.DATE ? (byMonths ? Math.max(0, day) : day) & 0xffff : day;
    }
    long ticksFrom = ticks(type);
    long ticksTo = ticks(result);
    long second = day(type) ? calendar.startOfDay(value) : Math.floorDiv(value, ticksFrom);
    long rest = day(type) ? 0 : Math.floorMod(value, ticksFrom) * (ticksTo / ticksFrom);
    switch (unit) {
      case NANOSECOND, MICROSECOND, MILLISECOND -> {
        long step = ticksTo / Numbers.power10(subSecondScale(unit)).longValueExact();
        return second * ticksTo + rest + by * step;
      }
      case SECOND -> second += by;
      case MINUTE -> second += by * 60;
      case HOUR -> second += by * 3600;
      default -> {
        long local = calendar.local(second);
        long day = Calendar.floorDay(local);
        long of = Math.floorMod(local, 86400L);
        long moved =
            switch (unit) {
              case DAY -> day + by;
              case WEEK -> day + by * 7;
              case MONTH -> Calendar.addMonths(day, by);
              case QUARTER -> Calendar.addMonths(day, by * 3);
              default -> Calendar.addMonths(day, by * 12);
            };
        second = calendar.utc(moved * 86400 + of);
      }
    }
    if (result instanceof DateTimeType) {
      boolean byMonths = unit.compareTo(Unit.WEEK) > 0;
      return (byMonths ? Math.max(0, second) : second) & 0xffffffffL;
    }
    return second * ticksTo + rest;
  }

  private static Resolved dateDiff(Call call) {
    Families.count(call, 3, 4);
    Unit unit = unit(Families.constantText(call, 0));
    DataType a = call.type(1);
    DataType b = call.type(2);
    if (!Types.dateLike(a) || !Types.dateLike(b)) {
      throw Families.illegalPair(call);
    }
    Optional<String> zone =
        call.count() == 4 ? Optional.of(Families.constantText(call, 3)) : Optional.empty();
    Calendar ca = Calendar.of(zone.or(() -> Types.zone(a)).orElse(call.defaultZone()));
    Calendar cb = Calendar.of(zone.or(() -> Types.zone(b)).orElse(call.defaultZone()));
    return new Resolved(
        PlainType.INT64,
        (args, rows) -> {
          int count = Families.rows(args, rows);
          Values.Longs x = (Values.Longs) args[1];
          Values.Longs y = (Values.Longs) args[2];
          long[] out = new long[count];
          for (int i = 0; i < count; i++) {
            out[i] =
                number(y.values[y.at(i)], b, unit, cb) - number(x.values[x.at(i)], a, unit, ca);
          }
          return new Values.Longs(out, Families.allConstant(args), null);
        });
  }

  /** Which year, month, … since a fixed one a moment is in. */
  private static long number(long value, DataType type, Unit unit, Calendar calendar) {
    long ticks = ticks(type);
    if (unit.compareTo(Unit.SECOND) < 0) {
      long perSecond = Numbers.power10(subSecondScale(unit)).longValueExact();
      long second = day(type) ? calendar.startOfDay(value) : Math.floorDiv(value, ticks);
      long rest = day(type) ? 0 : Math.floorMod(value, ticks);
      return second * perSecond
          + (ticks >= perSecond ? rest / (ticks / perSecond) : rest * (perSecond / ticks));
    }
    long local = local(value, type, ticks, calendar);
    long day = Calendar.floorDay(local);
    int ymd = Calendar.ymd(day);
    return switch (unit) {
      case YEAR -> Calendar.year(ymd);
      case QUARTER -> Calendar.year(ymd) * 4L + (Calendar.month(ymd) - 1) / 3;
      case MONTH -> Calendar.year(ymd) * 12L + Calendar.month(ymd);
      case WEEK -> Math.floorDiv(day + 3, 7L);
      case DAY -> day;
      case HOUR -> {
        long second = day(type) ? calendar.utc(local) : Math.floorDiv(value, ticks);
        int offset = calendar.offset(0);
        yield Math.floorDiv(offset % 3600 == 0 ? second : second + 86400 - offset, 3600L);
      }
      case MINUTE ->
          Math.floorDiv(day(type) ? calendar.utc(local) : Math.floorDiv(value, ticks), 60L);
      default -> day(type) ? calendar.utc(local) : Math.floorDiv(value, ticks);
    };
  }
}
