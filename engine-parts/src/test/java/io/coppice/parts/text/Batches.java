package io.coppice.parts.text;

import io.coppice.fixtures.Column;
import io.coppice.parts.column.Defaults;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** What the tests of formats do with batches. */
final class Batches {
  /** Every type that is read and written, by itself and in others. */
  static final List<String> TYPES =
      List.of(
          "UInt8",
          "UInt16",
          "UInt32",
          "UInt64",
          "UInt128",
          "UInt256",
          "Int8",
          "Int16",
          "Int32",
          "Int64",
          "Int128",
          "Int256",
          "Float32",
          "Float64",
          "BFloat16",
          "Bool",
          "Decimal(9, 4)",
          "Decimal(18, 0)",
          "Decimal(38, 19)",
          "Decimal(76, 38)",
          "String",
          "FixedString(5)",
          "Date",
          "Date32",
          "DateTime",
          "DateTime('Europe/Berlin')",
          "DateTime64(0)",
          "DateTime64(3)",
          "DateTime64(5)",
          "DateTime64(6, 'America/New_York')",
          "DateTime64(9)",
          "Time",
          "Time64(3)",
          "Time64(9)",
          "UUID",
          "IPv4",
          "IPv6",
          "Enum8('a' = -1, 'b\\'\\n' = 2)",
          "Enum16('x' = -300, 'größe' = 0, 'z\"' = 32767)",
          "IntervalDay",
          "Nullable(UInt8)",
          "Nullable(String)",
          "Nullable(Decimal(38, 10))",
          "Nullable(DateTime64(3))",
          "Nullable(UUID)",
          "Nullable(Bool)",
          "Nullable(Float64)",
          "Nullable(Enum8('a' = 1))",
          "LowCardinality(String)",
          "LowCardinality(Nullable(String))",
          "LowCardinality(UInt64)",
          "Array(UInt8)",
          "Array(String)",
          "Array(Nullable(String))",
          "Array(Array(DateTime))",
          "Array(LowCardinality(String))",
          "Array(Bool)",
          "Array(Float32)",
          "Array(IPv6)",
          "Array(UUID)",
          "Array(Enum8('a\\\\b' = 1, 'c' = 2))",
          "Array(Decimal(9, 2))",
          "Array(Time64(3))",
          "Array(Tuple(UInt8, String))",
          "Array(Tuple(a Nullable(Int32), b Array(String)))",
          "Tuple(UInt8, String)",
          "Tuple(a UInt8, `b c` String, d Tuple(e Date, f Array(Int8)))",
          "Tuple(Nullable(String))",
          "Map(String, UInt64)",
          "Map(UInt8, Array(String))",
          "Map(Date, Nullable(Float64))",
          "Map(LowCardinality(String), Tuple(UInt8, String))",
          "Array(Map(String, String))",
          "Point",
          "Ring",
          "Polygon",
          "SimpleAggregateFunction(sum, UInt64)");

  private Batches() {}

  static List<Column> columns(List<String> types) {
    return java.util.stream.IntStream.range(0, types.size())
        .mapToObj(i -> Column.of("c" + i, types.get(i)))
        .toList();
  }

  static String createSql(List<Column> columns) {
    return columns.stream()
        .map(Column::definition)
        .collect(
            Collectors.joining(", ", "CREATE TABLE t (", ") ENGINE = MergeTree ORDER BY tuple()"));
  }

  static TableDefinition table(String createSql) {
    return TableDefinition.parse(createSql, Profile.MODERN);
  }

  static byte[] write(DataFormat format, VectorSchemaRoot batch, BufferAllocator allocator)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (BatchWriter writer =
        BatchWriter.open(format, out, batch.getSchema(), ZoneOffset.UTC, allocator)) {
      writer.write(batch);
    }
    return out.toByteArray();
  }

  /** Reads an input and writes it again in another format. */
  static byte[] convert(
      DataFormat from,
      byte[] input,
      DataFormat to,
      TableDefinition table,
      BatchReader.Options options,
      BufferAllocator allocator)
      throws IOException {
    return convert(from, input, to, table, options, false, allocator);
  }

  /** As the other, where {@code filled} with what a builder fills in for rows that say nothing. */
  static byte[] convert(
      DataFormat from,
      byte[] input,
      DataFormat to,
      TableDefinition table,
      BatchReader.Options options,
      boolean filled,
      BufferAllocator allocator)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (BatchReader reader =
        BatchReader.open(
            from, new ByteArrayInputStream(input), "input", table, options, allocator)) {
      BatchWriter writer = null;
      for (Optional<VectorSchemaRoot> next = reader.next();
          next.isPresent();
          next = reader.next()) {
        try (VectorSchemaRoot batch = filled ? whole(next.get(), table, allocator) : next.get()) {
          if (writer == null) {
            writer = BatchWriter.open(to, out, batch.getSchema(), options.zone(), allocator);
          }
          writer.write(batch);
        }
      }
      if (writer != null) {
        writer.close();
      }
    }
    return out.toByteArray();
  }

  /** A batch without any column, whose rows a builder would fill, as it would fill them. */
  private static VectorSchemaRoot whole(
      VectorSchemaRoot batch, TableDefinition table, BufferAllocator allocator) {
    if (!batch.getFieldVectors().isEmpty()) {
      return batch;
    }
    List<FieldVector> vectors = new ArrayList<>();
    for (ColumnDefinition column : table.storedColumns()) {
      FieldVector vector = ArrowMapping.field(column.name(), column.type()).createVector(allocator);
      Defaults.of(column.type()).appendMissing(vector, 0, batch.getRowCount());
      Vectors.finish(vector, batch.getRowCount());
      vectors.add(vector);
    }
    return new VectorSchemaRoot(
        vectors.stream().map(FieldVector::getField).toList(), vectors, batch.getRowCount());
  }

  /**
   * Whether every value of a type comes back out of a format: JSON has no NaN, as one object
   * nothing but UTF-8, TSVRaw no escapes.
   */
  static boolean lossless(DataFormat format, String type) {
    boolean floats = type.contains("Float") || type.matches("Point|Ring|Polygon");
    boolean texts = type.contains("String") || type.contains("Enum");
    boolean json =
        format.family() == DataFormat.Family.JSON_ROWS
            || format.family() == DataFormat.Family.JSON_WHOLE;
    return format.input()
        && !(json && floats)
        && !(format.family() == DataFormat.Family.JSON_WHOLE && texts)
        && !(format.family() == DataFormat.Family.RAW && texts);
  }
}
