package io.coppice.parts.peer;

import io.coppice.fixtures.Column;
import io.coppice.fixtures.Golden;
import io.coppice.fixtures.RandomSchemas;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The tables of {@link RandomSchemas} with all that decides what a part looks like: settings, skip
 * indexes of all kinds, keys that go down, are NULL or nested, partition keys of all types,
 * MATERIALIZED columns. Equal seeds give equal tables.
 */
final class RandomTables {
  /**
   * A table.
   *
   * @param columns those to be filled, in the order of SELECT *
   * @param create the CREATE TABLE statement with a mark in place of the name
   * @param hashedNames whether names of files may be hashed
   */
  record Table(List<Column> columns, String create, boolean hashedNames) {
    String createSql(String name) {
      return create.replace("\0TABLE\0", name);
    }
  }

  private static final List<String> PARTITION_18 =
      List.of(
          "UInt8",
          "UInt16",
          "UInt32",
          "UInt64",
          "Int8",
          "Int16",
          "Int32",
          "Int64",
          "String",
          "FixedString(4)",
          "Date",
          "DateTime",
          "UUID",
          "Enum8('a' = 1, 'b' = -2)",
          "Enum16('x' = 1000, 'y' = -1)",
          "Decimal(9, 2)");

  private static final List<String> PARTITION_26 =
      List.of(
          "UInt128",
          "UInt256",
          "Int128",
          "Int256",
          "Date32",
          "DateTime('Europe/Berlin')",
          "DateTime64(3)",
          "DateTime64(6, 'Asia/Tokyo')",
          "Bool",
          "IPv4",
          "IPv6",
          "Float32",
          "Float64",
          "Decimal(38, 10)", // 18.16.1 hashes bytes behind the value: its ids are of no use
          "Decimal(76, 20)",
          "Time",
          "Time64(3)",
          "Nullable(Int32)",
          "Nullable(String)",
          "Nullable(Date)",
          "LowCardinality(String)",
          "LowCardinality(Nullable(String))",
          "LowCardinality(Date)",
          "Array(UInt8)",
          "Tuple(UInt8, String)");

  private final Random random;
  private final boolean modern;
  private final RandomSchemas schemas;

  RandomTables(long seed, Golden.Engine engine) {
    this.random = new Random(seed * 0x9E3779B97F4A7C15L + 11);
    this.modern = engine == Golden.Engine.V26_7;
    this.schemas = RandomSchemas.of(seed, engine);
  }

