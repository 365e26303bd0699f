package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.text.ByteText;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.DateTime64Type;
import io.coppice.language.type.DataType.DateTimeType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.DataType.EnumType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.Function.Call;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A column of one type as a column of another, as CAST does it. */
final class Conversions {
  /** 999:59:59, the last time of day that ClickHouse has. */
  private static final long LAST_OF_DAY_TIME = 3599999;

  private Conversions() {}

  /**
   * Converts; NULLs stay where {@code to} allows them.
   *
   * @param call for the zone and for messages
   */
  static Values convert(Values values, DataType from, DataType to, Call call, int rows) {
    DataType source = Types.bare(from);
    DataType target = Types.bare(to);
    if (source.equals(target)) {
      return values;
    }
    DataType inner = Types.notNull(target);
    if (values instanceof Values.Nothings) {
      boolean[] nulls = new boolean[values.size()];
      java.util.Arrays.fill(nulls, true);
      Values filler = Defaults.of(inner).pick(new int[values.size()], values.size());
      Values result = filler.withNulls(nulls);
      return values.constant() ? result.asConstant() : result;
    }
    if (hasNull(values.nulls()) && !(target instanceof NullableType)) {
      throw EngineException.of(
          ErrorCode.CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN,
          "cannot convert NULL of %s to %s",
          from.text(),
          to.text());
    }
    DataType plain = Types.notNull(source);
    if (plain.equals(inner)) {
      return values;
    }
    boolean lenient =
        source instanceof NullableType
            && Types.string(plain)
            && target instanceof NullableType
            && !Types.string(inner);
    if (lenient) {
      return orNull((Values.Strings) values, plain, inner, call);
    }
    Values converted = inner(values, plain, inner, call);
    if (!(target instanceof NullableType)) {
      return converted;
    }
    return converted.nulls() == values.nulls() ? converted : converted.withNulls(values.nulls());
  }

  private static boolean hasNull(boolean[] nulls) {
    for (int i = 0; nulls != null && i < nulls.length; i++) {
      if (nulls[i]) {
        return true;
      }
    }
    return false;
  }

  /** As fromText, with NULL for what cannot be read. */
  static Values orNull(Values.Strings values, DataType from, DataType to, Call call) {
    try {
      return fromText(values, from, to, call).withNulls(values.nulls());
    } catch (EngineException e) {
      if (e.code() == ErrorCode.NOT_IMPLEMENTED) {
        throw e;
      }
    }
    int size = values.size();
    boolean[] nulls = new boolean[size];
    for (int i = 0; i < size; i++) {
      nulls[i] = values.isNull(i);
      if (!nulls[i]) {
        try {
          fromText(values.pick(new int[] {i}, 1), from, to, call);
        } catch (EngineException e) {
          nulls[i] = true;
        }
      }
    }
    return fromText(values.withNulls(nulls), from, to, call).withNulls(nulls);
  }

  private static Values inner(Values values, DataType from, DataType to, Call call) {
    if (to == PlainType.STRING) {
      return toText(values, from, call.defaultZone());
    }
    if (Types.string(from)) {
      return fromText((Values.Strings) values, from, to, call);
    }
    if (from instanceof TupleType a && to instanceof TupleType b) {
      return tuples((Values.Tuples) values, a, b, call);
    }
    if (from instanceof ArrayType a && to instanceof ArrayType b) {
      Values.Lists lists = (Values.Lists) values;
      Values elements =
          convert(lists.elements, a.element(), b.element(), call, lists.elements.size());
      return new Values.Lists(lists.offsets, elements, values.constant(), values.nulls());
    }
    if (from instanceof MapType a && to instanceof MapType b) {
      Values.Lists lists = (Values.Lists) values;
      Values pairs =
          tuples((Values.Tuples) lists.elements, Families.pair(a), Families.pair(b), call);
      return new Values.Lists(lists.offsets, pairs, values.constant(), values.nulls());
    }
    if (from == PlainType.IPV4 && to == PlainType.IPV6) {
      Values.StringsBuilder out = new Values.StringsBuilder(values.size());
      for (long value : ((Values.Longs) values).values) {
        out.add(IpText.mapped(value));
      }
      return constantLike(out.build(values.nulls()), values);
    }
    if (Types.dateLike(to) || Types.dateLike(from)) {
      return TimeConversions.convert(values, from, to, call);
    }
    boolean named =
        (from == PlainType.IPV4 && (!unsignedOf32(to) || to instanceof EnumType))
            || (to == PlainType.IPV4 && from instanceof EnumType)
            || (from instanceof EnumType && to instanceof DecimalType);
    boolean numeric =
        !named
            && (Types.number(to)
                || to instanceof EnumType
                || to == PlainType.IPV4
                || timeOfDay(to)
                || to instanceof DataType.IntervalType)
            && (Types.number(from)
                || from instanceof EnumType
                || from == PlainType.IPV4
                || timeOfDay(from)
                || from instanceof DataType.IntervalType);
    if (!numeric) {
      throw EngineException.of(
          ErrorCode.CANNOT_CONVERT_TYPE,
          "%s: cannot convert %s to %s",
          call.name(),
          from.text(),
          to.text());
    }
    return numbers(values, from, to);
  }

