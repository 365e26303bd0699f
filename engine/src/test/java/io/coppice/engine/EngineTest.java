package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.parse.Parser;
import io.coppice.language.statement.CreateDatabase;
import io.coppice.language.statement.TableName;
import io.coppice.parts.scan.BatchStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineTest {
  private static final String CREATE =
      "CREATE TABLE t (a Int64, b Int64 DEFAULT a * 2) ENGINE = MergeTree ORDER BY a";

  @TempDir Path directory;

  static InsertResult insert(Table table, BufferAllocator allocator, long... values)
      throws IOException {
    try (BigIntVector vector = new BigIntVector("a", allocator)) {
      for (int i = 0; i < values.length; i++) {
        vector.setSafe(i, values[i]);
      }
      vector.setValueCount(values.length);
      try (VectorSchemaRoot root = VectorSchemaRoot.of(vector)) {
        return table.insert(root);
      }
    }
  }

  static List<Long> read(Table table, BufferAllocator allocator, String column) throws IOException {
    List<Long> values = new ArrayList<>();
    try (BatchStream batches = table.scan().columns(column).open(allocator)) {
      while (batches.next()) {
        BigIntVector vector = (BigIntVector) batches.batch().getVector(0);
        for (int i = 0; i < batches.batch().getRowCount(); i++) {
          values.add(vector.get(i));
        }
      }
    }
    return values;
  }

  private static TableName named(String table) {
    return TableName.of("default", table);
  }

  @Test
  void whatWasInsertedIsThereAfterReopening() throws IOException {
    try (Engine engine = Engine.open(directory)) {
      Table table = engine.createTable(CREATE);
      InsertResult first = insert(table, engine.allocator(), 3, 1, 2);
      assertThat(first.rows()).isEqualTo(3);
      assertThat(first.parts().toString()).isEqualTo("[all_1_1_0]");
      assertThat(insert(table, engine.allocator(), 9).parts().toString()).isEqualTo("[all_2_2_0]");
      assertThat(table.rowCount()).isEqualTo(4);
    }
    try (Engine engine = Engine.open(directory)) {
      Table table = engine.table("t");
      assertThat(read(table, engine.allocator(), "a")).containsExactly(1L, 2L, 3L, 9L);
      assertThat(read(table, engine.allocator(), "b")).containsExactly(2L, 4L, 6L, 18L);
      assertThat(insert(table, engine.allocator(), 5).parts().toString()).isEqualTo("[all_3_3_0]");
      assertThat(table.create().text())
          .isEqualTo(
              """
              CREATE TABLE default.t
              (
                  `a` Int64,
                  `b` Int64 DEFAULT a * 2
              )
              ENGINE = MergeTree
              ORDER BY a
              SETTINGS index_granularity = 8192""");
    }
  }

  @Test
  void tablesAreDroppedRenamedExchangedDetached() throws IOException {
    try (Engine engine = Engine.open(directory)) {
      BufferAllocator allocator = engine.allocator();
      Table t = engine.createTable(CREATE);
      insert(t, allocator, 1);
      Table u = engine.createTable(Parser.createTable("CREATE TABLE u AS t"));
      insert(u, allocator, 2);
      engine.exchangeTables(named("t"), named("u"));
      assertThat(read(engine.table("t"), allocator, "a")).containsExactly(2L);
      assertThat(t.name()).isEqualTo(named("u"));
      engine.renameTable(named("u"), named("w"));
      assertThat(read(engine.table("w"), allocator, "a")).containsExactly(1L);
      engine.detachTable(named("w"), false, true);
      assertThatThrownBy(() -> engine.table("w")).isInstanceOf(EngineException.class);
      assertThatThrownBy(() -> read(t, allocator, "a")).hasMessageContaining("was detached");
    }
    try (Engine engine = Engine.open(directory)) {
      assertThat(engine.findTable(named("w"))).isEmpty();
      engine.attachTable(named("w"), false);
      assertThat(read(engine.table("w"), engine.allocator(), "a")).containsExactly(1L);
      engine.dropTable("w");
      engine.truncateTable(named("t"), false);
      assertThat(read(engine.table("t"), engine.allocator(), "a")).isEmpty();
      assertThatThrownBy(() -> engine.dropTable("w"))
          .isInstanceOfSatisfying(
              EngineException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_TABLE));
      engine.dropTable(named("w"), true);
    }
    try (Engine engine = Engine.open(directory)) {
      assertThat(engine.tables()).extracting(Table::name).containsExactly(named("t"));
      assertThat(read(engine.table("t"), engine.allocator(), "a")).isEmpty();
    }
  }

  @Test
  void aScanGoesOnOverATableThatIsDropped() throws IOException {
    try (Engine engine = Engine.open(directory)) {
      Table table = engine.createTable(CREATE);
      insert(table, engine.allocator(), 1, 2, 3);
      Path store = store(engine, table);
      try (BatchStream batches = table.scan().columns("a").open(engine.allocator())) {
        engine.dropTable("t");
        assertThat(Files.exists(store)).isTrue();
        assertThat(batches.next()).isTrue();
        assertThat(batches.batch().getRowCount()).isEqualTo(3);
        assertThat(batches.next()).isFalse();
      }
      assertThat(Files.exists(store)).isFalse();
      assertThatThrownBy(() -> table.scan().open(engine.allocator()))
          .hasMessageContaining("was dropped");
    }
  }

  private Path store(Engine engine, Table table) throws IOException {
    String uuid = table.entry().uuid().toString();
    return directory.resolve("store").resolve(uuid.substring(0, 3)).resolve(uuid);
  }

  @Test
  void databasesHoldTables() throws IOException {
    try (Engine engine = Engine.open(directory)) {
      engine.createDatabase((CreateDatabase) Parser.statement("CREATE DATABASE `we ird`"));
      engine.createTable(CREATE.replace(" t ", " `we ird`.t "));
      insert(engine.table("`we ird`.t"), engine.allocator(), 7);
      engine.renameDatabase("we ird", "plain");
      assertThat(read(engine.table("plain.t"), engine.allocator(), "a")).containsExactly(7L);
      assertThatThrownBy(() -> engine.table("nowhere.t"))
          .isInstanceOfSatisfying(
              EngineException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_DATABASE));
    }
    try (Engine engine = Engine.open(directory)) {
      assertThat(engine.databases()).containsExactly("default", "plain");
      engine.dropDatabase("plain", false);
      assertThat(engine.databases()).containsExactly("default");
    }
  }

  @Test
  void aSecondWriterIsToldWhoHasTheDirectory() throws IOException {
    try (Engine engine = Engine.open(directory)) {
      insert(engine.createTable(CREATE), engine.allocator(), 4);
      assertThatThrownBy(() -> Engine.open(directory))
          .isInstanceOf(EngineException.class)
          .hasMessageContaining("pid: " + ProcessHandle.current().pid());
      try (Engine reader = Engine.open(EngineConfig.at(directory).withReadOnly(true))) {
        assertThat(read(reader.table("t"), reader.allocator(), "a")).containsExactly(4L);
        assertThatThrownBy(() -> reader.dropTable("t")).hasMessageContaining("read only");
        assertThatThrownBy(() -> insert(reader.table("t"), reader.allocator(), 5))
            .hasMessageContaining("read only");
      }
    }
    // What a process that ended left behind is no obstacle.
    assertThat(Files.exists(directory.resolve("coppice.lock"))).isTrue();
    Engine.open(directory).close();
  }

  @Test
  void whatIsNotServedIsListedWithItsReason() throws IOException {
    String uuid;
    try (Engine engine = Engine.open(directory)) {
      engine.createTable(CREATE);
      uuid = Files.readSymbolicLink(directory.resolve("metadata/default")).getFileName().toString();
    }
    Path store = directory.resolve("store").resolve(uuid.substring(0, 3)).resolve(uuid);
    Files.writeString(
        store.resolve("m.sql"),
        "ATTACH TABLE _ UUID '04351c85-e1ba-433c-8fe1-12ca2bb95974'\n(\n    `a` UInt8\n)\n"
            + "ENGINE = Memory\n");
    Files.writeString(store.resolve("v.sql"), "ATTACH VIEW _ UUID 'x' AS SELECT 1\n");
    Files.writeString(
        directory.resolve("metadata/lazy.sql"), "ATTACH DATABASE lazy\nENGINE = Memory\n");
    try (Engine engine = Engine.open(directory)) {
      assertThat(engine.tables()).extracting(Table::name).containsExactly(named("t"));
      assertThat(engine.unserved())
          .extracting(u -> u.name())
          .containsExactly("lazy", "default.m", "default.v");
      assertThatThrownBy(() -> engine.table("m")).hasMessageContaining("engine Memory");
    }
  }

  @Test
  void closingIsCompleteAndMayBeRepeated() throws IOException {
    Engine engine = Engine.open(directory);
    Table table = engine.createTable(CREATE);
    engine.close();
    engine.close();
    assertThatThrownBy(engine::tables).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> table.scan().open(engine.allocator()))
        .hasMessageContaining("was closed");
    for (int i = 0; i < 50; i++) {
      Engine.open(directory).close();
    }
  }

  @Test
  void whatClickHouseRefusesToCreateIsNotCreated() {
    try (Engine engine = Engine.open(directory)) {
      assertThatThrownBy(
              () ->
                  engine.createTable(
                      "CREATE TABLE x (a Int64) ENGINE = MergeTree ORDER BY nothing_like_it"))
          .isInstanceOf(EngineException.class);
      assertThatThrownBy(
              () ->
                  engine.createTable(
                      "CREATE TABLE x (a Int64) ENGINE = MergeTree ORDER BY a SETTINGS nonsense = 1"))
          .isInstanceOfSatisfying(
              EngineException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_SETTING));
      assertThat(engine.tables()).isEmpty();
      assertThat(engine.createTable(CREATE.replace(" t ", " x ")).name()).isEqualTo(named("x"));
    }
  }

  @Test
  void columnsMayTakeTheirTypesFromExpressions() {
    try (Engine engine = Engine.open(directory)) {
      Table table =
          engine.createTable(
              "CREATE TABLE x (a UInt8, n Nested(p UInt8, q String), d DEFAULT a + 1) ENGINE ="
                  + " MergeTree ORDER BY tuple()");
      assertThat(table.definition().column("d").map(c -> c.type().text()))
          .isEqualTo(Optional.of("UInt16"));
      assertThat(table.create().text()).contains("`n.q` Array(String)");
    }
  }
}
