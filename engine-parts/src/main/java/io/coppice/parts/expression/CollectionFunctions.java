package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.Element;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.Function.Argument;
import io.coppice.parts.expression.Function.Call;
import io.coppice.parts.expression.Function.Kernel;
import io.coppice.parts.expression.Function.Resolved;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Tuples, arrays and maps: making them, their elements, has. */
final class CollectionFunctions {
  private CollectionFunctions() {}

  static void register(FunctionRegistry registry) {
    registry.addWithNulls("tuple", CollectionFunctions::tuple);
    registry.addWithNulls("tupleElement", CollectionFunctions::tupleElement);
    registry.addWithNulls("array", CollectionFunctions::array);
    registry.addWithNulls("arrayElement", CollectionFunctions::arrayElement);
    registry.addWithNulls("has", CollectionFunctions::has);
    registry.addWithNulls("indexOf", CollectionFunctions::indexOf);
    registry.addWithNulls("countEqual", CollectionFunctions::countEqual);
    registry.addWithNulls("map", CollectionFunctions::map);
    registry.addWithNulls("mapContains", CollectionFunctions::has);
    registry.addWithNulls("mapKeys", call -> mapPart(call, 0));
    registry.addWithNulls("mapValues", call -> mapPart(call, 1));
  }

  private static Resolved tuple(Call call) {
    List<Element> elements = new ArrayList<>();
    for (Argument argument : call.arguments()) {
      elements.add(new Element(Optional.empty(), argument.type()));
    }
    Kernel kernel =
        (args, rows) -> {
          boolean constant = Families.allConstant(args);
          int size = constant ? 1 : rows;
          List<Values> columns = new ArrayList<>();
          for (Values arg : args) {
            columns.add(arg);
          }
          return new Values.Tuples(size, columns, constant, null);
        };
    return new Resolved(new TupleType(elements), kernel);
  }

  private static Resolved tupleElement(Call call) {
    Families.count(call, 2, 3);
    DataType type = call.type(0);
    if (type instanceof ArrayType array && array.element() instanceof TupleType) {
      return nestedElement(call, array);
    }
    if (!(type instanceof TupleType tuple)) {
      throw Families.illegal(call, 0);
    }
    int index = elementIndex(call, tuple);
    return new Resolved(
        tuple.elements().get(index).type(),
        (args, rows) -> {
          Values.Tuples tuples = (Values.Tuples) args[0];
          Values element = tuples.elements.get(index);
          return tuples.constant() && !element.constant() ? element.asConstant() : element;
        });
  }

  private static Resolved nestedElement(Call call, ArrayType array) {
    TupleType tuple = (TupleType) array.element();
    int index = elementIndex(call, tuple);
    return new Resolved(
        new ArrayType(tuple.elements().get(index).type()),
        (args, rows) -> {
          Values.Lists lists = (Values.Lists) args[0];
          Values.Tuples tuples = (Values.Tuples) lists.elements;
          return new Values.Lists(
              lists.offsets,
              tuples.elements.get(index).full(tuples.size()),
              lists.constant(),
              null);
        });
  }

  private static int elementIndex(Call call, TupleType tuple) {
    Optional<Values> constant = call.arguments().get(1).constant();
    if (constant.isPresent() && constant.get() instanceof Values.Longs longs) {
      long index = longs.values[0];
      long from0 = index < 0 ? tuple.elements().size() + index : index - 1;
      if (index == 0 || from0 < 0 || from0 >= tuple.elements().size()) {
        throw EngineException.of(
            ErrorCode.NOT_FOUND_COLUMN_IN_BLOCK,
            "element %d of %s, which has %d",
            index,
            tuple.text(),
            tuple.elements().size());
      }
      return (int) from0;
    }
    String name = Families.constantText(call, 1);
    for (int i = 0; i < tuple.elements().size(); i++) {
      if (tuple.elementName(i).equals(name)) {
        return i;
      }
    }
    throw EngineException.of(
        ErrorCode.NOT_FOUND_COLUMN_IN_BLOCK, "%s has no element %s", tuple.text(), name);
  }

  private static Resolved array(Call call) {
    List<DataType> types = call.arguments().stream().map(Argument::type).toList();
    DataType element = Types.common(types, "array");
    int width = call.count();
    Kernel kernel =
        (args, rows) -> {
          int count = Families.rows(args, rows);
          int total = Math.multiplyExact(count, width);
          int[] offsets = new int[count + 1];
          for (int i = 0; i < count; i++) {
            offsets[i + 1] = offsets[i] + width;
          }
          Values elements;
          if (width == 0) {
            elements = Defaults.empty(element);
          } else {
            Values[] columns = new Values[width];
            int[] which = new int[total];
            for (int k = 0; k < width; k++) {
              Values column = Conversions.convert(args[k], types.get(k), element, call, rows);
              int[] spread = new int[total];
              for (int i = 0; i < count; i++) {
                spread[i * width + k] = i;
                which[i * width + k] = k;
              }
              columns[k] = column.pick(spread, total);
            }
            elements = width == 1 ? columns[0] : ConditionalFunctions.choose(columns, which, total);
          }
          return new Values.Lists(offsets, elements, Families.allConstant(args), null);
        };
    return new Resolved(new ArrayType(element), kernel);
  }

