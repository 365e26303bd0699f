package io.coppice.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.Durability;
import io.coppice.engine.Engine;
import io.coppice.engine.EngineConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parquet files in statements. */
class ParquetTest {
  private static final long SEED = Long.getLong("coppice.seed", 0x9A4);

  private static final String ROWS =
      "SELECT number AS a, if(number % 3 = 0, NULL, toString(number)) AS b, [number, number * 2] AS"
          + " c, (toInt8(number % 100), 'x') AS d, map('k', number) AS e, toDecimal32(number, 2) AS"
          + " f, toDate('2020-01-01') AS g FROM numbers(1000)";

  @TempDir Path directory;
  private Engine engine;
  private Session session;

  @BeforeEach
  void open() {
    engine =
        Engine.open(
            EngineConfig.at(directory.resolve("data"))
                .withDurability(Durability.FAST)
                .withMemoryBytes(64 << 20));
    session = new Session(engine);
  }

  @AfterEach
  void close() {
    assertThat(engine.allocator().getAllocatedMemory()).isZero();
    engine.close();
  }

  private void run(String sql) throws IOException {
    session.execute(sql).close();
  }

  private String rows(String sql) throws IOException {
    return Texts.tsv(session, engine.allocator(), sql);
  }

  private void refuses(ErrorCode code, String words, String sql) {
    assertThatThrownBy(() -> rows(sql))
        .isInstanceOfSatisfying(
            EngineException.class, e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code))
        .hasMessageContaining(words);
  }

  private Path file(String settings) throws IOException {
    Path file = directory.resolve("rows.parquet");
    Files.deleteIfExists(file);
    run(ROWS + " INTO OUTFILE '" + file + "'" + settings);
    return file;
  }

  @Test
  void theNameOfAFileTellsItsFormat() throws IOException {
    Path file = file("");

    assertThat(rows("SELECT * FROM file('" + file + "')")).isEqualTo(rows(ROWS));
    assertThat(rows("SELECT sum(a), count(b) FROM file('" + file + "') WHERE a >= 500"))
        .isEqualTo("374750\t333");
    run(
        "CREATE TABLE t (a UInt32, b LowCardinality(String), g Date) ENGINE = MergeTree ORDER BY"
            + " a");
    run("INSERT INTO t FROM INFILE '" + file + "'");
    assertThat(rows("SELECT sum(a), countIf(b = ''), min(g) FROM t"))
        .isEqualTo("499500\t334\t2020-01-01");
  }

  @Test
  void dataThroughAPipeIsReadToo() throws IOException {
    Path file = file(" SETTINGS output_format_parquet_row_group_size = 100");
    run("CREATE TABLE t (a UInt64, f Decimal(9, 2)) ENGINE = MergeTree ORDER BY a");
    try (InputStream in = Files.newInputStream(file)) {
      session.execute("INSERT INTO t FORMAT Parquet", in).close();
    }
    assertThat(rows("SELECT count(), sum(f) FROM t")).isEqualTo("1000\t499500");
    try (InputStream in = Files.newInputStream(file)) {
      session
          .execute(
              "INSERT INTO t SETTINGS async_insert = 1, async_insert_busy_timeout_ms = 1 FORMAT"
                  + " Parquet",
              in)
          .close();
    }
    assertThat(rows("SELECT count(), sum(f) FROM t")).isEqualTo("2000\t999000");
  }

  @Test
  void whatHasNoFormIsRefused() {
    Path file = directory.resolve("no.parquet");
    refuses(
        ErrorCode.UNKNOWN_TYPE,
        "has no form in Parquet",
        "SELECT toBFloat16(1) AS c INTO OUTFILE '" + file + "'");
    refuses(
        ErrorCode.BAD_ARGUMENTS,
        "expected none, snappy, zstd",
        "SELECT 1 INTO OUTFILE '"
            + directory.resolve("other.parquet")
            + "' SETTINGS output_format_parquet_compression_method = 'brotli'");
  }

  @Test
  void whatIsNoParquetFileIsNamed() throws IOException {
    Path file = directory.resolve("text.parquet");
    Files.writeString(file, "a,b\n1,2\nPAR1PAR1");
    refuses(
        ErrorCode.CANNOT_EXTRACT_TABLE_STRUCTURE,
        "is no Parquet file, or is damaged: a footer of",
        "SELECT * FROM file('" + file + "')");
    Files.write(file, new byte[0]);
    refuses(
        ErrorCode.INCORRECT_DATA,
        "it has 0 bytes",
        "SELECT * FROM file('" + file + "', Parquet, 'a Int8')");
  }

  @Test
  void aNestedOfATableIsNotFilledBySilence() throws IOException {
    Path file = directory.resolve("nested.parquet");
    run("SELECT [(1, 'x')]::Array(Tuple(a Int8, b String)) AS n INTO OUTFILE '" + file + "'");
    run("CREATE TABLE t (n Nested(a Int8, b String)) ENGINE = MergeTree ORDER BY tuple()");
    refuses(
        ErrorCode.NOT_IMPLEMENTED,
        "column n is a Nested of table t",
        "INSERT INTO t FROM INFILE '" + file + "'");
  }

  @Test
  void damageIsATypedErrorAndNothingElse() throws IOException {
    Random random = new Random(SEED);
    int refused = 0;
    int read = 0;
    for (String codec : new String[] {"none", "snappy", "zstd", "lz4", "gzip"}) {
      byte[] whole =
          Files.readAllBytes(
              file(
                  " SETTINGS output_format_parquet_row_group_size = 400,"
                      + " output_format_parquet_compression_method = '"
                      + codec
                      + "'"));
      Path damaged = directory.resolve("damaged.parquet");
      int footer = whole.length / 3;
      for (int i = 0; i < 150; i++) {
        byte[] bytes = whole.clone();
        if (i % 10 == 0) {
          bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
        }
        for (int k = 0; k < 1 + i % 3 && bytes.length > 0; k++) {
          int at =
              i % 2 == 0
                  ? random.nextInt(bytes.length)
                  : Math.max(0, bytes.length - 1 - random.nextInt(footer));
          bytes[at] = (byte) random.nextInt();
        }
        Files.write(damaged, bytes);
        try {
          rows("SELECT * FROM file('" + damaged + "')");
          read++;
        } catch (EngineException e) {
          assertThat(e.getMessage()).isNotEmpty();
          refused++;
        } catch (RuntimeException | IOException e) {
          throw new AssertionError("seed " + SEED + ", " + codec + ", file " + i + ": " + e, e);
        }
      }
    }
    System.out.printf("parquet: seed %d, %d damaged files refused, %d read%n", SEED, refused, read);
    assertThat(refused).isGreaterThan(200);
  }

  @Test
  void moreThanMemoryHoldsIsReadAndWritten() throws IOException {
    Path file = directory.resolve("large.parquet");
    run(
        "SELECT number AS a, repeat('x', 100) || toString(number) AS b FROM numbers(1500000) INTO"
            + " OUTFILE '"
            + file
            + "'");

    assertThat(rows("SELECT count(), sum(a), sum(length(b)) FROM file('" + file + "')"))
        .isEqualTo("1500000\t1124999250000\t" + (1_500_000L * 100 + digits(1_500_000)));
  }

  private static long digits(int count) {
    return java.util.stream.IntStream.range(0, count)
        .mapToLong(i -> String.valueOf(i).length())
        .sum();
  }
}
