package io.coppice.merge.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.sim.FaultyDisk;
import io.coppice.base.disk.sim.SimDisk;
import io.coppice.base.disk.sim.TrackingDisk;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.parse.Parser;
import io.coppice.parts.expression.Surroundings;
import io.coppice.parts.name.PartName;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Merges that are stopped, fail, or meet parts of older tables. */
class MergeTaskTest {
  private static final String COLUMNS =
      "CREATE TABLE t (k UInt32, s String, n Nullable(Int32), w LowCardinality(String),"
          + " a Array(UInt8), INDEX i n TYPE set(10) GRANULARITY 2) ENGINE = MergeTree ORDER BY k"
          + " SETTINGS index_granularity = 16";

  private static final String COMPACT = COLUMNS + ", min_bytes_for_wide_part = 1000000";

  private static final String WIDE =
      COLUMNS + ", min_bytes_for_wide_part = 0, enable_vertical_merge_algorithm = 0";

  private static final String VERTICAL =
      COLUMNS
          + ", min_bytes_for_wide_part = 0, vertical_merge_algorithm_min_rows_to_activate = 1,"
          + " vertical_merge_algorithm_min_columns_to_activate = 1";

  private static final int PARTS = 3;
  private static final int ROWS = 50;

  private static List<PartName> build(String create, Disk disk) throws IOException {
    List<PartName> names = new ArrayList<>();
    for (int part = 1; part <= PARTS; part++) {
      StringBuilder rows = new StringBuilder();
      for (int i = 0; i < ROWS; i++) {
        rows.append(
            "%d\t%s\t%s\tw%d\t[%d]%n"
                .formatted(
                    i * part, "part " + part + " row " + i, i % 3 == 0 ? "\\N" : i, i % 4, i));
      }
      Merges.insert(create, disk, part, rows.toString());
      names.add(PartName.parse("all_%d_%d_0".formatted(part, part)));
    }
    return names;
  }

  private static MergeTask open(
      String create, Disk disk, List<PartName> names, BufferAllocator allocator)
      throws IOException {
    TableDefinition table = TableDefinition.parse(create, Profile.MODERN).existing();
    return MergeTask.of(
        Merges.load(disk, names, table, allocator),
        "all_1_3_1",
        table,
        MergeOptions.of(Parser.createTable(create).settings()),
        disk,
        Surroundings.system(),
        allocator);
  }

  private static List<String> directories(Disk disk) throws IOException {
    return disk.list("").stream().map(Disk.Entry::name).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {COMPACT, WIDE, VERTICAL})
  void aMergedPartIsWhole(String create) throws Exception {
    SimDisk disk = new SimDisk(1);
    List<PartName> names = build(create, disk);
    try (BufferAllocator allocator = new RootAllocator()) {
      assertThat(Merges.merge(create, disk, names, allocator).vertical())
          .isEqualTo(create.equals(VERTICAL));
      assertThat(Merges.damage(create, disk, "all_1_3_1", allocator)).isEmpty();
      assertThat(Merges.rows(create, disk, "all_1_3_1", "k", allocator))
          .hasSize(PARTS * ROWS)
          .isSortedAccordingTo(java.util.Comparator.comparingLong(Long::parseLong));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {COMPACT, WIDE, VERTICAL})
  void aMergeThatIsCancelledAtAnyStepLeavesNothing(String create) throws Exception {
    SimDisk inner = new SimDisk(1);
    List<PartName> names = build(create, inner);
    List<String> before = directories(inner);
    int steps = 0;
    boolean whole = false;
    while (!whole) {
      TrackingDisk disk = new TrackingDisk(inner);
      try (BufferAllocator allocator = new RootAllocator();
          MergeTask task = open(create, disk, names, allocator)) {
        boolean more = true;
        for (int i = 0; i < steps && more; i++) {
          more = task.advance();
        }
        whole = !more;
        if (more) {
          task.cancel();
          assertThatThrownBy(task::advance)
              .isInstanceOfSatisfying(
                  EngineException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ABORTED));
        }
      }
      disk.checkNothingOpen();
      assertThat(directories(inner)).as("after %d steps", steps).isEqualTo(before);
      steps++;
    }
    assertThat(steps).isGreaterThan(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {COMPACT, WIDE, VERTICAL})
  void aDiskThatFailsAtAnyOperationLeavesNothing(String create) throws Exception {
    SimDisk inner = new SimDisk(1);
    List<PartName> names = build(create, inner);
    List<String> before = directories(inner);
    int failures = 0;
    for (long operation = 0; ; operation++) {
      FaultyDisk disk = new FaultyDisk(inner).failAt(operation);
      boolean failed = false;
      try (BufferAllocator allocator = new RootAllocator()) {
        try (MergeTask task = open(create, disk, names, allocator)) {
          while (task.advance()) {}
        } catch (IOException | EngineException e) {
          failed = true;
        }
        assertThat(allocator.getAllocatedMemory()).as("operation %d", operation).isZero();
      }
      boolean reached = disk.operationCount() > operation;
      if (directories(inner).contains("tmp_merge_all_1_3_1")) {
        // The failure was that of removing the directory, which the caller is told of.
        assertThat(failed).isTrue();
        inner.deleteRecursively("tmp_merge_all_1_3_1");
      }
      assertThat(directories(inner)).as("operation %d", operation).isEqualTo(before);
      if (!reached) {
        break;
      }
      failures += failed ? 1 : 0;
    }
    assertThat(failures).isGreaterThan(20);
  }

  @ParameterizedTest
  @ValueSource(strings = {COMPACT, WIDE, VERTICAL})
  void lackOfMemoryIsATypedErrorAndLeavesNothing(String create) throws Exception {
    SimDisk disk = new SimDisk(1);
    List<PartName> names = build(create, disk);
    List<String> before = directories(disk);
    int refused = 0;
    try (BufferAllocator root = new RootAllocator()) {
      TableDefinition table = TableDefinition.parse(create, Profile.MODERN).existing();
      List<LoadedPart> parts = Merges.load(disk, names, table, root);
      for (long limit = 0; limit < 1 << 22; limit = limit * 2 + 500) {
        try (BufferAllocator small = root.newChildAllocator("small", 0, limit)) {
          try (MergeTask task =
              MergeTask.of(
                  parts,
                  "all_1_3_1",
                  table,
                  MergeOptions.of(Parser.createTable(create).settings()),
                  disk,
                  Surroundings.system(),
                  small)) {
            while (task.advance()) {}
          } catch (EngineException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT_EXCEEDED);
            refused++;
          }
          assertThat(small.getAllocatedMemory()).as("limit %d", limit).isZero();
        }
        assertThat(directories(disk)).isEqualTo(before);
      }
    }
    assertThat(refused).isGreaterThan(1);
  }