  private <T> T oneOf(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private boolean once(int times) {
    return random.nextInt(times) == 0;
  }

  Table next(int mostColumns) {
    RandomSchemas.Table base = schemas.next(mostColumns);
    while (!modern && base.columns().stream().anyMatch(RandomTables::beyond18)
        || !modern && base.columns().stream().allMatch(c -> c.type().startsWith("Tuple("))) {
      base = schemas.next(mostColumns);
    }
    List<Column> columns = new ArrayList<>(base.columns());
    Map<String, String> settings = new LinkedHashMap<>();
    for (String setting : base.settings()) {
      String[] sides = setting.split(" = ", 2);
      settings.put(sides[0], sides[1]);
    }
    String partitionBy = once(2) ? partition(columns, settings) : base.partitionBy();
    String orderBy = base.orderBy();
    String primaryKey = "";
    if (once(2)) {
      List<String> keys = keys(columns, settings);
      List<String> directed = new ArrayList<>();
      for (String key : keys) {
        boolean down = modern && once(3);
        directed.add(key + (down ? " DESC" : ""));
        if (down) {
          settings.put("allow_experimental_reverse_key", "1");
        }
      }
      orderBy = directed.isEmpty() ? "tuple()" : "(" + String.join(", ", directed) + ")";
      if (modern && keys.size() > 1 && once(3)) {
        primaryKey =
            "(" + String.join(", ", keys.subList(0, 1 + random.nextInt(keys.size()))) + ")";
      }
    }
    if (modern) {
      settings(settings);
    }
    StringBuilder sql = new StringBuilder("CREATE TABLE \0TABLE\0 (");
    for (int i = 0; i < columns.size(); i++) {
      sql.append(i == 0 ? "" : ", ").append(columns.get(i).definition());
    }
    if (once(5)) {
      sql.append(", ").append(materialized(columns));
    }
    if (modern) {
      int count = once(2) ? random.nextInt(4) : 0;
      for (int i = 0; i < count; i++) {
        sql.append(index(columns, i, !settings.containsKey("escape_index_filenames")));
      }
    }
    sql.append(") ENGINE = MergeTree");
    if (!partitionBy.isEmpty()) {
      sql.append(" PARTITION BY ").append(partitionBy);
    }
    if (!primaryKey.isEmpty()) {
      sql.append(" PRIMARY KEY ").append(primaryKey);
    }
    sql.append(" ORDER BY ").append(orderBy);
    if (!settings.isEmpty()) {
      sql.append(" SETTINGS ");
      List<String> texts = new ArrayList<>();
      settings.forEach((name, value) -> texts.add(name + " = " + value));
      sql.append(String.join(", ", texts));
    }
    return new Table(columns, sql.toString(), settings.containsKey("max_file_name_length"));
  }

  /**
   * What 18.16.1 itself does not read back: arrays of tuples, which it takes apart without saying
   * so, and in Native empty arrays of LowCardinality. (Nor does it find a part's columns when all
   * are tuples.)
   */
  private static boolean beyond18(Column column) {
    return column.type().contains("Array(Tuple(")
        || column.type().matches(".*Array\\(.*LowCardinality.*");
  }

  private String partition(List<Column> columns, Map<String, String> settings) {
    String type = modern && once(2) ? oneOf(PARTITION_26) : oneOf(PARTITION_18);
    Column column = new Column("pk", type, "", 1 + random.nextInt(3));
    columns.add(random.nextInt(columns.size() + 1), column);
    if (type.contains("Nullable")) {
      settings.put("allow_nullable_key", "1");
    }
    if (type.startsWith("Float")) {
      settings.put("allow_floating_point_partition_key", "1");
    }
    if (once(2)) {
      return "pk";
    }
    if (type.matches("U?Int(8|16|32|64)")) {
      return oneOf(
          List.of("pk % 3", "intDiv(pk, 7)", "(pk % 3, toString(pk))", "bitAnd(pk, 3)", "-pk"));
    }
    if (type.equals("Date")) {
      return oneOf(
          List.of("toYYYYMM(pk)", "toMonday(pk)", "toStartOfMonth(pk)", "(toYear(pk), pk)"));
    }
    if (type.equals("DateTime")) {
      return oneOf(
          List.of("toDate(pk)", "toYYYYMM(pk)", "toStartOfHour(pk)", "toYYYYMMDDhhmmss(pk)"));
    }
    if (type.equals("String")) {
      return oneOf(List.of("cityHash64(pk) % 4", "length(pk)", "substring(pk, 1, 2)", "lower(pk)"));
    }
    return "(pk)";
  }

  private List<String> keys(List<Column> columns, Map<String, String> settings) {
    List<String> keys = new ArrayList<>();
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      Column column = oneOf(columns);
      String type = column.type();
      boolean comparable =
          modern
              ? !type.matches(".*(Map|BFloat16|Interval|Point|Ring|Polygon|Simple|Time64?\\().*")
              : !type.matches(".*(Nullable|LowCardinality|Array|Tuple).*");
      if (!comparable || keys.contains(column.quotedName())) {
        continue;
      }
      if (type.contains("Nullable")) {
        settings.put("allow_nullable_key", "1");
      }
      keys.add(column.quotedName());
    }
    return keys;
  }

  private String materialized(List<Column> columns) {
    Column of = oneOf(columns);
    String name = of.quotedName();
    String expression =
        switch (of.type()) {
          case "String" -> oneOf(List.of("length(" + name + ")", "upper(" + name + ")"));
          case "Date" -> "toYYYYMM(" + name + ")";
          case "UInt8", "UInt16", "UInt32", "UInt64", "Int8", "Int16", "Int32", "Int64" ->
              oneOf(List.of("toString(" + name + ")", name + " + 1", "intHash64(" + name + ")"));
          default -> "0";
        };
    String type =
        expression.startsWith("upper") || expression.startsWith("toString") ? "String" : "UInt64";
    return "`mat` " + type + " MATERIALIZED " + expression;
  }

