package io.coppice.parts.expression;

import io.coppice.language.text.ByteText;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.DataType.EnumType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.Function.Argument;
import io.coppice.parts.expression.Function.Call;
import io.coppice.parts.expression.Function.Kernel;
import io.coppice.parts.expression.Function.Resolved;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code = != < <= > >=} over all types that can be compared, and {@code IN} with constants. */
final class ComparisonFunctions {
  private ComparisonFunctions() {}

  enum Sign {
    EQUALS,
    NOT_EQUALS,
    LESS,
    LESS_OR_EQUALS,
    GREATER,
    GREATER_OR_EQUALS;

    /** The comparison with its sides exchanged. */
    Sign swapped() {
      return switch (this) {
        case EQUALS, NOT_EQUALS -> this;
        case LESS -> GREATER;
        case LESS_OR_EQUALS -> GREATER_OR_EQUALS;
        case GREATER -> LESS;
        case GREATER_OR_EQUALS -> LESS_OR_EQUALS;
      };
    }

    boolean holds(int order) {
      return switch (this) {
        case EQUALS -> order == 0;
        case NOT_EQUALS -> order != 0;
        case LESS -> order < 0;
        case LESS_OR_EQUALS -> order <= 0;
        case GREATER -> order > 0;
        case GREATER_OR_EQUALS -> order >= 0;
      };
    }
  }

  /** Two rows compared, or {@link #UNORDERED}. */
  interface Order {
    int UNORDERED = 2;

    int of(int row);
  }

  static void register(FunctionRegistry registry) {
    registry.add("equals", call -> compare(call, Sign.EQUALS));
    registry.add("notEquals", call -> compare(call, Sign.NOT_EQUALS));
    registry.add("less", call -> compare(call, Sign.LESS));
    registry.add("lessOrEquals", call -> compare(call, Sign.LESS_OR_EQUALS));
    registry.add("greater", call -> compare(call, Sign.GREATER));
    registry.add("greaterOrEquals", call -> compare(call, Sign.GREATER_OR_EQUALS));
    registry.addWithNulls("isNotDistinctFrom", call -> notDistinct(call, true));
    registry.addWithNulls("isDistinctFrom", call -> notDistinct(call, false));
    registry.addWithNulls("in", call -> in(call, true));
    registry.addWithNulls("notIn", call -> in(call, false));
    registry.addWithNulls("globalIn", call -> in(call, true));
    registry.addWithNulls("globalNotIn", call -> in(call, false));
  }

  static Resolved compare(Call call, Sign sign) {
    Families.count(call, 2, 2);
    boolean withNulls =
        TupleComparison.holdsNulls(call.type(0)) || TupleComparison.holdsNulls(call.type(1));
    return withNulls ? TupleComparison.of(call, sign) : compareAsSorted(call, sign);
  }

  /** Where inside of values NULL equals NULL and is greater than all else. */
  private static Resolved compareAsSorted(Call call, Sign sign) {
    Optional<Integer> text = TextBesideNumber.place(call);
    if (text.isPresent()) {
      return TextBesideNumber.compare(call, text.get(), sign);
    }
    DataType a = call.type(0);
    DataType b = call.type(1);
    if (Types.integer(a) && Types.integer(b) && !Types.big(a) && !Types.big(b)) {
      return new Resolved(PlainType.UINT8, integers(sign, a, b), test(call, sign));
    }
    java.util.function.BiFunction<Values, Values, Order> order = order(call);
    Kernel kernel =
        (args, rows) -> {
          int count = Families.rows(args, rows);
          long[] out = new long[count];
          Order pair = order.apply(args[0], args[1]);
          for (int i = 0; i < count; i++) {
            int result = pair.of(i);
            boolean holds =
                result == Order.UNORDERED ? sign == Sign.NOT_EQUALS : sign.holds(result);
            out[i] = holds ? 1 : 0;
          }
          return new Values.Longs(out, Families.allConstant(args), null);
        };
    return new Resolved(PlainType.UINT8, kernel, test(call, sign));
  }

  /** The comparison as a test of the side that is no constant. */
  private static Optional<ArgumentTest> test(Call call, Sign sign) {
    boolean first = call.arguments().get(0).constant().isPresent();
    boolean second = call.arguments().get(1).constant().isPresent();
    if (first == second) {
      return Optional.empty();
    }
    int variable = first ? 1 : 0;
    Argument constant = call.arguments().get(1 - variable);
    try {
      return test(
          variable,
          first ? sign.swapped() : sign,
          call.type(variable),
          constant.constant().orElseThrow(),
          constant.type(),
          call);
    } catch (io.coppice.base.error.EngineException e) {
      // What is wrong with the constant is said when rows are there to be compared.
      return Optional.empty();
    }
  }

