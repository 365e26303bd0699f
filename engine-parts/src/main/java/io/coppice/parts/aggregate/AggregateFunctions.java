package io.coppice.parts.aggregate;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.aggregate.ChosenValues.Choice;
import io.coppice.parts.expression.ExpressionCompiler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;

/**
 * ClickHouse's aggregate functions by name, with the combinators If and Distinct: {@code count},
 * {@code sum}, {@code avg}, {@code min}, {@code max}, {@code any}, {@code anyLast}, {@code
 * uniqExact}, {@code uniq}, {@code groupArray}, {@code groupUniqArray}, {@code argMin}, {@code
 * argMax}, quantiles, variances and deviations, covariances. Rows with NULL in an argument are left
 * out; the result is then Nullable, except that of count, uniqExact and groupArray. A condition of
 * If that is NULL does not hold.
 *
 * <p>Stateless; any thread may call it.
 */
public final class AggregateFunctions {
  private static final List<String> COMBINATORS =
      List.of(
          "If",
          "Distinct",
          "Array",
          "Map",
          "SimpleState",
          "MergeState",
          "State",
          "Merge",
          "OrNull",
          "OrDefault",
          "ForEach",
          "Resample",
          "ArgMin",
          "ArgMax");

  private static final Set<String> PARAMETRIC =
      Set.of(
          "groupArray",
          "groupUniqArray",
          "quantile",
          "quantiles",
          "quantileExact",
          "quantilesExact");

  private static final Set<String> PLAIN_FUNCTIONS = ExpressionCompiler.functions();

  private AggregateFunctions() {}

  /**
   * A function for arguments of known types. Immutable.
   *
   * @param name as ClickHouse spells it
   * @param type of the result
   */
  public record Resolved(String name, DataType type, Maker maker) {
    /** States of no groups, in {@code allocator}; the caller closes them. */
    public Aggregator create(BufferAllocator allocator) {
      return maker.make(allocator);
    }
  }

  /** Makes the states of a function. */
  @FunctionalInterface
  public interface Maker {
    /** States of no groups. */
    Aggregator make(BufferAllocator allocator);
  }

  /** Whether ClickHouse has an aggregate function of that name, combinators included. */
  public static boolean known(String name) {
    if (PLAIN_FUNCTIONS.contains(name)) {
      return false;
    }
    return ExpressionCompiler.aggregate(name).isPresent()
        || COMBINATORS.stream()
            .anyMatch(
                c -> name.endsWith(c) && name.length() > c.length() && known(without(name, c)));
  }

  /** The names of the functions that are served, without combinators, sorted. */
  public static List<String> served() {
    return ExpressionCompiler.aggregates().stream().filter(AggregateFunctions::served).toList();
  }

  private static boolean served(String name) {
    for (List<DataType> types :
        List.<List<DataType>>of(
            List.of(PlainType.UINT8), List.of(PlainType.UINT8, PlainType.UINT8), List.of())) {
      try {
        resolve(name, List.of(), types);
        return true;
      } catch (EngineException e) {
        if (e.code() == ErrorCode.NUMBER_OF_ARGUMENTS_DOESNT_MATCH) {
          continue;
        }
        return e.code() != ErrorCode.NOT_IMPLEMENTED;
      }
    }
    return true;
  }

  private static String without(String name, String combinator) {
    return name.substring(0, name.length() - combinator.length());
  }

