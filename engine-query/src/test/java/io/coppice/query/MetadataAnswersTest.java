package io.coppice.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.disk.sim.SimDisk;
import io.coppice.base.disk.sim.TrackingDisk;
import io.coppice.engine.Engine;
import io.coppice.engine.EngineConfig;
import io.coppice.parts.text.DataFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Queries that small files of parts answer: no data is read, and the answers are those of rows. */
class MetadataAnswersTest {
  private static final String CREATE =
      "CREATE TABLE t (a Int32, b String, d Date, dt DateTime64(3, 'UTC'), dec Decimal(20, 4),"
          + " f Float64, n Nullable(Int32), u UInt64) ENGINE = MergeTree"
          + " PARTITION BY %s ORDER BY (%s)"
          + " SETTINGS index_granularity = 16, allow_nullable_key = 1";
  private static final String INSERT =
      "INSERT INTO t SELECT intDiv(number * 7919 %% 1000, 7) - 20 + %1$d, toString(number %% 13),"
          + " toDate('2024-01-20') + number %% 40,"
          + " toDateTime64('2024-01-01 00:00:00.5', 3, 'UTC') + number * 1000 + %1$d,"
          + " toDecimal128(number, 4) / 7, if(number %% 5 = 0, nan, number %% 9 - 4),"
          + " if(number %% 3 = 0, NULL, number %% 2), number * 1000003 FROM numbers(%2$d)";

  private static long dataRead(TrackingDisk disk) {
    return disk.bytesRead().entrySet().stream()
        .filter(file -> file.getKey().endsWith(".bin"))
        .mapToLong(java.util.Map.Entry::getValue)
        .sum();
  }

  private static String answer(Session session, Engine engine, String sql) throws IOException {
    return Texts.text(session, engine.allocator(), sql, DataFormat.TSV_WITH_NAMES_AND_TYPES);
  }

  @Test
  void nothingIsReadForLeastAndGreatestValuesAndCounts() throws IOException {
    TrackingDisk disk = new TrackingDisk(new SimDisk(1));
    try (Engine engine = Engine.open(EngineConfig.on(disk))) {
      Session session = new Session(engine);
      session.execute(CREATE.formatted("(toYYYYMM(d), f > 0, n)", "a, b")).close();
      for (int i = 0; i < 3; i++) {
        session.execute(INSERT.formatted(i * 5, 300)).close();
      }
      List<String> answered =
          List.of(
              "SELECT min(a), max(d), count() FROM t",
              "SELECT max(a) - min(a) AS w, count() + 1 FROM t",
              "SELECT count(a), min(d) FROM t WHERE toYYYYMM(d) = 202402",
              "SELECT count(), max(a) FROM t WHERE _part LIKE '2024%' AND NOT (f > 0)",
              "SELECT toYYYYMM(d) AS m, count(), min(a), max(d) FROM t GROUP BY m ORDER BY m",
              "SELECT n, count() FROM t GROUP BY n ORDER BY n",
              "SELECT _partition_id AS p, count() FROM t GROUP BY p ORDER BY p",
              "SELECT count() FROM t WHERE n = 7",
              "SELECT min(a) FROM t HAVING min(a) > 1000");
      for (String query : answered) {
        long before = dataRead(disk);
        String fast = answer(session, engine, query);
        assertThat(dataRead(disk)).as(query).isEqualTo(before);
        String slow =
            answer(
                session,
                engine,
                query.replace("FROM t", "FROM (SELECT *, _part, _partition_id FROM t)"));
        assertThat(dataRead(disk)).as("the same of rows reads").isGreaterThan(before);
        assertThat(fast).as(query).isEqualTo(slow);
      }
      // What may be NULL or NaN is read.
      for (String query : List.of("SELECT min(f), max(f) FROM t", "SELECT max(n) FROM t")) {
        long before = dataRead(disk);
        answer(session, engine, query);
        assertThat(dataRead(disk)).as(query).isGreaterThan(before);
      }
      assertThat(engine.allocator().getAllocatedMemory()).isZero();
    }
  }

