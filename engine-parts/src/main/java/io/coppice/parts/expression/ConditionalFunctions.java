package io.coppice.parts.expression;

import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.Function.Call;
import io.coppice.parts.expression.Function.Kernel;
import io.coppice.parts.expression.Function.MonotonicityRule;
import io.coppice.parts.expression.Function.Resolved;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** if, multiIf, and what is done about NULL. */
final class ConditionalFunctions {
  private ConditionalFunctions() {}

  static void register(FunctionRegistry registry) {
    registry.addWithNulls("if", ConditionalFunctions::choice);
    registry.addWithNulls("multiIf", ConditionalFunctions::choice);
    registry.addWithNulls("isNull", call -> isNull(call, true));
    registry.addWithNulls("isNotNull", call -> isNull(call, false));
    registry.addWithNulls("ifNull", call -> coalesce(call));
    registry.addWithNulls("coalesce", call -> coalesce(call));
    registry.addWithNulls("nullIf", ConditionalFunctions::nullIf);
    registry.addWithNulls("assumeNotNull", ConditionalFunctions::assumeNotNull);
    registry.addWithNulls("toNullable", ConditionalFunctions::toNullable);
    registry.addWithNulls("isZeroOrNull", ConditionalFunctions::isZeroOrNull);
  }

  /** {@code yes} where {@code first}, else {@code no}; of one type. */
  static Values choose(boolean[] first, Values yes, Values no, int rows) {
    // Side by side, then picked: row i of yes is i, of no is rows + i.
    return choose(new Values[] {yes, no}, indexOf(first, rows), rows);
  }

  private static int[] indexOf(boolean[] first, int rows) {
    int[] index = new int[rows];
    for (int i = 0; i < rows; i++) {
      index[i] = first[i] ? 0 : 1;
    }
    return index;
  }

  /** Row i from column {@code which[i]}; all columns are of one kind. */
  static Values choose(Values[] columns, int[] chosen, int rows) {
    int[] which = chosen;
    boolean[] nulls = null;
    for (Values column : columns) {
      if (column.nulls() != null) {
        nulls = new boolean[rows];
      }
    }
    if (nulls != null) {
      for (int i = 0; i < rows; i++) {
        nulls[i] = columns[which[i]].isNull(i);
      }
    }
    Values sample = null;
    for (Values column : columns) {
      if (!(column instanceof Values.Nothings)) {
        sample = column;
      }
    }
    if (sample == null) {
      return Values.Nothings.of(rows, false);
    }
    boolean keep = columns.length == 2 && nulls != null;
    if (keep && columns[0] != columns[1]) {
      for (int c = 0; c < 2; c++) {
        if (columns[c] instanceof Values.Nothings) {
          // As in ClickHouse the other column's values stay, under NULL: parts hold them.
          which = new int[rows];
          Arrays.fill(which, 1 - c);
        }
      }
    }
    if (sample instanceof Values.Longs) {
      long[] out = new long[rows];
      for (int i = 0; i < rows; i++) {
        Values column = columns[which[i]];
        if (column instanceof Values.Longs longs) {
          out[i] = longs.values[longs.at(i)];
        }
      }
      return new Values.Longs(out, false, nulls);
    }
    if (sample instanceof Values.Doubles) {
      double[] out = new double[rows];
      for (int i = 0; i < rows; i++) {
        if (columns[which[i]] instanceof Values.Doubles doubles) {
          out[i] = doubles.values[doubles.at(i)];
        }
      }
      return new Values.Doubles(out, false, nulls);
    }
    if (sample instanceof Values.Bigs) {
      java.math.BigInteger[] out = new java.math.BigInteger[rows];
      for (int i = 0; i < rows; i++) {
        out[i] =
            columns[which[i]] instanceof Values.Bigs bigs
                ? bigs.values[bigs.at(i)]
                : java.math.BigInteger.ZERO;
      }
      return new Values.Bigs(out, false, nulls);
    }
    if (sample instanceof Values.Strings) {
      Values.StringsBuilder out = new Values.StringsBuilder(rows);
      for (int i = 0; i < rows; i++) {
        if (columns[which[i]] instanceof Values.Strings strings) {
          out.add(strings.bytes, strings.from(i), strings.to(i));
        } else {
          out.end();
        }
      }
      return out.build(nulls);
    }
    if (sample instanceof Values.Tuples tuples) {
      List<Values> elements = new ArrayList<>();
      for (int k = 0; k < tuples.elements.size(); k++) {
        Values[] inner = new Values[columns.length];
        for (int c = 0; c < columns.length; c++) {
          inner[c] = ((Values.Tuples) columns[c].full(rows)).elements.get(k);
        }
        elements.add(choose(inner, which, rows));
      }
      return new Values.Tuples(rows, elements, false, nulls);
    }
    int[] offsets = new int[rows + 1];
    Values[] elements = new Values[columns.length];
    int[] starts = new int[columns.length];
    for (int c = 0; c < columns.length; c++) {
      elements[c] = ((Values.Lists) columns[c]).elements;
    }
    for (int i = 0; i < rows; i++) {
      Values.Lists list = (Values.Lists) columns[which[i]];
      offsets[i + 1] = offsets[i] + list.offsets[list.at(i) + 1] - list.offsets[list.at(i)];
    }
    int total = offsets[rows];
    int[] from = new int[total];
    int[] row = new int[total];
    int n = 0;
    for (int i = 0; i < rows; i++) {
      Values.Lists list = (Values.Lists) columns[which[i]];
      for (int j = list.offsets[list.at(i)]; j < list.offsets[list.at(i) + 1]; j++) {
        from[n] = which[i];
        row[n++] = j;
      }
    }
    Values[] picked = new Values[columns.length];
    for (int c = 0; c < columns.length; c++) {
      int[] rowsOf = new int[total];
      for (int i = 0; i < total; i++) {
        rowsOf[i] = from[i] == c ? row[i] : 0;
      }
      picked[c] = elements[c].size() == 0 && total > 0 ? null : elements[c].pick(rowsOf, total);
      starts[c] = 0;
    }
    for (int c = 0; c < columns.length; c++) {
      if (picked[c] == null) {
        picked[c] = picked[c == 0 ? 1 : 0];
      }
    }
    return new Values.Lists(offsets, choose(picked, from, total), false, nulls);
  }

