package io.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code coppice local} is used as clickhouse-local is. */
class LocalCommandTest {
  @TempDir Path directory;

  private static Cli.Result local(String input, Object... arguments) {
    Object[] all = new Object[arguments.length + 1];
    all[0] = "local";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return Cli.runWith(input.getBytes(StandardCharsets.UTF_8), all);
  }

  @Test
  void severalStatementsGiveTheirResultsOneAfterTheOther() {
    Cli.Result result =
        local(
            "",
            "-q",
            "CREATE TABLE t (a Int64, s String) ENGINE = MergeTree ORDER BY a;"
                + " INSERT INTO t VALUES (2, 'b'), (1 + 0, upper('a')); SELECT * FROM t",
            "--query",
            "SELECT count() FROM t FORMAT JSONEachRow");

    assertThat(result.err()).isEmpty();
    assertThat(result.text()).isEqualTo("1\tA\n2\tb\n{\"count()\":2}\n");
    assertThat(result.status()).isZero();
  }

  @Test
  void tablesStayInTheDirectoryThatIsNamed() {
    Path data = directory.resolve("data");
    local("", "--path", data, "-q", "CREATE TABLE t (a Int8) ENGINE = MergeTree ORDER BY a");
    local("7\n8\n", "--path", data, "-q", "INSERT INTO t FORMAT TSV");

    Cli.Result result =
        local("", "--path", data, "--readonly", "-q", "SELECT sum(a) FROM t", "--format", "CSV");

    assertThat(result.text()).isEqualTo("15\n");
    Cli.Result refused = local("", "--path", data, "--readonly", "-q", "DROP TABLE t");
    assertThat(refused.status()).isEqualTo(164);
    assertThat(refused.err()).startsWith("Code: 164. DB::Exception: ").endsWith("(READONLY)\n");
  }

  @Test
  void aTemporaryDirectoryIsGoneAfterwards() throws Exception {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    List<Path> before = directories(temporary);

    assertThat(local("", "-q", "SELECT 1").text()).isEqualTo("1\n");

    assertThat(directories(temporary)).isEqualTo(before);
  }

  private static List<Path> directories(Path of) throws Exception {
    try (Stream<Path> all = Files.list(of)) {
      return all.filter(path -> path.getFileName().toString().startsWith("coppice-local"))
          .sorted()
          .toList();
    }
  }

  @Test
  void theFirstErrorEndsItWithItsCode() {
    Cli.Result result = local("", "-q", "SELECT 1; SELECT * FROM nosuch; SELECT 2");

    assertThat(result.text()).isEqualTo("1\n");
    assertThat(result.status()).isEqualTo(60);
    assertThat(result.err())
        .startsWith("Code: 60. DB::Exception: ")
        .contains("nosuch")
        .endsWith(" (UNKNOWN_TABLE)\n");
  }

  @Test
  void statementsComeFromStdinAndFilesToo() throws Exception {
    Path script = directory.resolve("script.sql");
    Files.writeString(script, "SELECT 1;\nSELECT 'a;b'\n;\n");

    assertThat(local("SELECT 1 + 1; SELECT 3").text()).isEqualTo("2\n3\n");
    assertThat(local("", "--queries-file", script).text()).isEqualTo("1\na;b\n");
  }

  @Test
  void stdinAndFilesAreTables() throws Exception {
    Path file = directory.resolve("rows.csv");
    Files.writeString(file, "a,s\n5,five\n6,six\n");

    assertThat(
            local(
                    "1\tx\n2\ty\n",
                    "-S",
                    "a Int32, s String",
                    "-q",
                    "SELECT sum(a), max(s) FROM table")
                .text())
        .isEqualTo("3\ty\n");
    assertThat(
            local(
                    "{\"k\":1}\n{\"k\":2}\n",
                    "--input-format",
                    "JSONEachRow",
                    "--table",
                    "t",
                    "-q",
                    "SELECT toTypeName(k), k FROM t")
                .text())
        .isEqualTo("Nullable(Int64)\t1\nNullable(Int64)\t2\n");
    assertThat(local("", "--file", file, "-q", "SELECT a, s FROM table ORDER BY a DESC").text())
        .isEqualTo("6\tsix\n5\tfive\n");
    Cli.Result none =
        local("", "--file", directory.resolve("none.csv"), "-q", "SELECT * FROM table");
    assertThat(none.status()).isEqualTo(107);
  }

  @Test
  void settingsAreOptions() {
    assertThat(
            local(
                    "",
                    "--output_format_json_quote_64bit_integers=1",
                    "--session_timezone",
                    "Europe/Berlin",
                    "-q",
                    "SELECT toInt64(1) AS a, toDateTime(0) AS t FORMAT JSONEachRow")
                .text())
        .isEqualTo("{\"a\":\"1\",\"t\":\"1970-01-01 01:00:00\"}\n");
    Cli.Result unknown = local("", "--output_format_json_quote_64bit_integer=1", "-q", "SELECT 1");
    assertThat(unknown.status()).isEqualTo(115);
    assertThat(unknown.err()).contains("output_format_json_quote_64bit_integers");
    assertThat(local("", "SELECT 1").status()).isEqualTo(Main.USAGE);
  }

  @Test
  void unknownFormatsAreToldWithNearOnes() {
    Cli.Result result = local("", "-q", "SELECT 1 FORMAT JSONEachRwo");

    assertThat(result.status()).isEqualTo(73);
    assertThat(result.err()).contains("did you mean JSONEachRow?");
    assertThat(local("", "-q", "SELECT 1", "--time").err()).matches("[0-9.]+\n");
  }

  @Test
  void jsonTellsWhatWasRead() {
    String text = local("", "-q", "SELECT sum(number) FROM numbers(1000) FORMAT JSON").text();

    assertThat(text)
        .contains("\"rows\": 1,", "\"rows_read\": 1000,", "\"bytes_read\": 8000")
        .containsPattern("\"elapsed\": [0-9.e-]+,");
  }
}
