package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.Function.Call;
import io.coppice.parts.expression.Function.Resolved;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Functions of a lambda and arrays. The lambda is run once over the elements of all rows; the
 * columns that it mentions are repeated for each element of their row. Stateless.
 */
final class LambdaFunctions {
  /** What the first array and the lambda's results, one an element, give. */
  private interface Ending {
    Values of(Values.Lists array, Values results);
  }

  private record Ended(DataType type, Ending ending) {}

  private interface Shape {
    Ended of(Call call, DataType element, DataType result);
  }

  private static final Map<String, Shape> SHAPES = new TreeMap<>();

  /** Those that have no meaning without a lambda. */
  private static final Set<String> LAMBDA_ONLY =
      Set.of("arrayMap", "arrayFilter", "arrayFirst", "arrayLast", "arrayFirstIndex");

  static {
    SHAPES.put("arrayMap", LambdaFunctions::map);
    SHAPES.put("arrayFilter", LambdaFunctions::filter);
    SHAPES.put("arrayExists", (c, e, r) -> condition(c, r, PlainType.UINT8, n -> n > 0 ? 1 : 0));
    SHAPES.put("arrayAll", LambdaFunctions::all);
    SHAPES.put("arrayCount", (c, e, r) -> condition(c, r, PlainType.UINT32, n -> n));
    SHAPES.put("arraySum", LambdaFunctions::sum);
    SHAPES.put("arrayFirst", (c, e, r) -> found(c, e, r, true));
    SHAPES.put("arrayLast", (c, e, r) -> found(c, e, r, false));
    SHAPES.put("arrayFirstIndex", (c, e, r) -> place(c, r, true));
    SHAPES.put("arrayLastIndex", (c, e, r) -> place(c, r, false));
    SHAPES.put("arraySort", (c, e, r) -> sort(e, r, false));
    SHAPES.put("arrayReverseSort", (c, e, r) -> sort(e, r, true));
  }

  private LambdaFunctions() {}

  static void register(FunctionRegistry registry) {
    for (String name : List.of("arrayExists", "arrayAll", "arrayCount", "arraySum")) {
      registry.addWithNulls(name, LambdaFunctions::plain);
    }
    for (String name : SHAPES.keySet()) {
      if (LAMBDA_ONLY.contains(name) || name.equals("arrayLastIndex")) {
        registry.addWithNulls(
            name,
            call -> {
              throw EngineException.of(
                  call.count() < 2
                      ? ErrorCode.NUMBER_OF_ARGUMENTS_DOESNT_MATCH
                      : ErrorCode.ILLEGAL_TYPE_OF_ARGUMENT,
                  "function %s: its first argument must be a lambda, as x -> x > 1",
                  call.name());
            });
      }
    }
  }

  static boolean takesLambda(String name) {
    return SHAPES.containsKey(name);
  }

  /** Without a lambda, the elements themselves are the results. */
  private static Resolved plain(Call call) {
    Families.count(call, 1, 1);
    DataType element = element(call, 0);
    Ended ended = SHAPES.get(call.name()).of(call, element, element);
    return new Resolved(
        ended.type(),
        (args, rows) -> {
          Values.Lists lists = packed((Values.Lists) args[0]);
          Values out = ended.ending().of(lists, lists.elements);
          return lists.constant() ? out.asConstant() : out;
        });
  }

  /** The type of the elements of argument {@code index}, which must be an array. */
  static DataType element(Call call, int index) {
    if (!(call.type(index) instanceof ArrayType array)) {
      throw Families.illegal(call, index);
    }
    return Types.bare(array.element());
  }

