package io.coppice.parts.scan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.disk.LocalDisk;
import io.coppice.base.time.TimeSource;
import io.coppice.parts.expression.Surroundings;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import io.coppice.parts.text.BatchReader;
import io.coppice.parts.text.DataFormat;
import io.coppice.parts.write.PartBuilder;
import io.coppice.parts.write.WrittenPart;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which granules conditions leave, of parts with two rows in each. */
class PruningTest {
  private static final String END =
      " SETTINGS index_granularity = 2, min_bytes_for_wide_part = 0, allow_nullable_key = 1";

  @TempDir Path directory;
  private BufferAllocator allocator;
  private TableDefinition table;
  private List<LoadedPart> parts;

  @BeforeEach
  void allocate() {
    allocator = new RootAllocator();
  }

  @AfterEach
  void nothingIsLeftAllocated() {
    allocator.close();
  }

  /** A part, or several by partition, of rows whose values are separated by a space. */
  private void build(String columnsAndOrder, String... rows) throws IOException {
    table = TableDefinition.parse("CREATE TABLE t " + columnsAndOrder + END, Profile.MODERN);
    String text = String.join("\n", rows).replace(' ', '\t') + "\n";
    parts = new ArrayList<>();
    try (BatchReader reader =
            BatchReader.open(
                DataFormat.TSV,
                new ByteArrayInputStream(text.getBytes(UTF_8)),
                "rows",
                table,
                BatchReader.Options.DEFAULT,
                allocator);
        PartBuilder builder = PartBuilder.open(table, new LocalDisk(directory), allocator)) {
      for (Optional<VectorSchemaRoot> batch = reader.next();
          batch.isPresent();
          batch = reader.next()) {
        try (VectorSchemaRoot root = batch.get()) {
          builder.add(root);
        }
      }
      for (WrittenPart written : builder.finish()) {
        Path part = directory.resolve(written.name().text());
        parts.add(PartReader.open(part, table, allocator).part());
      }
    }
  }

  private long count(Scan scan) throws IOException {
    long rows = 0;
    try (BatchStream batches = scan.open(allocator)) {
      while (batches.next()) {
        rows += batches.batch().getRowCount();
      }
    }
    return rows;
  }

  private void check(String where, int granules, int rows) throws IOException {
    Scan scan = Scan.of(parts).table(table).where(where).columns(List.of());
    assertThat(count(scan)).as("rows where %s", where).isEqualTo(rows);
    assertThat(count(scan.pruning(false))).as("rows unpruned where %s", where).isEqualTo(rows);
    try (BatchStream batches = scan.open(allocator)) {
      assertThat(batches.report().granulesAfterIndexes())
          .as("granules where %s", where)
          .isEqualTo(granules);
    }
  }

  @Test
  void betweenWholeKeysThatAreLeftOutLieOnlyTheOnesBetween() throws IOException {
    build(
        "(a Int32, v Int32) ENGINE = MergeTree ORDER BY (a, v)",
        "4 1",
        "4 2",
        "7 1",
        "7 5",
        "9 0",
        "9 1");
    check("a > 6 AND v > 3", 1, 1);
    check("a < 5 AND v = 9", 1, 0);
    check("a > 6 AND a < 8 AND v = 5", 1, 1);
  }

  @Test
  void nullAsAnEndThatIsLeftOutIsNotAmongTheRows() throws IOException {
    build(
        "(n Nullable(Int32), v Int32) ENGINE = MergeTree ORDER BY (n, v)",
        "1 1",
        "1 2",
        "3 9",
        "\\N 5",
        "\\N 7",
        "\\N 8");
    check("n IS NULL AND v = 9", 0, 0);
    check("n IS NULL AND v = 5", 1, 1);
    check("n > 0 AND v > 8", 2, 1);
    check("n IS NULL", 2, 3);
  }

  @Test
  void functionsThatGoDownMeetNullAtTheKeysUpperEnd() throws IOException {
    build(
        "(n Nullable(Int32)) ENGINE = MergeTree ORDER BY n",
        "-10",
        "-7",
        "-5",
        "\\N",
        "\\N",
        "\\N");
    check("-n = 7", 1, 1);
    check("-n = 5", 2, 1);
    check("-n < 6", 2, 1);
    check("nullIf(n, -10) = -7", 2, 1);
  }

  @Test
  void keysOfFloatsHaveNaNBehindAllOthers() throws IOException {
    build(
        "(f Float64) ENGINE = MergeTree ORDER BY f", "1", "2", "3", "4", "5", "nan", "nan", "nan");
    check("f > 4", 2, 1);
    check("NOT (f > 2)", 3, 5);
    check("NOT (f <= 2)", 4, 6);
    check("f != 1", 4, 7);
    check("NOT (f < 100)", 2, 3);
    check("round(f) = 2", 1, 1);
    check("-f > -2", 1, 1);
  }