  private static Resolved choice(Call call) {
    int count = call.count();
    if (count < 3 || count % 2 == 0) {
      Families.count(call, 3, count % 2 == 0 ? count - 1 : count);
    }
    List<DataType> results = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean condition = i % 2 == 0 && i < count - 1;
      if (!condition) {
        results.add(call.type(i));
      } else {
        DataType type = Types.notNull(call.type(i));
        boolean known =
            type == PlainType.NOTHING || type == PlainType.UINT8 || type == PlainType.BOOL;
        if (!known) {
          throw Families.illegal(call, i);
        }
      }
    }
    DataType result = Types.common(results, call.name());
    Kernel kernel =
        (args, rows) -> {
          int n = Families.rows(args, rows);
          int branches = count / 2 + 1;
          int[] which = new int[n];
          java.util.Arrays.fill(which, branches - 1);
          for (int b = branches - 2; b >= 0; b--) {
            byte[] truth = LogicFunctions.truth(args[2 * b], n);
            for (int i = 0; i < n; i++) {
              if (truth[i] == 1) {
                which[i] = b;
              }
            }
          }
          Values[] columns = new Values[branches];
          for (int b = 0; b < branches; b++) {
            int at = b < branches - 1 ? 2 * b + 1 : count - 1;
            columns[b] =
                branches == 2 && args[at] instanceof Values.Nothings
                    ? args[at]
                    : Conversions.convert(args[at], call.type(at), result, call, rows);
          }
          Values chosen = choose(columns, which, n);
          return Families.allConstant(args) ? chosen.asConstant() : chosen;
        };
    return new Resolved(result, kernel);
  }

  private static Resolved isNull(Call call, boolean is) {
    Families.count(call, 1, 1);
    return new Resolved(
        PlainType.UINT8,
        (args, rows) -> {
          long[] out = new long[args[0].size()];
          for (int i = 0; i < out.length; i++) {
            out[i] = args[0].isNull(i) == is ? 1 : 0;
          }
          return new Values.Longs(out, args[0].constant(), null);
        });
  }

  private static Resolved isZeroOrNull(Call call) {
    Families.count(call, 1, 1);
    return new Resolved(
        PlainType.UINT8,
        (args, rows) -> {
          byte[] truth = LogicFunctions.truth(args[0], args[0].size());
          long[] out = new long[truth.length];
          for (int i = 0; i < out.length; i++) {
            out[i] = truth[i] == 1 ? 0 : 1;
          }
          return new Values.Longs(out, args[0].constant(), null);
        });
  }

  private static Resolved coalesce(Call call) {
    int count = call.count();
    if (call.name().equals("ifNull")) {
      Families.count(call, 2, 2);
    }
    // Nothing behind an argument that is never NULL counts.
    int used = count;
    for (int i = 0; i < count; i++) {
      if (!(call.type(i) instanceof NullableType)) {
        used = i + 1;
        break;
      }
    }
    List<DataType> types = new ArrayList<>();
    boolean sure = used > 0 && !(call.type(used - 1) instanceof NullableType);
    for (int i = 0; i < used; i++) {
      types.add(sure ? Types.notNull(call.type(i)) : call.type(i));
    }
    if (types.isEmpty()) {
      return new Resolved(
          new NullableType(PlainType.NOTHING), (args, rows) -> Values.Nothings.of(1, true));
    }
    DataType result = Types.common(types, call.name());
    int branches = used;
    Kernel kernel =
        (args, rows) -> {
          int n = Families.rows(args, rows);
          int[] which = new int[n];
          java.util.Arrays.fill(which, branches - 1);
          for (int b = branches - 2; b >= 0; b--) {
            for (int i = 0; i < n; i++) {
              if (!args[b].isNull(i)) {
                which[i] = b;
              }
            }
          }
          Values[] columns = new Values[branches];
          for (int b = 0; b < branches; b++) {
            boolean asIs =
                Types.string(Types.notNull(call.type(b))) && args[b] instanceof Values.Strings;
            boolean text = Types.notNull(result) == PlainType.STRING;
            // FixedString keeps its zero bytes here.
            columns[b] =
                asIs && text
                    ? args[b]
                    : Conversions.convert(
                        args[b], call.type(b), Types.nullable(result), call, rows);
          }
          Values chosen = choose(columns, which, n);
          if (!(result instanceof NullableType) && chosen.nulls() != null) {
            chosen = chosen.withNulls(null);
          }
          return Families.allConstant(args) ? chosen.asConstant() : chosen;
        };
    return new Resolved(result, kernel);
  }

  private static Resolved nullIf(Call call) {
    Families.count(call, 2, 2);
    DataType type = call.type(0);
    DataType result = Types.nullable(type);
    Resolved equal =
        FunctionRegistry.instance().resolve("equals", call.arguments(), call.defaultZone());
    return new Resolved(
        result,
        (args, rows) -> {
          int n = Families.rows(args, rows);
          Values equals = equal.kernel().run(args, rows);
          boolean[] nulls = new boolean[n];
          for (int i = 0; i < n; i++) {
            boolean same =
                equals instanceof Values.Longs longs
                    && !equals.isNull(i)
                    && longs.values[longs.at(i)] != 0;
            nulls[i] = args[0].isNull(i) || same;
          }
          Values full = Families.allConstant(args) ? args[0] : args[0].full(rows);
          return full.withNulls(nulls);
        });
  }

  private static Resolved assumeNotNull(Call call) {
    Families.count(call, 1, 1);
    DataType result = Types.notNull(call.type(0));
    return new Resolved(
        result,
        (args, rows) -> {
          Values values = args[0];
          return values.nulls() == null ? values : Defaults.inPlaceOfNulls(values, result);
        },
        MonotonicityRule.NONE);
  }

  private static Resolved toNullable(Call call) {
    Families.count(call, 1, 1);
    return new Resolved(
        Types.nullable(call.type(0)), (args, rows) -> args[0], MonotonicityRule.INCREASING);
  }
}
