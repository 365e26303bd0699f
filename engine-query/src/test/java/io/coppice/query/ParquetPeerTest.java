package io.coppice.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.Durability;
import io.coppice.engine.Engine;
import io.coppice.engine.EngineConfig;
import io.coppice.fixtures.Column;
import io.coppice.fixtures.RandomData;
import io.coppice.fixtures.RandomSchemas;
import io.coppice.fixtures.peer.ChdbPeer;
import io.coppice.parts.text.BatchWriter;
import io.coppice.parts.text.DataFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parquet files: 26.7 and DuckDB read what is written here, and what they write is read here. */
@Tag("peer")
class ParquetPeerTest {
  private static final int ROWS = 300;
  private static final long SEED = Long.getLong("coppice.seed", 20261201L);

  /** The types that have a form in Parquet. */
  private static final List<String> TYPES =
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
          "UUID",
          "IPv4",
          "IPv6",
          "Enum8('a' = -1, 'b\\'\\n' = 2)",
          "Enum16('x' = -300, 'größe' = 0, 'z\"' = 32767)",
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
          "Array(Tuple(UInt8, String))",
          "Array(Tuple(a Nullable(Int32), b Array(String)))",
          "Tuple(UInt8, String)",
          "Tuple(a UInt8, `b c` String, d Tuple(e Date, f Array(Int8)))",
          "Tuple(Nullable(String))",
          "Map(String, UInt64)",
          "Map(UInt8, Array(String))",
          "Map(Date, Nullable(Float64))",
          "Map(LowCardinality(String), Tuple(UInt8, String))",
          "Array(Map(String, String))");

  @TempDir Path directory;
  private final List<String> differences = new ArrayList<>();
  private Engine engine;
  private Session session;
  private ChdbPeer peer;

  @BeforeEach
  void open() throws IOException {
    engine =
        Engine.open(EngineConfig.at(directory.resolve("data")).withDurability(Durability.FAST));
    session = new Session(engine);
    session.execute("SET allow_suspicious_low_cardinality_types = 1").close();
    peer = ChdbPeer.start();
    peer.run(RandomSchemas.sessionSettings());
    // its threads would store row groups in the order in which they finish
    peer.run(
        "SET max_threads = 1, max_insert_threads = 1, input_format_parallel_parsing = 0,"
            + " input_format_parquet_preserve_order = 1");
  }

  @AfterEach
  void close() {
    peer.close();
    assertThat(engine.allocator().getAllocatedMemory()).isZero();
    engine.close();
  }

  private void difference(String what, String theirs, String ours) {
    String[] a = theirs.split("\n", -1);
    String[] b = ours.split("\n", -1);
    for (int i = 0; i < Math.max(a.length, b.length); i++) {
      String expected = i < a.length ? a[i] : "(end)";
      String found = i < b.length ? b[i] : "(end)";
      if (!expected.equals(found)) {
        differences.add(what + ", line " + (i + 1) + ": " + expected + " | " + found);
        return;
      }
    }
  }

  private String theirs(String sql) {
    String text = new String(peer.query(sql, "TSV"), StandardCharsets.UTF_8);
    return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
  }

  private String ours(String sql) throws IOException {
    return Texts.tsv(session, engine.allocator(), sql);
  }

  private void here(String what, String sql) throws IOException {
    try {
      session.execute(sql).close();
    } catch (RuntimeException e) {
      differences.add(what + ": " + e);
    }
  }

  private void there(String what, String sql) {
    ChdbPeer.Answer answer = peer.ask(sql, "Null");
    if (!answer.ok()) {
      differences.add(what + ": " + answer.error());
    }
  }

  private void both(String what, String sql) throws IOException {
    here(what, sql);
    there(what, sql);
  }

  private void create(String columns) throws IOException {
    both("drop", "DROP TABLE IF EXISTS t SYNC");
    session
        .execute(
            "CREATE TABLE t ("
                + columns
                + ") ENGINE = MergeTree ORDER BY tuple() SETTINGS allow_nullable_key = 1")
        .close();
    peer.run("CREATE TABLE t (" + columns + ") ENGINE = Memory");
  }

  /** Compares what each has in its table after reading a file, and says of it. */
  private void compareReading(String what, Path file) throws IOException {
    String insert = "INSERT INTO t FROM INFILE '" + file + "' FORMAT Parquet";
    both(what, "TRUNCATE TABLE t");
    both(what, insert);
    difference(what, theirs("SELECT * FROM t"), ours("SELECT * FROM t"));
    String describe = "DESCRIBE (SELECT * FROM file('" + file + "'))";
    difference(what + " described", columns(peer.text(describe)), columns(ours(describe)));
  }

  private static String columns(String described) {
    return described
        .lines()
        .map(ParquetPeerTest::twoFields)
        .collect(java.util.stream.Collectors.joining("\n"));
  }

  private static String twoFields(String line) {
    String[] fields = line.split("\t", -1);
    return fields[0] + "\t" + fields[1];
  }

  @Test
  void eachReadsWhatTheOtherWrites() throws Exception {
    String[] codecs = {"none", "snappy", "zstd", "lz4", "gzip"};
    int number = 0;
    for (String type : TYPES) {
      String codec = codecs[number++ % codecs.length];
      List<Column> columns = List.of(Column.of("n", "UInt32"), Column.of("c", type));
      create("n UInt32, c " + type);
      Path input = directory.resolve("input.native");
      RandomData random = new RandomData(SEED + 31L * type.hashCode());
      try (VectorSchemaRoot batch = random.batch(columns, ROWS, engine.allocator());
          OutputStream out = Files.newOutputStream(input);
          BatchWriter writer =
              BatchWriter.open(
                  DataFormat.NATIVE, out, batch.getSchema(), ZoneOffset.UTC, engine.allocator())) {
        writer.write(batch);
      }
      both(type, "INSERT INTO t FROM INFILE '" + input + "' FORMAT Native");
      String rows = theirs("SELECT * FROM t");
      Path ours = directory.resolve(number + "-ours.parquet");
      Path theirs = directory.resolve(number + "-theirs.parquet");
      String settings =
          "' FORMAT Parquet SETTINGS output_format_parquet_compression_method = '"
              + codec
              + "', output_format_parquet_row_group_size = 128";
      here(type, "SELECT * FROM t INTO OUTFILE '" + ours + settings);
      there(
          type,
          "SELECT * FROM t INTO OUTFILE '"
              + theirs
              + settings
              + ", output_format_parquet_data_page_size = 1000");
      compareReading(type + " written here with " + codec, ours);
      difference(type + " written here", rows, ours("SELECT * FROM t"));
      compareReading(type + " written there with " + codec, theirs);
      difference(type + " written there", rows, ours("SELECT * FROM t"));
    }
    System.out.printf("parquet: seed %d, %d types, %d rows each way%n", SEED, TYPES.size(), ROWS);
    assertThat(differences).isEmpty();
  }

  @Test
  void whatDuckDbWritesIsRead() throws Exception {
    String query =
        "SELECT (i %% 256)::UTINYINT a, i::BIGINT b, i::DOUBLE / 7 c, 'text ' || (i %% 10) d,"
            + " CASE WHEN i %% 3 = 0 THEN NULL ELSE i::INTEGER END e, DATE '2020-01-01' +"
            + " (i %% 1000)::INTEGER f, TIMESTAMP '2020-01-01 00:00:00.123456' + INTERVAL (i)"
            + " SECOND g, (i / 100)::DECIMAL(9, 2) h, (i * 1000003)::DECIMAL(30, 5) j,"
            + " i %% 2 = 0 k, list_slice([i, i + 1, i + 2], 1, (i %% 4)::INTEGER) l,"
            + " {'x': i::INTEGER, 'y': 'y' || i} m, MAP {'k' || i: i::INTEGER} o,"
            + " [[i::INTEGER], []] p, CASE WHEN i %% 5 = 0 THEN NULL ELSE 'n' || i END q"
            + " FROM range(5000) t(i)";
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement()) {
      for (String options :
          List.of(
              "COMPRESSION snappy",
              "COMPRESSION zstd, PARQUET_VERSION v2",
              "COMPRESSION uncompressed, ROW_GROUP_SIZE 2048",
              "COMPRESSION gzip",
              "COMPRESSION lz4_raw, PARQUET_VERSION v2, ROW_GROUP_SIZE 2048")) {
        Path file = directory.resolve("duck.parquet");
        Files.deleteIfExists(file);
        statement.execute(
            String.format(query.replace("SELECT", "COPY (SELECT"))
                + ") TO '"
                + file
                + "' (FORMAT parquet, "
                + options
                + ")");
        create(
            "a UInt8, b Int64, c Float64, d LowCardinality(String), e Nullable(Int32), f Date, g"
                + " DateTime64(6), h Decimal(9, 2), j Decimal(30, 5), k Bool, l Array(Int64), m"
                + " Tuple(x Int32, y String), o Map(String, Int32), p Array(Array(Int32)), q"
                + " String");
        compareReading(options, file);
      }
    }
    assertThat(differences).isEmpty();
  }

  @Test
  void duckDbReadsWhatIsWritten() throws Exception {
    Path file = directory.resolve("for-duck.parquet");
    session
        .execute(
            "SELECT number AS a, if(number % 3 = 0, NULL, toInt32(number)) AS b, [number, number +"
                + " 1] AS c, toDecimal64(number, 3) AS d, toDate('2020-01-01') + number % 100 AS e,"
                + " toString(number) AS f FROM numbers(3000) INTO OUTFILE '"
                + file
                + "' FORMAT Parquet SETTINGS output_format_parquet_compression_method = 'snappy',"
                + " output_format_parquet_row_group_size = 1000")
        .close();
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT count(*), sum(a)::BIGINT, sum(b)::BIGINT, count(b), sum(c[2])::BIGINT,"
                    + " sum(d)::VARCHAR, max(e)::VARCHAR, max(length(f)) FROM '"
                    + file
                    + "'")) {
      rows.next();
      List<String> values = new ArrayList<>();
      for (int i = 1; i <= 8; i++) {
        values.add(rows.getString(i));
      }
      assertThat(values)
          .containsExactly(
              "3000", "4498500", "3000000", "2000", "4501500", "4498500.000", "2020-04-09", "4");
    }
  }
}