  /** Unsigned integers that hold an address of 32 bits. */
  private static boolean unsignedOf32(DataType type) {
    return Types.integer(type) && !Types.signed(type) && Types.width(type) >= 4;
  }

  private static boolean timeOfDay(DataType type) {
    return type == PlainType.TIME || type instanceof DataType.Time64Type;
  }

  static Values constantLike(Values values, Values pattern) {
    return pattern.constant() ? values.asConstant() : values;
  }

  private static Values tuples(Values.Tuples values, TupleType a, TupleType b, Call call) {
    if (a.elements().size() != b.elements().size()) {
      throw EngineException.of(
          ErrorCode.TYPE_MISMATCH, "cannot convert %s to %s", a.text(), b.text());
    }
    List<Values> elements = new ArrayList<>();
    for (int i = 0; i < a.elements().size(); i++) {
      elements.add(
          convert(
              values.elements.get(i),
              a.elements().get(i).type(),
              b.elements().get(i).type(),
              call,
              values.size()));
    }
    return new Values.Tuples(values.size(), elements, values.constant(), values.nulls());
  }

  // Numbers

  private static Values numbers(Values values, DataType from, DataType to) {
    int size = values.size();
    if (to == PlainType.BOOL) {
      long[] out = new long[size];
      for (int i = 0; i < size; i++) {
        out[i] =
            values instanceof Values.Doubles doubles
                ? (doubles.values[i] != 0 ? 1 : 0)
                : Types.bigAt(values, from, i).signum() != 0 ? 1 : 0;
      }
      return new Values.Longs(out, values.constant(), values.nulls());
    }
    if (Types.floating(to)) {
      double[] out = Numbers.doubles(values, from).values.clone();
      Numbers.round(out, to);
      return new Values.Doubles(out, values.constant(), values.nulls());
    }
    if (to instanceof DecimalType decimal) {
      return decimals(values, from, decimal);
    }
    if (values instanceof Values.Longs longs && Types.scale(from) == 0 && !Types.big(to)) {
      long[] out = longs.values.clone();
      if (to == PlainType.TIME && Types.integer(from)) {
        for (int i = 0; i < size; i++) {
          out[i] = Math.max(-LAST_OF_DAY_TIME, Math.min(LAST_OF_DAY_TIME, out[i]));
        }
      }
      Types.wrap(out, to instanceof EnumType e ? Types.integerOf(true, e.widthBytes()) : to);
      return new Values.Longs(out, values.constant(), values.nulls());
    }
    BigInteger[] out = new BigInteger[size];
    for (int i = 0; i < size; i++) {
      if (values instanceof Values.Doubles doubles) {
        double value = doubles.values[i];
        if (!Double.isFinite(value)) {
          if (values.isNull(i)) {
            out[i] = BigInteger.ZERO;
            continue;
          }
          throw EngineException.of(
              ErrorCode.CANNOT_CONVERT_TYPE,
              "unexpected inf or nan to integer conversion to %s",
              to.text());
        }
        out[i] =
            Types.big(to)
                ? Math.abs(value) < 9e18
                    ? BigInteger.valueOf((long) value)
                    : new BigDecimal(value).toBigInteger()
                : BigInteger.valueOf(truncated(value, to));
      } else {
        BigInteger whole = Types.bigAt(values, from, i);
        out[i] = Types.scale(from) == 0 ? whole : whole.divide(Numbers.power10(Types.scale(from)));
        boolean checked = from instanceof DecimalType && !Numbers.fits(out[i], to);
        if (checked && !values.isNull(i)) {
          throw EngineException.of(
              ErrorCode.DECIMAL_OVERFLOW, "%s is too large for %s", out[i], to.text());
        }
      }
      out[i] = Types.wrap(out[i], to);
    }
    return Numbers.ofBigs(out, to, values.constant()).withNulls(values.nulls());
  }

