package io.coppice.parts.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.disk.LocalDisk;
import io.coppice.base.error.EngineException;
import io.coppice.parts.table.TableSettings.Profile;
import io.coppice.parts.write.PartBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * CREATE statements with the code that ClickHouse 26.7 answered to each, 0 for those it carried
 * out. What it refuses is refused, with its code; what it creates can be built.
 */
class CreateCheckTest {
  @TempDir Path directory;

  /**
   * A line of the list.
   *
   * @param engine the engine's code
   * @param ours our code where it is another, for reasons that the list's head gives
   */
  private record Case(int engine, int ours, String sql) {}

  private static List<Case> cases() throws IOException {
    List<Case> cases = new ArrayList<>();
    try (InputStream in =
        CreateCheckTest.class.getResourceAsStream("/create/statements-26.7.tsv")) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        if (line.isEmpty() || line.startsWith("--")) {
          continue;
        }
        String[] cells = line.split("\t");
        String[] codes = cells[0].split("/");
        int engine = Integer.parseInt(codes[0]);
        cases.add(
            new Case(engine, codes.length > 1 ? Integer.parseInt(codes[1]) : engine, cells[1]));
      }
    }
    return cases;
  }

  @Test
  void whatClickHouseRefusesIsNotBuilt() throws IOException {
    List<String> otherwise = new ArrayList<>();
    int refused = 0;
    try (BufferAllocator allocator = new RootAllocator()) {
      for (Case one : cases()) {
        int code = 0;
        String message = "";
        try {
          TableDefinition table = TableDefinition.parse(one.sql(), Profile.MODERN);
          PartBuilder.open(table, new LocalDisk(directory), allocator).close();
        } catch (EngineException e) {
          code = e.code().number();
          message = e.getMessage();
        }
        refused += one.engine() == 0 ? 0 : 1;
        if (code != one.ours()) {
          otherwise.add(
              String.format("%d, expected %d: %s%n    %s", code, one.ours(), one.sql(), message));
        }
      }
    }
    assertThat(otherwise).isEmpty();
    assertThat(refused).isGreaterThan(150);
  }

  @Test
  void tablesThatExistAreNotJudged() {
    String rest =
        "TABLE t (k Int32, a LowCardinality(UInt8), f FixedString(300), x Int64 CODEC(Delta, LZ4, LZ4))"
            + " ENGINE = MergeTree ORDER BY (k, k)";
    try (BufferAllocator allocator = new RootAllocator()) {
      LocalDisk disk = new LocalDisk(directory);
      TableDefinition created = TableDefinition.parse("CREATE " + rest, Profile.MODERN);
      assertThatThrownBy(() -> PartBuilder.open(created, disk, allocator))
          .isInstanceOf(EngineException.class)
          .hasMessageContaining("ATTACH TABLE");
      PartBuilder.open(created.existing(), disk, allocator).close();
      PartBuilder.open(TableDefinition.parse("ATTACH " + rest, Profile.MODERN), disk, allocator)
          .close();
    }
  }
}
