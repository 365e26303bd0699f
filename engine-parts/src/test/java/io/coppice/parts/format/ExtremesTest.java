package io.coppice.parts.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.bytes.ByteReader;
import io.coppice.base.bytes.ByteWriter;
import io.coppice.language.parse.Parser;
import io.coppice.language.type.DataType;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.StructVector;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What 26.7 wrote into minmax indexes over such rows. */
class ExtremesTest {
  private static final String ONE = "000000000000f03f";
  private static final String NAN = "000000000000f87f";
  private static final String MINUS_NAN = "010000000000f8ff";
  private static final String ZERO = "0000000000000000";
  private static final String MINUS_ZERO = "0000000000000080";

  private static String spelled(String text) {
    return text.replace("MINUS_NAN", MINUS_NAN)
        .replace("MINUS_ZERO", MINUS_ZERO)
        .replace("NAN", NAN)
        .replace("ZERO", ZERO)
        .replace("ONE", ONE)
        .replace(" ", "");
  }

  private static byte[] extremes(DataType type, FieldVector vector, int rows, int granuleRows) {
    Extremes extremes = Extremes.of(type);
    Optional<Extremes.Range> all = Optional.empty();
    for (int from = 0; from < rows; from += granuleRows) {
      Extremes.Range range = extremes.over(vector, from, Math.min(rows, from + granuleRows));
      all = Optional.of(all.isEmpty() ? range : extremes.join(all.get(), range));
    }
    ByteWriter out = new ByteWriter();
    extremes.write(out, all.orElseThrow());
    return out.toByteArray();
  }

  /** Rows in the form of single values, in hexadecimal; a granule, or granules of one row each. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Float64                      | NAN, ONE, NAN               | 3 | ONE ONE
          Float64                      | NAN, ONE, NAN               | 1 | ONE NAN
          Float64                      | MINUS_NAN, MINUS_NAN        | 2 | NAN NAN
          Float64                      | MINUS_ZERO, ZERO            | 2 | ZERO ZERO
          Float64                      | ZERO, MINUS_ZERO            | 2 | MINUS_ZERO MINUS_ZERO
          Float64                      | MINUS_ZERO, ZERO, ZERO      | 1 | ZERO MINUS_ZERO
          Nullable(Float64)            | 01, 00 NAN                  | 2 | 00 NAN 01
          Nullable(Float64)            | 01, 00 NAN                  | 1 | 00 NAN 01
          Nullable(Float64)            | 01, 01                      | 2 | 01 01
          Nullable(Float64)            | 00 ONE, 00 NAN, 01          | 3 | 00 ONE 01
          LowCardinality(Nullable(Int8)) | 0003, 01, 0001            | 3 | 0001 01
          UInt64                       | ffffffffffffffff, 0100000000000000 | 2 | 0100000000000000 ffffffffffffffff
          Int64                        | ffffffffffffffff, 0100000000000000 | 2 | ffffffffffffffff 0100000000000000
          Tuple(Int8, String)          | 01 0161, 02 00              | 2 | 01 00 02 0161
          Tuple(Int8, String)          | 01 0161, 02 00              | 1 | 01 0161 02 00
          Tuple(Int8, Nullable(Int8))  | 01 0002, 01 01, 01 0005     | 3 | 01 0002 01 0005
          Tuple(Int8, Nullable(Int8))  | 01 0002, 01 01, 01 0005     | 1 | 01 01 01 0005
          Tuple(Int8, Nullable(Int8))  | 01 01, 02 01                | 2 | 01 01 02 01
          Tuple(Float64, Int8)         | NAN 02, ONE 01              | 2 | ONE 01 ONE 02
          Array(Nullable(Float64))     | 01 00 NAN, 01 00 ONE, 01 01 | 3 | 01 00 ONE 01 00 NAN
          Array(Nullable(Float64))     | 01 01, 01 00 NAN, 01 00 ONE | 3 | 01 00 ONE 01 01
          Array(Nullable(Float64))     | 01 00 NAN, 01 00 ONE, 01 01 | 1 | 01 01 01 00 NAN
          Array(Float64)               | 01 MINUS_NAN, 01 MINUS_NAN  | 2 | 01 MINUS_NAN 01 MINUS_NAN
          Map(String, Int8)            | 01 0161 02, 00, 01 0161 01  | 3 | 00 01 0161 02
          """)
  void areThoseOfClickHouse(String typeText, String rows, int granuleRows, String expected) {
    DataType type = Parser.type(typeText);
    try (BufferAllocator allocator = new RootAllocator(1 << 20);
        FieldVector vector = TestVectors.of(type, allocator)) {
      List<String> values = List.of(rows.split(","));
      SingleValue single = SingleValue.of(type, vector);
      for (int row = 0; row < values.size(); row++) {
        byte[] bytes = HexFormat.of().parseHex(spelled(values.get(row)));
        single.read(new ByteReader(bytes, "row"), row);
        if (vector instanceof StructVector struct) {
          struct.setIndexDefined(row);
        }
      }
      vector.setValueCount(values.size());
      byte[] found = extremes(type, vector, values.size(), granuleRows);
      assertThat(HexFormat.of().formatHex(found)).isEqualTo(spelled(expected));
    }
  }
}
