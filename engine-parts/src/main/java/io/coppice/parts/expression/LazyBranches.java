package io.coppice.parts.expression;

import io.coppice.language.type.DataType;
import io.coppice.parts.expression.TypedExpression.FunctionResult;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which branches of {@code if} ClickHouse 26.7 evaluates only for the rows that take them. It shows
 * in what lies under NULL, which parts hold: beside a branch that is NULL, a branch evaluated for
 * all rows leaves its values there, one evaluated for its own rows leaves defaults.
 *
 * <p>So is evaluated a function that is dear, one of such a function, and nothing that the
 * condition needs as well. Columns, literals and cheap functions are evaluated for all rows. Which
 * functions are dear was found by asking 26.7.
 */
final class LazyBranches {
  private static final Set<String> CHEAP =
      Set.of(
          "plus",
          "minus",
          "multiply",
          "negate",
          "abs",
          "sign",
          "gcd",
          "lcm",
          "least",
          "greatest",
          "moduloOrZero",
          "moduloLegacy",
          "intDivOrZero",
          "bitAnd",
          "bitOr",
          "bitXor",
          "bitNot",
          "bitShiftLeft",
          "bitShiftRight",
          "equals",
          "notEquals",
          "less",
          "lessOrEquals",
          "greater",
          "greaterOrEquals",
          "isDistinctFrom",
          "isNotDistinctFrom",
          "not",
          "and",
          "or",
          "xor",
          "sqrt",
          "cbrt",
          "exp",
          "exp2",
          "exp10",
          "log",
          "log2",
          "log10",
          "log1p",
          "sin",
          "cos",
          "tan",
          "asin",
          "acos",
          "atan",
          "atan2",
          "sinh",
          "cosh",
          "pow",
          "hypot",
          "degrees",
          "radians",
          "pi",
          "e",
          "round",
          "floor",
          "ceil",
          "trunc",
          "roundBankers",
          "isFinite",
          "isInfinite",
          "isNaN",
          "toBool",
          "hex",
          "intHash32",
          "intHash64",
          "length",
          "empty",
          "notEmpty",
          "toYear",
          "toMonth",
          "toDayOfMonth",
          "toDayOfYear",
          "toHour",
          "toMinute",
          "toSecond",
          "toQuarter",
          "toYYYYMM",
          "toYYYYMMDD",
          "toYYYYMMDDhhmmss",
          "toISOWeek",
          "toISOYear",
          "toMonday",
          "toLastDayOfMonth",
          "toTimezone",
          "dateTrunc",
          "if",
          "multiIf",
          "ifNull",
          "coalesce",
          "nullIf",
          "isNull",
          "isNotNull",
          "isZeroOrNull",
          "assumeNotNull",
          "toNullable",
          "identity",
          "materialize",
          "in",
          "notIn",
          "globalIn",
          "globalNotIn",
          "array",
          "tuple",
          "tupleElement",
          "arrayElement",
          "map",
          "toTypeName",
          "defaultValueOfArgumentType",
          "defaultValueOfTypeName");

  /** Beginnings of the names of more cheap functions. */
  private static final List<String> CHEAP_FAMILIES =
      List.of("add", "subtract", "toRelative", "toStartOf", "reinterpretAs");

  private static final Set<String> DEAR_OF_THE_FAMILIES =
      Set.of("toStartOfWeek", "reinterpretAsString");

  private static final Set<String> TIMES =
      Set.of("toDate", "toDate32", "toDateTime", "toDateTime64");

  private final Set<String> needed = new HashSet<>();

  private LazyBranches(TypedExpression condition) {
    collect(condition);
  }

  private void collect(TypedExpression expression) {
    if (expression instanceof FunctionResult function && needed.add(function.text())) {
      function.arguments().forEach(this::collect);
    }
  }

  /**
   * The {@code if} of these arguments; where one branch is NULL and the other evaluated for its own
   * rows, with defaults under NULL.
   */
  static Function.Resolved of(
      String name, List<TypedExpression> arguments, Function.Resolved resolved) {
    if (!(name.equals("if") || name.equals("multiIf")) || arguments.size() != 3) {
      return resolved;
    }
    LazyBranches branches = new LazyBranches(arguments.get(0));
    boolean lazy =
        isNull(arguments.get(1)) && branches.lazy(arguments.get(2))
            || isNull(arguments.get(2)) && branches.lazy(arguments.get(1));
    return lazy
        ? resolved.withKernel(
            (args, rows) -> {
              Values chosen = resolved.kernel().run(args, rows);
              return chosen.nulls() == null ? chosen : cleared(chosen);
            })
        : resolved;
  }

  /** The same with defaults under NULL. */
  private static Values cleared(Values values) {
    boolean[] nulls = values.nulls();
    int rows = values.size();
    if (values instanceof Values.Longs longs) {
      long[] out = new long[rows];
      for (int i = 0; i < rows; i++) {
        out[i] = nulls[i] ? 0 : longs.values[i];
      }
      return new Values.Longs(out, values.constant(), nulls);
    }
    if (values instanceof Values.Doubles doubles) {
      double[] out = new double[rows];
      for (int i = 0; i < rows; i++) {
        out[i] = nulls[i] ? 0 : doubles.values[i];
      }
      return new Values.Doubles(out, values.constant(), nulls);
    }
    if (values instanceof Values.Bigs bigs) {
      BigInteger[] out = new BigInteger[rows];
      for (int i = 0; i < rows; i++) {
        out[i] = nulls[i] ? BigInteger.ZERO : bigs.values[i];
      }
      return new Values.Bigs(out, values.constant(), nulls);
    }
    if (values instanceof Values.Strings strings && !values.constant()) {
      Values.StringsBuilder out = new Values.StringsBuilder(rows);
      for (int i = 0; i < rows; i++) {
        if (nulls[i]) {
          out.end();
        } else {
          out.add(strings.bytes, strings.from(i), strings.to(i));
        }
      }
      return out.build(nulls);
    }
    return values;
  }

  private static boolean isNull(TypedExpression branch) {
    return branch.constantValue().filter(Values.Nothings.class::isInstance).isPresent();
  }

  private boolean lazy(TypedExpression expression) {
    if (!(expression instanceof FunctionResult function) || needed.contains(function.text())) {
      return false;
    }
    return dear(function) || function.arguments().stream().anyMatch(this::lazy);
  }

  private static boolean dear(FunctionResult of) {
    String name = of.function();
    List<TypedExpression> arguments = of.arguments();
    switch (name) {
      case "intDiv", "modulo", "positiveModulo" -> {
        return arguments.get(1).constantValue().isEmpty();
      }
      case "divide" -> {
        return arguments.stream().anyMatch(a -> bare(a) instanceof DataType.DecimalType);
      }
      default -> {}
    }
    if (TIMES.contains(name)) {
      return !Types.number(bare(arguments.get(0)));
    }
    return DEAR_OF_THE_FAMILIES.contains(name)
        || !(CHEAP.contains(name)
            || name.endsWith("OrDefault")
            || CHEAP_FAMILIES.stream().anyMatch(name::startsWith));
  }

  private static DataType bare(TypedExpression expression) {
    return Types.notNull(Types.bare(expression.type()));
  }
}
