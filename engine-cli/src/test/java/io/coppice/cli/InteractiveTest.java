package io.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.Engine;
import io.coppice.query.Session;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Statements typed on a terminal, here one that knows nothing of cursors. */
class InteractiveTest {
  @TempDir Path directory;

  private String talk(String typed) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream err = new PrintStream(out, true, StandardCharsets.UTF_8);
    InputStream in = new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8));
    Shell shell = new Shell(InputStream.nullInputStream(), out, err, false, true, true);
    try (Engine engine = Engine.open(directory.resolve("data"));
        Terminal terminal = new DumbTerminal("test", "dumb", in, out, StandardCharsets.UTF_8)) {
      Statements statements =
          new Statements(shell, engine, new Session(engine), Optional.empty(), false, false);
      int status =
          new Interactive(engine, statements)
              .run(terminal, Optional.of(directory.resolve("history")));
      assertThat(status).isZero();
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void statementsGoOnUntilASemicolon() throws IOException {
    String said =
        talk(
            "CREATE TABLE t (a Int64)\nENGINE = MergeTree ORDER BY a;\n"
                + "INSERT INTO t VALUES (1), (2), (3);\n"
                + "SELECT a, ';' AS s\nFROM t -- not here;\n;\nexit\n");

    assertThat(said)
        .contains("Ok.")
        .contains("3 rows written.")
        .contains("┌─\u001b[1ma\u001b[0m─┬─\u001b[1ms\u001b[0m─┐")
        .contains("│ 3 │ ; │")
        .containsPattern("3 rows in set\\. Elapsed: [0-9.]+ sec\\.");
    assertThat(Files.readString(directory.resolve("history"))).contains("INSERT INTO t");
  }

  @Test
  void errorsAreToldAndItGoesOn() throws IOException {
    String said = talk("SELECT nosuch;\nSELECT 40 + 2 AS answer;\nquit;\nSELECT 'unreached';\n");

    assertThat(said)
        .contains("Code: 47. DB::Exception: ")
        .contains("(UNKNOWN_IDENTIFIER)")
        .contains("│     42 │")
        .doesNotContain("│ unreached");
  }

  @Test
  void namesAreCompleted() throws IOException {
    try (Engine engine = Engine.open(directory.resolve("data"))) {
      engine.createTable("CREATE TABLE flights (origin String) ENGINE = MergeTree ORDER BY origin");
      Completions completions = new Completions(engine);

      assertThat(completions.matching("fli")).containsExactly("flights");
      assertThat(completions.matching("ori")).containsExactly("origin");
      assertThat(completions.matching("prew")).containsExactly("PREWHERE");
      assertThat(completions.matching("jsoneach")).containsExactly("JSONEachRow");
      assertThat(completions.matching("toDateT")).contains("toDateTime", "toDateTime64");
    }
  }
}
