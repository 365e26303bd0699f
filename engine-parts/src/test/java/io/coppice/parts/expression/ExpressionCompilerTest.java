package io.coppice.parts.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.parse.Parser;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.TypedExpression.FunctionResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;

class ExpressionCompilerTest {
  private static final Map<String, DataType> SCHEMA =
      Map.of(
          "d",
          PlainType.DATE,
          "u",
          PlainType.UINT8,
          "n",
          new NullableType(PlainType.INT32),
          "s",
          PlainType.STRING,
          "t",
          Parser.type("DateTime('Europe/Berlin')"),
          "tup",
          Parser.type("Tuple(a UInt8, b String)"));

  private static TypedExpression compile(String text) {
    return ExpressionCompiler.of(SCHEMA).compile(Parser.expression(text));
  }

  private static Values texts(DataType type, String... values) {
    Values.StringsBuilder out = new Values.StringsBuilder(values.length);
    for (String value : values) {
      out.add(value.getBytes(StandardCharsets.UTF_8));
    }
    Function.Call call = new Function.Call("test", List.of(), "UTC");
    return Conversions.convert(out.build(null), PlainType.STRING, type, call, values.length);
  }

  /** A batch over columns given as text, in the Arrow form of their types. */
  private static VectorSchemaRoot batch(
      BufferAllocator allocator, Map<String, DataType> types, Map<String, Values> columns) {
    List<FieldVector> vectors = new ArrayList<>();
    int[] rows = new int[1];
    types.forEach(
        (name, type) -> {
          Values values = columns.get(name);
          rows[0] = values.size();
          FieldVector vector =
              io.coppice.parts.table.ArrowMapping.field(name, type).createVector(allocator);
          ArrowValues.write(values, type, vector, values.size());
          vectors.add(vector);
        });
    return new VectorSchemaRoot(
        vectors.stream().map(FieldVector::getField).toList(), vectors, rows[0]);
  }

