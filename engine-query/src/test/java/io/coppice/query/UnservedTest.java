package io.coppice.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.Engine;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ClickHouse has and this has not is refused by name. */
class UnservedTest {
  @TempDir Path directory;

  @Test
  void whatIsNotServedIsNamedAndNotTheWordBehindIt() throws IOException {
    String[][] statements = {
      {"SELECT * FROM numbers(3) a JOIN numbers(3) b ON a.number = b.number", "JOIN, at line 1"},
      {"SELECT * FROM numbers(3) a ANY LEFT JOIN numbers(3) b USING number", "LEFT JOIN"},
      {"SELECT * FROM system.one ARRAY JOIN [1, 2] AS x", "ARRAY JOIN"},
      {"SELECT sum(number) OVER (ORDER BY number) FROM numbers(3)", "OVER"},
      {"SELECT number FROM numbers(3) QUALIFY row_number() OVER () = 1", "QUALIFY"},
      {"SELECT sum(number) FILTER (WHERE number > 1) FROM numbers(3)", "FILTER"},
      {"SELECT number FROM numbers(3) ORDER BY number FETCH FIRST 2 ROWS ONLY", "FETCH"},
      {"SELECT number FROM numbers(3) ORDER BY number OFFSET 1 ROW", "OFFSET … ROWS"},
      {"SELECT number FROM numbers(3) ORDER BY number WITH FILL", "WITH FILL"},
      {"SELECT 1 FROM numbers(3) GROUP BY GROUPING SETS ((number), ())", "GROUPING SETS"},
      {"SELECT number FROM numbers(3) GROUP BY number WITH ROLLUP", "WITH ROLLUP"},
      {"SELECT number FROM numbers(3) GROUP BY number WITH CUBE", "WITH CUBE"},
      {"SELECT number FROM numbers(3) GROUP BY rollup(number)", "rollup"},
      {"WITH RECURSIVE t AS (SELECT 1) SELECT * FROM t", "WITH RECURSIVE"},
      {"SELECT 1 = ANY (SELECT 1)", "ANY (…)"},
      {"SELECT 1 WHERE 1 = ALL (SELECT 1)", "ALL (…)"},
      {"SELECT * FROM numbers(2) a, numbers(2) b", "several tables"},
      {"CREATE VIEW v AS SELECT 1", "a view"},
      {"CREATE MATERIALIZED VIEW v TO t AS SELECT 1", "a materialized view"},
      {"CREATE DICTIONARY d (a UInt64) PRIMARY KEY a", "a dictionary"},
      {"CREATE FUNCTION f AS (x) -> x + 1", "a function"},
      {"SELECT untuple((1, 2))", "untuple"},
    };
    try (Engine engine = Engine.open(directory)) {
      Session session = new Session(engine);
      for (String[] statement : statements) {
        assertThatThrownBy(() -> session.execute(statement[0]).close())
            .as(statement[0])
            .isInstanceOfSatisfying(
                EngineException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_IMPLEMENTED))
            .hasMessageContaining(statement[1]);
      }
    }
  }

  @Test
  void sameWordsAsNamesAndOtherFaultsStayWhatTheyAre() throws IOException {
    try (Engine engine = Engine.open(directory)) {
      Session session = new Session(engine);
      session.execute("SELECT 1 AS join, 2 AS fetch, 3 AS over, 4 AS filter").close();
      session.execute("SELECT over FROM (SELECT 1 AS over)").close();
      for (String wrong :
          new String[] {"SELECT FROM FROM", "SELECT (1, 2", "SELECT a,, b FROM t"}) {
        assertThatThrownBy(() -> session.execute(wrong).close())
            .as(wrong)
            .isInstanceOfSatisfying(
                EngineException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SYNTAX_ERROR));
      }
    }
  }

  @Test
  void aStatementKeepsWithinItsOwnMemory() throws IOException {
    try (Engine engine = Engine.open(directory)) {
      Session session = new Session(engine);
      for (String query :
          new String[] {
            "SELECT groupArray(number) FROM numbers(1000000)",
            "SELECT number, count() FROM numbers(1000000) GROUP BY number",
            "SELECT DISTINCT number FROM numbers(1000000)",
          }) {
        assertThatThrownBy(() -> drain(session.execute(query + limit(1_000_000))))
            .as(query)
            .isInstanceOfSatisfying(
                EngineException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT_EXCEEDED));
        drain(session.execute(query + limit(1_000_000_000)));
        drain(session.execute(query + limit(0)));
      }
      assertThat(engine.allocator().getAllocatedMemory()).isZero();
    }
  }

  private static String limit(long bytes) {
    return " SETTINGS max_memory_usage = " + bytes;
  }

  private static void drain(QueryResult result) throws IOException {
    try (result) {
      while (result.next()) {
        assertThat(result.batch().getRowCount()).isPositive();
      }
    }
  }
}
