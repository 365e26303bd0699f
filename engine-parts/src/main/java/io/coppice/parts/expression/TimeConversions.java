package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.DateTime64Type;
import io.coppice.language.type.DataType.DateTimeType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.Function.Call;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Dates and times to each other and to numbers. */
final class TimeConversions {
  /** Also the bits of a DateTime: what does not fit wraps, as ClickHouse has it by default. */
  private static final long LAST_SECOND = 0xffffffffL;

  private static final BigDecimal FIRST_SECOND = BigDecimal.valueOf(-62167219200L);
  private static final BigDecimal LAST_OF_9999 = BigDecimal.valueOf(253402300799L);

  private static final long DAY_BITS = 0xffff;

  private TimeConversions() {}

  static Values convert(Values values, DataType from, DataType to, Call call) {
    if (!Types.dateLike(to)) {
      return toNumber(values, from, to, call);
    }
    if (!Types.dateLike(from)) {
      return fromNumber(values, from, to, call);
    }
    long[] in = ((Values.Longs) values).values;
    long[] out = new long[in.length];
    Calendar source = calendar(from, call);
    Calendar target = calendar(to, call);
    long ticksFrom = Numbers.power10(Types.scale(from)).longValueExact();
    long ticksTo = Numbers.power10(Types.scale(to)).longValueExact();
    boolean fromDay = from == PlainType.DATE || from == PlainType.DATE32;
    for (int i = 0; i < in.length; i++) {
      if (fromDay && (to == PlainType.DATE || to == PlainType.DATE32)) {
        out[i] = to == PlainType.DATE ? in[i] & DAY_BITS : in[i];
        continue;
      }
      long seconds;
      long rest = 0;
      if (fromDay) {
        seconds = target.startOfDay(in[i]);
      } else {
        seconds = Math.floorDiv(in[i], ticksFrom);
        rest = Math.floorMod(in[i], ticksFrom);
        if (to == PlainType.DATE && seconds < 0 && rest > 0) {
          seconds++; // only here ClickHouse cuts the fraction towards 1970
        }
      }
      if (to == PlainType.DATE || to == PlainType.DATE32) {
        long day = Calendar.floorDay(source.local(seconds));
        // A zone may take a time at the end of its range to the day beyond.
        out[i] = to == PlainType.DATE ? day & DAY_BITS : day;
      } else if (to instanceof DateTimeType) {
        if (fromDay && from == PlainType.DATE && seconds < 0) {
          seconds += 86400; // east of Greenwich there is no such day before the second
        }
        out[i] = seconds & LAST_SECOND;
      } else {
        out[i] =
            seconds * ticksTo
                + (ticksTo >= ticksFrom
                    ? rest * (ticksTo / ticksFrom)
                    : rest / (ticksFrom / ticksTo));
      }
    }
    return new Values.Longs(out, values.constant(), values.nulls());
  }

  static Calendar calendar(DataType type, Call call) {
    return Calendar.of(Types.zone(type).orElse(call.defaultZone()));
  }

  private static Values toNumber(Values values, DataType from, DataType to, Call call) {
    if (!Types.number(to)) {
      throw EngineException.of(
          ErrorCode.CANNOT_CONVERT_TYPE,
          "%s: cannot convert %s to %s",
          call.name(),
          from.text(),
          to.text());
    }
    boolean fractional = to instanceof DecimalType || Types.floating(to);
    DataType number =
        from instanceof DateTime64Type time
            ? new DecimalType(18, time.scale())
            : from == PlainType.DATE
                ? PlainType.UINT16
                : from == PlainType.DATE32 ? PlainType.INT32 : PlainType.UINT32;
    if (from instanceof DateTime64Type time && !fractional) {
      long ticks = Numbers.power10(time.scale()).longValueExact();
      long least = Numbers.min(to).max(BigInteger.valueOf(Long.MIN_VALUE)).longValue();
      long most = Numbers.max(to).min(BigInteger.valueOf(Long.MAX_VALUE)).longValue();
      long[] seconds = ((Values.Longs) values).values.clone();
      for (int i = 0; i < seconds.length; i++) {
        seconds[i] = Math.floorDiv(seconds[i], ticks);
        if ((seconds[i] < least || seconds[i] > most) && !values.isNull(i)) {
          throw EngineException.of(
              ErrorCode.DECIMAL_OVERFLOW,
              "%s: %d seconds of %s do not fit %s",
              call.name(),
              seconds[i],
              from.text(),
              to.text());
        }
      }
      return Conversions.convert(
          new Values.Longs(seconds, values.constant(), null),
          PlainType.INT64,
          to,
          call,
          values.size());
    }
    return Conversions.convert(values.withNulls(null), number, to, call, values.size());
  }

