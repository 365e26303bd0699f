package io.coppice.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.error.EngineException;
import io.coppice.engine.Engine;
import io.coppice.engine.EngineConfig;
import io.coppice.engine.InsertResult;
import io.coppice.fixtures.peer.ChdbPeer;
import io.coppice.language.statement.TableName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The same INSERTs in 26.7 and here: as many parts, with the same names and numbers of rows. */
@Tag("peer")
class InsertBlocksPeerTest {
  private static final String NUMBERS = "(a UInt64) ENGINE = MergeTree ORDER BY tuple()";
  private static final String NO_MINIMUM =
      "min_insert_block_size_rows = 0, min_insert_block_size_bytes = 0";

  @TempDir static Path files;
  private static ChdbPeer peer;
  @TempDir Path directory;
  private Engine engine;
  private Session session;

  @BeforeAll
  static void start() throws IOException {
    peer = ChdbPeer.start();
    Files.writeString(files.resolve("wide.tsv"), wide(200_000, 300));
    Files.writeString(files.resolve("n.values"), "(1),".repeat(200_000));
    for (int rows : new int[] {10, 1_200_000, 5, 1_048_449, 20, 30, 1_100_000}) {
      peer.run(
          "SELECT number AS a FROM numbers("
              + rows
              + ") INTO OUTFILE '"
              + files.resolve("mixed.native")
              + "' APPEND FORMAT Native SETTINGS max_block_size = 2000000");
    }
    peer.run(
        "SELECT number AS a FROM numbers(300000) INTO OUTFILE '"
            + files.resolve("n.arrow")
            + "' FORMAT Arrow");
  }

  @AfterAll
  static void end() {
    peer.close();
  }

  @BeforeEach
  void open() {
    engine =
        Engine.open(EngineConfig.at(directory).withDurability(io.coppice.engine.Durability.FAST));
    session = new Session(engine);
  }

  @AfterEach
  void close() {
    assertThat(engine.allocator().getAllocatedMemory()).isZero();
    engine.close();
  }

  private static String lines(int rows) {
    return IntStream.range(0, rows).mapToObj(String::valueOf).collect(Collectors.joining("\n"));
  }

  private static String wide(int rows, int width) {
    StringBuilder text = new StringBuilder();
    for (int row = 0; row < rows; row++) {
      String number = String.valueOf(row);
      text.append(number).append('\t').append("z".repeat(width - 2 - number.length())).append('\n');
    }
    return text.toString();
  }

  /** Runs statements in both, and compares which were refused and what parts there are. */
  private void compare(String create, String... inserts) throws IOException {
    peer.run("DROP TABLE IF EXISTS t SYNC");
    peer.run("CREATE TABLE t " + create);
    peer.run("SYSTEM STOP MERGES t");
    session.execute("CREATE TABLE t " + create).close();
    for (String insert : inserts) {
      String shown = insert.length() < 200 ? insert : insert.substring(0, 200);
      ChdbPeer.Answer answer = peer.ask(insert, "TSV");
      int code = 0;
      String said = answer.error();
      long rows = 0;
      List<String> before = ours();
      try (QueryResult result = session.execute(insert)) {
        InsertResult inserted = result.inserted().orElseThrow();
        rows = inserted.rows();
        List<String> added = new ArrayList<>(ours());
        added.removeAll(before);
        assertThat(inserted.parts()).as(shown).hasSameSizeAs(added);
      } catch (EngineException e) {
        code = e.code().number();
        said += e.getMessage();
      }
      assertThat(code).as(shown + ": " + said).isEqualTo(answer.code());
      assertThat(ours()).as(shown).isEqualTo(theirs());
      assertThat(code == 0 || rows == 0).isTrue();
    }
  }

  private static List<String> theirs() {
    return peer.text(
            "SELECT name, rows FROM system.parts WHERE database = 'default' AND table = 't' AND"
                + " active ORDER BY min_block_number")
        .lines()
        .toList();
  }