  /**
   * A function with its lambda.
   *
   * @param call of the arrays alone
   * @param parameters of the lambda, one an array
   * @param captured columns that the body reads beside its parameters; their values are the
   *     arguments behind the arrays
   */
  static Resolved resolve(
      Call call, TypedExpression body, List<String> parameters, List<String> captured) {
    DataType result = Types.bare(body.type());
    Ended ended = SHAPES.get(call.name()).of(call, element(call, 0), result);
    int arrays = parameters.size();
    return new Resolved(
        ended.type(),
        (args, rows) -> {
          boolean constant = Families.allConstant(args);
          int count = constant ? 1 : rows;
          Map<String, Values> given = new HashMap<>();
          Values.Lists first = null;
          for (int k = 0; k < arrays; k++) {
            Values.Lists lists = packed((Values.Lists) (constant ? args[k] : args[k].full(rows)));
            if (first == null) {
              first = lists;
            } else {
              equalSizes(call, first, lists, k);
            }
            given.put(parameters.get(k), lists.elements);
          }
          int total = first.offsets[count];
          int[] owners = owners(first, count, total);
          for (int k = 0; k < captured.size(); k++) {
            Values column = args[arrays + k];
            given.put(captured.get(k), column.constant() ? column : column.pick(owners, total));
          }
          Values results =
              total == 0
                  ? Defaults.empty(result)
                  : body.values(new TypedExpression.Batch(given, total)).full(total);
          Values out = ended.ending().of(first, results);
          return constant ? out.asConstant() : out;
        });
  }

  /** The same arrays, their elements behind each other from 0. */
  private static Values.Lists packed(Values.Lists lists) {
    int size = lists.size();
    if (lists.offsets[0] == 0
        && lists.elements.size() == lists.offsets[size]
        && !lists.elements.constant()) {
      return lists;
    }
    Values.Lists picked = lists.pick(IntStream.range(0, size).toArray(), size);
    return lists.constant() ? picked.asConstant() : picked;
  }

  private static int[] owners(Values.Lists lists, int count, int total) {
    int[] owners = new int[total];
    for (int i = 0; i < count; i++) {
      Arrays.fill(owners, lists.offsets[i], lists.offsets[i + 1], i);
    }
    return owners;
  }

  private static void equalSizes(Call call, Values.Lists a, Values.Lists b, int index) {
    if (!Arrays.equals(a.offsets, b.offsets)) {
      throw EngineException.of(
          ErrorCode.SIZES_OF_ARRAYS_DONT_MATCH,
          "function %s: arrays 1 and %d have different sizes in a row",
          call.name(),
          index + 1);
    }
  }

  private static Ended map(Call call, DataType element, DataType result) {
    return new Ended(
        new ArrayType(result),
        (array, results) -> new Values.Lists(array.offsets, results, false, null));
  }

  private interface OfCount {
    long of(int count);
  }