  /**
   * The function of that name for arguments of these types.
   *
   * @param parameters numbers in the brackets before the arguments, mostly none
   * @throws EngineException UNKNOWN_AGGREGATE_FUNCTION; NOT_IMPLEMENTED for one that ClickHouse has
   *     and this does not; ILLEGAL_TYPE_OF_ARGUMENT, NUMBER_OF_ARGUMENTS_DOESNT_MATCH
   */
  public static Resolved resolve(
      String name, List<? extends Number> parameters, List<DataType> types) {
    if (ExpressionCompiler.aggregate(name).isEmpty()
        && name.endsWith("If")
        && known(without(name, "If"))) {
      return conditional(name, parameters, types);
    }
    List<DataType> plain = new ArrayList<>();
    boolean nullable = false;
    boolean nothing = false;
    for (DataType type : types) {
      DataType bare = Kinds.bare(type);
      nullable |= bare instanceof NullableType;
      nothing |= Kinds.notNull(bare) == PlainType.NOTHING;
      plain.add(Kinds.notNull(bare) == PlainType.NOTHING ? PlainType.UINT8 : Kinds.notNull(bare));
    }
    Resolved function = plain(name, parameters, plain);
    if (!nullable) {
      return function;
    }
    boolean defaulted = function.name().startsWith("count") || function.name().startsWith("uniq");
    DataType type =
        defaulted ? function.type() : Kinds.nullable(nothing ? PlainType.NOTHING : function.type());
    if (nothing && !defaulted) {
      return new Resolved(function.name(), type, allocator -> new NothingSeen());
    }
    return new Resolved(
        function.name(), type, allocator -> SomeRows.withoutNull(function.create(allocator), type));
  }

  private static Resolved plain(
      String name, List<? extends Number> parameters, List<DataType> types) {
    Optional<String> known = ExpressionCompiler.aggregate(name);
    if (known.isPresent()) {
      return base(known.get(), parameters, types);
    }
    if (name.endsWith("Distinct") && known(without(name, "Distinct"))) {
      if (types.isEmpty()) {
        throw wrongCount(name, types, "one or more");
      }
      String rest = without(name, "Distinct");
      if (ExpressionCompiler.aggregate(rest).equals(Optional.of("count"))) {
        return base("uniqExact", parameters, types);
      }
      Resolved of = plain(rest, parameters, types);
      return new Resolved(
          of.name() + "Distinct",
          of.type(),
          allocator -> new DistinctRows(of.create(allocator), types, allocator));
    }
    throw known(name)
        ? EngineException.of(
            ErrorCode.NOT_IMPLEMENTED, "aggregate function %s is not served yet", name)
        : EngineException.of(
            ErrorCode.UNKNOWN_AGGREGATE_FUNCTION, "unknown aggregate function %s", name);
  }

