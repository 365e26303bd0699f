package io.coppice.parts.robust;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.disk.sim.SimDisk;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.fixtures.Column;
import io.coppice.fixtures.ForkedJvm;
import io.coppice.fixtures.RandomData;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.table.TableSettings.Profile;
import io.coppice.parts.write.PartBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What fits into how much memory, each in a JVM that has no more. */
class MemoryTest {
  private static final int HEAP = 512;
  private static final int DIRECT = 512;

  @TempDir Path directory;

  @Test
  void tenThousandColumnsFitIntoHalfAGigabyteAsACompactPart() throws Exception {
    System.out.print(
        ForkedJvm.run(
            ManyColumns.class,
            HEAP,
            DIRECT,
            directory.toString(),
            "10000",
            "1000",
            "512",
            "min_bytes_for_wide_part = 1099511627776"));
  }

  @Test
  void tenThousandColumnsFitIntoHalfAGigabyteAsAWidePart() throws Exception {
    System.out.print(
        ForkedJvm.run(
            ManyColumns.class,
            HEAP,
            DIRECT,
            directory.toString(),
            "10000",
            "1000",
            "512",
            "min_bytes_for_wide_part = 0"));
  }

  @Test
  void manyRowsAreBuiltWithTheMemoryOfABlock() throws Exception {
    System.out.print(
        ForkedJvm.run(ManyRows.class, HEAP, DIRECT, directory.toString(), "4000000", "400"));
  }

  /**
   * By hand: sixty million rows in less than a gigabyte, some minutes and some gigabytes of disk.
   */
  @Tag("hunt")
  @Test
  void sixtyMillionRowsAreBuiltWithTheMemoryOfABlock() throws Exception {
    System.out.print(
        ForkedJvm.run(ManyRows.class, 480, 480, directory.toString(), "60000000", "480"));
  }

  @Test
  void anAllocatorWithTooLittleMemoryIsATypedErrorAndKeepsNothing() throws IOException {
    Samples.Table table =
        Samples.table(
            List.of(Column.of("id", "UInt32"), Column.of("name", "String")),
            "",
            "ORDER BY id",
            Profile.MODERN);
    SimDisk disk = new SimDisk(1);
    try (BufferAllocator allocator = new RootAllocator()) {
      String name = Samples.build(table, disk, 1, 5_000, 1, allocator).get(0).name().text();
      int refused = 0;
      for (long limit = 0; limit < 1 << 20; limit = limit * 2 + 1000) {
        try (BufferAllocator small = allocator.newChildAllocator("small", 0, limit)) {
          try {
            LoadedPart part =
                LoadedPart.open(disk.within(name), name, LoadedPart.Hints.NONE, small);
            Samples.rows(List.of(part), small);
          } catch (EngineException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT_EXCEEDED);
            refused++;
          }
          assertThat(small.getAllocatedMemory()).as("limit %d", limit).isZero();
        }
      }
      assertThat(refused).isGreaterThan(3);
      RandomData data = new RandomData(2).withoutLongStrings();
      int built = 0;
      for (long limit = 1000; limit < 1 << 24; limit *= 2) {
        try (BufferAllocator small = allocator.newChildAllocator("small", 0, limit);
            VectorSchemaRoot batch = data.batch(table.columns(), 5_000, allocator)) {
          SimDisk empty = new SimDisk(1);
          try (PartBuilder builder = PartBuilder.open(table.definition(), empty, small)) {
            builder.add(batch);
            builder.finish();
            built++;
          } catch (EngineException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT_EXCEEDED);
            assertThat(empty.list("")).as("limit %d", limit).isEmpty();
          }
          assertThat(small.getAllocatedMemory()).as("limit %d", limit).isZero();
        }
      }
      assertThat(built).isBetween(1, 10);
    }
  }
}
