package io.coppice.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.disk.sim.SimDisk;
import io.coppice.engine.Engine;
import io.coppice.engine.EngineConfig;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** ORDER BY that begins as the sorting key: rows as of sorting them all, of which few are read. */
class KeyOrderTest {
  private static final List<String> KEYS =
      List.of("a, s, v", "a DESC, s", "s, a DESC", "v", "n, a", "f, s", "s DESC, v DESC");
  private static final List<String> ORDERS =
      List.of(
          "a",
          "a DESC",
          "a, s",
          "a DESC, s DESC",
          "a DESC, s",
          "a, v",
          "s",
          "s DESC, a",
          "s, a DESC",
          "s, v",
          "v",
          "v DESC",
          "v DESC, f",
          "n",
          "n DESC",
          "n NULLS FIRST",
          "n, a, s",
          "f",
          "f DESC",
          "f, s DESC",
          "s, f, n DESC",
          "a, s, v, n, f");
  private static final List<String> TAILS =
      List.of("", " LIMIT 7", " LIMIT 5 OFFSET 40", " LIMIT 3 WITH TIES", " LIMIT 2 BY s");

  private static Engine engine(int threads) throws IOException {
    return Engine.open(EngineConfig.on(new SimDisk(1)).withThreads(threads));
  }

  @Test
  void rowsAreThoseOfSortingThemAll() throws IOException {
    long seed = Long.getLong("coppice.seed", 20261202L);
    System.out.println("seed: -Dcoppice.seed=" + seed);
    Random random = new Random(seed);
    for (String key : KEYS) {
      try (Engine engine = engine(1 + random.nextInt(3))) {
        Session session = new Session(engine);
        session
            .execute(
                "CREATE TABLE t (a Int32, s String, v UInt64, n Nullable(Int8), f Float64, id"
                    + " UInt64) ENGINE = MergeTree ORDER BY ("
                    + key
                    + ") SETTINGS index_granularity = 32, allow_nullable_key = 1")
            .close();
        for (int part = 0; part < 1 + random.nextInt(5); part++) {
          int rows = 1 + random.nextInt(700);
          int step = 1 + random.nextInt(5000);
          session
              .execute(
                  ("INSERT INTO t SELECT number * %1$d %% 17, toString(number * %1$d %% 5),"
                          + " number * %1$d %% 201, if(number %% 4 = 0, NULL, number %% 7),"
                          + " if(number %% 6 = 0, nan, number * %1$d %% 9 - 4), number + %2$d"
                          + " FROM numbers(%3$d)")
                      .formatted(step, part * 1000, rows))
              .close();
        }
        for (String order : ORDERS) {
          String where =
              List.of("", " WHERE a = 3", " WHERE s = '2'", " WHERE v > 50 AND n > 2")
                  .get(random.nextInt(4));
          String tail = TAILS.get(random.nextInt(TAILS.size()));
          // What is computed is no column of the key: so that is sorted.
          String sorted = order.replaceAll("^(\\w+)", "identity($1)");
          String read = "SELECT id, a, s, v, n, f FROM t" + where + " ORDER BY ";
          assertThat(Texts.tsv(session, engine.allocator(), read + order + tail))
              .as("key %s: %s%s%s", key, read, order, tail)
              .isEqualTo(Texts.tsv(session, engine.allocator(), read + sorted + tail));
        }
        assertThat(engine.allocator().getAllocatedMemory()).isZero();
      }
    }
  }

  @Test
  void fewRowsAreReadForTheFirst() throws IOException {
    try (Engine engine = engine(2)) {
      Session session = new Session(engine);
      session
          .execute(
              "CREATE TABLE t (a UInt64, b String) ENGINE = MergeTree ORDER BY (a, b)"
                  + " SETTINGS index_granularity = 100")
          .close();
      for (int part = 0; part < 4; part++) {
        session
            .execute("INSERT INTO t SELECT number * 4 + " + part + ", 'x' FROM numbers(20000)")
            .close();
      }
      for (String query :
          List.of(
              "SELECT a FROM t ORDER BY a LIMIT 3",
              "SELECT a FROM t ORDER BY a DESC LIMIT 3",
              "SELECT a, b FROM t ORDER BY a, b LIMIT 3 OFFSET 2",
              "SELECT a FROM t WHERE a = 400 ORDER BY b LIMIT 1")) {
        Texts.tsv(session, engine.allocator(), query);
        assertThat(session.read().rows()).as(query).isLessThanOrEqualTo(800).isPositive();
      }
      assertThat(Texts.tsv(session, engine.allocator(), "SELECT a FROM t ORDER BY a DESC LIMIT 3"))
          .isEqualTo("79999\n79998\n79997");
    }
  }

  @Test
  void anOrderOfTheKeyNeedsLittleMemory() throws IOException {
    try (Engine engine =
        Engine.open(EngineConfig.on(new SimDisk(1)).withThreads(2).withMemoryBytes(48L << 20))) {
      Session session = new Session(engine);
      session.execute("CREATE TABLE t (a UInt64, b String) ENGINE = MergeTree ORDER BY a").close();
      for (int part = 0; part < 4; part++) {
        session
            .execute(
                "INSERT INTO t SELECT number * 4 + "
                    + part
                    + ", repeat('x', 50) FROM numbers(250000)")
            .close();
      }
      assertThat(
              Texts.tsv(
                  session,
                  engine.allocator(),
                  "SELECT count(), sum(length(b)) FROM (SELECT a, b FROM t ORDER BY a)"))
          .isEqualTo("1000000\t50000000");
    }
  }
}
