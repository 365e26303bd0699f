package io.coppice.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.Engine;
import io.coppice.fixtures.Golden;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** EXPLAIN with {@code indexes = 1}, and counts, over parts that 26.7 wrote. */
class ExplainGoldenTest {
  private static final String EXPLAIN = "-- EXPLAIN indexes=1 ";

  @TempDir Path directory;

  @Tag("golden")
  @ParameterizedTest
  @ValueSource(strings = {"n_multigranule", "h_skip_wide", "h_skip_wide_uncompressed_marks"})
  void eachIndexLeavesAsManyGranules(String name) throws IOException {
    Golden golden = Golden.of(Golden.Engine.V26_7, name);
    try (Engine engine = Engine.open(directory.resolve("data"))) {
      Session session = new Session(engine);
      session.execute("CREATE DATABASE g").close();
      session.execute("USE g").close();
      session.execute(golden.createSql()).close();
    }
    Path parts = Files.createDirectories(directory.resolve("parts"));
    for (Path part : golden.unpackParts(parts)) {
      Files.move(part, tableDirectory().resolve(part.getFileName().toString()));
    }
    try (Engine engine = Engine.open(directory.resolve("data"))) {
      Session session = new Session(engine);
      int compared = 0;
      for (String question : golden.queries().orElseThrow().split("\n\n(?=-- )")) {
        String first = question.lines().findFirst().orElseThrow();
        String rest = question.substring(first.length()).strip();
        if (first.startsWith(EXPLAIN)) {
          // The peer had one thread when the golden texts were made.
          String sql =
              "EXPLAIN indexes = 1 "
                  + first
                      .substring(EXPLAIN.length())
                      .replace(" FORMAT TSVRaw", ", max_threads = 1");
          assertThat(raw(session, engine, sql)).as(sql).isEqualTo(rest);
          compared++;
        } else if (first.startsWith("-- SELECT count()")) {
          String sql = first.substring(3);
          assertThat(Texts.tsv(session, engine.allocator(), sql)).as(sql).isEqualTo(rest);
        }
      }
      System.out.println(name + ": " + compared + " explanations compared");
      assertThat(compared).isGreaterThan(5);
      assertThat(engine.allocator().getAllocatedMemory()).isZero();
    }
  }

  private static String raw(Session session, Engine engine, String sql) throws IOException {
    return Texts.tsv(session, engine.allocator(), sql).replace("\\'", "'");
  }

  private Path tableDirectory() {
    try (Stream<Path> paths = Files.walk(directory.resolve("data").resolve("store"))) {
      return paths
          .filter(path -> path.endsWith("format_version.txt"))
          .findFirst()
          .orElseThrow()
          .getParent();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void stepsAreToldFromTheLastToTheFirst() throws IOException {
    try (Engine engine = Engine.open(directory.resolve("data"))) {
      Session session = new Session(engine);
      session.execute("CREATE TABLE t (a Int64, b Int64) ENGINE = MergeTree ORDER BY a").close();
      session.execute("INSERT INTO t SELECT number, number % 3 FROM numbers(20000)").close();
      String query =
          "SELECT b, sum(a) FROM t WHERE a < 9000 GROUP BY b HAVING sum(a) > 5 ORDER BY b LIMIT 2";
      assertThat(raw(session, engine, "EXPLAIN indexes = 1 " + query))
          .isEqualTo(
              """
              Output: b, sum(a)

              Limit (preliminary LIMIT)
              │  Limit 2
              │  Offset 0
              └──Sorting (Sorting for ORDER BY)
                 │  Sort description: b ASC
                 │  Limit 2
                 └──Filter (HAVING)
                    │  Filter column: sum(a) > 5
                    └──Aggregating
                       │  Keys: b
                       │  Aggregates: sum(a)
                       │  Skip merging: 0
                       └──ReadFromMergeTree (default.t)
                             Read type: Default
                             Parts: 1 | Granules: 2
                             Output: a, b
                             Prewhere filter
                             Prewhere filter column:  a < 9000
                             Indexes:
                               PrimaryKey
                                 Keys:
                                   a
                                 Condition: (a in (-Inf, 8999])
                                 Parts: 1/1
                                 Granules: 2/2
                                 Search Algorithm: binary search
                               Ranges: 1\
              """
                  .stripIndent());
      assertThat(Texts.tsv(session, engine.allocator(), "EXPLAIN ESTIMATE " + query))
          .isEqualTo("default\tt\t1\t20000\t2");
      assertThat(raw(session, engine, "EXPLAIN SYNTAX select 1+1 AS x"))
          .isEqualTo("SELECT 1 + 1 AS x");
      assertThatThrownBy(() -> Texts.tsv(session, engine.allocator(), "EXPLAIN AST SELECT 1"))
          .isInstanceOfSatisfying(
              EngineException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_IMPLEMENTED));
    }
  }
}
