package io.coppice.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.Engine;
import io.coppice.engine.EngineConfig;
import io.coppice.fixtures.ForkedJvm;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What statements do with little memory: they work, or are refused and leave nothing behind. */
class LimitsTest {
  private static final long BUDGET = 200L << 20;

  @TempDir Path directory;

  @Test
  void tenThousandColumnsAreInsertedAndSelectedInHalfAGigabyte() throws Exception {
    System.out.print(
        ForkedJvm.run(ManyColumns.class, 512, 512, directory.toString(), "10000", "1000", "480"));
  }

  @Test
  void aHundredMillionRowsInFewGroupsFit() throws IOException {
    try (Engine engine = Engine.open(EngineConfig.at(directory).withMemoryBytes(BUDGET))) {
      Session session = new Session(engine);
      String groups =
          "SELECT k, count(), sum(n) FROM (SELECT number % 1000 AS k, number AS n FROM"
              + " numbers(100000000)) GROUP BY k ORDER BY k LIMIT 2";
      assertThat(Texts.tsv(session, engine.allocator(), groups))
          .isEqualTo("0\t100000\t4999950000000\n1\t100000\t4999950100000");
    }
  }

  @Test
  void aHundredMillionGroupsAreRefusedWithinTheBudget() throws IOException {
    try (Engine engine = Engine.open(EngineConfig.at(directory).withMemoryBytes(BUDGET))) {
      Session session = new Session(engine);
      for (String query :
          new String[] {
            "SELECT number, count() FROM numbers(100000000) GROUP BY number",
            "SELECT toString(number) AS s, count() FROM numbers(100000000) GROUP BY s",
            "SELECT uniqExact(number) FROM numbers(100000000)",
            "SELECT groupArray(number) FROM numbers(100000000)",
            "SELECT DISTINCT number FROM numbers(100000000) ORDER BY number DESC",
            "SELECT DISTINCT number FROM numbers(100000000) LIMIT 99999999, 1",
            "SELECT number FROM numbers(100000000) LIMIT 1 BY number",
            "SELECT 1 WHERE 5 IN (SELECT number FROM numbers(100000000))",
            "SELECT count() FROM numbers(10) WHERE toString(number) IN (SELECT toString(number)"
                + " FROM numbers(100000000))",
            "SELECT number FROM numbers(100000000) ORDER BY number DESC"
          }) {
        assertThatThrownBy(() -> Texts.tsv(session, engine.allocator(), query))
            .as(query)
            .isInstanceOfSatisfying(
                EngineException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT_EXCEEDED));
        assertThat(engine.allocator().getAllocatedMemory()).as(query).isZero();
      }
      assertThat(engine.allocator().getPeakMemoryAllocation()).isLessThanOrEqualTo(BUDGET);
      assertThat(Texts.tsv(session, engine.allocator(), "SELECT 1")).isEqualTo("1");
    }
  }

  @Test
  void whatSortingTakesOnTheHeapCounts() throws IOException {
    String query =
        "SELECT number FROM numbers(2500000) ORDER BY number % 7, number % 5, number % 3, number"
            + " DESC";
    // 2,500,000 rows of five numbers fit; what sorts them by four keys, 88 bytes a row, does not.
    try (Engine engine = Engine.open(EngineConfig.at(directory).withMemoryBytes(BUDGET))) {
      Session session = new Session(engine);
      assertThatThrownBy(() -> Texts.tsv(session, engine.allocator(), query))
          .isInstanceOfSatisfying(
              EngineException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT_EXCEEDED);
                assertThat(e).hasMessageStartingWith("ORDER BY: ");
              });
      assertThat(engine.allocator().getAllocatedMemory()).isZero();
      assertThat(Texts.tsv(session, engine.allocator(), query + " LIMIT 1")).isEqualTo("2499945");
    }
  }

  @Test
  void aSetIsHeldAsLongAsTheRowsThatAskIt() throws IOException {
    try (Engine engine = Engine.open(EngineConfig.at(directory).withMemoryBytes(BUDGET))) {
      Session session = new Session(engine);
      String set = "SELECT number FROM numbers(100000)";
      try (QueryResult result =
          session.execute("SELECT number FROM numbers(9) WHERE number IN (" + set + ")")) {
        assertThat(result.next()).isTrue();
        assertThat(engine.allocator().getAllocatedMemory()).isGreaterThan(100_000 * 256L);
      }
      assertThat(engine.allocator().getAllocatedMemory()).isZero();
    }
  }
}
