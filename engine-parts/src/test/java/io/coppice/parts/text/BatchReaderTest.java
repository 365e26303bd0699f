package io.coppice.parts.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.fixtures.Column;
import io.coppice.fixtures.RandomData;
import io.coppice.parts.table.TableDefinition;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BatchReaderTest {
  private static final long SEED = Long.getLong("coppice.seed", 42L);

  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingIsLeftAllocated() {
    allocator.close();
  }

  private static TableDefinition table(String columns) {
    return Batches.table("CREATE TABLE t (" + columns + ") ENGINE = MergeTree ORDER BY tuple()");
  }

  private String read(DataFormat format, String columns, String input) throws IOException {
    return read(format, columns, input, BatchReader.Options.DEFAULT);
  }

  private String read(DataFormat format, String columns, String input, BatchReader.Options options)
      throws IOException {
    byte[] bytes = input.getBytes(StandardCharsets.UTF_8);
    return new String(
        Batches.convert(
            format, bytes, DataFormat.TSV_WITH_NAMES, table(columns), options, allocator),
        StandardCharsets.UTF_8);
  }

  private void refused(
      DataFormat format, String columns, String input, ErrorCode code, String... words) {
    assertThatThrownBy(() -> read(format, columns, input))
        .isInstanceOfSatisfying(
            EngineException.class,
            e -> {
              assertThat(e.code()).as(e.getMessage()).isEqualTo(code);
              assertThat(e.getMessage()).startsWith("input, line ").contains(words);
            });
  }

  @Test
  void everyTypeSurvivesEveryFormat() throws IOException {
    int rows = 0;
    for (String type : Batches.TYPES) {
      List<Column> columns = List.of(Column.of("n", "UInt32"), Column.of("c", type));
      TableDefinition table = Batches.table(Batches.createSql(columns));
      RandomData random = new RandomData(SEED + type.hashCode()).withoutLongStrings();
      try (VectorSchemaRoot batch = random.batch(columns, 100, allocator)) {
        byte[] expected = Batches.write(DataFormat.TSV, batch, allocator);
        for (DataFormat format : DataFormat.values()) {
          if (format.wholeFile() || !Batches.lossless(format, type)) {
            continue;
          }
          byte[] written = Batches.write(format, batch, allocator);
          byte[] again =
              Batches.convert(
                  format,
                  written,
                  DataFormat.TSV,
                  table,
                  new BatchReader.Options(ZoneOffset.UTC, 33, false),
                  allocator);
          assertThat(again).as("%s in %s, seed %d", type, format, SEED).isEqualTo(expected);
          rows += 100;
        }
      }
    }
    System.out.printf(
        "formats: seed %d, %d types in %d formats, %d rows%n",
        SEED, Batches.TYPES.size(), DataFormat.values().length, rows);
  }

  @Test
  void whatARowLacksIsFilledFromItsDefault() throws IOException {
    String columns = "a UInt8, b UInt8 DEFAULT a + 1, c String DEFAULT concat('c', toString(b))";
    assertThat(
            read(
                DataFormat.JSON_EACH_ROW,
                columns,
                "{\"a\":1}\n{\"a\":2,\"b\":9}\n{\"a\":3,\"c\":\"x\"}\n{\"b\":null,\"a\":4}"))
        .isEqualTo("a\tb\tc\n1\t2\tc2\n2\t9\tc9\n3\t4\tx\n4\t5\tc5\n");
    assertThat(read(DataFormat.CSV, columns, "1,,\n2,9,\n,,x\n"))
        .isEqualTo("a\tb\tc\n1\t2\tc2\n2\t9\tc9\n0\t1\tx\n");
    assertThat(read(DataFormat.TSV, columns, "1\t\\N\t\\N\n2\t9\t\n"))
        .isEqualTo("a\tb\tc\n1\t2\tc2\n2\t9\t\n");
    assertThat(read(DataFormat.JSON_EACH_ROW, "a UInt8, e Enum8('x' = 3, 'y' = 5)", "{}"))
        .as("a row that says nothing is one without columns, which the builder fills")
        .isEqualTo("\n\n");
  }

  @Test
  void namesDecideWhereAFieldGoesAndAPlainInputMayBeginWithThem() throws IOException {
    assertThat(read(DataFormat.TSV_WITH_NAMES, "a UInt8, b String", "b\ta\nx\t1\n"))
        .isEqualTo("b\ta\nx\t1\n");
    assertThat(read(DataFormat.TSV, "a UInt8, b String", "b\ta\nx\t1\n")).isEqualTo("b\ta\nx\t1\n");
    assertThat(read(DataFormat.CSV, "a UInt8, b String", "\"b\",\"a\"\nx,1\n"))
        .isEqualTo("b\ta\nx\t1\n");
    assertThat(read(DataFormat.CSV, "a String, b String", "b,b2\n")).isEqualTo("a\tb\nb\tb2\n");
    assertThat(
            read(
                DataFormat.TSV_WITH_NAMES_AND_TYPES,
                "a UInt8, b String",
                "b\ta\nString\tUInt8\nx\t1\n"))
        .isEqualTo("b\ta\nx\t1\n");
    refused(
        DataFormat.TSV_WITH_NAMES_AND_TYPES,
        "a UInt8, b String",
        "b\ta\nString\tUInt16\nx\t1\n",
        ErrorCode.INCORRECT_DATA,
        "UInt16",
        "UInt8");
    refused(
        DataFormat.TSV_WITH_NAMES, "a UInt8", "a\ta\n1\t1\n", ErrorCode.DUPLICATE_COLUMN, "twice");
  }

  @Test
  void theElementsOfATupleAreFieldsOfCsv() throws IOException {
    String columns = "a UInt8, t Tuple(x UInt8, y Tuple(String, Array(UInt8)))";
    String row = "1\t(2,('s',[3]))\n";
    assertThat(read(DataFormat.CSV, columns, "1,2,s,\"[3]\"\n")).isEqualTo("a\tt\n" + row);
    assertThat(read(DataFormat.CSV_WITH_NAMES, columns, "a,t\n1,2,s,\"[3]\"\n"))
        .isEqualTo("a\tt\n" + row);
    assertThat(read(DataFormat.CSV_WITH_NAMES, columns, "t.y.2,t.y.1,a,t.x\n\"[3]\",s,1,2\n"))
        .isEqualTo("t\ta\n(2,('s',[3]))\t1\n");
    assertThat(read(DataFormat.CSV_WITH_NAMES, columns, "t.x,a\n2,1\n"))
        .isEqualTo("t\ta\n(2,('',[]))\t1\n");
  }

  @Test
  void unknownColumnsAreRefusedUnlessTheyAreToBePassedOver() throws IOException {
    refused(
        DataFormat.CSV_WITH_NAMES,
        "a UInt8",
        "a,z\n1,2\n",
        ErrorCode.NO_SUCH_COLUMN_IN_TABLE,
        "line 1",
        "column z");
    refused(
        DataFormat.JSON_EACH_ROW,
        "a UInt8",
        "{\"a\":1}\n\n{\"z\":1}",
        ErrorCode.NO_SUCH_COLUMN_IN_TABLE,
        "line 3",
        "column z");
    refused(
        DataFormat.JSON_EACH_ROW,
        "a UInt8, m UInt8 MATERIALIZED a",
        "{\"m\":1}",
        ErrorCode.ILLEGAL_COLUMN,
        "computed");
    BatchReader.Options skip = new BatchReader.Options(ZoneOffset.UTC, 10, true);
    assertThat(read(DataFormat.CSV_WITH_NAMES, "a UInt8", "z,a\n\"x,\ny\",1\n", skip))
        .isEqualTo("a\n1\n");
    assertThat(
            read(
                DataFormat.JSON_EACH_ROW,
                "a UInt8",
                "{\"z\":{\"q\":[1,{\"}\":\"]\\\"\"}]},\"a\":1,\"y\":null}",
                skip))
        .isEqualTo("a\n1\n");
  }

  @Test
  void timesBeyondTheirTypeBecomeItsFirstOrLast() throws IOException {
    String columns = "a Date, b Date32, c DateTime('UTC')";
    String first = "1970-01-01\t1900-01-01\t1970-01-01 00:00:00\n";
    String last = "2149-06-06\t2299-12-31\t2106-02-07 06:28:15\n";
    String names = "a\tb\tc\n";
    assertThat(read(DataFormat.TSV, columns, "1960-01-01\t1800-01-01\t1960-01-01 00:00:00\n"))
        .isEqualTo(names + first);
    assertThat(read(DataFormat.CSV, columns, "2200-01-01,2400-01-01,2200-01-01 00:00:00\n"))
        .isEqualTo(names + last);
    assertThat(
            read(
                DataFormat.JSON_EACH_ROW,
                columns,
                "{\"a\":\"2200-01-01\",\"b\":\"2400-01-01\",\"c\":4294967296}"))
        .isEqualTo(names + last);
    assertThat(
            read(
                DataFormat.TSV,
                "a Date, b Date32",
                "2024-02-31\t2023-02-29\n20240230\t2024-13-01\n"))
        .isEqualTo("a\tb\n2024-03-02\t2023-03-01\n2024-03-01\t1970-01-01\n");
  }

  @Test
  void whatDoesNotFitIsNamedByLineColumnAndField() {
    refused(
        DataFormat.TSV,
        "a UInt8, b Int8",
        "1\t2\n3\t-129\n",
        ErrorCode.VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE,
        "line 2, column 3, b Int8",
        "'-129'");
    refused(
        DataFormat.TSV,
        "a UInt8",
        "1\n-1\n",
        ErrorCode.VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE,
        "line 2");
    refused(DataFormat.TSV, "a UInt8", "1\nx\n", ErrorCode.CANNOT_PARSE_NUMBER, "line 2", "'x'");
    refused(
        DataFormat.TSV,
        "a UInt64",
        "18446744073709551616\n",
        ErrorCode.VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE,
        "UInt64");
    refused(DataFormat.TSV, "a Float64", "1e5x\n", ErrorCode.CANNOT_PARSE_NUMBER, "a number");
    refused(DataFormat.TSV, "a Float64", "1d\n", ErrorCode.CANNOT_PARSE_NUMBER, "'1d'");
    refused(
        DataFormat.TSV,
        "a Decimal(9, 2)",
        "12345678.9\n",
        ErrorCode.ARGUMENT_OUT_OF_BOUND,
        "Decimal(9, 2)");
    refused(
        DataFormat.TSV,
        "a Decimal(9, 2)",
        "1e999999999\n",
        ErrorCode.ARGUMENT_OUT_OF_BOUND,
        "Decimal(9, 2)");
    refused(DataFormat.TSV, "a Date", "2024-02-3x\n", ErrorCode.CANNOT_PARSE_DATE, "2024-02-3x");
    refused(
        DataFormat.TSV, "a DateTime", "yesterday\n", ErrorCode.CANNOT_PARSE_DATETIME, "yesterday");
    refused(
        DataFormat.TSV,
        "a DateTime64(9)",
        "2299-01-01 00:00:00\n",
        ErrorCode.DECIMAL_OVERFLOW,
        "64 bits");
    refused(DataFormat.TSV, "a UUID", "x\n", ErrorCode.CANNOT_PARSE_UUID, "a UUID");
    refused(DataFormat.TSV, "a IPv4", "1.2.3.256\n", ErrorCode.CANNOT_PARSE_IPV4, "1.2.3.256");
    refused(DataFormat.TSV, "a IPv6", "1::2::3\n", ErrorCode.CANNOT_PARSE_IPV6, "1::2::3");
    refused(
        DataFormat.TSV,
        "a Enum8('x' = 1)",
        "y\n",
        ErrorCode.UNKNOWN_ELEMENT_OF_ENUM,
        "Enum8('x' = 1)");
    refused(
        DataFormat.TSV,
        "a FixedString(2)",
        "abc\n",
        ErrorCode.TOO_LARGE_STRING_SIZE,
        "at most 2 bytes");
    refused(
        DataFormat.TSV,
        "a Array(UInt8)",
        "[1,2\n",
        ErrorCode.CANNOT_PARSE_INPUT_ASSERTION_FAILED,
        "end of the array");
    refused(
        DataFormat.JSON_EACH_ROW,
        "a UInt8",
        "{\"a\":1}\n{\"a\":\n  x}\n",
        ErrorCode.CANNOT_PARSE_INPUT_ASSERTION_FAILED,
        "line 3, column 3, a",
        "'x");
  }

  @Test
  void brokenRowsAreNamed() {
    refused(
        DataFormat.TSV,
        "a UInt8, b UInt8",
        "1\t2\n3\n",
        ErrorCode.INCORRECT_DATA,
        "line 2",
        "1 fields");
    refused(
        DataFormat.TSV,
        "a UInt8",
        "1\n1\t2\n",
        ErrorCode.INCORRECT_DATA,
        "line 2",
        "more than the 1");
    refused(DataFormat.TSV, "a UInt8", "1\r\n2\r\n", ErrorCode.INCORRECT_DATA, "carriage return");
    refused(DataFormat.CSV, "a String", "\"x\n", ErrorCode.INCORRECT_DATA, "closing double quote");
    refused(DataFormat.CSV, "a String", "\"x\"y\n", ErrorCode.INCORRECT_DATA, "behind a quoted");
    refused(DataFormat.JSON_EACH_ROW, "a UInt8", "{\"a\":1", ErrorCode.INCORRECT_DATA, "the end");
    refused(DataFormat.JSON_EACH_ROW, "a UInt8", "[1]", ErrorCode.INCORRECT_DATA, "an object");
    refused(
        DataFormat.JSON_EACH_ROW,
        "a UInt8",
        "[{\"a\":1}",
        ErrorCode.INCORRECT_DATA,
        "inside its array");
    refused(
        DataFormat.JSON_EACH_ROW,
        "a UInt8",
        "{\"a\":1,\"a\":2}",
        ErrorCode.INCORRECT_DATA,
        "twice");
    refused(
        DataFormat.JSON_EACH_ROW,
        "a UInt8",
        "{\"a\":" + "[".repeat(2000),
        ErrorCode.INCORRECT_DATA,
        "nested deeper");
  }

  @Test
  void linesMayEndInManyWays() throws IOException {
    assertThat(read(DataFormat.TSV, "a UInt8", "1\n2")).isEqualTo("a\n1\n2\n");
    assertThat(read(DataFormat.CSV, "a UInt8, b String", "1,x\r\n2,\"y\"\r\n3,z"))
        .isEqualTo("a\tb\n1\tx\n2\ty\n3\tz\n");
    assertThat(read(DataFormat.CSV, "a UInt8", "\uFEFF7\n")).isEqualTo("a\n7\n");
    assertThat(read(DataFormat.JSON_EACH_ROW, "a UInt8", " [ {\"a\":1} , {\"a\":2} ] \n"))
        .isEqualTo("a\n1\n2\n");
    for (DataFormat format : DataFormat.values()) {
      boolean arrow = format == DataFormat.ARROW || format == DataFormat.ARROW_STREAM;
      if (format == DataFormat.JSON_COMPACT) {
        refused(
            format,
            "a UInt8",
            "",
            ErrorCode.CANNOT_PARSE_INPUT_ASSERTION_FAILED,
            "expected an object with columns");
      } else if (format.input() && !arrow && !format.wholeFile()) {
        assertThat(read(format, "a UInt8", "")).isEmpty();
      }
    }
  }

  @Test
  void timesWithoutAZoneAreInTheZoneAsked() throws IOException {
    BatchReader.Options berlin = new BatchReader.Options(ZoneId.of("Europe/Berlin"), 10, false);
    assertThat(
            read(
                DataFormat.JSON_EACH_ROW,
                "a DateTime, b DateTime('UTC') DEFAULT toDateTime(toUnixTimestamp(a), 'UTC')",
                "{\"a\":\"2024-07-01 12:00:00\"}",
                berlin))
        .contains("2024-07-01 12:00:00");
    assertThat(read(DataFormat.TSV, "a DateTime('Asia/Tokyo')", "2024-01-01 00:00:00Z\n"))
        .isEqualTo("a\n2024-01-01 09:00:00\n");
  }

  /** Gives the bytes one read at a time of a few bytes, as a slow pipe does. */
  private static InputStream slow(byte[] bytes, Random random) {
    return new ByteArrayInputStream(bytes) {
      @Override
      public synchronized int read(byte[] to, int offset, int length) {
        return super.read(to, offset, Math.min(length, 1 + random.nextInt(7)));
      }
    };
  }

  @Test
  void howTheInputIsCutDoesNotMatter() throws IOException {
    Random random = new Random(SEED);
    List<Column> columns =
        List.of(
            Column.of("s", "String"),
            Column.of("t", "Tuple(a Array(String), b Nullable(String))"),
            Column.of("m", "Map(String, String)"));
    TableDefinition table = Batches.table(Batches.createSql(columns));
    try (VectorSchemaRoot batch = new RandomData(SEED).batch(columns, 300, allocator)) {
      for (DataFormat format :
          List.of(DataFormat.TSV, DataFormat.CSV_WITH_NAMES, DataFormat.JSON_EACH_ROW)) {
        byte[] bytes = Batches.write(format, batch, allocator);
        int rows = 0;
        try (BatchReader reader =
            BatchReader.open(
                format,
                slow(bytes, random),
                "slow",
                table,
                new BatchReader.Options(ZoneOffset.UTC, 7, false),
                allocator)) {
          for (Optional<VectorSchemaRoot> next = reader.next();
              next.isPresent();
              next = reader.next()) {
            try (VectorSchemaRoot read = next.get()) {
              assertThat(read.getRowCount()).isBetween(1, 7);
              rows += read.getRowCount();
            }
          }
        }
        assertThat(rows).as("%s, seed %d", format, SEED).isEqualTo(300);
      }
    }
  }

  @Test
  void damagedInputIsReadOrRefusedAndNothingElse() throws IOException {
    Random random = new Random(SEED);
    int refused = 0;
    int read = 0;
    List<Column> columns = Batches.columns(Batches.TYPES);
    TableDefinition table = Batches.table(Batches.createSql(columns));
    try (VectorSchemaRoot batch =
        new RandomData(SEED).withoutLongStrings().batch(columns, 5, allocator)) {
      List<DataFormat> inputs =
          java.util.Arrays.stream(DataFormat.values())
              .filter(format -> format.input() && !format.wholeFile())
              .toList();
      for (DataFormat format : inputs) {
        byte[] whole = Batches.write(format, batch, allocator);
        for (int i = 0; i < 400; i++) {
          byte[] bytes = whole.clone();
          if (i % 2 == 0) {
            bytes = java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length));
          } else {
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
              bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
          }
          try {
            Batches.convert(
                format, bytes, DataFormat.TSV, table, BatchReader.Options.DEFAULT, allocator);
            read++;
          } catch (EngineException e) {
            refused++;
          }
        }
      }
    }
    System.out.printf(
        "formats: seed %d, damaged inputs: %d refused, %d read, none else%n", SEED, refused, read);
    assertThat(refused).isGreaterThan(500);
  }
}