  @Test
  void conditionsAreEvaluatedWhereKeysHaveOneValue() throws IOException {
    build(
        "(s String, v Int32) ENGINE = MergeTree PARTITION BY intDiv(v, 100) ORDER BY (s, v)",
        "ax 0",
        "ax 3",
        "ax 6",
        "ax 9",
        "ay 12",
        "ay 15",
        "ay 101",
        "ay 104");
    check("s LIKE '%x'", 2, 4);
    check("endsWith(s, 'y') AND intDiv(v, 100) = 1", 1, 2);
    check("bitAnd(intDiv(v, 100), 1) = 1", 1, 2);
    check("reverse(s) = 'ya' AND intDiv(v, 100) < 1", 2, 2);
  }

  @Test
  void functionsThatKeepOrderInSomeRangeAreUsedInIt() throws IOException {
    build(
        "(a Int32) ENGINE = MergeTree ORDER BY a",
        "-50",
        "-40",
        "-30",
        "-20",
        "5",
        "6",
        "8",
        "9",
        "300",
        "301");
    check("a * 2 = -100", 1, 1);
    check("a * -2 = 100", 1, 1);
    check("a / 2 = 150", 2, 1);
    check("0.5 - a = -300.5", 1, 1);
    check("a * -0.5 > 19", 1, 2);
    check("toUInt8(a) < 12", 3, 4);
    check("toInt8(a) = -50", 2, 1);
    check("toString(a) = '-25'", 2, 0);
    check("toString(a) = '6'", 3, 1);
    check("intDiv(1000, a) = 200", 5, 1);
  }

  @Test
  void remaindersInPartitionKeysAreThoseOfFiltersWhereTheyFit() throws IOException {
    build(
        "(a Int32) ENGINE = MergeTree PARTITION BY a % 3 ORDER BY tuple()",
        "1", "4", "7", "10", "2", "5", "-2", "-5");
    check("a % 3 = 1", 2, 4);
    check("a % 3 = -2", 1, 2);
    check("a % 3 IN (1, 2) AND a > 4", 3, 3);
  }

  @Test
  void remaindersThatDoNotFitAreNotLookedForInPartitionKeys() throws IOException {
    build(
        "(a Int32) ENGINE = MergeTree PARTITION BY a % 200 ORDER BY tuple()", "150", "350", "151");
    check("a % 200 = 150", 1, 2); // kept as -106
    check("a % 200 < 0", 1, 0);
  }

  @Test
  void setsAreAskedAboutTheirRowsAsAWhole() throws IOException {
    build(
        "(a Int32, s String, INDEX i (a, s) TYPE set(0) GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple()",
        "1 x",
        "2 y",
        "1 y",
        "3 zz");
    check("a = 1 AND s = 'y'", 1, 1);
    check("a = 1 AND length(s) = 2", 0, 0);
    check("a + length(s) = 5", 1, 1);
    check("(a, s) IN ((1, 'x'), (3, 'y'))", 1, 1);
    check("NOT (a = 1 OR s = 'y')", 1, 1);
    check("toString(a) = '2' OR s LIKE '%zz'", 2, 2);
  }

  @Test
  void sidesOfAnOrAreAskedOfDifferentIndexes() throws IOException {
    build(
        "(k Int32, v Int32, s String, INDEX i v TYPE minmax GRANULARITY 1,"
            + " INDEX j s TYPE bloom_filter(0.0001) GRANULARITY 1) ENGINE = MergeTree ORDER BY k",
        "1 10 a",
        "2 20 b",
        "3 30 c",
        "4 40 d",
        "5 50 e",
        "6 60 f",
        "7 70 g",
        "8 80 h");
    check("v = 10 OR s = 'd'", 2, 2);
    check("k = 8 OR s = 'd' OR v = 30", 2, 3);
    check("(v = 10 OR s = 'd') AND (k > 3 OR s = 'zz')", 1, 1);
    check("v = 10 OR (s = 'd' AND (k = 4 OR v = 1))", 2, 2);
    check("v = 10 OR length(s) = 1", 4, 8);
  }

  @Test
  void constantsThatATypeDoesNotHaveAreLookedForInVain() throws IOException {
    build(
        "(u UInt64, INDEX i u TYPE bloom_filter(0.0001) GRANULARITY 1) ENGINE = MergeTree ORDER BY tuple()",
        "1",
        "2",
        "3",
        "4");
    check("u IN (-3, 4)", 1, 1);
    check("u IN (-3, NULL, 2.5)", 0, 0);
    check("u = 2.5", 0, 0);
    check("u != -3", 2, 4);
  }

  @Test
  void chanceIsNotAConstant() throws IOException {
    build(
        "(a Int32, v Int32) ENGINE = MergeTree ORDER BY a",
        "1 1",
        "1 1",
        "1 1",
        "1 1",
        "1 1",
        "1 1",
        "1 1",
        "1 1");
    Random random = new Random(7);
    Surroundings chance = new Surroundings(TimeSource.system(), random, ZoneOffset.UTC);
    Scan scan = Scan.of(parts).table(table).in(chance).columns(List.of());
    for (String where :
        List.of("rand() % 2 = 0", "a = 1 + rand() % 2", "a % 2 = rand() % 2", "NOT (rand() % 2)")) {
      long rows = 0;
      for (int i = 0; i < 40; i++) {
        rows += count(scan.where(where));
      }
      assertThat(rows).as("rows of 40 times 8 where %s", where).isBetween(110L, 210L);
    }
  }
}
