package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Literal;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.DateTime64Type;
import io.coppice.language.type.DataType.DateTimeType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.Function.Call;
import io.coppice.parts.expression.Function.Resolved;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Functions of the time and of chance. The moment is that of compiling, one for all rows, a
 * constant to what is around it; numbers are drawn anew for each row. None is for keys.
 */
final class SurroundingFunctions {
  static final Set<String> NAMES =
      Set.of(
          "now",
          "now64",
          "today",
          "yesterday",
          "UTCTimestamp",
          "rand",
          "rand64",
          "randConstant",
          "rand32",
          "generateUUIDv4",
          "generateUUIDv7");

  /** Those that give one value when they are resolved. */
  private static final Set<String> ONCE =
      Set.of("now", "now64", "today", "yesterday", "UTCTimestamp", "randConstant");

  private SurroundingFunctions() {}

  /** The expression with the functions that give one value for all replaced by it. */
  static Expression fixed(Expression expression, Surroundings surroundings) {
    if (expression instanceof Expression.Parenthesized p) {
      return new Expression.Parenthesized(fixed(p.inner(), surroundings));
    }
    if (expression instanceof Expression.Aliased a) {
      return new Expression.Aliased(fixed(a.inner(), surroundings), a.alias());
    }
    if (expression instanceof Expression.Lambda lambda) {
      return new Expression.Lambda(lambda.parameters(), fixed(lambda.body(), surroundings));
    }
    if (!(expression instanceof Expression.FunctionCall call)) {
      return expression;
    }
    String name = FunctionRegistry.instance().canonicalName(call.name());
    if (ONCE.contains(name)) {
      TypedExpression moment = ExpressionCompiler.of(Map.of()).in(surroundings).compile(expression);
      long value = ((Values.Longs) moment.constantValue().orElseThrow()).values[0];
      String type = moment.type().text();
      boolean fraction = moment.type() instanceof DateTime64Type;
      Expression number =
          fraction
              ? new Literal.StringLiteral(seconds(value, ((DateTime64Type) moment.type()).scale()))
              : Literal.IntegerLiteral.of(value);
      return Expression.FunctionCall.of("CAST", number, new Literal.StringLiteral(type));
    }
    return new Expression.FunctionCall(
        call.name(),
        call.parameters(),
        call.arguments().stream().map(e -> fixed(e, surroundings)).toList(),
        call.operator());
  }

  /** Seconds since 1970 with their fraction, a form that times are read from as well. */
  private static String seconds(long ticks, int scale) {
    return new BigDecimal(BigInteger.valueOf(ticks), scale).toPlainString();
  }

  /** The function {@code call.name()} for its arguments, in these surroundings. */
  static Resolved resolve(Call call, Surroundings surroundings) {
    long millis = surroundings.time().wallMillis();
    RandomGenerator random = surroundings.random();
    return switch (call.name()) {
      case "now" -> {
        Families.count(call, 0, 1);
        Optional<String> zone = zone(call, 0);
        yield constant(new DateTimeType(zone), Math.floorDiv(millis, 1000L));
      }
      case "UTCTimestamp" -> {
        Families.count(call, 0, 0);
        yield constant(new DateTimeType(Optional.of("UTC")), Math.floorDiv(millis, 1000L));
      }
      case "now64" -> now64(call, millis);
      case "today" -> {
        Families.count(call, 0, 0);
        yield constant(PlainType.DATE, day(millis, call.defaultZone()));
      }
      case "yesterday" -> {
        Families.count(call, 0, 0);
        yield constant(PlainType.DATE, day(millis, call.defaultZone()) - 1);
      }
      case "rand", "rand32" -> {
        Families.count(call, 0, 1);
        yield drawn(PlainType.UINT32, () -> random.nextInt() & 0xFFFFFFFFL);
      }
      case "rand64" -> {
        Families.count(call, 0, 1);
        yield drawn(PlainType.UINT64, random::nextLong);
      }
      case "randConstant" -> {
        Families.count(call, 0, 1);
        yield constant(PlainType.UINT32, random.nextInt() & 0xFFFFFFFFL);
      }
      case "generateUUIDv4" -> {
        Families.count(call, 0, 1);
        yield uuids(
            () -> random.nextLong() & ~0xF000L | 0x4000L,
            () -> random.nextLong() & ~(3L << 62) | 1L << 63);
      }
      case "generateUUIDv7" -> {
        Families.count(call, 0, 1);
        yield uuids(
            () -> millis << 16 | 0x7000L | random.nextLong() & 0xFFFL,
            () -> random.nextLong() & ~(3L << 62) | 1L << 63);
      }
      default -> throw new AssertionError(call.name());
    };
  }

  private static Resolved now64(Call call, long millis) {
    Families.count(call, 0, 2);
    long scale = call.count() == 0 ? 3 : Families.constantLong(call, 0);
    if (scale < 0 || scale > 9) {
      throw EngineException.of(
          ErrorCode.ARGUMENT_OUT_OF_BOUND, "function now64: scale %d, it is 0 to 9", scale);
    }
    Optional<String> zone = zone(call, 1);
    long ticks = millis;
    for (long i = scale; i < 3; i++) {
      ticks = Math.floorDiv(ticks, 10L);
    }
    for (long i = 3; i < scale; i++) {
      ticks *= 10;
    }
    return constant(new DateTime64Type((int) scale, zone), ticks);
  }

  private static Optional<String> zone(Call call, int index) {
    return index < call.count()
        ? Optional.of(Families.constantText(call, index))
        : Optional.empty();
  }

  private static long day(long millis, String zone) {
    return Instant.ofEpochMilli(millis).atZone(ZoneId.of(zone)).toLocalDate().toEpochDay();
  }

  private static Resolved constant(DataType type, long value) {
    return new Resolved(
        type, (args, rows) -> Values.Longs.constant(value), Function.MonotonicityRule.NONE, true);
  }

  private interface Draw {
    long next();
  }

  private static Resolved drawn(DataType type, Draw draw) {
    return new Resolved(
        type,
        (args, rows) -> {
          long[] values = new long[rows];
          for (int i = 0; i < rows; i++) {
            values[i] = draw.next();
          }
          return new Values.Longs(values);
        });
  }

  private static Resolved uuids(Draw first, Draw second) {
    return new Resolved(
        PlainType.UUID,
        (args, rows) -> {
          Values.StringsBuilder out = new Values.StringsBuilder(rows);
          for (int i = 0; i < rows; i++) {
            out.add(littleEndian(first.next(), second.next()), 0, 16);
          }
          return out.build(null);
        });
  }

  private static byte[] littleEndian(long first, long second) {
    byte[] bytes = new byte[16];
    for (int i = 0; i < 8; i++) {
      bytes[i] = (byte) (first >>> 8 * i);
      bytes[8 + i] = (byte) (second >>> 8 * i);
    }
    return bytes;
  }
}
