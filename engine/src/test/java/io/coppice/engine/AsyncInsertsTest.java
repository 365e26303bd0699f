package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.disk.sim.SimDisk;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.base.time.SimTime;
import io.coppice.parts.scan.BatchStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Inserts that are gathered; time stands still until a test moves it. */
class AsyncInsertsTest {
  private static final AsyncInsertSettings AFTER_A_SECOND =
      AsyncInsertSettings.DEFAULT.withWait(Duration.ofSeconds(1));

  private final SimTime time = new SimTime(1_700_000_000_000L);
  private final SimDisk disk = new SimDisk(1);
  private Engine engine;
  private Table table;

  @BeforeEach
  void open() {
    engine = Engine.open(EngineConfig.on(disk).withTime(time));
    table =
        engine.createTable(
            "CREATE TABLE t (a Int64, CONSTRAINT small CHECK a < 1000) ENGINE = MergeTree ORDER BY"
                + " a PARTITION BY intDiv(a, 500)");
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private VectorSchemaRoot batch(long... values) {
    BigIntVector vector = new BigIntVector("a", engine.allocator());
    vector.allocateNew(values.length);
    for (int i = 0; i < values.length; i++) {
      vector.set(i, values[i]);
    }
    vector.setValueCount(values.length);
    VectorSchemaRoot batch = VectorSchemaRoot.of(vector);
    batch.setRowCount(values.length);
    return batch;
  }

  private CompletableFuture<InsertResult> insert(AsyncInsertSettings when, long... values) {
    try (VectorSchemaRoot batch = batch(values)) {
      return table.insertAsync(batch, InsertSettings.DEFAULT, when);
    }
  }

  private static InsertResult done(CompletableFuture<InsertResult> result) throws Exception {
    return result.get(5, TimeUnit.MINUTES); // ends a test that hangs, and measures nothing
  }

  private static void failed(ErrorCode code, CompletableFuture<InsertResult> result) {
    assertThatThrownBy(() -> done(result))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            EngineException.class, e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }

  private List<Long> rows(Table from) throws IOException {
    List<Long> rows = new ArrayList<>();
    try (BatchStream batches = from.scan().columns("a").open(engine.allocator())) {
      while (batches.next()) {
        BigIntVector vector = (BigIntVector) batches.batch().getVector("a");
        for (int i = 0; i < vector.getValueCount(); i++) {
          rows.add(vector.get(i));
        }
      }
    }
    rows.sort(null);
    return rows;
  }

  @Test
  void insertsOfManyThreadsBecomeOnePartWhenTimeHasPassed() throws Exception {
    List<CompletableFuture<InsertResult>> results =
        IntStream.range(0, 100)
            .parallel()
            .mapToObj(i -> insert(AFTER_A_SECOND, i, i + 100))
            .toList();

    assertThat(results).noneMatch(CompletableFuture::isDone);
    assertThat(table.parts()).isEmpty();
    assertThat(engine.asyncInserts().waiting())
        .singleElement()
        .satisfies(
            waiting -> {
              assertThat(waiting.table()).isSameAs(table);
              assertThat(waiting.sizes()).hasSize(100);
              assertThat(waiting.firstMillis()).isEqualTo(time.wallMillis());
            });

    time.advance(Duration.ofMillis(999));
    assertThat(results).noneMatch(CompletableFuture::isDone);
    time.advance(Duration.ofMillis(1));

    for (CompletableFuture<InsertResult> result : results) {
      assertThat(done(result).rows()).isEqualTo(2);
      assertThat(done(result).parts()).hasSize(1);
      assertThat(done(result).sizeBytes()).isEqualTo(table.parts().get(0).sizeBytes());
    }
    assertThat(table.parts()).hasSize(1);
    assertThat(rows(table)).hasSize(200).doesNotHaveDuplicates();
    assertThat(engine.asyncInserts().waiting()).isEmpty();
    assertThat(engine.statistics().count(Event.ASYNC_INSERT_QUERY)).isEqualTo(100);
    assertThat(engine.allocator().getAllocatedMemory()).isZero();
  }

  @Test
  void acknowledgedRowsSurviveAPowerCut() throws Exception {
    CompletableFuture<InsertResult> acknowledged = insert(AFTER_A_SECOND, 1, 2, 600);
    time.advance(Duration.ofSeconds(1));
    assertThat(done(acknowledged).parts()).hasSize(2);
    CompletableFuture<InsertResult> waiting = insert(AFTER_A_SECOND, 3);
    assertThat(waiting).isNotDone();

    SimDisk after = disk.reboot();
    Engine lost = engine;
    engine = Engine.open(EngineConfig.on(after).withTime(time));
    assertThat(rows(engine.table("t"))).containsExactly(1L, 2L, 600L);
    lost.close();
  }

  @Test
  void aBadRowFailsItsOwnInsertOnly() throws Exception {
    CompletableFuture<InsertResult> good = insert(AFTER_A_SECOND, 1);
    CompletableFuture<InsertResult> bad = insert(AFTER_A_SECOND, 2, 2000);
    CompletableFuture<InsertResult> other = insert(AFTER_A_SECOND, 3);
    engine.asyncInserts().flush(Optional.empty());

    assertThat(done(good).rows()).isEqualTo(1);
    assertThat(done(other).rows()).isEqualTo(1);
    failed(ErrorCode.VIOLATED_CONSTRAINT, bad);
    assertThat(rows(table)).containsExactly(1L, 3L);
    assertThat(table.parts()).hasSize(1);
    assertThat(engine.statistics().count(Event.FAILED_ASYNC_INSERT_QUERY)).isEqualTo(1);
  }

  @Test
  void whatOnlyOneOfManyCausesIsItsOwnErrorToo() throws Exception {
    // A block of 101 partitions is refused as a whole: each is then written by itself.
    Table fine =
        engine.createTable(
            "CREATE TABLE fine (a Int64) ENGINE = MergeTree ORDER BY a PARTITION BY a");
    List<CompletableFuture<InsertResult>> results = new ArrayList<>();
    for (long[] values : new long[][] {{1}, LongRange.of(0, 101), {2, 3}}) {
      try (VectorSchemaRoot batch = batch(values)) {
        results.add(fine.insertAsync(batch, InsertSettings.DEFAULT, AFTER_A_SECOND));
      }
    }
    engine.asyncInserts().flush(Optional.of(fine));

    assertThat(done(results.get(0)).rows()).isEqualTo(1);
    failed(ErrorCode.TOO_MANY_PARTS, results.get(1));
    assertThat(done(results.get(2)).rows()).isEqualTo(2);
    assertThat(rows(fine)).containsExactly(1L, 2L, 3L);
  }

  private static final class LongRange {
    static long[] of(long from, long to) {
      return java.util.stream.LongStream.range(from, to).toArray();
    }
  }

  @Test
  void enoughInsertsOrBytesAreWrittenAtOnce() throws Exception {
    AsyncInsertSettings three = AFTER_A_SECOND.withLimits(1 << 20, 3);
    List<CompletableFuture<InsertResult>> results = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      results.add(insert(three, i));
    }
    for (CompletableFuture<InsertResult> result : results) {
      done(result);
    }
    assertThat(table.parts()).hasSize(1);

    done(insert(AFTER_A_SECOND.withLimits(10, 100), 1, 2, 3));

    assertThat(table.parts()).hasSize(2);
    assertThat(time.monotonicNanos()).isZero();
  }

