package io.coppice.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.base.time.SimTime;
import io.coppice.engine.Durability;
import io.coppice.engine.Engine;
import io.coppice.engine.EngineConfig;
import io.coppice.engine.InsertResult;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** INSERT statements with async_insert = 1. */
class AsyncInsertTest {
  private static final String ASYNC =
      "SETTINGS async_insert = 1, async_insert_use_adaptive_busy_timeout = 0,"
          + " async_insert_busy_timeout_ms = 1000 ";

  @TempDir Path directory;
  private final SimTime time = new SimTime(1_700_000_000_000L);
  private Engine engine;
  private Session session;

  @BeforeEach
  void open() throws IOException {
    engine = Engine.open(EngineConfig.at(directory).withTime(time).withDurability(Durability.FAST));
    session = new Session(engine);
    run("CREATE TABLE t (a UInt8, b String DEFAULT 'none') ENGINE = MergeTree ORDER BY a");
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
    BufferAllocator allocator = engine.allocator();
    return Texts.tsv(session, allocator, sql);
  }

  private int waiting() {
    return engine.asyncInserts().waiting().stream().mapToInt(w -> w.sizes().size()).sum();
  }

  /** Carries out statements in threads of their own, and moves time when all of them wait. */
  private List<Object> together(String... statements) {
    List<CompletableFuture<Object>> results = new ArrayList<>();
    for (String sql : statements) {
      results.add(
          CompletableFuture.supplyAsync(
              () -> {
                try (QueryResult result = new Session(engine).execute(sql)) {
                  return result.inserted().orElseThrow();
                } catch (IOException | EngineException e) {
                  return e;
                }
              },
              task -> new Thread(task).start()));
    }
    while (waiting() + results.stream().filter(CompletableFuture::isDone).count()
        < statements.length) {
      Thread.onSpinWait();
    }
    time.advance(Duration.ofSeconds(1));
    return results.stream().map(CompletableFuture::join).toList();
  }

  @Test
  void statementsOfOneKindAreOnePart() throws IOException {
    List<Object> results =
        together(
            "INSERT INTO t (a) " + ASYNC + "VALUES (1)",
            "INSERT INTO t (a) " + ASYNC + "VALUES (2), (3)",
            "INSERT INTO t " + ASYNC + "FORMAT CSV\n4,four",
            "INSERT INTO t " + ASYNC + "FORMAT CSV\n5,five\n6,six");

    assertThat(results).hasOnlyElementsOfType(InsertResult.class);
    assertThat(results)
        .extracting(result -> ((InsertResult) result).rows())
        .containsExactly(1L, 2L, 1L, 2L);
    assertThat(rows("SELECT a, b FROM t ORDER BY a"))
        .isEqualTo("1\tnone\n2\tnone\n3\tnone\n4\tfour\n5\tfive\n6\tsix");
    assertThat(rows("SELECT count() FROM system.parts WHERE active AND table = 't'"))
        .isEqualTo("2");
  }

  @Test
  void whatIsWrongWithOneIsItsOwnError() throws IOException {
    run("ALTER TABLE t ADD CONSTRAINT small CHECK a < 100");
    List<Object> results =
        together(
            "INSERT INTO t (a) " + ASYNC + "VALUES (1)",
            "INSERT INTO t (a) " + ASYNC + "VALUES ('abc')",
            "INSERT INTO t (a) " + ASYNC + "VALUES (200)",
            "INSERT INTO t (a) " + ASYNC + "VALUES (2)");

    assertThat(((EngineException) results.get(1)).code()).isEqualTo(ErrorCode.CANNOT_PARSE_TEXT);
    assertThat(((EngineException) results.get(2)).code()).isEqualTo(ErrorCode.VIOLATED_CONSTRAINT);
    assertThat(rows("SELECT a FROM t ORDER BY a")).isEqualTo("1\n2");
  }

  @Test
  void whoDoesNotWaitIsSeenInTheQueueUntilItIsFlushed() throws IOException {
    String into = "INSERT INTO t (a) " + ASYNC.strip() + ", wait_for_async_insert = 0 ";
    run(into + "VALUES (1)");
    run(into + "VALUES (22)");

    assertThat(rows("SELECT count() FROM t")).isEqualTo("0");
    assertThat(
            rows(
                "SELECT database, table, format, first_update, total_bytes, `entries.bytes` FROM"
                    + " system.asynchronous_inserts"))
        .isEqualTo("default\tt\tValues\t2023-11-14 22:13:20.000000\t7\t[3,4]");
    run("CREATE TABLE other (a UInt8) ENGINE = MergeTree ORDER BY a");
    run("SYSTEM FLUSH ASYNC INSERT QUEUE other");
    assertThat(waiting()).isEqualTo(2);
    run("SYSTEM FLUSH ASYNC INSERT QUEUE t");
    assertThat(waiting()).isZero();
    assertThat(rows("SELECT a FROM t ORDER BY a")).isEqualTo("1\n22");
    run(into + "VALUES (3)");
    run("SYSTEM FLUSH ASYNC INSERT QUEUE");
    assertThat(rows("SELECT count() FROM t")).isEqualTo("3");
  }

  @Test
  void largeInsertsQueriesAndFilesAreWrittenAtOnce() throws IOException {
    run("SET async_insert = 1, async_insert_max_data_size = 10");
    session
        .execute(
            "INSERT INTO t (a) FORMAT TSV",
            new ByteArrayInputStream("1\n2\n3\n4\n5\n6\n7\n8\n".getBytes(StandardCharsets.UTF_8)))
        .close();
    run("INSERT INTO t SELECT number, 'q' FROM numbers(3)");
    run("INSERT INTO t (a) VALUES");

    assertThat(rows("SELECT count() FROM t")).isEqualTo("11");
    assertThat(time.monotonicNanos()).isZero();
    assertThatThrownBy(() -> run("SET async_insert = 2"))
        .isInstanceOfSatisfying(
            EngineException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CANNOT_CONVERT_TYPE));
  }
}