  private static Resolved conditional(
      String name, List<? extends Number> parameters, List<DataType> types) {
    if (types.isEmpty()) {
      throw wrongCount(name, types, "one or more");
    }
    DataType condition = Kinds.notNull(Kinds.bare(types.get(types.size() - 1)));
    boolean truth =
        condition == PlainType.UINT8
            || condition == PlainType.BOOL
            || condition == PlainType.NOTHING;
    if (!truth) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_TYPE_OF_ARGUMENT,
          "%s: its last argument, the condition, has type %s, expected UInt8",
          name,
          condition.text());
    }
    Resolved of = resolve(without(name, "If"), parameters, types.subList(0, types.size() - 1));
    return new Resolved(
        of.name() + "If", of.type(), allocator -> SomeRows.where(of.create(allocator)));
  }

  private static Resolved base(
      String name, List<? extends Number> parameters, List<DataType> types) {
    if (!parameters.isEmpty() && !PARAMETRIC.contains(name)) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED, "%s: parameters of this function are not served yet", name);
    }
    return switch (name) {
      case "count" -> {
        if (types.size() > 1) {
          throw wrongCount(name, types, "none or one");
        }
        yield new Resolved(name, PlainType.UINT64, allocator -> new Counts());
      }
      case "uniqExact" -> {
        if (types.isEmpty()) {
          throw wrongCount(name, types, "one or more");
        }
        List<DataType> arguments = List.copyOf(types);
        if (types.size() == 1 && DistinctLongs.takes(types.get(0))) {
          yield new Resolved(
              name, PlainType.UINT64, allocator -> new DistinctLongs(arguments.get(0)));
        }
        yield new Resolved(
            name,
            PlainType.UINT64,
            allocator -> new DistinctRows(new Counts(), arguments, allocator));
      }
      case "sum" -> sum(name, number(one(name, types)));
      case "avg" -> average(name, one(name, types));
      case "min" -> extreme(name, one(name, types), false);
      case "max" -> extreme(name, one(name, types), true);
      case "any", "anyLast" -> {
        DataType type = one(name, types);
        Choice choice = name.equals("any") ? Choice.FIRST : Choice.LAST;
        yield new Resolved(name, type, allocator -> ChosenValues.of(type, choice, allocator));
      }
      case "argMin", "argMax" -> {
        if (types.size() != 2) {
          throw wrongCount(name, types, "two");
        }
        Choice choice = name.equals("argMin") ? Choice.LEAST : Choice.GREATEST;
        DataType type = types.get(0);
        DataType by = types.get(1);
        yield new Resolved(name, type, allocator -> ChosenValues.by(type, by, choice, allocator));
      }
      case "groupArray" -> {
        DataType element = one(name, types);
        long most = most(name, parameters);
        yield new Resolved(
            name,
            new DataType.ArrayType(element),
            allocator -> new GroupArrays(element, most, allocator));
      }
      case "groupUniqArray" -> {
        DataType element = one(name, types);
        long most = most(name, parameters);
        yield new Resolved(
            name,
            new DataType.ArrayType(element),
            allocator ->
                new DistinctRows(
                    new GroupArrays(element, most, allocator), List.of(element), allocator));
      }
      case "uniq" -> {
        if (types.isEmpty()) {
          throw wrongCount(name, types, "one or more");
        }
        for (DataType type : types) {
          if (!Uniques.takes(type)) {
            throw EngineException.of(
                ErrorCode.NOT_IMPLEMENTED,
                "uniq of %s is not served yet; uniqExact is",
                type.text());
          }
        }
        List<DataType> arguments = List.copyOf(types);
        yield new Resolved(name, PlainType.UINT64, allocator -> new Uniques(arguments));
      }
      case "quantile", "quantiles", "quantileExact", "quantilesExact" ->
          quantiles(name, parameters, one(name, types));
      case "varPop", "varSamp", "stddevPop", "stddevSamp", "covarPop", "covarSamp", "corr" ->
          moments(name, types);
      default ->
          throw EngineException.of(
              ErrorCode.NOT_IMPLEMENTED, "aggregate function %s is not served yet", name);
    };
  }

  private static long most(String name, List<? extends Number> parameters) {
    if (parameters.isEmpty()) {
      return Long.MAX_VALUE;
    }
    if (parameters.size() > 1 || parameters.get(0).longValue() <= 0) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS,
          "%s: parameters %s, expected one whole number above 0",
          name,
          parameters);
    }
    return parameters.get(0).longValue();
  }

  private static Resolved quantiles(String name, List<? extends Number> parameters, DataType type) {
    boolean several = name.startsWith("quantiles");
    boolean exact = name.endsWith("Exact");
    if (!Quantiles.takes(type)) {
      throw type == PlainType.STRING || type instanceof DataType.EnumType
          ? illegal(name, type)
          : EngineException.of(
              ErrorCode.NOT_IMPLEMENTED, "%s of %s is not served yet", name, type.text());
    }
    List<Double> levels =
        parameters.isEmpty() ? List.of(0.5) : parameters.stream().map(Number::doubleValue).toList();
    if (levels.size() > 1 && !several) {
      throw EngineException.of(
          ErrorCode.NUMBER_OF_ARGUMENTS_DOESNT_MATCH,
          "aggregate function %s has %d levels, expected one",
          name,
          levels.size());
    }
    if (levels.stream().anyMatch(level -> !(level >= 0 && level <= 1))) {
      throw EngineException.of(
          ErrorCode.PARAMETER_OUT_OF_BOUND, "%s: levels %s, expected 0 to 1", name, levels);
    }
    DataType element = Quantiles.result(type, exact);
    return new Resolved(
        name,
        several ? new DataType.ArrayType(element) : element,
        allocator -> Quantiles.of(type, levels, exact, several));
  }

  private static Resolved moments(String name, List<DataType> types) {
    Moments.Measure measure =
        Arrays.stream(Moments.Measure.values())
            .filter(m -> m.function.equals(name))
            .findFirst()
            .orElseThrow();
    if (types.size() != measure.arguments) {
      throw wrongCount(name, types, measure.arguments == 1 ? "one" : "two");
    }
    List<DataType> numbers = measure.arguments == 1 ? List.of(number(types.get(0))) : types;
    for (DataType type : numbers) {
      if (type instanceof DecimalType) {
        throw EngineException.of(
            ErrorCode.NOT_IMPLEMENTED,
            "%s of %s is not served yet; convert it by toFloat64",
            name,
            type.text());
      }
      if (!Kinds.integer(type) && !Kinds.floating(type)) {
        throw illegal(name, type);
      }
    }
    return new Resolved(name, PlainType.FLOAT64, allocator -> new Moments(measure, numbers));
  }

  private static Resolved sum(String name, DataType type) {
    if (Kinds.integer(type)) {
      return new Resolved(name, LongSums.sum(type).type(), allocator -> LongSums.sum(type));
    }
    if (Kinds.floating(type)) {
      return new Resolved(name, PlainType.FLOAT64, allocator -> new DoubleSums(false));
    }
    if (wide(type)) {
      return new Resolved(name, WideSums.sum(type).type(), allocator -> WideSums.sum(type));
    }
    throw illegal(name, type);
  }

  private static Resolved average(String name, DataType type) {
    if (Kinds.integer(type)) {
      return new Resolved(name, PlainType.FLOAT64, allocator -> LongSums.average(type));
    }
    if (Kinds.floating(type)) {
      return new Resolved(name, PlainType.FLOAT64, allocator -> new DoubleSums(true));
    }
    if (wide(type)) {
      return new Resolved(name, PlainType.FLOAT64, allocator -> WideSums.average(type));
    }
    if (Kinds.whole(type) && !(type instanceof DataType.EnumType)) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED, "avg of %s is not served yet", type.text());
    }
    throw illegal(name, type);
  }

  private static Resolved extreme(String name, DataType type, boolean greatest) {
    if (Kinds.whole(type)) {
      return new Resolved(name, type, allocator -> new LongExtremes(type, greatest));
    }
    if (Kinds.floating(type)) {
      return new Resolved(name, type, allocator -> new DoubleExtremes(type, greatest));
    }
    Choice choice = greatest ? Choice.GREATEST : Choice.LEAST;
    return new Resolved(name, type, allocator -> ChosenValues.of(type, choice, allocator));
  }

  /** An Enum as the integer that it is, all else as it is. */
  private static DataType number(DataType type) {
    return type instanceof DataType.EnumType of
        ? of.widthBytes() == 1 ? PlainType.INT8 : PlainType.INT16
        : type;
  }

  private static boolean wide(DataType type) {
    return type instanceof DecimalType
        || (type instanceof PlainType plain && plain.integer() && plain.widthBytes() > 8);
  }

  private static DataType one(String name, List<DataType> types) {
    if (types.size() != 1) {
      throw wrongCount(name, types, "one");
    }
    return types.get(0);
  }

  private static EngineException wrongCount(String name, List<DataType> types, String expected) {
    return EngineException.of(
        ErrorCode.NUMBER_OF_ARGUMENTS_DOESNT_MATCH,
        "aggregate function %s has %d arguments, expected %s",
        name,
        types.size(),
        expected);
  }

  private static EngineException illegal(String name, DataType type) {
    return EngineException.of(
        ErrorCode.ILLEGAL_TYPE_OF_ARGUMENT,
        "aggregate function %s of %s: there is none; convert the argument to a number",
        name,
        type.text());
  }
}
