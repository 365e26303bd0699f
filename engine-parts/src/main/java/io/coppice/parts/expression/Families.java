package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType.Element;
import io.coppice.language.type.DataType.FixedStringType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.parts.expression.Function.Call;
import java.util.List;
import java.util.Optional;

/** What the function families share. */
final class Families {
  private Families() {}

  /** A map's entries as a tuple. */
  static TupleType pair(MapType map) {
    return new TupleType(
        List.of(
            new Element(Optional.of("keys"), map.key()),
            new Element(Optional.of("values"), map.value())));
  }

  /** Refuses a wrong number of arguments. */
  static void count(Call call, int least, int most) {
    if (call.count() < least || call.count() > most) {
      throw EngineException.of(
          ErrorCode.NUMBER_OF_ARGUMENTS_DOESNT_MATCH,
          "function %s takes %s, got %d",
          call.name(),
          least == most ? least + " argument(s)" : least + " to " + most + " arguments",
          call.count());
    }
  }

  /** The error for an argument of a type that the function does not take. */
  static EngineException illegal(Call call, int index) {
    return EngineException.of(
        ErrorCode.ILLEGAL_TYPE_OF_ARGUMENT,
        "function %s: argument %d has type %s, which it does not take",
        call.name(),
        index + 1,
        call.type(index).text());
  }

  /** The error for arguments whose types do not go together. */
  static EngineException illegalPair(Call call) {
    return EngineException.of(
        ErrorCode.ILLEGAL_TYPE_OF_ARGUMENT,
        "function %s does not take arguments of types %s",
        call.name(),
        call.arguments().stream().map(a -> a.type().text()).toList());
  }

  /** Refuses a FixedString as an argument that is searched, with 26.7's code. */
  static void searched(Call call, int index) {
    if (call.type(index) instanceof FixedStringType) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_COLUMN,
          "function %s does not search %s; convert it to String",
          call.name(),
          call.type(index).text());
    }
  }

  /** The string that argument {@code index} is, which must be a constant. */
  static String constantText(Call call, int index) {
    Optional<Values> constant = call.arguments().get(index).constant();
    if (constant.isEmpty() || !(constant.get() instanceof Values.Strings strings)) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_COLUMN,
          "function %s: argument %d must be a constant string",
          call.name(),
          index + 1);
    }
    return new String(strings.get(0), java.nio.charset.StandardCharsets.UTF_8);
  }

  /** The integer that argument {@code index} is, which must be a constant. */
  static long constantLong(Call call, int index) {
    Optional<Values> constant = call.arguments().get(index).constant();
    if (constant.isEmpty() || !(constant.get() instanceof Values.Longs longs)) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_COLUMN,
          "function %s: argument %d must be a constant integer",
          call.name(),
          index + 1);
    }
    return longs.values[0];
  }

  /** Rows to compute: one if all arguments are constants. */
  static int rows(Values[] args, int rows) {
    for (Values arg : args) {
      if (!arg.constant()) {
        return rows;
      }
    }
    return 1;
  }

  static boolean allConstant(Values[] args) {
    for (Values arg : args) {
      if (!arg.constant()) {
        return false;
      }
    }
    return true;
  }
}