  private static Optional<ArgumentTest> test(
      int variable, Sign sign, DataType type, Values constant, DataType constantType, Call call) {
    if (constant.isNull(0)) {
      return Optional.empty();
    }
    if (Types.integer(type) && Types.integer(constantType)) {
      if (!(constant instanceof Values.Longs longs) || Types.big(type)) {
        return Optional.empty();
      }
      long value = longs.values[0];
      boolean beyond = (type == PlainType.UINT64) != (constantType == PlainType.UINT64);
      return beyond && value < 0
          ? Optional.empty()
          : Optional.of(ArgumentTest.longs(variable, sign, value, type));
    }
    if (type == PlainType.FLOAT64 || type == PlainType.FLOAT32) {
      double value;
      if (constant instanceof Values.Doubles doubles) {
        value = doubles.values[0];
      } else if (Types.integer(constantType) && constant instanceof Values.Longs longs) {
        value = longs.values[0];
        if (Math.abs(longs.values[0]) > 1L << 53) {
          return Optional.empty();
        }
      } else {
        return Optional.empty();
      }
      return Double.isNaN(value)
          ? Optional.empty()
          : Optional.of(ArgumentTest.doubles(variable, sign, value));
    }
    if (type == PlainType.STRING && constantType == PlainType.STRING) {
      boolean equality = sign == Sign.EQUALS || sign == Sign.NOT_EQUALS;
      return equality
          ? Optional.of(
              new ArgumentTest.Strings(
                  variable,
                  new ByteMatcher(((Values.Strings) constant).get(0), ByteMatcher.Place.WHOLE),
                  sign == Sign.NOT_EQUALS))
          : Optional.empty();
    }
    boolean dates =
        type == PlainType.DATE
            || type == PlainType.DATE32
            || type instanceof DataType.DateTimeType
            || type instanceof EnumType;
    if (!dates || !comparedAs(call, call.type(0), call.type(1)).equals(type)) {
      return Optional.empty();
    }
    Values converted = Conversions.convert(constant, constantType, type, call, 1);
    return converted instanceof Values.Longs longs
        ? Optional.of(ArgumentTest.longs(variable, sign, longs.values[0], type))
        : Optional.empty();
  }

  private static Kernel integers(Sign sign, DataType a, DataType b) {
    boolean ua = a == PlainType.UINT64;
    boolean ub = b == PlainType.UINT64;
    return (args, rows) -> {
      int count = Families.rows(args, rows);
      Values.Longs left = (Values.Longs) args[0];
      Values.Longs right = (Values.Longs) args[1];
      long[] x = left.values;
      long[] y = right.values;
      int mx = left.mask();
      int my = right.mask();
      long[] out = new long[count];
      if (ua != ub) {
        for (int i = 0; i < count; i++) {
          long l = x[i & mx];
          long r = y[i & my];
          // The unsigned one beyond Int64 is greater than all of the other.
          int order = ua && l < 0 ? 1 : ub && r < 0 ? -1 : Long.compare(l, r);
          out[i] = sign.holds(order) ? 1 : 0;
        }
        return new Values.Longs(out, Families.allConstant(args), null);
      }
      long flip = ua ? Long.MIN_VALUE : 0;
      switch (sign) {
        case EQUALS -> {
          for (int i = 0; i < count; i++) {
            out[i] = x[i & mx] == y[i & my] ? 1 : 0;
          }
        }
        case NOT_EQUALS -> {
          for (int i = 0; i < count; i++) {
            out[i] = x[i & mx] != y[i & my] ? 1 : 0;
          }
        }
        case LESS -> {
          for (int i = 0; i < count; i++) {
            out[i] = (x[i & mx] ^ flip) < (y[i & my] ^ flip) ? 1 : 0;
          }
        }
        case LESS_OR_EQUALS -> {
          for (int i = 0; i < count; i++) {
            out[i] = (x[i & mx] ^ flip) <= (y[i & my] ^ flip) ? 1 : 0;
          }
        }
        case GREATER -> {
          for (int i = 0; i < count; i++) {
            out[i] = (x[i & mx] ^ flip) > (y[i & my] ^ flip) ? 1 : 0;
          }
        }
        case GREATER_OR_EQUALS -> {
          for (int i = 0; i < count; i++) {
            out[i] = (x[i & mx] ^ flip) >= (y[i & my] ^ flip) ? 1 : 0;
          }
        }
      }
      return new Values.Longs(out, Families.allConstant(args), null);
    };
  }