  private static Resolved map(Call call) {
    if (call.count() % 2 != 0) {
      throw EngineException.of(
          ErrorCode.NUMBER_OF_ARGUMENTS_DOESNT_MATCH, "map takes keys and values in turn");
    }
    List<Argument> keys = new ArrayList<>();
    List<Argument> values = new ArrayList<>();
    for (int i = 0; i < call.count(); i++) {
      (i % 2 == 0 ? keys : values).add(call.arguments().get(i));
    }
    Resolved keyArray = array(call.withArguments(keys));
    Resolved valueArray = array(call.withArguments(values));
    MapType type =
        new MapType(
            ((ArrayType) keyArray.type()).element(), ((ArrayType) valueArray.type()).element());
    return new Resolved(
        type,
        (args, rows) -> {
          Values[] k = new Values[args.length / 2];
          Values[] v = new Values[args.length / 2];
          for (int i = 0; i < k.length; i++) {
            k[i] = args[2 * i];
            v[i] = args[2 * i + 1];
          }
          int count = Families.rows(args, rows);
          Values.Lists keyList = spread(keyArray, k, rows, count);
          Values.Lists valueList = spread(valueArray, v, rows, count);
          int total = keyList.offsets[count];
          return new Values.Lists(
              keyList.offsets,
              new Values.Tuples(total, List.of(keyList.elements, valueList.elements), false, null),
              Families.allConstant(args),
              null);
        });
  }

  private static Values.Lists spread(Resolved array, Values[] args, int rows, int count) {
    Values.Lists lists = (Values.Lists) array.kernel().run(args, rows);
    return lists.size() == count ? lists : (Values.Lists) lists.full(count);
  }

  private static Resolved mapPart(Call call, int part) {
    Families.count(call, 1, 1);
    if (!(call.type(0) instanceof MapType map)) {
      throw Families.illegal(call, 0);
    }
    return new Resolved(
        new ArrayType(part == 0 ? map.key() : map.value()),
        (args, rows) -> {
          Values.Lists lists = (Values.Lists) args[0];
          Values.Tuples pairs = (Values.Tuples) lists.elements;
          return new Values.Lists(
              lists.offsets, pairs.elements.get(part).full(pairs.size()), lists.constant(), null);
        });
  }

  private static Resolved arrayElement(Call call) {
    Families.count(call, 2, 2);
    DataType type = call.type(0);
    if (type instanceof MapType map) {
      return mapElement(call, map);
    }
    if (!(type instanceof ArrayType array)
        || !Types.integer(Types.notNull(call.type(1)))
        || Types.big(Types.notNull(call.type(1)))) {
      throw Families.illegalPair(call);
    }
    DataType element = array.element();
    boolean nullableIndex = call.type(1) instanceof NullableType;
    DataType result = nullableIndex ? Types.nullable(element) : element;
    Values filler = Defaults.of(element);
    return new Resolved(
        result,
        (args, rows) -> {
          int count = Families.rows(args, rows);
          Values.Lists lists = (Values.Lists) args[0];
          Values.Longs index = (Values.Longs) args[1];
          int[] at = new int[count];
          for (int i = 0; i < count; i++) {
            int from = lists.offsets[lists.at(i)];
            int to = lists.offsets[lists.at(i) + 1];
            long wanted = index.values[index.at(i)];
            long place = wanted < 0 ? to + wanted : from + wanted - 1;
            boolean there = wanted != 0 && place >= from && place < to && !index.isNull(i);
            at[i] = there ? (int) place : -1;
          }
          Values found = orDefault(lists.elements, at, filler, count);
          if (index.nulls() != null) {
            boolean[] nulls = new boolean[count];
            for (int i = 0; i < count; i++) {
              nulls[i] = index.isNull(i) || found.isNull(i);
            }
            found = found.withNulls(nulls);
          }
          return Families.allConstant(args) ? found.asConstant() : found;
        });
  }

  /** Element {@code at[i]}, or the filler where that is negative. */
  static Values orDefault(Values elements, int[] at, Values filler, int count) {
    boolean[] there = new boolean[count];
    int[] picked = new int[count];
    boolean all = true;
    for (int i = 0; i < count; i++) {
      there[i] = at[i] >= 0;
      all &= there[i];
      picked[i] = Math.max(0, at[i]);
    }
    if (all) {
      return elements.pick(picked, count);
    }
    if (elements.size() == 0) {
      return filler.pick(new int[count], count);
    }
    return ConditionalFunctions.choose(there, elements.pick(picked, count), filler, count);
  }

