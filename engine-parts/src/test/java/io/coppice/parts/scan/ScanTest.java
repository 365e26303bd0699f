package io.coppice.parts.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.disk.LocalDisk;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.type.PlainType;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import io.coppice.parts.write.BlockLimits;
import io.coppice.parts.write.PartBuilder;
import io.coppice.parts.write.WrittenPart;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScanTest {
  private static final int ROWS = 10_000;
  private static final TableDefinition TABLE =
      TableDefinition.parse(
          "CREATE TABLE t (id UInt32, s String) ENGINE = MergeTree ORDER BY id SETTINGS"
              + " index_granularity = 100, min_bytes_for_wide_part = 0",
          Profile.MODERN);

  @TempDir Path directory;
  private BufferAllocator allocator;
  private List<LoadedPart> parts;

  @BeforeEach
  void build() throws IOException {
    allocator = new RootAllocator();
    parts = new ArrayList<>();
    try (PartBuilder builder =
        PartBuilder.open(TABLE, new LocalDisk(directory), allocator)
            .blockLimits(new BlockLimits(ROWS / 2, 0, ROWS / 2, 0, false))) {
      for (int from = 0; from < ROWS; from += ROWS / 2) {
        UInt4Vector id =
            (UInt4Vector) ArrowMapping.field("id", PlainType.UINT32).createVector(allocator);
        VarCharVector s =
            (VarCharVector) ArrowMapping.field("s", PlainType.STRING).createVector(allocator);
        id.allocateNew(ROWS / 2);
        s.allocateNew();
        for (int i = 0; i < ROWS / 2; i++) {
          id.set(i, from + i);
          s.setSafe(i, ("s" + (from + i) % 7).getBytes(StandardCharsets.UTF_8));
        }
        try (VectorSchemaRoot batch = new VectorSchemaRoot(List.of(id, s))) {
          batch.setRowCount(ROWS / 2);
          builder.add(batch);
        }
      }
      for (WrittenPart written : builder.finish()) {
        String name = written.name().text();
        parts.add(PartReader.open(directory.resolve(name), TABLE, allocator).part());
      }
    }
  }

  @AfterEach
  void nothingIsLeftAllocated() {
    allocator.close();
  }

  private List<String> rows(Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    try (BatchStream batches = scan.open(allocator)) {
      while (batches.next()) {
        for (int row = 0; row < batches.batch().getRowCount(); row++) {
          StringBuilder line = new StringBuilder();
          for (FieldVector vector : batches.batch().getFieldVectors()) {
            line.append(vector.getObject(row)).append(' ');
          }
          rows.add(line.toString());
        }
      }
    }
    return rows;
  }

  @Test
  void threadsMakeNoDifferenceToRowsOrTheirOrder() throws IOException {
    ExecutorService executor = Executors.newFixedThreadPool(3);
    try {
      Scan scan = Scan.of(parts).table(TABLE).where("s = 's3' OR id < 250").batchRows(300);

      List<String> serial = rows(scan);

      assertThat(serial).hasSizeGreaterThan(1000).startsWith("0 s0 ", "1 s1 ");
      assertThat(rows(scan.on(executor, 3))).isEqualTo(serial);
      assertThat(rows(scan.limit(777).on(executor, 3))).isEqualTo(serial.subList(0, 777));
      assertThat(rows(scan.limit(777))).isEqualTo(serial.subList(0, 777));
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void closingEarlyLeavesNothingWhicheverWayItRuns() throws IOException {
    ExecutorService executor = Executors.newFixedThreadPool(2);
    try {
      for (Scan scan :
          List.of(Scan.of(parts).batchRows(100), Scan.of(parts).batchRows(100).on(executor, 2))) {
        BatchStream batches = scan.open(allocator);
        assertThat(batches.next()).isTrue();
        batches.close();
        batches.close();
        assertThat(allocator.getAllocatedMemory()).isZero();
        assertThatThrownBy(batches::next).isInstanceOf(IllegalStateException.class);
      }
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void conditionsAsObjectsSayTheSameAsText() throws IOException {
    List<List<Object>> pairs =
        List.of(
            List.of(Where.equal("id", 17), "id = 17"),
            List.of(Where.between("id", 4990, 5010), "id BETWEEN 4990 AND 5010"),
            List.of(Where.in("s", List.of("s1", "s2")), "s IN ('s1', 's2')"),
            List.of(
                Where.and(Where.not(Where.like("s", "s%")), Where.less("id", 9)),
                "NOT (s LIKE 's%') AND id < 9"),
            List.of(
                Where.or(Where.atLeast("id", 9_999L), Where.notEqual("s", "s0")),
                "id >= 9999 OR s != 's0'"),
            List.of(Where.in("id", List.of()), "id IN (1) AND 0"));
    for (List<Object> pair : pairs) {
      Scan scan = Scan.of(parts).table(TABLE);
      List<String> byText = rows(scan.where((String) pair.get(1)));
      assertThat(rows(scan.where((Expression) pair.get(0))))
          .as("%s", pair.get(1))
          .isEqualTo(byText);
      assertThat(rows(scan.pruning(false).where((String) pair.get(1)))).isEqualTo(byText);
    }
  }

  @Test
  void keyConditionReadsOneGranuleAndTheReportSaysSo() throws IOException {
    try (BatchStream batches =
        Scan.of(parts).table(TABLE).columns("s").where("id = 7777").open(allocator)) {
      assertThat(batches.next()).isTrue();
      assertThat(batches.batch().getRowCount()).isEqualTo(1);
      assertThat(batches.next()).isFalse();
      ScanReport report = batches.report();
      assertThat(report.parts()).isEqualTo(2);
      assertThat(report.partsRead()).isEqualTo(1);
      assertThat(report.granules()).isEqualTo(100);
      assertThat(report.granulesAfterKey()).isEqualTo(1);
      assertThat(report.rowsRead()).isEqualTo(100);
      assertThat(report.rowsReturned()).isEqualTo(1);
    }
  }

  @Test
  void errorsOfTheQuestionLeaveNothingAllocated() {
    assertThatThrownBy(() -> Scan.of(parts).columns("nosuch").open(allocator))
        .isInstanceOfSatisfying(
            EngineException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.THERE_IS_NO_COLUMN));
    assertThatThrownBy(() -> Scan.of(parts).where("s").open(allocator))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("expected a truth value");
    assertThatThrownBy(() -> Scan.of(parts).where("nosuch(id)").open(allocator))
        .isInstanceOf(EngineException.class);
    assertThat(allocator.getAllocatedMemory()).isZero();
  }
}
