package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.Function.Call;
import io.coppice.parts.expression.Function.Resolved;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Functions that give arrays of an array's elements, or tell of them. Stateless. */
final class ArrayFunctions {
  /** As ClickHouse's function_range_max_elements_in_block. */
  private static final long MAX_RANGE = 500_000_000;

  private ArrayFunctions() {}

  static void register(FunctionRegistry registry) {
    registry.addWithNulls("arraySort", call -> sorted(call, false));
    registry.addWithNulls("arrayReverseSort", call -> sorted(call, true));
    registry.addWithNulls("arrayReverse", call -> picked(call, ArrayFunctions::reversed));
    registry.addWithNulls("arrayDistinct", ArrayFunctions::distinct);
    registry.addWithNulls("arrayUniq", ArrayFunctions::uniq);
    registry.addWithNulls("arrayConcat", ArrayFunctions::concat);
    registry.add("range", ArrayFunctions::range);
    registry.addWithNulls("mapFromArrays", ArrayFunctions::mapFromArrays);
  }

  /** Whole numbers from one (0) to another, which is not among them, by a step (1). */
  private static Resolved range(Call call) {
    Families.count(call, 1, 3);
    List<DataType> types = new ArrayList<>();
    for (int i = 0; i < call.count(); i++) {
      if (!Types.integer(call.type(i)) || Types.big(call.type(i))) {
        throw Families.illegal(call, i);
      }
      types.add(call.type(i));
    }
    DataType element = Types.common(types, "range");
    return new Resolved(
        new ArrayType(element),
        (args, rows) -> {
          int count = Families.rows(args, rows);
          int[] offsets = new int[count + 1];
          long total = 0;
          for (int i = 0; i < count; i++) {
            long from = args.length == 1 ? 0 : number(args[0], i);
            long to = number(args[args.length == 1 ? 0 : 1], i);
            long step = args.length == 3 ? number(args[2], i) : 1;
            if (step == 0 || (args.length == 1 && to < 0)) {
              throw EngineException.of(
                  ErrorCode.ARGUMENT_OUT_OF_BOUND,
                  "range from %d to %d by %d: it ends at 0 or more, and its step is not 0",
                  from,
                  to,
                  step);
            }
            total += size(from, to, step);
            if (total > MAX_RANGE) {
              throw EngineException.of(
                  ErrorCode.ARGUMENT_OUT_OF_BOUND,
                  "range: more than %d elements in one batch; ask for fewer",
                  MAX_RANGE);
            }
            offsets[i + 1] = (int) total;
          }
          long[] elements = new long[(int) total];
          for (int i = 0; i < count; i++) {
            long value = args.length == 1 ? 0 : number(args[0], i);
            long step = args.length == 3 ? number(args[2], i) : 1;
            for (int j = offsets[i]; j < offsets[i + 1]; j++) {
              elements[j] = value;
              value += step;
            }
          }
          return new Values.Lists(
              offsets, new Values.Longs(elements), Families.allConstant(args), null);
        });
  }

  private static long number(Values values, int row) {
    return ((Values.Longs) values).values[values.at(row)];
  }

  private static long size(long from, long to, long step) {
    boolean none = step > 0 ? from >= to : from <= to;
    if (none) {
      return 0;
    }
    double steps = Math.ceil(((double) to - (double) from) / step);
    return steps > MAX_RANGE ? MAX_RANGE + 1 : (long) steps;
  }

