package io.coppice.merge.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.disk.LocalDisk;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.parts.name.PartName;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import io.coppice.parts.write.PartBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a merge of many columns takes. */
class MergeMemoryTest {
  private static final int PARTS = 10;
  private static final int COLUMNS = 1000;
  private static final int ROWS = 1000;

  /** A fifth of the values of all sources. */
  private static final long BUDGET = 16 << 20;

  @TempDir Path directory;

  @Test
  void aThousandColumnsOfTenPartsAreMergedOneByOneInAFifthOfTheirSize() throws Exception {
    LocalDisk disk = new LocalDisk(directory);
    List<PartName> names = new ArrayList<>();
    for (int part = 1; part <= PARTS; part++) {
      build(disk, part);
      names.add(PartName.parse("all_%d_%d_0".formatted(part, part)));
    }
    String vertical =
        create("min_bytes_for_wide_part = 0, vertical_merge_algorithm_min_rows_to_activate = 1");
    String horizontal = create("min_bytes_for_wide_part = 0, enable_vertical_merge_algorithm = 0");
    assertThat(BUDGET).isLessThan((long) PARTS * COLUMNS * ROWS * 8 / 4);
    try (BufferAllocator allocator = new RootAllocator(BUDGET)) {
      assertThatThrownBy(() -> Merges.merge(horizontal, disk, names, allocator))
          .isInstanceOfSatisfying(
              EngineException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT_EXCEEDED));
      assertThat(disk.list("")).hasSize(PARTS);
    }
    try (BufferAllocator allocator = new RootAllocator(BUDGET)) {
      Merges.Result merged = Merges.merge(vertical, disk, names, allocator);
      assertThat(merged.vertical()).isTrue();
      System.out.printf(
          "%d columns of %d parts of %d rows merged with %d KiB of vectors%n",
          COLUMNS, PARTS, ROWS, allocator.getPeakMemoryAllocation() >> 10);
    }
    try (BufferAllocator allocator = new RootAllocator()) {
      for (int column : List.of(0, 1, COLUMNS / 2, COLUMNS - 1)) {
        List<String> found = Merges.rows(vertical, disk, "all_1_10_1", "c" + column, allocator);
        assertThat(found).hasSize(PARTS * ROWS);
        for (int row = 0; row < PARTS * ROWS; row++) {
          assertThat(found.get(row)).isEqualTo(Long.toString(value(row, column)));
        }
      }
    }
  }

  private static String create(String settings) {
    StringBuilder sql = new StringBuilder("CREATE TABLE t (");
    for (int i = 0; i < COLUMNS; i++) {
      sql.append(i == 0 ? "" : ", ").append("c").append(i).append(" UInt64");
    }
    return sql + ") ENGINE = MergeTree ORDER BY c0 SETTINGS " + settings;
  }

  private static long value(int row, int column) {
    return row + 10_000_000L * column;
  }

  /** Every tenth row, from {@code part - 1} on. */
  private static void build(LocalDisk disk, int part) throws IOException {
    TableDefinition table =
        TableDefinition.parse(create("min_bytes_for_wide_part = 1099511627776"), Profile.MODERN);
    try (BufferAllocator allocator = new RootAllocator();
        PartBuilder builder = PartBuilder.open(table, disk, allocator).firstBlock(part)) {
      List<FieldVector> vectors = new ArrayList<>();
      for (int column = 0; column < COLUMNS; column++) {
        FieldVector vector =
            ArrowMapping.field("c" + column, table.columns().get(column).type())
                .createVector(allocator);
        vectors.add(vector);
        for (int i = 0; i < ROWS; i++) {
          ((BaseIntVector) vector).setWithPossibleTruncate(i, value(i * PARTS + part - 1, column));
        }
        vector.setValueCount(ROWS);
      }
      try (VectorSchemaRoot batch =
          new VectorSchemaRoot(
              vectors.stream().map(FieldVector::getField).toList(), vectors, ROWS)) {
        builder.add(batch);
      }
      builder.finish();
    }
  }
}