  @Test
  void insertsOfOtherColumnsOrSettingsGoApart() throws Exception {
    CompletableFuture<InsertResult> first = insert(AFTER_A_SECOND, 1);
    CompletableFuture<InsertResult> other;
    try (VectorSchemaRoot batch = batch(2)) {
      other =
          table.insertAsync(
              batch,
              InsertSettings.DEFAULT.withPartitions(
                  new io.coppice.parts.write.PartitionLimit(7, true)),
              AFTER_A_SECOND);
    }
    assertThat(engine.asyncInserts().waiting()).hasSize(2);
    time.advance(Duration.ofSeconds(1));

    done(first);
    done(other);
    assertThat(table.parts()).hasSize(2);
  }

  @Test
  void closingTheEngineWritesWhatWaits() throws Exception {
    CompletableFuture<InsertResult> waiting = insert(AFTER_A_SECOND, 7);
    AsyncInserts queue = engine.asyncInserts();
    VectorSchemaRoot late = batch(8);
    VectorSchemaRoot copy = late;
    late.close();
    engine.close();

    assertThat(done(waiting).rows()).isEqualTo(1);
    assertThatThrownBy(
            () ->
                queue.add(
                    table,
                    new AsyncInserts.Origin(List.of("a"), "", "Arrow"),
                    List.of(copy),
                    8,
                    Optional.empty(),
                    InsertSettings.DEFAULT,
                    AFTER_A_SECOND))
        .hasMessageContaining("the engine is closed");
    engine = Engine.open(EngineConfig.on(disk).withTime(time));
    assertThat(rows(engine.table("t"))).containsExactly(7L);
  }