  /**
   * The bits of a number as 26.7 has them: what does not fit the register that the processor
   * converts in (64 bits for UInt32 and wider, 32 bits else) has its top bit alone.
   */
  private static long truncated(double value, DataType to) {
    boolean wide = Types.width(to) == 8 || Types.width(to) == 4 && !Types.signed(to);
    if (to == PlainType.UINT64 && value >= 0x1p63) {
      return value < 0x1p64 ? (long) (value - 0x1p63) + Long.MIN_VALUE : Long.MIN_VALUE;
    }
    if (wide) {
      return value >= 0x1p63 ? Long.MIN_VALUE : (long) value;
    }
    return value >= 0x1p31 || value <= -0x1p31 - 1 ? Integer.MIN_VALUE : (int) value;
  }

  private static Values decimals(Values values, DataType from, DecimalType to) {
    int size = values.size();
    BigInteger[] out = new BigInteger[size];
    BigInteger limit = Numbers.power10(to.precision());
    for (int i = 0; i < size; i++) {
      if (values.isNull(i)) {
        out[i] = BigInteger.ZERO;
        continue;
      }
      if (values instanceof Values.Doubles doubles) {
        double factor = Numbers.power10(to.scale()).doubleValue();
        double product = doubles.values[i] * factor;
        double scaled = from == PlainType.FLOAT32 ? (float) product : product;
        if (!Double.isFinite(scaled)) {
          throw EngineException.of(
              ErrorCode.DECIMAL_OVERFLOW, "%s cannot be a %s", doubles.values[i], to.text());
        }
        out[i] = new BigDecimal(scaled).toBigInteger();
      } else {
        out[i] =
            Numbers.decimal(values, from, i)
                .setScale(to.scale(), RoundingMode.DOWN)
                .unscaledValue();
      }
      boolean over =
          (values instanceof Values.Doubles || !(from instanceof DecimalType))
              ? !Numbers.fits(out[i], to)
              : out[i].abs().compareTo(limit) >= 0 && !Numbers.fits(out[i], to);
      if (over) {
        throw EngineException.of(
            ErrorCode.DECIMAL_OVERFLOW, "%s is too large for %s", out[i], to.text());
      }
    }
    return Numbers.ofBigs(out, to, values.constant()).withNulls(values.nulls());
  }

  // Text