  @Test
  void columnsThatSourcesLackHaveTheirDefault() throws Exception {
    String old = "CREATE TABLE t (k UInt32, s String) ENGINE = MergeTree ORDER BY k";
    String now =
        "CREATE TABLE t (k UInt32, z UInt8, d UInt64 DEFAULT k * 2, s String) ENGINE = MergeTree"
            + " ORDER BY k";
    SimDisk disk = new SimDisk(1);
    Merges.insert(old, disk, 1, "1\ta%n3\tb%n".formatted());
    Merges.insert(now, disk, 2, "2\t7\t100\tc%n".formatted());
    try (BufferAllocator allocator = new RootAllocator()) {
      List<PartName> names = List.of(PartName.parse("all_1_1_0"), PartName.parse("all_2_2_0"));
      String merged = Merges.merge(now, disk, names, allocator).name();
      assertThat(Merges.rows(now, disk, merged, "k", allocator)).containsExactly("1", "2", "3");
      assertThat(Merges.rows(now, disk, merged, "z", allocator)).containsExactly("0", "7", "0");
      assertThat(Merges.rows(now, disk, merged, "d", allocator)).containsExactly("2", "100", "6");
      assertThat(Merges.rows(now, disk, merged, "s", allocator)).containsExactly("a", "c", "b");
    }
  }

  @Test
  void rowsWithEqualKeysComeInTheOrderOfTheirSources() throws Exception {
    String create = "CREATE TABLE t (k UInt32, s String) ENGINE = MergeTree ORDER BY k";
    SimDisk disk = new SimDisk(1);
    Merges.insert(create, disk, 1, "1\ta1%n2\ta2%n2\ta3%n".formatted());
    Merges.insert(create, disk, 2, "1\tb1%n2\tb2%n3\tb3%n".formatted());
    Merges.insert(create, disk, 3, "2\tc2%n".formatted());
    try (BufferAllocator allocator = new RootAllocator()) {
      List<PartName> names =
          List.of(
              PartName.parse("all_1_1_0"),
              PartName.parse("all_2_2_0"),
              PartName.parse("all_3_3_0"));
      String merged = Merges.merge(create, disk, names, allocator).name();
      assertThat(Merges.rows(create, disk, merged, "s", allocator))
          .containsExactly("a1", "b1", "a2", "a3", "b2", "c2", "b3");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE t (k UInt32) ENGINE = SummingMergeTree ORDER BY k",
        "CREATE TABLE t (k UInt32, d Date) ENGINE = MergeTree ORDER BY k TTL d + INTERVAL 1 DAY",
        "CREATE TABLE t (k UInt32) ENGINE = MergeTree ORDER BY k SETTINGS"
            + " enable_block_number_column = 1"
      })
  void tablesWhoseMergesDoMoreAreRefused(String create) throws Exception {
    SimDisk disk = new SimDisk(1);
    String plain = "CREATE TABLE t (k UInt32) ENGINE = MergeTree ORDER BY k";
    Merges.insert(plain, disk, 1, "1%n".formatted());
    try (BufferAllocator allocator = new RootAllocator()) {
      List<PartName> names = List.of(PartName.parse("all_1_1_0"));
      assertThatThrownBy(() -> open(create, disk, names, allocator))
          .isInstanceOfSatisfying(
              EngineException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_IMPLEMENTED));
    }
  }
}
