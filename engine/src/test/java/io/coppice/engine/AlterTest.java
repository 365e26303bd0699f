package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.disk.LocalDisk;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.parts.inspect.PartInspector;
import io.coppice.parts.scan.BatchStream;
import io.coppice.parts.scan.Scan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AlterTest {
  private static final String CREATE =
      "CREATE TABLE t (a Int64, b Int64 DEFAULT a * 2) ENGINE = MergeTree ORDER BY a";

  @TempDir Path directory;

  private static void reads(Engine engine, String column, Long... expected) throws IOException {
    assertThat(EngineTest.read(engine.table("t"), engine.allocator(), column))
        .containsExactly(expected);
  }

  private static List<String> names(Table table) {
    return table.parts().stream().map(p -> p.name().text()).toList();
  }

  private Path tableDirectory() throws IOException {
    try (Stream<Path> paths = Files.walk(directory.resolve("store"))) {
      return paths
          .filter(p -> p.endsWith("format_version.txt"))
          .findFirst()
          .orElseThrow()
          .getParent();
    }
  }

  @Test
  void aColumnThatIsAddedIsFilledFromItsDefaultAndNoPartIsWritten() throws IOException {
    try (Engine engine = Engine.open(directory)) {
      EngineTest.insert(engine.createTable(CREATE), engine.allocator(), 1, 2);
      engine.alterTable("ALTER TABLE t ADD COLUMN c Int64 DEFAULT b + 1 AFTER a");
      reads(engine, "c", 3L, 5L);
      assertThat(names(engine.table("t"))).containsExactly("all_1_1_0");
    }
    try (Engine engine = Engine.open(directory)) {
      reads(engine, "c", 3L, 5L);
    }
  }

  @Test
  void aColumnThatWasDroppedAndAddedAgainShowsNoOldValue() throws IOException {
    try (Engine engine = Engine.open(directory)) {
      EngineTest.insert(engine.createTable(CREATE), engine.allocator(), 1, 2);
      engine.alterTable("ALTER TABLE t DROP COLUMN b");
      engine.alterTable("ALTER TABLE t ADD COLUMN b Int64 DEFAULT 7");
      reads(engine, "b", 7L, 7L);
      assertThat(names(engine.table("t"))).containsExactly("all_1_1_0_2");
      engine.alterTable("ALTER TABLE t DROP COLUMN b, ADD COLUMN b Int64 DEFAULT 8");
      reads(engine, "b", 8L, 8L);
    }
    try (Engine engine = Engine.open(directory)) {
      reads(engine, "b", 8L, 8L);
      EngineTest.insert(engine.table("t"), engine.allocator(), 3);
      assertThat(names(engine.table("t"))).containsExactly("all_1_1_0_3", "all_4_4_0");
    }
  }

  @Test
  void partsThatAreWrittenAnewHaveNoFault() throws IOException {
    try (Engine engine = Engine.open(directory)) {
      for (String settings : List.of("", " SETTINGS min_bytes_for_wide_part = 0")) {
        Table table =
            engine.createTable(CREATE.replace("TABLE t", "OR REPLACE TABLE t") + settings);
        EngineTest.insert(table, engine.allocator(), 1, 2, 3);
        for (String command :
            List.of(
                "ADD INDEX i b TYPE minmax",
                "MODIFY COLUMN b String",
                "RENAME COLUMN b TO c",
                "ADD COLUMN d Date DEFAULT toDate(a), MODIFY TTL d + INTERVAL 90 YEAR",
                "MODIFY COLUMN c UInt16, CLEAR COLUMN d",
                "DROP INDEX i, DROP COLUMN c")) {
          engine.alterTable("ALTER TABLE t " + command);
          Path part = tableDirectory().resolve(names(table).get(0));
          assertThat(
                  PartInspector.of(new LocalDisk(part), names(table).get(0))
                      .table(table.definition())
                      .inspect(engine.allocator())
                      .faults())
              .as(command + settings)
              .isEmpty();
        }
      }
    }
  }

  @Test
  void whatCannotBeConvertedLeavesEverythingAsItWas() throws IOException {
    try (Engine engine = Engine.open(directory)) {
      engine.createTable(
          "CREATE TABLE t (a Int64, s String DEFAULT concat('x', toString(a))) ENGINE = MergeTree"
              + " ORDER BY a");
      EngineTest.insert(engine.table("t"), engine.allocator(), 1);
      String before = engine.table("t").create().text();
      assertThatThrownBy(() -> engine.alterTable("ALTER TABLE t MODIFY COLUMN s Int64"))
          .isInstanceOfSatisfying(
              EngineException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.CANNOT_PARSE_TEXT));
      assertThat(engine.table("t").create().text()).isEqualTo(before);
      reads(engine, "a", 1L);
      assertThat(names(engine.table("t"))).containsExactly("all_1_1_0");
    }
    try (Stream<Path> left = Files.list(tableDirectory())) {
      assertThat(left.map(p -> p.getFileName().toString()))
          .containsExactlyInAnyOrder("all_1_1_0", "format_version.txt");
    }
  }

  @Test
  void scansGoOnOverWhatTheyBeganWithAndInsertsEndInTheNewDefinition() throws IOException {
    try (Engine engine = Engine.open(directory)) {
      Table table = engine.createTable(CREATE);
      BufferAllocator allocator = engine.allocator();
      EngineTest.insert(table, allocator, 1);
      Scan old = table.scan().columns("b");
      try (TableInsert insert = table.insert();
          BatchStream running = table.scan().columns("b").open(allocator);
          BigIntVector vector = new BigIntVector("a", allocator)) {
        vector.setSafe(0, 5);
        vector.setValueCount(1);
        insert.add(VectorSchemaRoot.of(vector));
        engine.alterTable("ALTER TABLE t RENAME COLUMN b TO c");
        engine.alterTable("ALTER TABLE t ADD COLUMN b Int64 DEFAULT 9");
        assertThat(running.next()).isTrue();
        assertThat(((BigIntVector) running.batch().getVector("b")).get(0)).isEqualTo(2);
        assertThat(insert.finish().parts().toString()).isEqualTo("[all_3_3_0]");
      }
      reads(engine, "c", 2L, 10L);
      reads(engine, "b", 9L, 9L);
      assertThatThrownBy(() -> old.open(allocator).close())
          .isInstanceOfSatisfying(
              EngineException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ABORTED));
    }
  }

  @Test
  void aMutationThatIsNotServedIsLeftToClickHouse() throws IOException {
    try (Engine engine = Engine.open(directory)) {
      EngineTest.insert(engine.createTable(CREATE), engine.allocator(), 1);
    }
    Path table = tableDirectory();
    Files.writeString(
        table.resolve("mutation_2.txt"),
        "format version: 1\ncreate time: 2026-01-01 00:00:00\ncommands: (DELETE WHERE a = 1)\n",
        StandardCharsets.UTF_8);
    try (Engine engine = Engine.open(directory)) {
      reads(engine, "a", 1L);
      assertThat(EngineTest.insert(engine.table("t"), engine.allocator(), 2).parts().toString())
          .isEqualTo("[all_3_3_0]");
      assertThatThrownBy(() -> engine.alterTable("ALTER TABLE t DROP COLUMN b"))
          .isInstanceOf(EngineException.class)
          .hasMessageContaining("mutation_2.txt");
      engine.alterTable("ALTER TABLE t COMMENT COLUMN b 'fine'");
    }
  }

  @Test
  void aPartThatHasYetToGoThroughAMutationIsNotReadWithoutIt() throws IOException {
    try (Engine engine = Engine.open(directory)) {
      EngineTest.insert(engine.createTable(CREATE), engine.allocator(), 1);
      engine.alterTable("ALTER TABLE t RENAME COLUMN b TO c");
    }
    Path table = tableDirectory();
    Path part = table.resolve("all_1_1_0_2");
    try (Stream<Path> files = Files.list(part)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(part);
    try (Engine reader = Engine.open(EngineConfig.at(directory).withReadOnly(true))) {
      assertThat(reader.unserved())
          .extracting(u -> u.reason())
          .first()
          .asString()
          .contains("mutation_2.txt");
    }
    try (Engine engine = Engine.open(directory)) {
      reads(engine, "c", 2L);
      assertThat(names(engine.table("t"))).containsExactly("all_1_1_0_2");
    }
  }

  @Test
  void aPartitionsIdMustNotChange() {
    try (Engine engine = Engine.open(directory)) {
      engine.createTable(
          "CREATE TABLE t (a Int64, d Date) ENGINE = MergeTree PARTITION BY d ORDER BY a");
      assertThatThrownBy(() -> engine.alterTable("ALTER TABLE t MODIFY COLUMN d UInt16"))
          .isInstanceOfSatisfying(
              EngineException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.ALTER_OF_COLUMN_IS_FORBIDDEN));
    }
  }
}
