package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.base.time.SimTime;
import io.coppice.parts.write.BlockLimits;
import io.coppice.parts.write.PartitionLimit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What many parts and many partitions mean for an insert. */
class InsertLimitsTest {
  @TempDir Path directory;
  private final SimTime time = new SimTime(1_700_000_000_000L);
  private Engine engine;

  @BeforeEach
  void open() {
    engine = Engine.open(EngineConfig.at(directory).withTime(time).withDurability(Durability.FAST));
  }

  @AfterEach
  void close() {
    assertThat(engine.allocator().getAllocatedMemory()).isZero();
    engine.close();
  }

  private Table table(String more) {
    return engine.createTable(
        "CREATE TABLE t (a Int64) ENGINE = MergeTree PARTITION BY a % 10 ORDER BY a " + more);
  }

  private InsertResult insert(Table table, InsertSettings settings, long... values)
      throws IOException {
    try (BigIntVector vector = new BigIntVector("a", engine.allocator());
        TableInsert insert = table.insert(settings)) {
      vector.allocateNew(values.length);
      for (int i = 0; i < values.length; i++) {
        vector.set(i, values[i]);
      }
      vector.setValueCount(values.length);
      VectorSchemaRoot batch = VectorSchemaRoot.of(vector);
      batch.setRowCount(values.length);
      insert.add(batch);
      return insert.finish();
    }
  }

  private long waited() {
    return time.monotonicNanos() / 1_000_000;
  }

  @Test
  void insertsWaitTheLongerTheMorePartsAPartitionHas() throws IOException {
    Table table = table("SETTINGS parts_to_delay_insert = 2, parts_to_throw_insert = 6");
    long[] expected = {0, 0, 250, 500, 750, 1000};
    for (long millis : expected) {
      long before = waited();
      insert(table, InsertSettings.DEFAULT, 1);

      assertThat(waited() - before).isEqualTo(millis);
    }

    assertThatThrownBy(() -> insert(table, InsertSettings.DEFAULT, 2))
        .isInstanceOfSatisfying(
            EngineException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_PARTS))
        .hasMessageContaining("default.t")
        .hasMessageContaining("6 active parts in partition 1")
        .hasMessageContaining("mean size " + table.parts().get(0).sizeBytes() + " bytes")
        .hasMessageContaining("the oldest is 1_1_1_0")
        .hasMessageContaining("merges no parts")
        .hasMessageContaining("parts_to_throw_insert = 6");
    assertThat(engine.statistics().count(Event.DELAYED_INSERTS)).isEqualTo(4);
    assertThat(engine.statistics().count(Event.DELAYED_INSERTS_MILLISECONDS)).isEqualTo(2500);
    assertThat(engine.statistics().count(Event.REJECTED_INSERTS)).isEqualTo(1);
    assertThat(table.rowCount()).isEqualTo(6);
  }

  @Test
  void limitsMayBeText() throws IOException {
    Table table = table("SETTINGS parts_to_delay_insert = '1K', parts_to_throw_insert = '2'");
    insert(table, InsertSettings.DEFAULT, 2);
    insert(table, InsertSettings.DEFAULT, 2);

    assertThatThrownBy(() -> insert(table, InsertSettings.DEFAULT, 2))
        .isInstanceOfSatisfying(
            EngineException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_PARTS))
        .hasMessageContaining("parts_to_throw_insert = 2");
  }

  @Test
  void anInsertHasLimitsOfItsOwn() throws IOException {
    Table table = table("");
    InsertSettings own = InsertSettings.DEFAULT.withParts(OptionalLong.of(1), OptionalLong.of(2));

    insert(table, own, 1);
    insert(table, own, 1);

    assertThat(waited()).isEqualTo(1000);
    assertThatThrownBy(() -> insert(table, own, 1)).hasMessageContaining("2 active parts");
    insert(table, InsertSettings.DEFAULT, 1);
    assertThat(waited()).isEqualTo(1000);
  }

  @Test
  void partsOfAllPartitionsAreCounted() throws IOException {
    Table table = table("SETTINGS max_parts_in_total = 4");
    insert(table, InsertSettings.DEFAULT, 0, 1, 2, 3, 4, 5);

    assertThatThrownBy(() -> insert(table, InsertSettings.DEFAULT, 2))
        .hasMessageContaining("6 active parts in all its partitions")
        .hasMessageContaining("max_parts_in_total = 4");
  }

  @Test
  void aBlockHasRowsOfSoManyPartitions() throws IOException {
    Table table = table("");
    InsertSettings three = InsertSettings.DEFAULT.withPartitions(new PartitionLimit(3, true));

    assertThatThrownBy(() -> insert(table, three, 1, 2, 3, 4))
        .isInstanceOfSatisfying(
            EngineException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_PARTS))
        .hasMessageContaining("rows of 4 partitions")
        .hasMessageContaining("at most 3");
    assertThat(table.parts()).isEmpty();
    assertThat(insert(table, three, 1, 2, 3).parts()).hasSize(3);
    InsertSettings warned = InsertSettings.DEFAULT.withPartitions(new PartitionLimit(3, false));
    assertThat(insert(table, warned, 1, 2, 3, 4).parts()).hasSize(4);
  }

  @Test
  void theResultTellsRowsPartsAndBytes() throws IOException {
    Table table = table("");
    InsertSettings two = InsertSettings.DEFAULT.withBlocks(BlockLimits.exactly(2, 1L << 30));

    InsertResult result = insert(table, two, 1, 11, 21);

    assertThat(result.rows()).isEqualTo(3);
    assertThat(result.parts()).extracting(Object::toString).containsExactly("1_1_1_0", "1_2_2_0");
    assertThat(result.sizeBytes())
        .isEqualTo(table.parts().stream().mapToLong(PartInfo::sizeBytes).sum());
  }
}