  @Test
  void insertsIntoADroppedTableFail() throws Exception {
    CompletableFuture<InsertResult> waiting = insert(AFTER_A_SECOND, 7);
    engine.dropTable("t");
    time.advance(Duration.ofSeconds(1));

    failed(ErrorCode.UNKNOWN_TABLE, waiting);
  }

  @Test
  void repeatedRowsAreKnownAgainWhereThatIsWanted() throws Exception {
    table =
        engine.createTable(
            "CREATE TABLE known (a Int64) ENGINE = MergeTree ORDER BY a SETTINGS"
                + " non_replicated_deduplication_window = 100");
    AsyncInsertSettings known = AFTER_A_SECOND.withDeduplication(true);
    List<CompletableFuture<InsertResult>> results =
        List.of(insert(known, 1, 2), insert(known, 3), insert(known, 1, 2));
    engine.asyncInserts().flush(Optional.empty());

    assertThat(done(results.get(0)).rows()).isEqualTo(2);
    assertThat(done(results.get(1)).rows()).isEqualTo(1);
    assertThat(done(results.get(2)).rows()).isZero();
    assertThat(done(results.get(2)).duplicateRows()).isEqualTo(2);
    CompletableFuture<InsertResult> repeated = insert(AFTER_A_SECOND, 3);
    engine.asyncInserts().flush(Optional.empty());
    assertThat(done(repeated).rows()).isEqualTo(1);
    assertThat(rows(table)).containsExactly(1L, 2L, 3L, 3L);
  }

  @Test
  void insertsThatComeOftenWaitLonger() throws Exception {
    double millis = 50;
    for (int i = 0; i < 10; i++) {
      CompletableFuture<InsertResult> result = insert(AsyncInsertSettings.DEFAULT, i);
      long nanos = (long) (millis * 1_000_000);
      time.advance(Duration.ofNanos(nanos - 1_000));
      assertThat(engine.asyncInserts().waiting()).as("insert %d", i).hasSize(1);
      time.advance(Duration.ofNanos(2_000));
      done(result);
      millis = Math.min(200, millis * 1.2);
    }
    assertThat(millis).isEqualTo(200);

    time.advance(Duration.ofMinutes(1));
    CompletableFuture<InsertResult> rare = insert(AsyncInsertSettings.DEFAULT, 1);
    time.advance(Duration.ofMillis(167));
    done(rare);
  }

  @Test
  void whoWaitsTooLongIsToldSo() {
    CompletableFuture<InsertResult> never = new CompletableFuture<>();
    CompletableFuture<Throwable> outcome =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                engine.asyncInserts().await(never, Duration.ofSeconds(3));
                return new AssertionError("came back");
              } catch (EngineException e) {
                return e;
              }
            });
    while (!outcome.isDone()) {
      time.advance(Duration.ofSeconds(1));
      Thread.onSpinWait();
    }

    assertThat(outcome.join())
        .isInstanceOfSatisfying(
            EngineException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TIMEOUT_EXCEEDED));
  }
}