  @Test
  void aKeyExpressionIsEvaluatedIntoAVectorOfItsType() {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot batch =
            batch(
                allocator,
                Map.of("d", PlainType.DATE),
                Map.of("d", texts(PlainType.DATE, "2020-02-03", "1999-12-31")));
        FieldVector months = compile("toYYYYMM(d)").evaluate(batch, allocator)) {
      assertThat(months).isInstanceOf(UInt4Vector.class);
      assertThat(months.getObject(0)).isEqualTo(202002);
      assertThat(months.getObject(1)).isEqualTo(199912);
      assertThat(months.getField().getMetadata()).containsEntry("clickhouse.type", "UInt32");
    }
  }

  @Test
  void constantsAndNullsFillAWholeVector() {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot batch =
            batch(
                allocator,
                Map.of("u", PlainType.UINT8),
                Map.of("u", texts(PlainType.UINT8, "1", "2", "3")));
        FieldVector sum = compile("u + 1").evaluate(batch, allocator);
        FieldVector constant = compile("1 = 1 AND true").evaluate(batch, allocator);
        FieldVector nulls = compile("if(u > 1, u, NULL)").evaluate(batch, allocator);
        FieldVector bool = compile("CAST(u - 1, 'Bool')").evaluate(batch, allocator)) {
      assertThat(sum).isInstanceOf(UInt2Vector.class);
      assertThat(sum.getValueCount()).isEqualTo(3);
      assertThat(constant.getValueCount()).isEqualTo(3);
      assertThat(nulls.isNull(0)).isTrue();
      assertThat(nulls.isNull(2)).isFalse();
      assertThat(((BitVector) bool).get(0)).isZero();
      assertThat(((BitVector) bool).get(2)).isOne();
    }
  }

  @Test
  void everyTypeGoesThroughArrowUnchanged() {
    Map<String, String[]> columns = new LinkedHashMap<>();
    columns.put("UInt8", new String[] {"0", "255"});
    columns.put("UInt64", new String[] {"0", "18446744073709551615"});
    columns.put("Int16", new String[] {"-32768", "32767"});
    columns.put("Int128", new String[] {"-1", "170141183460469231731687303715884105727"});
    columns.put("UInt256", new String[] {"0", "1157920892373161954235709850086879078532699846"});
    columns.put("Float32", new String[] {"-0.5", "1e10"});
    columns.put("Float64", new String[] {"nan", "-inf"});
    columns.put("BFloat16", new String[] {"1.5", "-2"});
    columns.put("Bool", new String[] {"true", "false"});
    columns.put("Decimal(9, 2)", new String[] {"-1.5", "1234567.89"});
    columns.put("Decimal(38, 3)", new String[] {"-0.001", "123456789012345678.9"});
    columns.put("Decimal(76, 5)", new String[] {"-0.00001", "12345678901234567890123456789.5"});
    columns.put("String", new String[] {"", "Ünï"});
    columns.put("FixedString(3)", new String[] {"abc", "x"});
    columns.put("Date", new String[] {"1970-01-01", "2149-06-06"});
    columns.put("Date32", new String[] {"1900-01-01", "2299-12-31"});
    columns.put(
        "DateTime('Asia/Tokyo')", new String[] {"2020-01-01 00:00:00", "2106-02-07 00:00:00"});
    columns.put(
        "DateTime64(3)", new String[] {"1969-12-31 23:59:59.999", "2020-01-01 00:00:00.001"});
    columns.put(
        "DateTime64(5)", new String[] {"1969-12-31 23:59:59.99999", "2020-01-01 00:00:00.00001"});
    columns.put(
        "DateTime64(9)",
        new String[] {"2000-01-01 00:00:00.123456789", "2020-01-01 00:00:00.000000001"});
    columns.put("Time", new String[] {"-01:02:03", "999:59:59"});
    columns.put(
        "UUID",
        new String[] {
          "61f0c404-5cb3-11e7-907b-a6006ad3dba0", "00000000-0000-0000-0000-000000000001"
        });
    columns.put("IPv4", new String[] {"255.1.2.3", "0.0.0.1"});
    columns.put("IPv6", new String[] {"::1", "2001:db8::ff"});
    columns.put("Enum16('a' = -300, 'b' = 2)", new String[] {"a", "b"});
    columns.forEach(
        (text, values) -> {
          DataType plain = Parser.type(text);
          for (DataType type : List.of(plain, new NullableType(plain))) {
            Values written = texts(plain, values);
            if (type != plain) {
              written = written.withNulls(new boolean[] {true, false});
            }
            try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot batch = batch(allocator, Map.of("x", type), Map.of("x", written));
                FieldVector tupled =
                    ExpressionCompiler.of(Map.of("x", type))
                        .compile(Parser.expression("([x, x][2], x).2"))
                        .evaluate(batch, allocator)) {
              assertThat(printed(ArrowValues.read(batch.getVector("x"), type), type))
                  .as(type.text())
                  .isEqualTo(printed(written, type));
              assertThat(printed(ArrowValues.read(tupled, type), type))
                  .isEqualTo(printed(written, type));
            }
          }
        });
  }

  @Test
  void arraysTuplesAndMapsGoThroughArrow() {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot batch =
            batch(
                allocator,
                Map.of("u", PlainType.UINT8),
                Map.of("u", texts(PlainType.UINT8, "1", "2", "3")))) {
      for (String text :
          List.of("[u, 7]", "(u, [u])", "map('k', u)", "[(u, 'x')]", "[[u], []]", "[u, NULL]")) {
        TypedExpression expression = compile(text);
        try (FieldVector vector = expression.evaluate(batch, allocator)) {
          Values direct = expression.values(new TypedExpression.Batch(batch));
          assertThat(printed(ArrowValues.read(vector, expression.type()), expression.type()))
              .as(text)
              .isEqualTo(printed(direct.full(3), expression.type()));
        }
      }
    }
  }

  private static List<String> printed(Values values, DataType type) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      StringBuilder out = new StringBuilder();
      ValueText.print(values, i, type, "UTC", out);
      texts.add(out.toString());
    }
    return texts;
  }

  @Test
  void aFilterSelectsTheRowsThatAreTrue() {
    Map<String, DataType> types = Map.of("n", new NullableType(PlainType.INT32));
    Values values =
        texts(PlainType.INT32, "1", "2", "3").withNulls(new boolean[] {false, true, false});
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot batch = batch(allocator, types, Map.of("n", values))) {
      assertThat(compile("n > 0").filter(batch).stream()).containsExactly(0, 2);
      assertThat(compile("n IS NULL").filter(batch).stream()).containsExactly(1);
      assertThat(compile("NOT (n IN (3, 4))").filter(batch).stream()).containsExactly(0);
      assertThat(compile("NULL").filter(batch).stream()).isEmpty();
      assertThat(compile("1").filter(batch).stream()).containsExactly(0, 1, 2);
    }
  }

  @Test
  void constantsAreFoldedAndTextsAreCanonical() {
    assertThat(compile("toYYYYMM(toDate('2020-02-03')) + 1").constantValue()).isPresent();
    assertThat(compile("u+1").text()).isEqualTo(compile("plus(u, 1)").text());
    assertThat(compile("tup.b").type()).isEqualTo(PlainType.STRING);
    assertThat(compile("(u, d)").columns()).containsExactly("u", "d");
  }

  @Test
  void errorsSayWhatIsUnknownAndWhatIsMissing() {
    assertThatThrownBy(() -> compile("toYYYYMMM(d)"))
        .isInstanceOfSatisfying(
            EngineException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_FUNCTION))
        .hasMessageContaining("perhaps toYYYYMM");
    assertThatThrownBy(() -> compile("sum(u)")).hasMessageContaining("aggregate");
    assertThatThrownBy(() -> compile("geoDistance(u, u, u, u)"))
        .hasMessageContaining("not supported yet");
    assertThatThrownBy(() -> compile("x + 1")).hasMessageContaining("unknown column x");
    assertThatThrownBy(
            () -> ExpressionCompiler.of(SCHEMA).forKeys().compile(Parser.expression("u + rand()")))
        .hasMessageContaining("key");
    assertThatThrownBy(() -> compile("match(s, '(')")).hasMessageContaining("regular expression");
  }

  @Test
  void aHostileRegularExpressionEndsInAnError() {
    TypedExpression expression =
        ExpressionCompiler.of(SCHEMA).compile(Parser.expression("match(s, '(.*a){20}b')"));
    Values values = texts(PlainType.STRING, "a".repeat(60));
    assertThatThrownBy(() -> expression.values(new TypedExpression.Batch(Map.of("s", values), 1)))
        .isInstanceOf(EngineException.class);
  }

  @Test
  void functionsTellWhereTheyAreMonotonic() {
    Optional<Values> none = Optional.empty();
    assertThat(on("toYYYYMM(d)", none, none)).isEqualTo(Monotonicity.INCREASING);
    assertThat(on("intDiv(n, 10)", none, none)).isEqualTo(Monotonicity.INCREASING);
    assertThat(on("intDiv(n, -10)", none, none)).isEqualTo(Monotonicity.DECREASING);
    assertThat(on("-n", longs(-5), longs(5)).increasing()).isFalse();
    assertThat(on("toMonth(d)", longs(0), longs(20)).monotonic()).isTrue();
    assertThat(on("toMonth(d)", longs(0), longs(400)).monotonic()).isFalse();
    assertThat(on("toUInt8(n)", longs(0), longs(255)).monotonic()).isTrue();
    assertThat(on("toUInt8(n)", longs(0), longs(256)).monotonic()).isFalse();
    assertThat(on("u - 1", none, none).increasing()).isTrue();
    assertThat(on("10 - u", none, none)).isEqualTo(Monotonicity.DECREASING);
    assertThat(on("u % 3", none, none)).isEqualTo(Monotonicity.NONE);
    FunctionResult months = (FunctionResult) compile("toYYYYMM(d)");
    assertThat(((Values.Longs) months.apply(longs(31).orElseThrow())).values)
        .containsExactly(197002);
  }

  private static Optional<Values> longs(long value) {
    return Optional.of(Values.Longs.constant(value));
  }

  private static Monotonicity on(String text, Optional<Values> low, Optional<Values> high) {
    return ((FunctionResult) compile(text)).monotonicity(low, high);
  }
}