  /** How two columns of these types are compared, once they are there. */
  private static java.util.function.BiFunction<Values, Values, Order> order(Call call) {
    DataType a = call.type(0);
    DataType b = call.type(1);
    if (Types.number(a) && Types.number(b)) {
      return (x, y) -> numbers(x, a, y, b, call);
    }
    if (Types.string(a) && Types.string(b)) {
      boolean padded = a != PlainType.STRING || b != PlainType.STRING;
      return (x, y) -> {
        Values.Strings left = (Values.Strings) x;
        Values.Strings right = (Values.Strings) y;
        return padded
            ? row -> Comparisons.comparePadded(left, row, right, row)
            : row -> Comparisons.compare(left, row, right, row, PlainType.STRING);
      };
    }
    DataType common = comparedAs(call, a, b);
    return (x, y) -> {
      int rows = Math.max(x.size(), y.size());
      Values left = Conversions.convert(x, a, common, call, rows);
      Values right = Conversions.convert(y, b, common, call, rows);
      return row ->
          Comparisons.nan(left, row) || Comparisons.nan(right, row)
              ? Order.UNORDERED
              : Comparisons.compare(left, row, right, row, common);
    };
  }

  /** Only constant strings are read as another type; enums beside a column are names. */
  private static DataType comparedAs(Call call, DataType a, DataType b) {
    for (int i = 0; i < 2; i++) {
      DataType other = i == 0 ? b : a;
      Optional<Values> text = call.arguments().get(i).constant();
      if (other instanceof EnumType names
          && text.isPresent()
          && text.get() instanceof Values.Strings strings
          && names.entries().stream()
              .noneMatch(e -> Arrays.equals(ByteText.bytes(e.name()), strings.get(0)))) {
        // No element of that name: the names are compared.
        return PlainType.STRING;
      }
      boolean column = Types.string(i == 0 ? a : b) && call.arguments().get(i).constant().isEmpty();
      if (column && other instanceof EnumType) {
        return PlainType.STRING;
      }
      if (column && (readable(other) || Types.number(other))) {
        throw io.coppice.base.error.EngineException.of(
            io.coppice.base.error.ErrorCode.NO_COMMON_TYPE,
            "%s: no common type for %s and %s; convert one of them",
            call.name(),
            a.text(),
            b.text());
      }
    }
    return comparable(call, a, b);
  }

  /** The type in which values of two types are compared. */
  static DataType comparable(Call call, DataType a, DataType b) {
    DataType x = Types.notNull(Types.bare(a));
    DataType y = Types.notNull(Types.bare(b));
    if (x.equals(y)) {
      return x;
    }
    if (Types.isNothing(x) || Types.isNothing(y)) {
      return Types.isNothing(x) ? y : x;
    }
    if (x instanceof TupleType s && y instanceof TupleType t) {
      if (s.elements().size() != t.elements().size()) {
        throw Families.illegalPair(call);
      }
      List<DataType.Element> elements = new ArrayList<>();
      for (int i = 0; i < s.elements().size(); i++) {
        DataType left = s.elements().get(i).type();
        DataType right = t.elements().get(i).type();
        DataType element = comparable(call, left, right);
        boolean nullable = left instanceof NullableType || right instanceof NullableType;
        elements.add(
            new DataType.Element(Optional.empty(), nullable ? Types.nullable(element) : element));
      }
      return new TupleType(elements);
    }
    boolean time = Types.dateLike(x) && Types.dateLike(y);
    if (time) {
      return Types.common(List.of(x, y), call.name());
    }
    boolean parsed =
        (x == PlainType.STRING && readable(y)) || (y == PlainType.STRING && readable(x));
    if (parsed) {
      return x == PlainType.STRING ? y : x;
    }
    if (x instanceof EnumType || y instanceof EnumType) {
      throw Families.illegalPair(call);
    }
    if (Types.string(x) && Types.string(y)) {
      return PlainType.STRING;
    }
    if ((Types.number(x) && Types.number(y))
        || (x instanceof ArrayType && y instanceof ArrayType)
        || (x instanceof DataType.MapType && y instanceof DataType.MapType)) {
      return Types.common(List.of(x, y), call.name());
    }
    if ((x == PlainType.IPV4 && y == PlainType.IPV6)
        || (x == PlainType.IPV6 && y == PlainType.IPV4)) {
      return PlainType.IPV6;
    }
    throw Families.illegalPair(call);
  }

  /** Whether a string beside it is read as this type. */
  private static boolean readable(DataType type) {
    return Types.dateLike(type)
        || type instanceof EnumType
        || type == PlainType.UUID
        || type == PlainType.IPV4
        || type == PlainType.IPV6
        || type == PlainType.TIME
        || type instanceof DataType.Time64Type;
  }