  /** Wide numbers lose their upper bits; below zero there is no date. */
  private static BigInteger low(BigInteger value, DataType to) {
    if (to == PlainType.DATE) {
      return value.signum() < 0
          ? BigInteger.ZERO
          : value.bitLength() > 32 ? value.and(BigInteger.valueOf(DAY_BITS)) : value;
    }
    return value.and(BigInteger.valueOf(LAST_SECOND));
  }

  /**
   * Seconds as ticks; from the years that cannot be, the first or the last second of those that
   * can.
   */
  private static long ticks(Values values, int row, DataType from, DateTime64Type to, Call call) {
    BigInteger perSecond = Numbers.power10(to.scale());
    if (from == PlainType.FLOAT32) {
      float seconds = (float) ((Values.Doubles) values).values[values.at(row)];
      float product = seconds * perSecond.floatValue();
      if (Math.abs(product) < 0x1p62f) {
        return (long) product;
      }
    }
    BigDecimal seconds = Numbers.decimal(values, from, row);
    boolean wide = Types.big(from) && Types.integer(from);
    if (wide && seconds.toBigInteger().bitLength() > 63) {
      throw EngineException.of(
          ErrorCode.DECIMAL_OVERFLOW,
          "%s: %s seconds of %s do not fit %s",
          call.name(),
          seconds,
          from.text(),
          to.text());
    }
    if (!(from instanceof DecimalType)) {
      seconds = seconds.max(FIRST_SECOND).min(LAST_OF_9999);
    }
    return seconds.multiply(new BigDecimal(perSecond)).longValue();
  }

  private static Values fromNumber(Values values, DataType from, DataType to, Call call) {
    if (!Types.number(from)) {
      throw EngineException.of(
          ErrorCode.CANNOT_CONVERT_TYPE,
          "%s: cannot convert %s to %s",
          call.name(),
          from.text(),
          to.text());
    }
    if (from instanceof DecimalType && !(to instanceof DateTime64Type)) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_COLUMN, "%s does not take %s", call.name(), from.text());
    }
    long[] out = new long[values.size()];
    if (to instanceof DateTime64Type time) {
      for (int i = 0; i < out.length; i++) {
        out[i] = values.isNull(i) ? 0 : ticks(values, i, from, time, call);
      }
      return new Values.Longs(out, values.constant(), values.nulls());
    }
    boolean day = to == PlainType.DATE || to == PlainType.DATE32;
    Calendar zone = Calendar.of(call.defaultZone());
    for (int i = 0; i < out.length; i++) {
      if (values.isNull(i)) {
        continue;
      }
      BigInteger big = Numbers.decimal(values, from, i).toBigInteger();
      if (Types.big(from) && to != PlainType.DATE32) {
        big = low(big, to);
      }
      long value = big.bitLength() < 63 ? big.longValue() : big.signum() * (Long.MAX_VALUE / 2);
      long lastDay = to == PlainType.DATE ? 65535 : Calendar.MAX_DAY;
      if (day && value > lastDay) {
        // Such a number is meant in seconds.
        value = Calendar.floorDay(zone.local(Math.min(value, LAST_SECOND)));
      }
      out[i] =
          to == PlainType.DATE32
              ? Math.max(Calendar.MIN_DAY, Math.min(Calendar.MAX_DAY, value))
              : Math.max(0, Math.min(day ? 65535 : LAST_SECOND, value));
    }
    return new Values.Longs(out, values.constant(), values.nulls());
  }
}
