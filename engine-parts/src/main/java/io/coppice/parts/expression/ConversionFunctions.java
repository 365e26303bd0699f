package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.parse.Parser;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.DateTime64Type;
import io.coppice.language.type.DataType.DateTimeType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.DataType.IntervalType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.Function.Argument;
import io.coppice.parts.expression.Function.Call;
import io.coppice.parts.expression.Function.MonotonicityRule;
import io.coppice.parts.expression.Function.Resolved;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** toInt8 … toIPv6, CAST, toString, toTypeName, reinterpretAs…, toInterval…. */
final class ConversionFunctions {
  private ConversionFunctions() {}

  private static final Map<String, DataType> TARGETS =
      Map.ofEntries(
          Map.entry("toUInt8", PlainType.UINT8),
          Map.entry("toUInt16", PlainType.UINT16),
          Map.entry("toUInt32", PlainType.UINT32),
          Map.entry("toUInt64", PlainType.UINT64),
          Map.entry("toUInt128", PlainType.UINT128),
          Map.entry("toUInt256", PlainType.UINT256),
          Map.entry("toInt8", PlainType.INT8),
          Map.entry("toInt16", PlainType.INT16),
          Map.entry("toInt32", PlainType.INT32),
          Map.entry("toInt64", PlainType.INT64),
          Map.entry("toInt128", PlainType.INT128),
          Map.entry("toInt256", PlainType.INT256),
          Map.entry("toFloat32", PlainType.FLOAT32),
          Map.entry("toFloat64", PlainType.FLOAT64),
          Map.entry("toBFloat16", PlainType.BFLOAT16),
          Map.entry("toBool", PlainType.BOOL),
          Map.entry("toDate", PlainType.DATE),
          Map.entry("toDate32", PlainType.DATE32),
          Map.entry("toUUID", PlainType.UUID),
          Map.entry("toIPv4", PlainType.IPV4),
          Map.entry("toIPv6", PlainType.IPV6),
          Map.entry("toString", PlainType.STRING));

  static void register(FunctionRegistry registry) {
    TARGETS.forEach((name, type) -> registry.addWithNulls(name, call -> to(call, type)));
    registry.addWithNulls("toDateTime", ConversionFunctions::toDateTime);
    registry.addWithNulls("toDateTime64", ConversionFunctions::toDateTime64);
    registry.addWithNulls("toTime", call -> toTime(call, PlainType.TIME));
    registry.addWithNulls("toTime64", ConversionFunctions::toTime64);
    registry.addWithNulls("toDecimal32", call -> toDecimal(call, 9));
    registry.addWithNulls("toDecimal64", call -> toDecimal(call, 18));
    registry.addWithNulls("toDecimal128", call -> toDecimal(call, 38));
    registry.addWithNulls("toDecimal256", call -> toDecimal(call, 76));
    registry.addWithNulls("toFixedString", ConversionFunctions::toFixedString);
    registry.addWithNulls("CAST", ConversionFunctions::cast);
    registry.addWithNulls("_CAST", ConversionFunctions::cast);
    registry.addWithNulls("defaultValueOfTypeName", ConversionFunctions::defaultOfName);
    registry.addWithNulls("defaultValueOfArgumentType", ConversionFunctions::defaultOfArgument);
    registry.addWithNulls("toTypeName", ConversionFunctions::toTypeName);
    registry.addWithNulls("identity", ConversionFunctions::identity);
    registry.addWithNulls("materialize", ConversionFunctions::identity);
    for (PlainType type : PlainType.values()) {
      if (type.integer() || type == PlainType.FLOAT32 || type == PlainType.FLOAT64) {
        registry.add("reinterpretAs" + type.text(), call -> reinterpret(call, type));
      }
    }
    registry.add("reinterpretAsString", ConversionFunctions::reinterpretAsString);
    for (IntervalType.Unit unit : IntervalType.Unit.values()) {
      registry.add("toInterval" + unit.text(), call -> interval(call, unit));
    }
  }