  static Values.Strings toText(Values values, DataType from, String zone) {
    int size = values.size();
    Values.StringsBuilder out = new Values.StringsBuilder(size);
    if (from instanceof DataType.FixedStringType && values instanceof Values.Strings strings) {
      for (int i = 0; i < size; i++) {
        int to = strings.offsets[i + 1];
        while (to > strings.offsets[i] && strings.bytes[to - 1] == 0) {
          to--;
        }
        out.add(strings.bytes, strings.offsets[i], to);
      }
    } else {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < size; i++) {
        text.setLength(0);
        if (!values.isNull(i)) {
          ValueText.print(values, i, from, zone, text);
        }
        out.add(ByteText.bytes(text.toString()));
      }
    }
    return (Values.Strings) constantLike(out.build(values.nulls()), values);
  }

  private static Values fromText(Values.Strings values, DataType from, DataType to, Call call) {
    int size = values.size();
    boolean fixed = from instanceof DataType.FixedStringType;
    if (Types.bytes(to)) {
      Values.StringsBuilder out = new Values.StringsBuilder(size);
      for (int i = 0; i < size; i++) {
        out.add(
            values.isNull(i)
                ? new byte[to.widthBytes()]
                : ValueText.bytes(text(values, i, fixed && to == PlainType.UUID), to));
      }
      return constantLike(out.build(values.nulls()), values);
    }
    if (Types.floating(to)) {
      double[] out = new double[size];
      for (int i = 0; i < size; i++) {
        if (!values.isNull(i)) {
          out[i] = ValueText.floating(string(values, i, fixed), to);
        }
      }
      Numbers.round(out, to);
      return new Values.Doubles(out, values.constant(), values.nulls());
    }
    if (Types.big(to)) {
      BigInteger[] out = new BigInteger[size];
      for (int i = 0; i < size; i++) {
        out[i] =
            values.isNull(i)
                ? BigInteger.ZERO
                : to instanceof DecimalType decimal
                    ? ValueText.decimal(string(values, i, fixed), decimal)
                    : Types.wrap(ValueText.whole(string(values, i, fixed), to), to);
      }
      return new Values.Bigs(out, values.constant(), values.nulls());
    }
    if (to instanceof ArrayType || to instanceof TupleType) {
      return NestedText.read(values, to, call);
    }
    boolean scalar =
        Types.number(to)
            || Types.dateLike(to)
            || timeOfDay(to)
            || to instanceof EnumType
            || to == PlainType.IPV4
            || to instanceof DataType.IntervalType;
    if (!scalar) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED,
          "%s: reading %s from text is not supported here",
          call.name(),
          to.text());
    }
    long[] out = new long[size];
    ValueText.Reader<Long> reader = ValueText.longs(to, call.defaultZone());
    boolean integer = Types.integer(to) && to != PlainType.BOOL;
    for (int i = 0; i < size; i++) {
      if (values.isNull(i)) {
        continue;
      }
      out[i] =
          integer && fitsLong(values, i)
              ? quick(values, i, reader)
              : reader.read(string(values, i, fixed));
    }
    Types.wrap(out, to);
    return new Values.Longs(out, values.constant(), values.nulls());
  }

  private static boolean fitsLong(Values.Strings values, int row) {
    return values.length(row) > 0 && values.length(row) <= 18;
  }

  /** Plain digits without making objects. */
  private static long quick(Values.Strings values, int row, ValueText.Reader<Long> reader) {
    long value = 0;
    for (int i = values.from(row); i < values.to(row); i++) {
      int digit = values.bytes[i] - '0';
      if (digit < 0 || digit > 9) {
        return reader.read(string(values, row, true));
      }
      value = value * 10 + digit;
    }
    return value;
  }

  private static byte[] text(Values.Strings values, int row, boolean trimmed) {
    int to = values.to(row);
    while (trimmed && to > values.from(row) && values.bytes[to - 1] == 0) {
      to--;
    }
    return java.util.Arrays.copyOfRange(values.bytes, values.from(row), to);
  }

  /** The text of a row, without the zeros that fill up a FixedString. */
  static String string(Values.Strings values, int row, boolean trimmed) {
    return new String(text(values, row, trimmed), StandardCharsets.UTF_8);
  }

  /** Whether converting is monotonic everywhere; the rules of ranges are the caller's. */
  static boolean widening(DataType from, DataType to) {
    if (Types.integer(from) && Types.integer(to)) {
      return Numbers.fits(Numbers.min(from), to) && Numbers.fits(Numbers.max(from), to);
    }
    if ((Types.integer(from) && Types.floating(to))
        || (Types.floating(from) && Types.floating(to))) {
      return true;
    }
    boolean sameTime =
        (from instanceof DateTimeType && to instanceof DateTimeType)
            || (from instanceof DateTime64Type && to instanceof DateTimeType);
    return sameTime && from instanceof DateTimeType;
  }
}