  private static Resolved mapFromArrays(Call call) {
    Families.count(call, 2, 2);
    if (array(call, 0).element() instanceof DataType.NullableType) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS, "function %s: keys cannot be Nullable", call.name());
    }
    DataType.MapType type =
        new DataType.MapType(array(call, 0).element(), array(call, 1).element());
    return new Resolved(
        type,
        (args, rows) -> {
          int count = Families.rows(args, rows);
          Values.Lists keys = (Values.Lists) args[0].full(count);
          Values.Lists values = (Values.Lists) args[1].full(count);
          int[] all = IntStream.range(0, count).toArray();
          keys = keys.pick(all, count);
          values = values.pick(all, count);
          if (!Arrays.equals(keys.offsets, values.offsets)) {
            throw EngineException.of(
                ErrorCode.SIZES_OF_ARRAYS_DONT_MATCH,
                "function %s: keys and values differ in number in a row",
                call.name());
          }
          Values pairs =
              new Values.Tuples(
                  keys.offsets[count], List.of(keys.elements, values.elements), false, null);
          return new Values.Lists(keys.offsets, pairs, Families.allConstant(args), null);
        });
  }

  private static ArrayType array(Call call, int index) {
    if (!(call.type(index) instanceof ArrayType array)) {
      throw Families.illegal(call, index);
    }
    return array;
  }

  /** Chooses elements of one array: their numbers among all elements, in the order wanted. */
  private interface Picking {
    int[] pick(Values elements, int from, int to);
  }

  private static Resolved picked(Call call, Picking picking) {
    Families.count(call, 1, 1);
    return picked(array(call, 0), picking);
  }

  private static Resolved picked(ArrayType type, Picking picking) {
    return new Resolved(
        type,
        (args, rows) -> {
          Values.Lists lists = (Values.Lists) args[0];
          int count = lists.size();
          int[] offsets = new int[count + 1];
          int[] chosen = new int[lists.elements.size()];
          for (int i = 0; i < count; i++) {
            int[] of = picking.pick(lists.elements, lists.offsets[i], lists.offsets[i + 1]);
            System.arraycopy(of, 0, chosen, offsets[i], of.length);
            offsets[i + 1] = offsets[i] + of.length;
          }
          Values elements = lists.elements.pick(chosen, offsets[count]);
          return new Values.Lists(offsets, elements, lists.constant(), null);
        });
  }

  private static int[] reversed(Values elements, int from, int to) {
    return IntStream.range(from, to).map(i -> from + to - 1 - i).toArray();
  }

  /** Numbers in their order, or backwards; NaN and then NULL come last either way. */
  private static Resolved sorted(Call call, boolean descending) {
    Families.count(call, 1, 1);
    ArrayType type = array(call, 0);
    DataType element = type.element();
    return picked(
        type,
        (elements, from, to) ->
            IntStream.range(from, to)
                .boxed()
                .sorted((a, b) -> order(elements, a, b, element, descending))
                .mapToInt(Integer::intValue)
                .toArray());
  }

  /** The order of two elements to sort by: NaN behind numbers, NULL behind all, either way. */
  static int order(Values elements, int a, int b, DataType type, boolean descending) {
    int special = Integer.compare(special(elements, a), special(elements, b));
    if (special != 0 || special(elements, a) > 0) {
      return special;
    }
    int order = Comparisons.compare(elements, a, elements, b, type);
    return descending ? -order : order;
  }

  private static int special(Values elements, int row) {
    boolean isNull = elements instanceof Values.Nothings || elements.isNull(row);
    return isNull ? 2 : Comparisons.nan(elements, row) ? 1 : 0;
  }

  /** The first of equal elements; NULL is none. */
  private static Resolved distinct(Call call) {
    Families.count(call, 1, 1);
    DataType element = array(call, 0).element();
    DataType plain = Types.notNull(Types.bare(element));
    Resolved some =
        picked(
            new ArrayType(plain),
            (elements, from, to) -> {
              Set<Object> seen = new HashSet<>();
              return IntStream.range(from, to)
                  .filter(i -> special(elements, i) < 2 && seen.add(key(elements, i, plain)))
                  .toArray();
            });
    return new Resolved(
        some.type(),
        (args, rows) -> {
          Values.Lists lists = (Values.Lists) some.kernel().run(args, rows);
          return new Values.Lists(
              lists.offsets, lists.elements.withNulls(null), lists.constant(), null);
        });
  }

  /** Floats are told apart by their bits. */
  private static Object key(Values elements, int row, DataType type) {
    return elements instanceof Values.Doubles doubles
        ? (Object) Double.doubleToRawLongBits(doubles.values[doubles.at(row)])
        : ComparisonFunctions.key(elements, row, type);
  }

  private static Resolved uniq(Call call) {
    Families.count(call, 1, 1);
    DataType plain = Types.notNull(Types.bare(array(call, 0).element()));
    return new Resolved(
        PlainType.UINT32,
        (args, rows) -> {
          Values.Lists lists = (Values.Lists) args[0];
          long[] out = new long[lists.size()];
          for (int i = 0; i < out.length; i++) {
            Set<Object> seen = new HashSet<>();
            for (int j = lists.offsets[i]; j < lists.offsets[i + 1]; j++) {
              boolean isNull = special(lists.elements, j) == 2;
              seen.add(isNull ? List.of() : List.of(key(lists.elements, j, plain)));
            }
            out[i] = seen.size();
          }
          return new Values.Longs(out, lists.constant(), null);
        });
  }

  private static Resolved concat(Call call) {
    Families.count(call, 1, Integer.MAX_VALUE);
    List<DataType> types = new ArrayList<>();
    for (int i = 0; i < call.count(); i++) {
      types.add(array(call, i).element());
    }
    DataType common = Types.common(types, call.name());
    return new Resolved(
        new ArrayType(common),
        (args, rows) -> {
          int count = Families.rows(args, rows);
          int[] offsets = new int[count + 1];
          for (int i = 0; i < count; i++) {
            offsets[i + 1] = offsets[i];
            for (Values arg : args) {
              offsets[i + 1] += size((Values.Lists) arg, i);
            }
          }
          int total = offsets[count];
          // Each array's elements at the places they get, then for each place whose it is.
          int[] whose = new int[total];
          int[][] places = new int[args.length][total];
          for (int i = 0; i < count; i++) {
            int at = offsets[i];
            for (int k = 0; k < args.length; k++) {
              Values.Lists lists = (Values.Lists) args[k];
              for (int j = 0; j < size(lists, i); j++) {
                whose[at] = k;
                places[k][at++] = lists.offsets[lists.at(i)] + j;
              }
            }
          }
          Values[] columns = new Values[args.length];
          for (int k = 0; k < args.length; k++) {
            Values raw = ((Values.Lists) args[k]).elements;
            Values elements =
                raw.size() == 0
                    ? Defaults.of(Types.notNull(common))
                    : Conversions.convert(raw, types.get(k), common, call, raw.size());
            columns[k] = elements.pick(places[k], total);
          }
          Values elements =
              columns.length == 1 ? columns[0] : ConditionalFunctions.choose(columns, whose, total);
          return new Values.Lists(offsets, elements, Families.allConstant(args), null);
        });
  }

  private static int size(Values.Lists lists, int row) {
    int at = lists.at(row);
    return lists.offsets[at + 1] - lists.offsets[at];
  }
}
