package io.coppice.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.Engine;
import io.coppice.parts.text.DataFormat;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows that INSERT takes: literals, expressions, streams, files. */
class InsertTest {
  @TempDir Path directory;
  private Engine engine;
  private Session session;

  @BeforeEach
  void open() throws IOException {
    engine = Engine.open(directory.resolve("data"));
    session = new Session(engine);
    run(
        "CREATE TABLE t (a UInt8, b String, c Nullable(Int32), d Date DEFAULT '2020-01-01',"
            + " e Array(UInt8), f Decimal(5, 2)) ENGINE = MergeTree ORDER BY a");
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

  private void refuses(ErrorCode code, String sql) {
    assertThatThrownBy(() -> run(sql))
        .isInstanceOfSatisfying(
            EngineException.class, e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }

  @Test
  void valuesAreLiteralsAndExpressions() throws IOException {
    run("INSERT INTO t VALUES (1+1, concat('a','b'), NULL, DEFAULT, [1,2+3], 1.5)");
    run(
        "INSERT INTO t VALUES (1, 'x', 2, '2020-01-02', [1], 2) (3, 'y', 2, 19000, array(1, 2), 2);");
    run("INSERT INTO t VALUES (NULL, NULL, NULL, NULL, NULL, NULL)");
    run("INSERT INTO t (a, b) VALUES (4, 'x') , ( 5 , 'it\\'s; (fine)' ) ;");

    assertThat(rows("SELECT * FROM t ORDER BY a"))
        .isEqualTo(
            """
            0\t\t\\N\t2020-01-01\t[]\t0
            1\tx\t2\t2020-01-02\t[1]\t2
            2\tab\t\\N\t2020-01-01\t[1,5]\t1.5
            3\ty\t2\t2022-01-08\t[1,2]\t2
            4\tx\t\\N\t2020-01-01\t[]\t0
            5\tit\\'s; (fine)\t\\N\t2020-01-01\t[]\t0""");
  }

  @Test
  void wrongValuesAreRefusedByTheEnginesCodesAndLeaveNothing() throws IOException {
    refuses(ErrorCode.SYNTAX_ERROR, "INSERT INTO t VALUES (1, 'x')");
    refuses(ErrorCode.SYNTAX_ERROR, "INSERT INTO t VALUES (1, 'x', 2, '2020-01-01', [1], 2, 3)");
    refuses(
        ErrorCode.UNKNOWN_IDENTIFIER,
        "INSERT INTO t VALUES (1, 'x', 2, '2020-01-01', [1], 2), (1, 'x', 2, '2020-01-01', [1], nosuch)");
    refuses(ErrorCode.CANNOT_PARSE_INPUT_ASSERTION_FAILED, "INSERT INTO t VALUES garbage");
    refuses(
        ErrorCode.CANNOT_PARSE_INPUT_ASSERTION_FAILED,
        "INSERT INTO t VALUES (1, 'x', 2, '2020-01-01', [1], 1) garbage");
    refuses(ErrorCode.SYNTAX_ERROR, "INSERT INTO t VALUES (1, 'x', 2, '2020-01-01', [1], 1");
    refuses(ErrorCode.CANNOT_PARSE_DATE, "INSERT INTO t VALUES (1, 'x', 2, 'abc', [1], 1)");
    refuses(ErrorCode.CANNOT_PARSE_TEXT, "INSERT INTO t VALUES ('abc', 'x', 2, 0, [1], 1)");
    refuses(ErrorCode.NO_SUCH_COLUMN_IN_TABLE, "INSERT INTO t (a, nosuch) VALUES (1, 'x')");
    refuses(ErrorCode.DUPLICATE_COLUMN, "INSERT INTO t (a, a) VALUES (1, 2)");
    refuses(ErrorCode.UNKNOWN_FORMAT, "INSERT INTO t FORMAT Nosuch 1");
    refuses(ErrorCode.FORMAT_IS_NOT_SUITABLE_FOR_INPUT, "INSERT INTO t FORMAT Vertical 1");

    assertThat(rows("SELECT count() FROM t")).isEqualTo("0");
  }

  /** A stream of rows that are made while they are read, many times what the heap holds of text. */
  private static final class Made extends InputStream {
    private final long count;
    private long next;
    private byte[] line = new byte[0];
    private int at;

    Made(long count) {
      this.count = count;
    }

    @Override
    public int read() {
      if (at == line.length) {
        if (next == count) {
          return -1;
        }
        line =
            ("(" + next % 200 + ",'" + "x".repeat(20) + "')" + (next + 1 < count ? "," : ""))
                .getBytes(StandardCharsets.US_ASCII);
        next++;
        at = 0;
      }
      return line[at++];
    }
  }

  @Test
  void dataStreamsInBehindAStatement() throws IOException {
    session.execute("INSERT INTO t (a, b) VALUES", new Made(300_000)).close();
    session.execute("INSERT INTO t (b, a) FORMAT CSV\n\"q\",7\n", bytes("\"r\",8\n")).close();

    assertThat(rows("SELECT count(), max(a), sum(length(b)) FROM t"))
        .isEqualTo("300002\t199\t6000002");
  }

  private static InputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void filesGoInAndOut() throws IOException {
    run("INSERT INTO t (a, b) VALUES (1, 'one'), (2, 'two')");
    run("CREATE TABLE copies (a UInt8, b String) ENGINE = MergeTree ORDER BY a");
    for (String name : new String[] {"o.csv", "o.tsv.gz", "o.jsonl.zst", "o.native", "o.arrow"}) {
      Path file = directory.resolve(name);
      run("SELECT a, b FROM t ORDER BY a INTO OUTFILE '" + file + "'");
      refuses(ErrorCode.FILE_ALREADY_EXISTS, "SELECT 1 INTO OUTFILE '" + file + "'");

      assertThat(rows("SELECT * FROM file('" + file + "') ORDER BY 1")).isEqualTo("1\tone\n2\ttwo");
      run("INSERT INTO copies (a, b) FROM INFILE '" + file + "'");
    }
    assertThat(rows("SELECT a, b, count() FROM copies GROUP BY a, b ORDER BY a"))
        .isEqualTo("1\tone\t5\n2\ttwo\t5");
    Path file = directory.resolve("o.csv");
    run("SELECT 3, 'three' INTO OUTFILE '" + file + "' APPEND");
    assertThat(Files.readString(file)).isEqualTo("1,\"one\"\n2,\"two\"\n3,\"three\"\n");
    run("SELECT 3, 'three' INTO OUTFILE '" + file + "' TRUNCATE");
    run("INSERT INTO FUNCTION file('" + file + "', 'CSV', 'a Int8, b String') VALUES (4, 'four')");
    run("INSERT INTO FUNCTION file('" + file + "', 'CSV', 'a Int8, b String') SELECT 5, 'five'");
    assertThat(rows("SELECT sum(c1), max(c2) FROM file('" + file + "')")).isEqualTo("12\tthree");
    refuses(ErrorCode.FILE_DOESNT_EXIST, "SELECT * FROM file('" + directory + "/none.csv')");
    refuses(ErrorCode.FILE_DOESNT_EXIST, "INSERT INTO t FROM INFILE '" + directory + "/none.csv'");
  }

  @Test
  void severalFilesAreOneTable() throws IOException {
    Files.writeString(directory.resolve("p1.csv"), "1,a\n");
    Files.writeString(directory.resolve("p2.csv"), "2,b\n");

    assertThat(
            rows(
                "SELECT sum(x), max(y) FROM file('"
                    + directory
                    + "/p*.csv', CSV, 'x Int64, y String')"))
        .isEqualTo("3\tb");
  }

  @Test
  void valuesAndNullAreTables() throws IOException {
    assertThat(rows("SELECT * FROM values('a Int8, b String', (1, 'x'), (1 + 1, 'y'))"))
        .isEqualTo("1\tx\n2\ty");
    assertThat(rows("SELECT * FROM values((1, 'x'), (2, 'y'))")).isEqualTo("1\tx\n2\ty");
    assertThat(rows("SELECT count() FROM null('a Int8')")).isEqualTo("0");
    run("INSERT INTO FUNCTION null('a Int8') SELECT 1");
    refuses(ErrorCode.BAD_ARGUMENTS, "SELECT * FROM values('a Int8, b String', (1, 'x'), (2))");
    refuses(ErrorCode.UNKNOWN_FUNCTION, "SELECT * FROM vlaues('a Int8', 1)");
  }

  @Test
  void settingsOfFormatsCount() throws IOException {
    run("INSERT INTO t FORMAT JSONEachRow {\"a\": 1, \"nosuch\": 2}");
    refuses(
        ErrorCode.NO_SUCH_COLUMN_IN_TABLE,
        "INSERT INTO t SETTINGS input_format_skip_unknown_fields = 0"
            + " FORMAT JSONEachRow {\"a\": 1, \"nosuch\": 2}");
    run("INSERT INTO t (a, b) SETTINGS format_csv_delimiter = ';' FORMAT CSV\n2;\"two\"\n");
    run("SET input_format_defaults_for_omitted_fields = 0");
    run("INSERT INTO t FORMAT JSONEachRow {\"a\": 3}");

    assertThat(rows("SELECT a, b, d FROM t ORDER BY a"))
        .isEqualTo("1\t\t2020-01-01\n2\ttwo\t2020-01-01\n3\t\t1970-01-01");
    assertThat(
            Texts.text(
                session,
                engine.allocator(),
                "SELECT a FROM t ORDER BY a LIMIT 1",
                DataFormat.JSON_EACH_ROW))
        .isEqualTo("{\"a\":1}");
  }
}
