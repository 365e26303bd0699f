package io.coppice.parts.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.sim.FaultyDisk;
import io.coppice.base.disk.sim.SimDisk;
import io.coppice.fixtures.Golden;
import io.coppice.fixtures.RandomData;
import io.coppice.fixtures.RandomSchemas;
import io.coppice.language.type.PlainType;
import io.coppice.parts.name.PartitionId;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;

/** Parts that several threads write are those that one writes. */
class ThreadsTest {
  private static final int MOST_BYTES = 1 << 26;
  private static final int BLOCK_ROWS = 6_000;

  /** A table, and the seed of its rows. */
  private record Case(TableDefinition table, RandomSchemas.Table schema, long seed) {}

  private static List<Case> cases(long seed, int count) {
    RandomSchemas schemas = RandomSchemas.of(seed, Golden.Engine.V26_7);
    List<Case> cases = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      RandomSchemas.Table schema = schemas.next(14);
      String attach = schema.createSql("t").replace("CREATE TABLE", "ATTACH TABLE");
      cases.add(new Case(TableDefinition.parse(attach, Profile.MODERN), schema, seed + i));
    }
    return cases;
  }

  /** Writes ten batches as blocks of several of them; says what the parts are. */
  private static List<WrittenPart> build(
      Case table, Disk disk, Executor executor, int threads, BufferAllocator allocator)
      throws IOException {
    RandomData data = new RandomData(table.seed()).withoutLongStrings();
    try (PartBuilder builder =
        PartBuilder.open(table.table(), disk, allocator)
            .on(executor, threads)
            .blockLimits(new BlockLimits(BLOCK_ROWS, 0, BLOCK_ROWS, 0, false))) {
      for (int i = 0; i < 10; i++) {
        try (VectorSchemaRoot batch = data.batch(table.schema().columns(), 1_700, allocator)) {
          builder.add(batch);
        }
      }
      return builder.finish();
    }
  }

  private static Map<String, String> files(Disk disk) throws IOException {
    Map<String, String> files = new TreeMap<>();
    for (Disk.Entry part : disk.list("")) {
      for (Disk.Entry file : disk.list(part.name())) {
        String path = part.name() + "/" + file.name();
        files.put(path, HexFormat.of().formatHex(disk.readAll(path, MOST_BYTES)));
      }
    }
    return files;
  }

  @Test
  void theBytesOfPartsDoNotDependOnTheThreads() throws IOException {
    AtomicInteger handedOver = new AtomicInteger();
    ExecutorService pool = Executors.newFixedThreadPool(5);
    try (BufferAllocator allocator = new RootAllocator()) {
      Executor counted =
          task -> {
            handedOver.incrementAndGet();
            pool.execute(task);
          };
      for (Case table : cases(20_261_201, 8)) {
        SimDisk alone = new SimDisk(1);
        List<WrittenPart> expected = build(table, alone, counted, 1, allocator);
        Map<String, String> files = files(alone);
        for (int threads : new int[] {2, 5}) {
          SimDisk shared = new SimDisk(1);
          assertThat(build(table, shared, counted, threads, allocator))
              .as("%s on %d threads", table, threads)
              .isEqualTo(expected);
          assertThat(files(shared)).as("%s on %d threads", table, threads).isEqualTo(files);
        }
      }
    } finally {
      pool.shutdown();
    }
    assertThat(handedOver.get()).as("pieces that other threads got").isGreaterThan(100);
  }

  @Test
  void idsOfPartitionsAreTheSameWhoeverAsks() throws Exception {
    int rows = 500;
    ExecutorService pool = Executors.newFixedThreadPool(8);
    try (BufferAllocator allocator = new RootAllocator();
        Float8Vector values = new Float8Vector("p", allocator)) {
      values.allocateNew(rows);
      for (int i = 0; i < rows; i++) {
        values.set(i, i / 7.0);
      }
      values.setValueCount(rows);
      PartitionId ids = new PartitionId(List.of(PlainType.FLOAT64), List.of(values), false);
      List<String> expected = IntStream.range(0, rows).mapToObj(ids::of).toList();
      assertThat(expected).doesNotHaveDuplicates();
      List<Callable<List<String>>> asking =
          Collections.nCopies(200, () -> IntStream.range(0, rows).mapToObj(ids::of).toList());
      for (Future<List<String>> found : pool.invokeAll(asking)) {
        assertThat(found.get()).isEqualTo(expected);
      }
    } finally {
      pool.shutdown();
    }
  }

  @Test
  void whoAsksWorksAloneWhenNoThreadIsFreeOrTheExecutorEnds() throws IOException {
    Executor busy = task -> {};
    Executor ended =
        task -> {
          throw new RejectedExecutionException("ended");
        };
    try (BufferAllocator allocator = new RootAllocator()) {
      for (Case table : cases(7, 4)) {
        SimDisk alone = new SimDisk(1);
        build(table, alone, Runnable::run, 1, allocator);
        for (Executor executor : List.of(busy, ended, (Executor) Runnable::run)) {
          SimDisk shared = new SimDisk(1);
          build(table, shared, executor, 3, allocator);
          assertThat(files(shared)).as("%s", table).isEqualTo(files(alone));
        }
      }
    }
  }

  @Test
  void aFaultOfTheDiskIsThrownAndNothingIsHeldWhateverTheThread() throws IOException {
    ExecutorService pool = Executors.newFixedThreadPool(3);
    try {
      for (Case table : cases(11, 3)) {
        for (int full = 0; full < 60; full += 13) {
          FaultyDisk disk = new FaultyDisk(new SimDisk(1)).fullFrom(full);
          try (BufferAllocator allocator = new RootAllocator()) {
            assertThatThrownBy(() -> build(table, disk, pool, 3, allocator))
                .as("%s, full from operation %d on", table, full)
                .isInstanceOf(IOException.class);
            assertThat(allocator.getAllocatedMemory()).isZero();
          }
        }
      }
    } finally {
      pool.shutdown();
    }
  }
}
