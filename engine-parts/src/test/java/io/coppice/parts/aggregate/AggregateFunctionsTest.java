package io.coppice.parts.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.language.parse.Parser;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.TypedExpression;
import io.coppice.parts.text.TextBuffer;
import io.coppice.parts.text.ValueText;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AggregateFunctionsTest {
  private static final int ROWS = 1000;
  private static final int GROUPS = 7;

  /** Arguments over a column x of numbers from 0. */
  private static final List<String> VALUES =
      List.of(
          "x",
          "toInt8(x % 100) - 50",
          "toUInt16(x * 37)",
          "toString(x * 7919 % 1013)",
          "if(x % 3 = 0, NULL, toInt64(x) - 500)",
          "if(x % 14 < 7, NULL, toString(x))",
          "toFloat64(x) / 4 - 100",
          "toFloat32(x % 17)",
          "toDecimal64(x, 3)",
          "toInt128(x) - 700",
          "toDate('2024-01-01') + x",
          "x % 2 = 0",
          "[x, x % 3]",
          "tuple(x % 5, toString(x))");

  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingIsLeft() {
    allocator.close();
  }

  private static boolean applies(String function, String value) {
    boolean number =
        !value.startsWith("toString")
            && !value.contains("toString")
            && !value.startsWith("[")
            && !value.startsWith("toDate");
    return number || !(function.startsWith("sum") || function.startsWith("avg"));
  }

  @Test
  void statesMergedAreStatesAddedTo() {
    for (String function :
        List.of(
            "count",
            "sum",
            "avg",
            "min",
            "max",
            "any",
            "anyLast",
            "uniqExact",
            "groupArray",
            "sumDistinct",
            "groupArrayDistinct",
            "countDistinct",
            "argMin",
            "argMax",
            "sumIf",
            "maxIf",
            "groupArrayIf")) {
      for (String value : VALUES) {
        if (applies(function, value)) {
          check(function, value);
        }
      }
    }
  }

  private void check(String function, String value) {
    List<String> arguments = new ArrayList<>(List.of(value));
    if (function.startsWith("arg")) {
      arguments.add("x * 31 % 997");
    }
    if (function.endsWith("If")) {
      arguments.add("x % 5 != 1");
    }
    List<FieldVector> vectors = new ArrayList<>();
    List<DataType> types = new ArrayList<>();
    ExpressionCompiler compiler = ExpressionCompiler.of(Map.of("x", PlainType.UINT64));
    try (UInt8Vector x = new UInt8Vector("x", allocator)) {
      x.allocateNew(ROWS);
      for (int row = 0; row < ROWS; row++) {
        x.set(row, row);
      }
      x.setValueCount(ROWS);
      VectorSchemaRoot batch = VectorSchemaRoot.of(x);
      for (String argument : arguments) {
        TypedExpression compiled = compiler.compile(Parser.expression(argument));
        types.add(compiled.type());
        vectors.add(compiled.evaluate(batch, allocator));
      }
      int[] groups = new int[ROWS];
      int[] firstHalf = new int[ROWS];
      int[] secondHalf = new int[ROWS];
      for (int row = 0; row < ROWS; row++) {
        groups[row] = row % 11 == 3 ? -1 : row % GROUPS;
        firstHalf[row] = row < ROWS / 2 ? groups[row] : -1;
        // The second half numbers its groups the other way round.
        secondHalf[row] = row < ROWS / 2 || groups[row] < 0 ? -1 : GROUPS - 1 - groups[row];
      }
      AggregateFunctions.Resolved resolved = AggregateFunctions.resolve(function, List.of(), types);
      try (Aggregator whole = resolved.create(allocator);
          Aggregator first = resolved.create(allocator);
          Aggregator second = resolved.create(allocator)) {
        whole.add(vectors, groups, ROWS, GROUPS + 1);
        first.add(vectors, firstHalf, ROWS, GROUPS);
        second.add(vectors, secondHalf, ROWS, GROUPS);
        int[] mapping = new int[GROUPS];
        Arrays.setAll(mapping, group -> GROUPS - 1 - group);
        first.merge(second, mapping, GROUPS + 1);
        String what = function + arguments;
        assertThat(texts(first)).as(what).isEqualTo(texts(whole));
        assertThat(texts(whole).subList(0, GROUPS)).as(what).doesNotContain("");
      }
    } finally {
      vectors.forEach(FieldVector::close);
    }
  }

  private List<String> texts(Aggregator aggregator) {
    ValueText text = ValueText.of(aggregator.type(), ValueText.Style.QUOTED, ZoneOffset.UTC);
    List<String> texts = new ArrayList<>();
    try (FieldVector results = aggregator.finish("r", GROUPS + 1, allocator)) {
      for (int group = 0; group <= GROUPS; group++) {
        TextBuffer buffer = new TextBuffer();
        text.append(results, group, buffer);
        texts.add(new String(buffer.toByteArray(), StandardCharsets.UTF_8));
      }
    }
    return texts;
  }

  @Test
  void wideSumsCarryAndWrap() {
    assertThat(sum("toInt128(x) * -1")).isEqualTo("-499500");
    assertThat(sum("toUInt64(18446744073709551615)")).isEqualTo("18446744073709550616");
    assertThat(sum("toInt128('-170141183460469231731687303715884105728')")).isEqualTo("0");
    assertThat(sum("toInt256('-1')")).isEqualTo("-1000");
    assertThat(sum("toDecimal64('-0.01', 2)")).isEqualTo("-10");
  }

  /** The sum of an expression over a thousand rows. */
  private String sum(String expression) {
    TypedExpression compiled =
        ExpressionCompiler.of(Map.of("x", PlainType.UINT64)).compile(Parser.expression(expression));
    try (UInt8Vector x = new UInt8Vector("x", allocator)) {
      x.allocateNew(ROWS);
      for (int row = 0; row < ROWS; row++) {
        x.set(row, row);
      }
      x.setValueCount(ROWS);
      AggregateFunctions.Resolved resolved =
          AggregateFunctions.resolve("sum", List.of(), List.of(compiled.type()));
      try (FieldVector vector = compiled.evaluate(VectorSchemaRoot.of(x), allocator);
          Aggregator aggregator = resolved.create(allocator)) {
        aggregator.add(List.of(vector), new int[ROWS], ROWS, 1);
        TextBuffer buffer = new TextBuffer();
        try (FieldVector result = aggregator.finish("r", 1, allocator)) {
          ValueText.of(aggregator.type(), ValueText.Style.PLAIN, ZoneOffset.UTC)
              .append(result, 0, buffer);
        }
        return new String(buffer.toByteArray(), StandardCharsets.UTF_8);
      }
    }
  }

  @Test
  void namesAreKnownWithTheirCombinators() {
    for (String name : List.of("sum", "SUM", "sumIf", "countDistinctIf", "quantileState")) {
      assertThat(AggregateFunctions.known(name)).as(name).isTrue();
    }
    for (String name : List.of("plus", "if", "multiIf", "greatestIf", "Distinct", "length")) {
      assertThat(AggregateFunctions.known(name)).as(name).isFalse();
    }
  }

  @Test
  void groupsAreNumberedByFirstAppearance() {
    try (UInt8Vector x = new UInt8Vector("x", allocator);
        Groups groups = new Groups(List.of(PlainType.UINT64), allocator)) {
      long[] values = {5, -1, 5, 0, -1};
      for (int row = 0; row < values.length; row++) {
        x.setSafe(row, values[row]);
      }
      x.setValueCount(values.length);
      int[] of = groups.of(List.of(x), values.length);
      assertThat(Arrays.copyOf(of, values.length)).containsExactly(0, 1, 0, 2, 1);
      assertThat(groups.count()).isEqualTo(3);
      assertThat(((UInt8Vector) groups.keys().get(0)).get(1)).isEqualTo(-1);
    }
  }
}