  private static Resolved mapElement(Call call, MapType map) {
    Values filler = Defaults.of(map.value());
    DataType key = map.key();
    return new Resolved(
        map.value(),
        (args, rows) -> {
          int count = Families.rows(args, rows);
          Values.Lists lists = (Values.Lists) args[0];
          Values.Tuples pairs = (Values.Tuples) lists.elements;
          Values wanted = Conversions.convert(args[1], call.type(1), key, call, rows);
          int[] at = new int[count];
          for (int i = 0; i < count; i++) {
            at[i] = find(lists, i, pairs.elements.get(0), wanted, key);
          }
          Values found = orDefault(pairs.elements.get(1), at, filler, count);
          return Families.allConstant(args) ? found.asConstant() : found;
        });
  }

  private static int find(
      Values.Lists lists, int row, Values elements, Values wanted, DataType type) {
    for (int j = lists.offsets[lists.at(row)]; j < lists.offsets[lists.at(row) + 1]; j++) {
      if (Comparisons.compare(elements, j, wanted, row, type) == 0
          && !Comparisons.nan(elements, j)) {
        return j;
      }
    }
    return -1;
  }

  /** The place of the first element that equals a value, from 1; 0 if there is none. */
  private static Resolved indexOf(Call call) {
    return elementTest(
        call,
        (lists, row, elements, wanted, type) -> {
          int found = find(lists, row, elements, wanted, type);
          return found < 0 ? 0 : found - lists.offsets[lists.at(row)] + 1;
        });
  }

  private static Resolved countEqual(Call call) {
    return elementTest(
        call,
        (lists, row, elements, wanted, type) -> {
          int count = 0;
          for (int j = lists.offsets[lists.at(row)]; j < lists.offsets[lists.at(row) + 1]; j++) {
            boolean equal = Comparisons.compare(elements, j, wanted, row, type) == 0;
            count += equal && !Comparisons.nan(elements, j) ? 1 : 0;
          }
          return count;
        });
  }

  private interface ElementTest {
    long of(Values.Lists lists, int row, Values elements, Values wanted, DataType type);
  }

  /** What is told of an array's elements and a value, both of one type. */
  private static Resolved elementTest(Call call, ElementTest test) {
    Families.count(call, 2, 2);
    if (!(call.type(0) instanceof ArrayType array)) {
      throw Families.illegal(call, 0);
    }
    DataType common =
        Types.nullable(wanted(call, Types.notNull(array.element()), Types.notNull(call.type(1))));
    return new Resolved(
        PlainType.UINT64,
        (args, rows) -> {
          Values.Lists lists = (Values.Lists) args[0];
          Values raw = lists.elements;
          Values elements = Conversions.convert(raw, array.element(), common, call, raw.size());
          Values wanted = Conversions.convert(args[1], call.type(1), common, call, rows);
          long[] out = new long[Families.rows(args, rows)];
          for (int i = 0; i < out.length; i++) {
            out[i] = test.of(lists, i, elements, wanted, common);
          }
          return new Values.Longs(out, Families.allConstant(args), null);
        });
  }

  /** The type in which elements and what is looked for among them are compared. */
  private static DataType wanted(Call call, DataType element, DataType value) {
    try {
      return ComparisonFunctions.comparable(call, element, value);
    } catch (EngineException e) {
      throw e.code() == ErrorCode.ILLEGAL_TYPE_OF_ARGUMENT
          ? EngineException.of(
              ErrorCode.NO_COMMON_TYPE,
              "%s: no common type for elements %s and %s; convert one of them",
              call.name(),
              element.text(),
              value.text())
          : e;
    }
  }

  private static Resolved has(Call call) {
    Families.count(call, 2, 2);
    DataType type = call.type(0);
    boolean map = type instanceof MapType;
    if (!map && !(type instanceof ArrayType)) {
      throw Families.illegal(call, 0);
    }
    DataType element = map ? ((MapType) type).key() : ((ArrayType) type).element();
    DataType common =
        Types.nullable(wanted(call, Types.notNull(element), Types.notNull(call.type(1))));
    return new Resolved(
        PlainType.UINT8,
        (args, rows) -> {
          int count = Families.rows(args, rows);
          Values.Lists lists = (Values.Lists) args[0];
          Values raw = map ? ((Values.Tuples) lists.elements).elements.get(0) : lists.elements;
          Values elements = Conversions.convert(raw, element, common, call, raw.size());
          Values wanted = Conversions.convert(args[1], call.type(1), common, call, rows);
          long[] out = new long[count];
          for (int i = 0; i < count; i++) {
            out[i] = find(lists, i, elements, wanted, common) >= 0 ? 1 : 0;
          }
          return new Values.Longs(out, Families.allConstant(args), null);
        });
  }
}
