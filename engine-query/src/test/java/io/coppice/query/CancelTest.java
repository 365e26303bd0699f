package io.coppice.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.Engine;
import io.coppice.parts.text.DataFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CancelTest {
  @TempDir Path directory;

  @Test
  void aQueryEndsWhenItIsCancelledAndTheNextOneRuns() throws IOException {
    try (Engine engine = Engine.open(directory)) {
      Session session = new Session(engine);
      try (QueryResult result = session.execute("SELECT number FROM numbers(1000000)")) {
        assertThat(result.next()).isTrue();
        session.cancel();
        assertThatThrownBy(result::next)
            .isInstanceOfSatisfying(
                EngineException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.QUERY_WAS_CANCELLED));
      }
      assertThat(Texts.tsv(session, engine.allocator(), "SELECT 1")).isEqualTo("1");
      assertThat(engine.allocator().getAllocatedMemory()).isZero();
    }
  }

  /** Rows without end, as of a query that takes long; the statement is cancelled while it reads. */
  private static final class Endless extends InputStream {
    private static final long CANCELLED_AT = 3_000_000;
    private static final long GIVEN_UP_AT = 300_000_000;

    private final Session session;
    private long given;

    Endless(Session session) {
      this.session = session;
    }

    @Override
    public int read() throws IOException {
      if (given == CANCELLED_AT) {
        session.cancel();
      }
      if (given == GIVEN_UP_AT) {
        throw new IOException("the statement reads on though it was cancelled");
      }
      return given++ % 2 == 0 ? '7' : '\n';
    }

    @Override
    public int read(byte[] into, int from, int count) throws IOException {
      for (int i = 0; i < count; i++) {
        into[from + i] = (byte) read();
      }
      return count;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT a, count() FROM endless GROUP BY a",
        "SELECT count() FROM endless",
        "SELECT a FROM endless ORDER BY a LIMIT 5",
        "SELECT DISTINCT a FROM endless",
        "SELECT 1 WHERE 1 IN (SELECT a FROM endless)",
        "SELECT a FROM endless WHERE match(toString(a), '^8+$')",
        "SELECT sum(b) FROM (SELECT a + 1 AS b FROM endless)",
        "INSERT INTO t SELECT a FROM endless"
      })
  void aStatementEndsInTheMidstOfItsRows(String sql) throws IOException {
    try (Engine engine = Engine.open(directory)) {
      Session session = new Session(engine);
      session.execute("CREATE TABLE t (a UInt8) ENGINE = MergeTree ORDER BY a").close();
      session.input(
          "endless",
          InputTable.once(
              "endless",
              DataFormat.inputNamed("TSV"),
              Optional.of("a UInt8"),
              new Endless(session)));
      assertThatThrownBy(
              () -> {
                try (QueryResult result = session.execute(sql)) {
                  while (result.next()) {
                    assertThat(result.batch().getRowCount()).isPositive();
                  }
                }
              })
          .isInstanceOfSatisfying(
              EngineException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.QUERY_WAS_CANCELLED));
      assertThat(engine.allocator().getAllocatedMemory()).isZero();
      assertThat(Texts.tsv(session, engine.allocator(), "SELECT count() FROM t")).isEqualTo("0");
    }
  }
}