  private static Resolved to(Call call, DataType target) {
    boolean day = target == PlainType.DATE || target == PlainType.DATE32;
    Families.count(call, 1, day ? 2 : 1);
    if (call.count() == 2) {
      String zone = zone(Families.constantText(call, 1));
      Argument first = call.arguments().get(0);
      Argument zoned = new Argument(inZone(first.type(), zone), first.constant());
      return converting(new Call(call.name(), List.of(zoned), zone), target);
    }
    return converting(call, target);
  }

  /** A moment of the same ticks whose clock stands in another zone; all else as it is. */
  private static DataType inZone(DataType type, String zone) {
    if (type instanceof NullableType nullable) {
      return new NullableType(inZone(nullable.inner(), zone));
    }
    if (type instanceof DateTimeType) {
      return new DateTimeType(Optional.of(zone));
    }
    return type instanceof DateTime64Type time
        ? new DateTime64Type(time.scale(), Optional.of(zone))
        : type;
  }

  private static Resolved toDateTime(Call call) {
    Families.count(call, 1, 2);
    Optional<String> zone =
        call.count() == 2
            ? Optional.of(zone(Families.constantText(call, 1)))
            : Types.zone(Types.notNull(call.type(0)));
    return converting(call, new DateTimeType(zone));
  }

  private static Resolved toDateTime64(Call call) {
    Families.count(call, 1, 3);
    long scale = call.count() > 1 ? Families.constantLong(call, 1) : 3;
    if (scale < 0 || scale > 9) {
      throw EngineException.of(
          ErrorCode.ARGUMENT_OUT_OF_BOUND, "DateTime64 of scale %d, at most 9", scale);
    }
    Optional<String> zone =
        call.count() == 3
            ? Optional.of(zone(Families.constantText(call, 2)))
            : Types.zone(Types.notNull(call.type(0)));
    return converting(call, new DateTime64Type((int) scale, zone));
  }

