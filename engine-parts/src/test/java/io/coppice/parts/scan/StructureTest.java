package io.coppice.parts.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.parts.table.SmallTable;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parts read by a definition that is not theirs: an error, never rows that nobody wrote. */
class StructureTest {
  @TempDir Path directory;
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingIsLeftAllocated() {
    allocator.close();
  }

  private SmallTable table(String definition, String json) throws IOException {
    return new SmallTable(
            directory.resolve(Integer.toString(definition.hashCode())), allocator, definition)
        .insert(json);
  }

  private static TableDefinition other(String definition) {
    return TableDefinition.parse("CREATE TABLE other " + definition, Profile.MODERN);
  }

  private void refused(Scan scan, ErrorCode code, String... words) {
    assertThatThrownBy(() -> scan.open(allocator).close())
        .isInstanceOfSatisfying(EngineException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContainingAll(words);
    assertThat(allocator.getAllocatedMemory()).isZero();
  }

  @Test
  void aTableThatSharesNoColumnWithThePartIsRefused() throws IOException {
    SmallTable table = table("(a Int32, b String) ENGINE = MergeTree ORDER BY a", "{\"a\":1}");
    TableDefinition strange = other("(x Int8, y Int8 DEFAULT 5) ENGINE = MergeTree ORDER BY x");
    refused(
        Scan.of(table.parts()).table(strange),
        ErrorCode.INCOMPATIBLE_COLUMNS,
        "all_1_1_0",
        "it has a, b",
        "the table x, y");
    refused(
        Scan.of(table.parts()).table(strange).columns("y"),
        ErrorCode.INCOMPATIBLE_COLUMNS,
        "all_1_1_0");
  }

  @Test
  void columnsThatTheTableHasMoreOfAreDefaults() throws IOException {
    SmallTable table =
        table("(a Int32, b String) ENGINE = MergeTree ORDER BY a", "{\"a\":1}{\"a\":2}");
    TableDefinition grown =
        other("(a Int32, n Int8, d Int8 DEFAULT a + 5) ENGINE = MergeTree ORDER BY a");
    assertThat(table.tsv(Scan.of(table.parts()).table(grown))).isEqualTo("1\t0\t6\n2\t0\t7\n");
    assertThat(table.tsv(Scan.of(table.parts()).table(grown).columns("n"))).isEqualTo("0\n0\n");
  }

  @Test
  void withoutATableAllPartsMustHaveWhatIsRead() throws IOException {
    SmallTable one = table("(a Int32, b String) ENGINE = MergeTree ORDER BY a", "{\"a\":1}");
    SmallTable two = table("(a Int32, c String) ENGINE = MergeTree ORDER BY a", "{\"a\":2}");
    List<LoadedPart> parts = List.of(one.parts().get(0), two.parts().get(0));
    refused(Scan.of(parts), ErrorCode.THERE_IS_NO_COLUMN, "has no column c", "CREATE TABLE");
    refused(Scan.of(parts).columns("c"), ErrorCode.THERE_IS_NO_COLUMN, "has no column c");
    refused(
        Scan.of(parts).columns("a").where("b = ''"),
        ErrorCode.THERE_IS_NO_COLUMN,
        "has no column b");
    assertThat(one.tsv(Scan.of(parts).columns("a"))).isEqualTo("1\n2\n");
  }

  @Test
  void anotherTypeIsRefusedNamingBoth() throws IOException {
    SmallTable table =
        table(
            "(a Int32, b String, l LowCardinality(String)) ENGINE = MergeTree ORDER BY a",
            "{\"a\":1,\"b\":\"x\",\"l\":\"y\"}");
    for (String type :
        new String[] {"Nullable(Int32)", "UInt32", "Int64", "Float32", "String", "Date32"}) {
      TableDefinition changed =
          other(
              "(a "
                  + type
                  + ", b String) ENGINE = MergeTree ORDER BY a SETTINGS allow_nullable_key = 1");
      refused(
          Scan.of(table.parts()).table(changed),
          ErrorCode.TYPE_MISMATCH,
          "column a as Int32",
          "as " + type);
      refused(
          Scan.of(table.parts()).table(changed).columns("b").where("toString(a) = '1'"),
          ErrorCode.TYPE_MISMATCH,
          "column a as Int32");
    }
    // Keys that the granules are chosen by are of the part's type too, or nothing is chosen.
    TableDefinition byOther =
        other(
            "(a Nullable(Int32), b String) ENGINE = MergeTree ORDER BY tuple() PARTITION BY a"
                + " SETTINGS allow_nullable_key = 1");
    refused(
        Scan.of(table.parts()).table(byOther).columns("b").where("b = 'x'"),
        ErrorCode.TYPE_MISMATCH,
        "column a as Int32");
  }

  @Test
  void typesOfTheSameDataAreTheSame() throws IOException {
    SmallTable table =
        table(
            "(a Enum8('x' = 1), b String, l LowCardinality(String)) ENGINE = MergeTree ORDER BY b",
            "{\"a\":\"x\",\"b\":\"v\",\"l\":\"y\"}");
    TableDefinition changed =
        other(
            "(a Enum8('x' = 1, 'z' = 2), b LowCardinality(String), l String) ENGINE = MergeTree"
                + " ORDER BY b");
    assertThat(table.tsv(Scan.of(table.parts()).table(changed).where("b = 'v'")))
        .isEqualTo("x\tv\ty\n");
  }
}