  private static Order numbers(Values x, DataType a, Values y, DataType b, Call call) {
    boolean decimalAndFloat =
        (a instanceof DecimalType && Types.floating(b))
            || (b instanceof DecimalType && Types.floating(a));
    if (decimalAndFloat || (Types.floating(a) && Types.floating(b))) {
      Values.Doubles left = Numbers.doubles(x, a);
      Values.Doubles right = Numbers.doubles(y, b);
      return row -> order(left.values[left.at(row)], right.values[right.at(row)]);
    }
    if (Types.floating(a)) {
      Order swapped = numbers(y, b, x, a, call);
      return row -> {
        int order = swapped.of(row);
        return order == Order.UNORDERED ? order : -order;
      };
    }
    if (Types.floating(b)) {
      double exact = 1L << 53;
      return row -> {
        double right = ((Values.Doubles) y).values[y.at(row)];
        if (Double.isNaN(right)) {
          return Order.UNORDERED;
        }
        if (Double.isInfinite(right)) {
          return right > 0 ? -1 : 1;
        }
        if (x instanceof Values.Longs longs) {
          double left = Types.doubleOf(longs.values[longs.at(row)], a);
          if (Math.abs(left) < exact) {
            return order(left, right);
          }
        }
        return new BigDecimal(Types.bigAt(x, a, row)).compareTo(new BigDecimal(right));
      };
    }
    if (a instanceof DecimalType || b instanceof DecimalType) {
      return DecimalArithmetic.order(x, a, y, b, call);
    }
    return row -> Types.bigAt(x, a, row).compareTo(Types.bigAt(y, b, row));
  }

  private static int order(double a, double b) {
    return a < b ? -1 : a > b ? 1 : a == b ? 0 : Order.UNORDERED;
  }

  private static Resolved notDistinct(Call call, boolean same) {
    Families.count(call, 2, 2);
    List<Argument> inner = new ArrayList<>();
    for (Argument argument : call.arguments()) {
      inner.add(new Argument(Types.notNull(argument.type()), argument.constant()));
    }
    boolean nothing = Types.isNothing(call.type(0)) || Types.isNothing(call.type(1));
    Kernel equal =
        nothing ? null : compareAsSorted(call.withArguments(inner), Sign.EQUALS).kernel();
    return new Resolved(
        PlainType.UINT8,
        (args, rows) -> {
          int count = Families.rows(args, rows);
          Values.Longs equals =
              nothing
                  ? Values.Longs.constant(0)
                  : (Values.Longs)
                      equal.run(
                          new Values[] {args[0].withNulls(null), args[1].withNulls(null)}, rows);
          long[] out = new long[count];
          for (int i = 0; i < count; i++) {
            boolean na = args[0].isNull(i);
            boolean nb = args[1].isNull(i);
            boolean is = (na || nb) ? na == nb : equals.values[equals.at(i)] != 0;
            out[i] = is == same ? 1 : 0;
          }
          return new Values.Longs(out, Families.allConstant(args), null);
        });
  }

  // IN

  private static Resolved in(Call call, boolean in) {
    Families.count(call, 2, 2);
    Optional<Values> set = call.arguments().get(1).constant();
    if (set.isEmpty()) {
      throw io.coppice.base.error.EngineException.of(
          io.coppice.base.error.ErrorCode.NOT_IMPLEMENTED,
          "IN takes a list of constants here, not %s",
          call.type(1).text());
    }
    DataType type = Types.notNull(call.type(0));
    if (type == PlainType.NOTHING) {
      return new Resolved(call.type(0), (args, rows) -> Values.Nothings.of(1, true));
    }
    boolean nullable = call.type(0) instanceof NullableType;
    Set<Object> members = members(call, set.get(), call.type(1), type);
    Set<Long> numbers = new HashSet<>();
    boolean plain =
        (Types.integer(type) || type instanceof EnumType || Types.dateLike(type))
            && !Types.big(type);
    if (plain) {
      for (Object member : members) {
        numbers.add((Long) member);
      }
    }
    long[] sorted = numbers.stream().mapToLong(Long::longValue).sorted().toArray();
    Kernel kernel =
        (args, rows) -> {
          int count = args[0].constant() ? 1 : rows;
          long[] out = new long[count];
          for (int i = 0; i < count; i++) {
            boolean found;
            if (args[0].isNull(i)) {
              found = !in;
            } else if (plain && args[0] instanceof Values.Longs longs) {
              found = java.util.Arrays.binarySearch(sorted, longs.values[longs.at(i)]) >= 0;
            } else {
              found = members.contains(key(args[0], i, type));
            }
            out[i] = found == in ? 1 : 0;
          }
          return new Values.Longs(out, args[0].constant(), nullable ? args[0].nulls() : null);
        };
    return new Resolved(nullable ? new NullableType(PlainType.UINT8) : PlainType.UINT8, kernel);
  }