  /** A time of day; of a moment, what the clock shows then. */
  private static Resolved toTime(Call call, DataType target) {
    if (target == PlainType.TIME) {
      Families.count(call, 1, 1);
    }
    DataType from = Types.notNull(call.type(0));
    if (from instanceof DateTimeType && target == PlainType.TIME) {
      Calendar calendar = Calendar.of(Types.zone(from).orElse(call.defaultZone()));
      return new Resolved(
          call.type(0) instanceof NullableType ? new NullableType(target) : target,
          (args, rows) -> {
            long[] out = ((Values.Longs) args[0]).values.clone();
            for (int i = 0; i < out.length; i++) {
              out[i] = Math.floorMod(calendar.local(out[i]), 86400L);
            }
            return new Values.Longs(out, args[0].constant(), args[0].nulls());
          });
    }
    if (Types.dateLike(from)) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED, "%s of %s is not supported yet", call.name(), from.text());
    }
    return converting(call, target);
  }

  private static Resolved toTime64(Call call) {
    Families.count(call, 1, 2);
    long scale = call.count() > 1 ? Families.constantLong(call, 1) : 3;
    return toTime(call, Parser.type("Time64(" + scale + ")"));
  }

  static String zone(String zone) {
    Parser.type("DateTime(" + io.coppice.language.text.Identifiers.quoteString(zone) + ")");
    return zone;
  }

  private static Resolved toDecimal(Call call, int precision) {
    Families.count(call, 2, 2);
    long scale = Families.constantLong(call, 1);
    if (scale < 0 || scale > precision) {
      throw EngineException.of(
          ErrorCode.ARGUMENT_OUT_OF_BOUND,
          "%s of scale %d, at most %d",
          call.name(),
          scale,
          precision);
    }
    return converting(call, new DecimalType(precision, (int) scale));
  }

  private static Resolved toFixedString(Call call) {
    Families.count(call, 2, 2);
    long size = Families.constantLong(call, 1);
    return converting(call, Parser.type("FixedString(" + size + ")"));
  }

  private static Resolved cast(Call call) {
    Families.count(call, 2, 2);
    DataType named = Parser.type(Families.constantText(call, 1));
    DataType target = Types.bare(named);
    if (!call.type(0).equals(target) && heldOtherwise(target)) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED,
          "%s: making %s of other types is not supported yet",
          call.name(),
          named.text());
    }
    if (emptied(call.type(0), target)) {
      throw EngineException.of(
          ErrorCode.CANNOT_CONVERT_TYPE,
          "%s: cannot convert NULL to %s, which is not Nullable",
          call.name(),
          named.text());
    }
    Resolved plain = conversion(call, target);
    return new Resolved(target, plain.kernel(), plain.monotonicity());
  }

  /** Variant, Dynamic and JSON, or types with them inside, which expressions cannot make. */
  private static boolean heldOtherwise(DataType type) {
    if (type instanceof DataType.ArrayType array) {
      return heldOtherwise(array.element());
    }
    if (type instanceof DataType.MapType map) {
      return heldOtherwise(map.key()) || heldOtherwise(map.value());
    }
    if (type instanceof DataType.TupleType tuple) {
      return tuple.elements().stream().anyMatch(e -> heldOtherwise(e.type()));
    }
    String text = type.text();
    return text.startsWith("Variant(") || text.startsWith("Dynamic") || text.startsWith("JSON");
  }

  /** Whether a NULL, or a tuple's element that is always one, would become something else. */
  private static boolean emptied(DataType from, DataType target) {
    if (from instanceof DataType.TupleType a && target instanceof DataType.TupleType b) {
      boolean emptied = false;
      for (int i = 0; i < Math.min(a.elements().size(), b.elements().size()); i++) {
        emptied |=
            emptied(Types.bare(a.elements().get(i).type()), Types.bare(b.elements().get(i).type()));
      }
      return emptied;
    }
    return from instanceof NullableType nothing
        && Types.isNothing(nothing)
        && !(target instanceof NullableType)
        && !Types.isNothing(target);
  }

  /** The target takes Nullable from the argument. */
  private static Resolved converting(Call call, DataType target) {
    if (call.type(0) instanceof NullableType nothing && Types.isNothing(nothing)) {
      return new Resolved(nothing, (args, rows) -> args[0]);
    }
    boolean nullable = call.type(0) instanceof NullableType;
    return conversion(call, nullable ? new NullableType(target) : target);
  }

  private static Resolved conversion(Call call, DataType target) {
    DataType from = call.type(0);
    boolean known = from.equals(target) || possible(call, from, target);
    if (!known) {
      throw EngineException.of(
          impossible(Types.notNull(from), Types.notNull(target)),
          "%s: cannot convert %s to %s",
          call.name(),
          from.text(),
          target.text());
    }
    return new Resolved(
        target,
        (args, rows) -> Conversions.convert(args[0], from, target, call, rows),
        rule(Types.notNull(from), Types.notNull(target)));
  }

  /** The code of 26.7 for a conversion that is none. */
  private static ErrorCode impossible(DataType from, DataType target) {
    boolean named =
        from == PlainType.UUID
            || from == PlainType.IPV4
            || from == PlainType.IPV6
            || from instanceof DataType.EnumType;
    if (!named) {
      return ErrorCode.ILLEGAL_TYPE_OF_ARGUMENT;
    }
    if (target instanceof DecimalType) {
      return ErrorCode.ILLEGAL_COLUMN;
    }
    return from == PlainType.IPV6 && target == PlainType.IPV4
        ? ErrorCode.CANNOT_CONVERT_TYPE
        : ErrorCode.NOT_IMPLEMENTED;
  }

  /** Asks with a column of no rows. */
  private static boolean possible(Call call, DataType from, DataType target) {
    try {
      Conversions.convert(Defaults.empty(from), from, target, call, 0);
      return true;
    } catch (EngineException e) {
      if (e.code() == ErrorCode.CANNOT_CONVERT_TYPE) {
        return false;
      }
      throw e;
    }
  }

  private static MonotonicityRule rule(DataType from, DataType to) {
    if (from.equals(to) || Conversions.widening(from, to)) {
      return MonotonicityRule.INCREASING;
    }
    if (Types.integer(from) && Types.integer(to)) {
      return (low, high) -> narrowing(from, to, low, high);
    }
    if (to == PlainType.STRING && Types.integer(from) && from != PlainType.BOOL) {
      return (low, high) -> digits(from, low, high);
    }
    if (to == PlainType.STRING && from == PlainType.DATE) {
      return MonotonicityRule.INCREASING;
    }
    boolean fromWide = from instanceof DateTime64Type || from == PlainType.DATE32;
    if (fromWide && (to == PlainType.DATE || to instanceof DateTimeType)) {
      return (low, high) -> wrapping(from, to, low, high);
    }
    boolean fromTime = from instanceof DateTimeType || from instanceof DateTime64Type;
    boolean toDay = to == PlainType.DATE || to == PlainType.DATE32;
    if (fromTime && toDay) {
      return MonotonicityRule.INCREASING;
    }
    if (Types.dateLike(from) && Types.dateLike(to)) {
      return MonotonicityRule.INCREASING;
    }
    boolean wholeSeconds =
        (from == PlainType.DATE && Types.width(to) >= 2)
            || (from instanceof DateTimeType && Types.width(to) >= 4);
    if (wholeSeconds && Types.integer(to)) {
      boolean fits = from == PlainType.DATE ? to != PlainType.INT16 : to != PlainType.INT32;
      return fits ? MonotonicityRule.INCREASING : MonotonicityRule.NONE;
    }
    if (from instanceof DataType.EnumType && Types.integer(to) && Types.signed(to)) {
      return Types.width(to) >= from.widthBytes()
          ? MonotonicityRule.INCREASING
          : MonotonicityRule.NONE;
    }
    return MonotonicityRule.NONE;
  }

  /**
   * Order is kept from the second day of 1970, which is such in all zones, to the day before the
   * narrower type is at its end.
   */
  private static Monotonicity wrapping(
      DataType from, DataType to, Optional<Values> low, Optional<Values> high) {
    if (low.isEmpty() || high.isEmpty() || low.get().isNull(0) || high.get().isNull(0)) {
      return Monotonicity.NONE;
    }
    long perDay =
        from == PlainType.DATE32 ? 1 : Numbers.power10(Types.scale(from)).longValueExact() * 86400;
    long end = (to == PlainType.DATE ? 65535L : 49709L) * perDay;
    long a = ((Values.Longs) low.get()).values[0];
    long b = ((Values.Longs) high.get()).values[0];
    return a >= perDay && b < end ? Monotonicity.INCREASING_HERE : Monotonicity.NONE;
  }

  /** Order is kept while the values lie in one turn of the target's range. */
  private static Monotonicity narrowing(
      DataType from, DataType to, Optional<Values> low, Optional<Values> high) {
    if (low.isEmpty() || high.isEmpty() || low.get().isNull(0) || high.get().isNull(0)) {
      return Monotonicity.NONE;
    }
    int bits = 8 * Types.width(to);
    BigInteger start = Numbers.min(to);
    BigInteger a = Types.bigAt(low.get(), from, 0).subtract(start).shiftRight(bits);
    BigInteger b = Types.bigAt(high.get(), from, 0).subtract(start).shiftRight(bits);
    return to != PlainType.BOOL && a.equals(b) ? Monotonicity.INCREASING_HERE : Monotonicity.NONE;
  }

  /** Whole numbers of equally many digits are ordered as their texts, below zero the other way. */
  private static Monotonicity digits(DataType from, Optional<Values> low, Optional<Values> high) {
    if (low.isEmpty() || high.isEmpty() || low.get().isNull(0) || high.get().isNull(0)) {
      return Monotonicity.NONE;
    }
    BigInteger a = Types.bigAt(low.get(), from, 0);
    BigInteger b = Types.bigAt(high.get(), from, 0);
    boolean below = a.signum() < 0;
    if (below != b.signum() < 0 || a.abs().toString().length() != b.abs().toString().length()) {
      return Monotonicity.NONE;
    }
    return below ? Monotonicity.DECREASING_HERE : Monotonicity.INCREASING_HERE;
  }

  private static Resolved toTypeName(Call call) {
    Families.count(call, 1, 1);
    Values name =
        Values.Strings.constant(
            call.type(0).text().getBytes(java.nio.charset.StandardCharsets.UTF_8));
    return new Resolved(PlainType.STRING, (args, rows) -> name);
  }

  private static Resolved defaultOfName(Call call) {
    Families.count(call, 1, 1);
    return ofDefault(Parser.type(Families.constantText(call, 0)));
  }

  private static Resolved defaultOfArgument(Call call) {
    Families.count(call, 1, 1);
    return ofDefault(call.type(0));
  }

  private static Resolved ofDefault(DataType type) {
    Values value = Defaults.of(type);
    return new Resolved(Types.bare(type), (args, rows) -> value);
  }

  private static Resolved identity(Call call) {
    Families.count(call, 1, 1);
    return new Resolved(call.type(0), (args, rows) -> args[0], MonotonicityRule.INCREASING);
  }

  private static Resolved reinterpret(Call call, PlainType target) {
    Families.count(call, 1, 1);
    DataType from = call.type(0);
    int width = target.widthBytes();
    return new Resolved(
        target,
        (args, rows) -> {
          int size = args[0].size();
          BigInteger[] out = new BigInteger[size];
          for (int i = 0; i < size; i++) {
            byte[] bytes = HashFunctions.memory(args[0], i, from);
            byte[] big = new byte[width + 1];
            for (int k = 0; k < Math.min(width, bytes.length); k++) {
              big[width - k] = bytes[k];
            }
            out[i] = new BigInteger(big);
          }
          if (target.floating()) {
            double[] values = new double[size];
            for (int i = 0; i < size; i++) {
              values[i] =
                  width == 4
                      ? Float.intBitsToFloat(out[i].intValue())
                      : Double.longBitsToDouble(out[i].longValue());
            }
            return new Values.Doubles(values, args[0].constant(), null);
          }
          for (int i = 0; i < size; i++) {
            out[i] = Types.wrap(out[i], target);
          }
          return Numbers.ofBigs(out, target, args[0].constant());
        });
  }

  private static Resolved reinterpretAsString(Call call) {
    Families.count(call, 1, 1);
    DataType from = call.type(0);
    return new Resolved(
        PlainType.STRING,
        (args, rows) -> {
          int size = args[0].size();
          Values.StringsBuilder out = new Values.StringsBuilder(size);
          for (int i = 0; i < size; i++) {
            byte[] bytes = HashFunctions.memory(args[0], i, from);
            int end = bytes.length;
            while (end > 0 && bytes[end - 1] == 0) {
              end--;
            }
            out.add(bytes, 0, end);
          }
          return Conversions.constantLike(out.build(null), args[0]);
        });
  }

  private static Resolved interval(Call call, IntervalType.Unit unit) {
    Families.count(call, 1, 1);
    IntervalType target = new IntervalType(unit);
    DataType from = call.type(0);
    if (from == PlainType.UUID || from == PlainType.IPV4 || from == PlainType.IPV6) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED, "%s: no interval of %s", call.name(), from.text());
    }
    if (from instanceof IntervalType) {
      return new Resolved(target, (args, rows) -> args[0]);
    }
    return new Resolved(
        target, (args, rows) -> Conversions.convert(args[0], from, PlainType.INT64, call, rows));
  }
}