  private List<String> ours() {
    return engine.table(TableName.of("t")).parts().stream()
        .sorted(Comparator.comparing(part -> part.name().minBlock()))
        .map(part -> part.name().text() + "\t" + part.rows())
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO t SELECT number FROM numbers(2500000)",
        "INSERT INTO t SELECT number FROM numbers(100000) SETTINGS min_insert_block_size_rows = 1",
        "INSERT INTO t SELECT number FROM numbers(300000) SETTINGS min_insert_block_size_rows = 0,"
            + " min_insert_block_size_bytes = 0",
        "INSERT INTO t SELECT number FROM numbers(100000) SETTINGS min_insert_block_size_rows = 0,"
            + " min_insert_block_size_bytes = 80000, max_block_size = 3000",
        "INSERT INTO t SELECT number FROM numbers(100000) SETTINGS max_insert_block_size = 7000",
        "INSERT INTO t SELECT number FROM numbers(100000) WHERE number % 3 = 0 SETTINGS"
            + " min_insert_block_size_rows = 10000",
        "INSERT INTO t SELECT number FROM numbers(100000) LIMIT 100, 23456 SETTINGS"
            + " min_insert_block_size_rows = 5000, max_block_size = 1000",
        "INSERT INTO t SELECT number FROM numbers(100000) ORDER BY number % 7, number DESC SETTINGS"
            + " min_insert_block_size_rows = 10000, max_block_size = 7000",
        "INSERT INTO t SELECT number % 100 FROM numbers(30000) SETTINGS"
            + " min_insert_block_size_bytes = 8000, max_block_size = 900",
        "INSERT INTO t SETTINGS min_insert_block_size_rows = 3000 SELECT number FROM numbers(30000)"
            + " SETTINGS min_insert_block_size_rows = 8000, max_block_size = 1000",
        "INSERT INTO t SETTINGS min_insert_block_size_rows = 8000 SELECT number FROM numbers(30000)"
            + " SETTINGS max_block_size = 1000, min_insert_block_size_rows = 3000",
        "INSERT INTO t SELECT number FROM numbers(10) WHERE 0",
        "INSERT INTO t SELECT number FROM numbers(10) SETTINGS max_insert_block_size = 0",
      })
  void rowsOfAQueryAreGatheredBlockByBlock(String insert) throws IOException {
    compare(NUMBERS, insert);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "max_insert_block_size = 7000",
        "max_insert_block_size_rows = 70000, min_insert_block_size_rows = 30000",
        "max_insert_block_size_bytes = 100000",
        "min_insert_block_size_rows = 20000, min_insert_block_size_bytes = 1",
        "min_insert_block_size_rows = 20000, min_insert_block_size_bytes = 1000000",
        "min_insert_block_size_rows = 20000, min_insert_block_size_bytes = 1,"
            + " max_insert_block_size = 50000",
        "min_insert_block_size_rows = 0, min_insert_block_size_bytes = 0",
      })
  void strictLimitsCutBlocks(String settings) throws IOException {
    compare(
        NUMBERS,
        "INSERT INTO t SELECT number FROM numbers(200000) SETTINGS use_strict_insert_block_limits ="
            + " 1, "
            + settings,
        "INSERT INTO t SETTINGS use_strict_insert_block_limits = 1, "
            + settings
            + " FORMAT TSV\n"
            + lines(120_000));
  }

  @Test
  void bytesAreThoseOfTheColumnsThatAreGiven() throws IOException {
    String rows = " FROM numbers(30000) SETTINGS max_block_size = 1000, ";
    compare(
        "(a UInt64, s LowCardinality(String), n Nullable(String), b Array(UInt8), m Map(String,"
            + " UInt8), u Tuple(Int8, String)) ENGINE = MergeTree ORDER BY tuple()",
        "INSERT INTO t SELECT number, repeat('q', number % 10), repeat('q', number % 10), [1, 2,"
            + " 3], map('a', 1), (1, 'qqq')"
            + rows
            + "min_insert_block_size_bytes = 300000");
    session.execute("DROP TABLE t").close();
    compare(
        "(a UInt64, m String MATERIALIZED repeat('x', 100), d String DEFAULT repeat('y', 100))"
            + " ENGINE = MergeTree ORDER BY tuple()",
        "INSERT INTO t (a) SELECT number" + rows + "min_insert_block_size_bytes = 60000",
        "INSERT INTO t (a, d) SELECT number, 'q'" + rows + "min_insert_block_size_bytes = 60000");
    session.execute("DROP TABLE t").close();
    compare(
        "(a UInt64, s String) ENGINE = MergeTree ORDER BY tuple()",
        "INSERT INTO t SELECT number, repeat('q', number % 1000)"
            + rows
            + "max_insert_block_size_bytes = 1000000, use_strict_insert_block_limits = 1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "max_block_size = 30000",
        "max_insert_block_size = 30000",
        "max_insert_block_size = 30000, " + NO_MINIMUM,
        "max_insert_block_size = 30000, min_insert_block_size_rows = 70000",
        "max_insert_block_size_bytes = 200000, " + NO_MINIMUM,
        "min_insert_block_size_rows = 20000, min_insert_block_size_bytes = 10000",
        "min_insert_block_size_rows = 20000, min_insert_block_size_bytes = 0",
        "min_insert_block_size_rows = 0, min_insert_block_size_bytes = 50000",
        "min_insert_block_size_rows = 20000, min_insert_block_size_bytes = 20000,"
            + " max_insert_block_size = 50000",
        "min_insert_block_size_rows = 20000, min_insert_block_size_bytes = 20000,"
            + " max_insert_block_size = 50000, input_format_parallel_parsing = 0",
      })
  void dataIsReadInBlocks(String settings) throws IOException {
    String into = "INSERT INTO t SETTINGS " + settings;
    String values =
        IntStream.range(0, 100_000).mapToObj(i -> "(" + i + ")").collect(Collectors.joining(","));
    compare(NUMBERS, into + " FORMAT TSV\n" + lines(150_000), into + " VALUES " + values);
  }

  @Test
  void aMillionRowsOfDataAreTwoParts() throws IOException {
    compare(NUMBERS, "INSERT INTO t FORMAT TSV\n" + lines(1_200_000));
  }

  @Test
  void textIsReadInSegmentsWithTheLinesOfItsHead() throws IOException {
    String into = "INSERT INTO t SETTINGS max_insert_block_size = 1000, " + NO_MINIMUM + " FORMAT ";
    String json =
        IntStream.range(0, 2500).mapToObj(i -> "[" + i + "]").collect(Collectors.joining("\n"));
    compare(
        NUMBERS,
        into + "TSVWithNames\na\n" + lines(2500),
        into + "CSVWithNamesAndTypes\na\nUInt64\n" + lines(2500),
        into + "CSV\na\n" + lines(2500),
        into + "JSONCompactEachRow\n" + json,
        into + "JSONCompactEachRowWithNames\n[\"a\"]\n" + json,
        into + "JSONEachRow\n" + json.replace("[", "{\"a\":").replace("]", "}"));
    session.execute("DROP TABLE t").close();
    String wide = "INSERT INTO t SETTINGS " + NO_MINIMUM + ", input_format_parallel_parsing = ";
    compare(
        "(a UInt64, s String) ENGINE = MergeTree ORDER BY tuple()",
        wide + "1 FORMAT TSV\n" + wide(60_000, 200),
        wide + "0 FORMAT TSV\n" + wide(60_000, 200),
        wide + "1 FORMAT CSV\n" + wide(60_000, 200).replace('\t', ','));
  }

  @ParameterizedTest
  @CsvSource({
    "mixed.native, Native, max_block_size = 65409",
    "n.arrow, Arrow, min_insert_block_size_rows = 100000",
    "n.values, Values, min_insert_block_size_rows = 1",
    "n.values, Values, min_insert_block_size_rows = 1000, max_block_size = 700",
  })
  void filesAreReadInBlocksOfTheirOwn(String file, String format, String settings)
      throws IOException {
    compare(
        NUMBERS,
        "INSERT INTO t FROM INFILE '"
            + files.resolve(file)
            + "' SETTINGS "
            + settings
            + " FORMAT "
            + format);
  }

  @Test
  void filesOfTextAreReadInSegments() throws IOException {
    String file = files.resolve("wide.tsv").toString();
    compare(
        "(a UInt64, s String) ENGINE = MergeTree ORDER BY tuple()",
        "INSERT INTO t FROM INFILE '" + file + "' SETTINGS " + NO_MINIMUM + " FORMAT TSV",
        "INSERT INTO t SELECT * FROM file('"
            + file
            + "', TSV, 'a UInt64, s String') SETTINGS "
            + NO_MINIMUM);
  }

  @Test
  void partsOfABlockAreNumberedByFirstAppearance() throws IOException {
    compare(
        NUMBERS + " PARTITION BY a % 3",
        "INSERT INTO t SELECT number + 1 FROM numbers(300000) SETTINGS"
            + " min_insert_block_size_rows = 100000");
  }

  @Test
  void tooManyPartitionsAreRefused() throws IOException {
    String into = "INSERT INTO t SELECT number FROM numbers(300)";
    String limit = " SETTINGS max_partitions_per_insert_block = ";
    compare(
        NUMBERS + " PARTITION BY a % 200",
        into,
        into + limit + "199",
        into + limit + "200",
        into + limit + "0",
        into + " SETTINGS throw_on_max_partitions_per_insert_block = 0",
        "INSERT INTO t SETTINGS max_partitions_per_insert_block = 2 VALUES (1) (2) (3)",
        "INSERT INTO t SETTINGS max_partitions_per_insert_block = 2 VALUES (1) (2) (201)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "parts_to_throw_insert = 3",
        "parts_to_throw_insert = 3, parts_to_delay_insert = 2, max_delay_to_insert = 0,"
            + " min_delay_to_insert_ms = 1",
        "max_parts_in_total = 3",
        "parts_to_throw_insert = 3, max_avg_part_size_for_too_many_parts = 1",
        "max_parts_in_total = 3, parts_to_throw_insert = 2",
      })
  void tooManyPartsAreRefused(String settings) throws IOException {
    String into = "INSERT INTO t VALUES (1), (2)";
    compare(
        NUMBERS + " PARTITION BY a % 2 SETTINGS " + settings,
        into,
        into,
        into,
        into,
        "INSERT INTO t SETTINGS parts_to_throw_insert = 10 VALUES (1), (2)",
        "INSERT INTO t SETTINGS parts_to_throw_insert = 1 VALUES (1), (2)");
  }
}