  @Test
  void rowsThatTheKeyTellsToPassAreCountedUnread() throws IOException {
    TrackingDisk disk = new TrackingDisk(new SimDisk(1));
    try (Engine engine = Engine.open(EngineConfig.on(disk))) {
      Session session = new Session(engine);
      session
          .execute(
              "CREATE TABLE t (a UInt32, s String) ENGINE = MergeTree ORDER BY a"
                  + " SETTINGS index_granularity = 64, min_bytes_for_wide_part = 0")
          .close();
      session.execute("INSERT INTO t SELECT number, number FROM numbers(10000)").close();
      String count = "SELECT count() FROM t WHERE a >= 640 AND a < 7000";
      assertThat(Texts.tsv(session, engine.allocator(), count)).isEqualTo("6360");
      assertThat(session.read().rows())
          .isEqualTo(128) /* the granule before may end with 640 too */;
    }
  }

  @Test
  void answersAreThoseOfRowsWhateverIsAsked() throws IOException {
    long seed = Long.getLong("coppice.seed", 20261201L);
    System.out.println("seed: -Dcoppice.seed=" + seed);
    Random random = new Random(seed);
    List<String> keys =
        List.of(
            "a, b", "a DESC, d", "d, a", "b, a", "dec, dt", "dt DESC", "f, a", "n, a", "u % 50, a");
    List<String> conditions =
        List.of(
            "a > %d",
            "a < %d AND a != 3",
            "a NOT IN (1, 2)",
            "a = %d",
            "NOT (a > %d)",
            "b >= '3'",
            "b LIKE '1%%'",
            "d >= '2024-02-01'",
            "d != '2024-02-03' OR a < %d",
            "dec > 12",
            "dt < '2024-01-02 03:00:00'",
            "f > %d",
            "f != 1",
            "NOT (f > 0)",
            "n > 0",
            "n != 0",
            "n IS NULL",
            "NOT (n = 1)",
            "u %% 50 > %d",
            "a + 1 > %d",
            "a * 2 <= %d",
            "-a > %d",
            "a BETWEEN 3 AND %d",
            "toYYYYMM(d) = 202401",
            "n",
            "a",
            "_partition_id != 'x'",
            "a > %d AND b > '2'");
    int partly = 0;
    for (String key : keys) {
      try (Engine engine = Engine.open(EngineConfig.on(new SimDisk(1)).withThreads(2))) {
        Session session = new Session(engine);
        session.execute(CREATE.formatted("toYYYYMM(d)", key)).close();
        for (int i = 0; i < 3; i++) {
          session.execute(INSERT.formatted(i * 5, 50 + random.nextInt(500))).close();
        }
        for (int i = 0; i < 9; i++) {
          String condition = conditions.get(random.nextInt(conditions.size()));
          String where = " WHERE " + condition.formatted(random.nextInt(60) - 5);
          for (String items : List.of("count()", "count(), min(a), max(a)", "min(d), max(d)")) {
            String fast = answer(session, engine, "SELECT " + items + " FROM t" + where);
            String slow =
                answer(session, engine, "SELECT " + items + " FROM (SELECT * FROM t" + where + ")");
            assertThat(fast).as("ORDER BY %s: %s%s", key, items, where).isEqualTo(slow);
          }
          partly += partlyCounted(session, engine, where);
        }
        for (String column : List.of("a", "b", "d", "dt", "dec", "f", "n", "u")) {
          String items = "SELECT min(" + column + "), max(" + column + "), count() FROM ";
          assertThat(answer(session, engine, items + "t"))
              .as("ORDER BY %s: %s", key, column)
              .isEqualTo(answer(session, engine, items + "(SELECT * FROM t)"));
        }
      }
    }
    assertThat(partly).as("counts of which a part is known by the key").isGreaterThan(3);
  }

  private static int partlyCounted(Session session, Engine engine, String where)
      throws IOException {
    List<String> lines = new ArrayList<>();
    Texts.tsv(session, engine.allocator(), "EXPLAIN SELECT count() FROM t" + where)
        .lines()
        .filter(line -> line.contains("_exact_count_projection"))
        .forEach(lines::add);
    return lines.size();
  }
}
