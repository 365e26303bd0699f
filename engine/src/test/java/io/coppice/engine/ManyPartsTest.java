package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.coppice.base.disk.LocalDisk;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManyPartsTest {
  private static final String CREATE =
      "CREATE TABLE t (a Int64, s String DEFAULT toString(a), b Int64 DEFAULT a * 2)"
          + " ENGINE = MergeTree ORDER BY a";

  @TempDir Path directory;

  private Path build(int count) throws IOException {
    Path table;
    try (Engine engine = Engine.open(directory)) {
      Table made = engine.createTable(CREATE);
      EngineTest.insert(made, engine.allocator(), 3, 1, 2);
      table = ((LocalDisk) made.directory()).root();
    }
    CopiedParts.make(table, count);
    return table;
  }

  @Test
  void twoThousandPartsOpenAndTellHowFarTheyAre() throws IOException {
    int count = 2000;
    Path parts = build(count);
    List<Long> told = new ArrayList<>();
    EngineConfig config =
        EngineConfig.at(directory)
            .withLoading(
                (table, loaded, total) -> {
                  assertThat(table.text()).isEqualTo("default.t");
                  assertThat(total).isEqualTo(count);
                  told.add(loaded);
                });
    try (Engine engine = Engine.open(config)) {
      Table table = engine.table("t");
      assertThat(told).isSorted().doesNotHaveDuplicates().hasSizeGreaterThan(10);
      assertThat(told.get(told.size() - 1)).isEqualTo(count);
      assertThat(table.rowCount()).isEqualTo(3L * count);
      assertThat(table.parts().stream().map(p -> p.name().minBlock()))
          .containsExactlyElementsOf(LongStream.rangeClosed(1, count).boxed().toList());
      assertThat(EngineTest.read(table, engine.allocator(), "b"))
          .hasSize(3 * count)
          .containsOnly(2L, 4L, 6L);
      assertThat(EngineTest.insert(table, engine.allocator(), 5).parts().toString())
          .isEqualTo("[all_2001_2001_0]");
    }
    assertThat(parts.resolve("all_2001_2001_0")).isDirectory();
  }

  /**
   * What one part's files say is not believed of another that was opened before with equal ones.
   */
  @Test
  void damagedPartsAmongManyAreFound() throws IOException {
    Path table = build(200);
    Map<Integer, String> files =
        Map.of(
            20, "columns.txt",
            50, "serialization.json",
            70, "count.txt",
            90, "columns_substreams.txt",
            110, "data.cmrk4",
            130, "default_compression_codec.txt",
            150, "checksums.txt");
    for (Map.Entry<Integer, String> one : files.entrySet()) {
      damage(table.resolve("all_" + one.getKey() + "_" + one.getKey() + "_0"), one.getValue());
    }
    Files.delete(table.resolve("all_170_170_0/primary.cidx"));
    damage(table.resolve("all_190_190_0"), "data.bin");
    Files.writeString(table.resolve("all_190_190_0/data.bin"), "more", StandardOpenOption.APPEND);
    try (Engine engine = Engine.open(directory)) {
      assertThat(engine.table("t").loadReport().broken().stream().map(b -> b.part().minBlock()))
          .containsExactly(20L, 50L, 70L, 90L, 110L, 130L, 150L, 170L, 190L);
      assertThat(engine.table("t").rowCount()).isEqualTo(3 * (200 - 9));
    }
  }

  /** Turns a byte in the middle of a file that has other names as well, which stay as they are. */
  private static void damage(Path part, String name) throws IOException {
    Path file = part.resolve(name);
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 0x40;
    Files.delete(file);
    Files.write(file, bytes);
  }

  @Test
  @Tag("hunt")
  void aHundredThousandPartsOpen() throws IOException {
    int count = Integer.getInteger("coppice.parts", 100_000);
    build(count);
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long began = System.nanoTime();
    long cpu = system.getProcessCpuTime();
    try (Engine engine = Engine.open(directory)) {
      long opened = System.nanoTime();
      long openedCpu = system.getProcessCpuTime();
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      long heap = runtime.totalMemory() - runtime.freeMemory();
      System.out.printf(
          "%d parts: open %.1f s, processor %.1f s, heap %d MB%n",
          count, (opened - began) / 1e9, (openedCpu - cpu) / 1e9, heap >> 20);
      Table table = engine.table("t");
      assertThat(table.rowCount()).isEqualTo(3L * count);
      assertThat(heap).isLessThan(1L << 30);
      long closing = System.nanoTime();
      engine.close();
      System.out.printf("close %.1f s%n", (System.nanoTime() - closing) / 1e9);
    }
  }
}