  /** Refuses a lambda that gives anything but UInt8. */
  private static void truth(Call call, DataType result) {
    DataType plain = Types.notNull(result);
    if (plain != PlainType.UINT8 && plain != PlainType.BOOL && plain != PlainType.NOTHING) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_TYPE_OF_ARGUMENT,
          "function %s: its condition has type %s, expected UInt8",
          call.name(),
          result.text());
    }
  }

  private static boolean holds(Values results, int row) {
    return results instanceof Values.Longs longs
        && longs.values[longs.at(row)] != 0
        && !longs.isNull(row);
  }

  private static int holding(Values.Lists array, Values results, int row) {
    int count = 0;
    for (int j = array.offsets[row]; j < array.offsets[row + 1]; j++) {
      count += holds(results, j) ? 1 : 0;
    }
    return count;
  }

  private static Ended condition(Call call, DataType result, PlainType type, OfCount of) {
    truth(call, result);
    return new Ended(
        type,
        (array, results) -> {
          long[] out = new long[array.size()];
          for (int i = 0; i < out.length; i++) {
            out[i] = of.of(holding(array, results, i));
          }
          return new Values.Longs(out);
        });
  }

  private static Ended all(Call call, DataType element, DataType result) {
    truth(call, result);
    return new Ended(
        PlainType.UINT8,
        (array, results) -> {
          long[] out = new long[array.size()];
          for (int i = 0; i < out.length; i++) {
            int size = array.offsets[i + 1] - array.offsets[i];
            out[i] = holding(array, results, i) == size ? 1 : 0;
          }
          return new Values.Longs(out);
        });
  }

  private static Ended filter(Call call, DataType element, DataType result) {
    truth(call, result);
    return new Ended(
        new ArrayType(element),
        (array, results) -> {
          int[] offsets = new int[array.size() + 1];
          int[] kept = new int[array.elements.size()];
          for (int i = 0; i < array.size(); i++) {
            int n = offsets[i];
            for (int j = array.offsets[i]; j < array.offsets[i + 1]; j++) {
              if (holds(results, j)) {
                kept[n++] = j;
              }
            }
            offsets[i + 1] = n;
          }
          Values elements = array.elements.pick(kept, offsets[array.size()]);
          return new Values.Lists(offsets, elements, false, null);
        });
  }

  /** Where the first or last element is for which the condition holds, or -1. */
  private static int find(Values.Lists array, Values results, int row, boolean first) {
    int from = array.offsets[row];
    int to = array.offsets[row + 1];
    for (int n = 0; n < to - from; n++) {
      int j = first ? from + n : to - 1 - n;
      if (holds(results, j)) {
        return j;
      }
    }
    return -1;
  }

  private static Ended place(Call call, DataType result, boolean first) {
    truth(call, result);
    return new Ended(
        PlainType.UINT32,
        (array, results) -> {
          long[] out = new long[array.size()];
          for (int i = 0; i < out.length; i++) {
            int at = find(array, results, i, first);
            out[i] = at < 0 ? 0 : at - array.offsets[i] + 1;
          }
          return new Values.Longs(out);
        });
  }

  private static Ended found(Call call, DataType element, DataType result, boolean first) {
    truth(call, result);
    Values filler = Defaults.of(element);
    return new Ended(
        element,
        (array, results) -> {
          int[] at = new int[array.size()];
          for (int i = 0; i < at.length; i++) {
            at[i] = find(array, results, i, first);
          }
          return CollectionFunctions.orDefault(array.elements, at, filler, at.length);
        });
  }

  private static Ended sort(DataType element, DataType result, boolean descending) {
    Comparators order = new Comparators(Types.notNull(result), descending);
    return new Ended(
        new ArrayType(element),
        (array, results) -> {
          int[] sorted = new int[array.elements.size()];
          for (int i = 0; i < array.size(); i++) {
            int from = array.offsets[i];
            int[] of =
                IntStream.range(from, array.offsets[i + 1])
                    .boxed()
                    .sorted(order.of(results))
                    .mapToInt(Integer::intValue)
                    .toArray();
            System.arraycopy(of, 0, sorted, from, of.length);
          }
          return new Values.Lists(
              array.offsets, array.elements.pick(sorted, sorted.length), false, null);
        });
  }

  private record Comparators(DataType type, boolean descending) {
    Comparator<Integer> of(Values keys) {
      return (a, b) -> ArrayFunctions.order(keys, a, b, type, descending);
    }
  }

  private static Ended sum(Call call, DataType element, DataType result) {
    if (result instanceof NullableType || !Types.number(result)) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_TYPE_OF_ARGUMENT,
          "function %s: cannot add up %s",
          call.name(),
          result.text());
    }
    if (Types.floating(result)) {
      return new Ended(
          PlainType.FLOAT64,
          (array, results) -> {
            double[] out = new double[array.size()];
            for (int i = 0; i < out.length; i++) {
              for (int j = array.offsets[i]; j < array.offsets[i + 1]; j++) {
                out[i] += ((Values.Doubles) results).values[j];
              }
            }
            return new Values.Doubles(out, false, null);
          });
    }
    DataType type =
        result instanceof DecimalType decimal
            ? Types.decimalOfWidth(Math.max(16, decimal.widthBytes()), decimal.scale())
            : Types.integerOf(Types.signed(result), Math.max(8, Types.width(result)));
    return new Ended(
        type,
        (array, results) -> {
          BigInteger[] out = new BigInteger[array.size()];
          for (int i = 0; i < out.length; i++) {
            out[i] = BigInteger.ZERO;
            for (int j = array.offsets[i]; j < array.offsets[i + 1]; j++) {
              out[i] = out[i].add(Types.bigAt(results, result, j));
            }
            out[i] = Types.wrap(out[i], type);
          }
          return Numbers.ofBigs(out, type, false);
        });
  }
}