  /**
   * The constants of a set, as keys of values of {@code type}; those that cannot be one left out.
   */
  static Set<Object> members(Call call, Values set, DataType setType, DataType type) {
    Set<Object> members = new HashSet<>();
    DataType bare = Types.bare(setType);
    if (bare instanceof TupleType tuple && !(type instanceof TupleType of && matches(tuple, of))) {
      Values.Tuples values = (Values.Tuples) set;
      for (int i = 0; i < tuple.elements().size(); i++) {
        member(call, values.elements.get(i), 0, tuple.elements().get(i).type(), type, members);
      }
    } else if (bare instanceof ArrayType array && !(type instanceof ArrayType)) {
      Values.Lists values = (Values.Lists) set;
      for (int i = values.offsets[0]; i < values.offsets[1]; i++) {
        member(call, values.elements, i, array.element(), type, members);
      }
    } else {
      member(call, set, 0, bare, type, members);
    }
    return members;
  }

  /** Whether a constant tuple is one member rather than the list of them. */
  private static boolean matches(TupleType set, TupleType type) {
    return set.elements().size() == type.elements().size()
        && set.elements().stream().noneMatch(e -> e.type() instanceof TupleType)
        && type.elements().stream().noneMatch(e -> e.type() instanceof TupleType);
  }

  private static void member(
      Call call, Values values, int row, DataType from, DataType type, Set<Object> members) {
    if (values.isNull(row) || Types.isNothing(from)) {
      return;
    }
    Values one = values.pick(new int[] {row}, 1);
    DataType inner = Types.notNull(Types.bare(from));
    if (Types.number(inner) && Types.number(type)) {
      BigDecimal exact;
      if (one instanceof Values.Doubles doubles && !Double.isFinite(doubles.values[0])) {
        if (Types.floating(type)) {
          members.add(key(one, 0, type));
        }
        return;
      }
      exact = Numbers.decimal(one, inner, 0);
      if (Types.floating(type)) {
        double value = exact.doubleValue();
        members.add(type == PlainType.FLOAT64 ? value : (double) (float) value);
        return;
      }
      try {
        BigInteger whole = exact.setScale(Types.scale(type)).unscaledValue();
        if (Numbers.fits(whole, type)) {
          members.add(key(Numbers.ofBigs(new BigInteger[] {whole}, type, false), 0, type));
        }
      } catch (ArithmeticException e) {
        // Not a value that the type has, so it equals none.
        return;
      }
      return;
    }
    if (one instanceof Values.Tuples tuples
        && tuples.elements.stream().anyMatch(e -> e.isNull(0))) {
      return; // equals nothing
    }
    Values converted = Conversions.convert(one, inner, type, call, 1);
    members.add(key(converted, 0, type));
  }

  /** A value that can be looked up. */
  static Object key(Values values, int row, DataType type) {
    if (values.isNull(row)) {
      return Optional.empty();
    }
    if (values instanceof Values.Longs longs) {
      return longs.values[longs.at(row)];
    }
    if (values instanceof Values.Doubles doubles) {
      double value = doubles.values[doubles.at(row)];
      return value == 0 ? 0.0 : value;
    }
    if (values instanceof Values.Bigs bigs) {
      return bigs.values[bigs.at(row)];
    }
    if (values instanceof Values.Strings strings) {
      return ByteBuffer.wrap(strings.get(row));
    }
    if (values instanceof Values.Tuples tuples) {
      List<Object> parts = new ArrayList<>();
      TupleType tuple = (TupleType) Types.notNull(type);
      for (int i = 0; i < tuples.elements.size(); i++) {
        parts.add(
            key(
                tuples.elements.get(i),
                tuples.at(row),
                Types.notNull(Types.bare(tuple.elements().get(i).type()))));
      }
      return parts;
    }
    if (values instanceof Values.Lists lists) {
      List<Object> parts = new ArrayList<>();
      for (int i = lists.offsets[lists.at(row)]; i < lists.offsets[lists.at(row) + 1]; i++) {
        parts.add(key(lists.elements, i, ((ArrayType) Types.notNull(type)).element()));
      }
      return parts;
    }
    return Optional.empty();
  }
}