  private String index(List<Column> columns, int number, boolean escaped) {
    Column column = oneOf(columns);
    String name = column.quotedName();
    String type = column.type();
    List<String> kinds = new ArrayList<>();
    boolean leaf = !type.matches(".*(Array|Tuple|Map|Point|Ring|Polygon|Simple).*");
    if (leaf) {
      if (!type.contains("BFloat16")) {
        kinds.add("minmax");
      }
      kinds.add("set(0)");
      kinds.add("set(5)");
      kinds.add("set(100)");
    }
    if (type.matches(
        "(Array\\(|Nullable\\(|LowCardinality\\(|LowCardinality\\(Nullable\\()?"
            + "(U?Int(8|16|32|64)|String|FixedString\\(\\d+\\)|Date|DateTime|UUID|Float32|Float64|IPv4|IPv6)\\)*")) {
      kinds.add("bloom_filter");
      kinds.add("bloom_filter(" + oneOf(List.of("0.3", "0.1", "0.01", "0.001")) + ")");
    }
    if (type.matches("(Array\\(|LowCardinality\\()?(String|FixedString\\(\\d+\\))\\)?")) {
      kinds.add("tokenbf_v1(" + oneOf(List.of("64", "256", "1000")) + ", 2, 7)");
      kinds.add("ngrambf_v1(" + oneOf(List.of("2", "3", "4")) + ", 256, 3, 0)");
    }
    if (kinds.isEmpty()) {
      return "";
    }
    String kind = oneOf(kinds);
    String expression = name;
    if (leaf && (kind.startsWith("set") || kind.equals("minmax")) && once(3)) {
      Column second = oneOf(columns);
      if (second != column
          && !second.type().matches(".*(Array|Tuple|Map|Point|Ring|Polygon|Simple|BFloat).*")) {
        expression = "(" + name + ", " + second.quotedName() + ")";
      }
    } else if (type.equals("String") && once(3)) {
      expression = "lower(" + name + ")";
    }
    String indexName = once(4) ? "`odd name" + (escaped ? "/" : " ") + number + "`" : "i" + number;
    return ", INDEX "
        + indexName
        + " "
        + expression
        + " TYPE "
        + kind
        + " GRANULARITY "
        + (1 + random.nextInt(4));
  }

  private void settings(Map<String, String> settings) {
    maybe(settings, 4, "compress_marks", "0");
    maybe(settings, 4, "compress_primary_key", "0");
    maybe(settings, 8, "marks_compression_codec", "'LZ4'", "'NONE'", "'ZSTD(1)'");
    maybe(settings, 8, "marks_compress_block_size", "100", "1000");
    maybe(settings, 8, "primary_key_compression_codec", "'LZ4'", "'NONE'");
    maybe(settings, 8, "primary_key_compress_block_size", "100", "1000");
    maybe(settings, 3, "index_granularity_bytes", "1024", "2000", "20000", "0");
    maybe(settings, 6, "min_index_granularity_bytes", "0", "500");
    maybe(settings, 6, "use_const_adaptive_granularity", "1");
    maybe(
        settings,
        2,
        "ratio_of_defaults_for_sparse_serialization",
        "0",
        "0.1",
        "0.5",
        "0.9",
        "0.99",
        "1");
    maybe(settings, 8, "compute_exact_num_defaults_for_sparse_columns", "1");
    maybe(settings, 4, "string_serialization_version", "'single_stream'");
    maybe(settings, 6, "propagate_types_serialization_versions_to_nested_types", "0");
    maybe(settings, 4, "nullable_serialization_version", "'allow_sparse'");
    maybe(settings, 8, "serialization_info_version", "'basic'");
    maybe(settings, 4, "min_compress_block_size", "1", "500", "4000");
    maybe(settings, 4, "max_compress_block_size", "600", "5000");
    maybe(settings, 4, "packed_skip_index_max_bytes", "1000", "1000000");
    maybe(settings, 6, "write_marks_for_substreams_in_compact_parts", "0");
    maybe(settings, 8, "compress_per_column_in_compact_parts", "0");
    maybe(settings, 6, "default_compression_codec", "'ZSTD(1)'", "'NONE'", "'LZ4HC(3)'");
    maybe(settings, 8, "escape_index_filenames", "0");
    maybe(settings, 8, "max_file_name_length", "3", "8");
    maybe(settings, 10, "add_minmax_index_for_numeric_columns", "1");
    maybe(settings, 10, "add_minmax_index_for_string_columns", "1");
    maybe(settings, 10, "add_minmax_index_for_temporal_columns", "1");
    maybe(settings, 10, "min_columns_to_activate_adaptive_write_buffer", "1");
    if (once(20)) {
      settings.put("enable_block_number_column", "1");
      settings.put("enable_block_offset_column", "1");
      maybe(settings, 2, "part_minmax_index_columns", "'with_block_number_offset'");
    }
    if (settings.getOrDefault("min_index_granularity_bytes", "").equals("500")) {
      maybe(settings, 1, "index_granularity_bytes", "500", "700");
    }
    if ("0".equals(settings.get("index_granularity_bytes"))) {
      settings.put("min_bytes_for_wide_part", "0");
      settings.remove("min_index_granularity_bytes");
    }
    if (!settings.containsKey("min_bytes_for_wide_part")) {
      maybe(settings, 4, "min_bytes_for_wide_part", "0");
      maybe(settings, 8, "min_rows_for_wide_part", "500");
    }
  }

  private void maybe(Map<String, String> settings, int times, String name, String... values) {
    if (once(times)) {
      settings.put(name, values[random.nextInt(values.length)]);
    }
  }
}
