package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.Function.Argument;
import io.coppice.parts.expression.Function.Call;
import io.coppice.parts.expression.Function.Resolved;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * toXOrNull, toXOrZero and toXOrDefault: what cannot be read gives NULL, the type's default or a
 * value said.
 */
final class LenientConversions {
  private static final List<String> BASES =
      List.of(
          "toUInt8",
          "toUInt16",
          "toUInt32",
          "toUInt64",
          "toUInt128",
          "toUInt256",
          "toInt8",
          "toInt16",
          "toInt32",
          "toInt64",
          "toInt128",
          "toInt256",
          "toFloat32",
          "toFloat64",
          "toBFloat16",
          "toDate",
          "toDate32",
          "toDateTime",
          "toDateTime64",
          "toTime",
          "toTime64",
          "toDecimal32",
          "toDecimal64",
          "toDecimal128",
          "toDecimal256",
          "toUUID",
          "toIPv4",
          "toIPv6");

  private enum Otherwise {
    NULL,
    ZERO
  }

  private LenientConversions() {}

  static void register(FunctionRegistry registry) {
    for (String base : BASES) {
      registry.add(base + "OrNull", call -> read(registry, call, base, Otherwise.NULL));
      registry.add(base + "OrZero", call -> read(registry, call, base, Otherwise.ZERO));
      if (!base.startsWith("toTime") && !base.equals("toBFloat16")) {
        registry.addWithNulls(base + "OrDefault", call -> orDefault(registry, call, base));
      }
    }
  }

  /** The type that the plain function gives, its first argument being text. */
  private static DataType target(FunctionRegistry registry, Call call, String base, int count) {
    List<Argument> arguments = new ArrayList<>(call.arguments().subList(0, count));
    if (!arguments.isEmpty()) {
      arguments.set(0, new Argument(PlainType.STRING, Optional.empty()));
    }
    return registry.resolve(base, arguments, call.defaultZone()).type();
  }

  private static Resolved read(
      FunctionRegistry registry, Call call, String base, Otherwise otherwise) {
    if (base.equals("toDate") || base.equals("toDate32")) {
      Families.count(call, 1, 1);
    }
    DataType target = target(registry, call, base, call.count());
    DataType from = call.type(0);
    if (!Types.string(from)) {
      throw Families.illegal(call, 0);
    }
    DataType result = otherwise == Otherwise.NULL ? new NullableType(target) : target;
    return new Resolved(
        result,
        (args, rows) -> {
          Values read = texts((Values.Strings) args[0], from, target, call);
          return otherwise == Otherwise.NULL ? read : zeros(read, target);
        });
  }

  /** The default in place of NULL; of Date32 the first day there is. */
  private static Values zeros(Values values, DataType type) {
    if (values.nulls() == null) {
      return values;
    }
    Values filled = Defaults.inPlaceOfNulls(values, type);
    if (type == PlainType.DATE32 && filled instanceof Values.Longs days) {
      for (int i = 0; i < days.size(); i++) {
        days.values[i] = values.isNull(i) ? Calendar.MIN_DAY : days.values[i];
      }
    }
    return filled;
  }

  /** The values of texts; NULL for what cannot be read. */
  private static Values texts(Values.Strings texts, DataType from, DataType to, Call call) {
    if (!(to instanceof PlainType plain && plain.integer())) {
      return Conversions.orNull(texts, from, to, call);
    }
    // The plain functions wrap what is too large.
    boolean fixed = from instanceof DataType.FixedStringType;
    BigInteger[] values = new BigInteger[texts.size()];
    boolean[] nulls = null;
    for (int i = 0; i < values.length; i++) {
      Optional<BigInteger> whole =
          texts.isNull(i) ? Optional.empty() : whole(Conversions.string(texts, i, fixed));
      boolean fits = whole.isPresent() && Numbers.fits(whole.get(), to);
      values[i] = fits ? whole.get() : BigInteger.ZERO;
      if (!fits) {
        nulls = nulls == null ? new boolean[values.length] : nulls;
        nulls[i] = true;
      }
    }
    return Numbers.ofBigs(values, to, texts.constant()).withNulls(nulls);
  }

  private static Optional<BigInteger> whole(String text) {
    try {
      return Optional.of(ValueText.whole(text, PlainType.INT256));
    } catch (EngineException e) {
      return Optional.empty();
    }
  }

  private static Resolved orDefault(FunctionRegistry registry, Call call, String base) {
    int most =
        switch (base) {
          case "toDateTime64" -> 3;
          case "toDateTime", "toDecimal32", "toDecimal64", "toDecimal128", "toDecimal256" -> 2;
          default -> 1;
        };
    boolean given = call.count() > most;
    Families.count(call, 1, most + 1);
    DataType target = target(registry, call, base, given ? call.count() - 1 : call.count());
    DataType from = Types.notNull(call.type(0));
    boolean wholeNumbers =
        Types.integer(from) && target instanceof PlainType plain && plain.integer();
    if (!Types.string(from) && !wholeNumbers && !Types.isNothing(from)) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED,
          "function %s of %s is not supported yet",
          call.name(),
          from.text());
    }
    DataType fallback = given ? call.type(call.count() - 1) : target;
    return new Resolved(
        target,
        (args, rows) -> {
          Values values = args[0];
          Values read =
              values instanceof Values.Nothings
                  ? values
                  : Types.string(from)
                      ? texts((Values.Strings) values, from, target, call)
                      : fitting(values, from, target);
          if (!given) {
            return zeros(read, target);
          }
          Values other = Conversions.convert(args[args.length - 1], fallback, target, call, rows);
          int count = Families.rows(args, rows);
          boolean[] keep = new boolean[count];
          for (int i = 0; i < count; i++) {
            keep[i] = !read.isNull(i);
          }
          Values plain =
              read instanceof Values.Nothings ? Defaults.of(target) : read.withNulls(null);
          Values chosen = ConditionalFunctions.choose(keep, plain, other, count);
          return Families.allConstant(args) ? chosen.asConstant() : chosen;
        });
  }

  /** Whole numbers; NULL for those beyond the range. */
  private static Values fitting(Values values, DataType from, DataType to) {
    BigInteger[] out = new BigInteger[values.size()];
    boolean[] nulls = new boolean[out.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = Types.bigAt(values, from, i);
      nulls[i] = values.isNull(i) || !Numbers.fits(out[i], to);
      out[i] = nulls[i] ? BigInteger.ZERO : out[i];
    }
    return Numbers.ofBigs(out, to, values.constant()).withNulls(nulls);
  }
}
