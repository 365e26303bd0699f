package io.coppice.parts.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.LocalDisk;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.parts.scan.BatchStream;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.scan.Scan;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.impl.UnionListWriter;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartBuilderTest {
  @TempDir Path directory;
  private BufferAllocator allocator;
  private Disk disk;

  @BeforeEach
  void open() {
    allocator = new RootAllocator();
    disk = new LocalDisk(directory);
  }

  /** Closing an allocator fails if anything of it is left. */
  @AfterEach
  void nothingIsLeftAllocated() {
    allocator.close();
  }

  private static TableDefinition table(String rest) {
    return TableDefinition.parse("CREATE TABLE t " + rest, Profile.MODERN);
  }

  private UInt4Vector uint32(String name, int... values) {
    UInt4Vector vector =
        (UInt4Vector)
            ArrowMapping.field(name, io.coppice.language.type.PlainType.UINT32)
                .createVector(allocator);
    vector.allocateNew(values.length);
    for (int i = 0; i < values.length; i++) {
      vector.set(i, values[i]);
    }
    vector.setValueCount(values.length);
    return vector;
  }

  private DateDayVector date(String name, int... days) {
    DateDayVector vector =
        (DateDayVector)
            ArrowMapping.field(name, io.coppice.language.type.PlainType.DATE)
                .createVector(allocator);
    vector.allocateNew(days.length);
    for (int i = 0; i < days.length; i++) {
      vector.set(i, days[i]);
    }
    vector.setValueCount(days.length);
    return vector;
  }

  private VarCharVector text(String name, String... values) {
    VarCharVector vector = new VarCharVector(name, allocator);
    vector.allocateNew();
    for (int i = 0; i < values.length; i++) {
      if (values[i] != null) {
        vector.setSafe(i, values[i].getBytes(StandardCharsets.UTF_8));
      }
    }
    vector.setValueCount(values.length);
    return vector;
  }

  private List<WrittenPart> build(TableDefinition table, FieldVector... vectors)
      throws IOException {
    try (VectorSchemaRoot batch = new VectorSchemaRoot(List.of(vectors));
        PartBuilder builder = PartBuilder.open(table, disk, allocator)) {
      builder.add(batch);
      return builder.finish();
    }
  }

  private List<List<Object>> rows(TableDefinition table, String part, String... columns)
      throws IOException {
    List<List<Object>> rows = new ArrayList<>();
    LoadedPart loaded = LoadedPart.open(disk.within(part), part, LoadedPart.Hints.NONE, allocator);
    try (BatchStream batches = Scan.of(loaded).table(table).columns(columns).open(allocator)) {
      while (batches.next()) {
        for (int row = 0; row < batches.batch().getRowCount(); row++) {
          List<Object> values = new ArrayList<>();
          for (FieldVector vector : batches.batch().getFieldVectors()) {
            Object value = vector.getObject(row);
            values.add(value == null ? null : value.toString());
          }
          rows.add(values);
        }
      }
    }
    return rows;
  }

  @Test
  void typesThatAreNotWrittenAreToldInTheWordsOfBuilding() {
    for (String type : List.of("JSON", "AggregateFunction(sum, UInt64)", "Variant(Int8, String)")) {
      assertThatThrownBy(
              () ->
                  PartBuilder.open(
                      table("(id UInt32, j " + type + ") ENGINE = MergeTree ORDER BY id"),
                      disk,
                      allocator))
          .isInstanceOfSatisfying(
              EngineException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_IMPLEMENTED))
          .hasMessageContainingAll("column j", "not written", "no part")
          .hasMessageNotContaining("read");
    }
  }

  @Test
  void partitionsAreNumberedByFirstAppearanceAndSorted() throws IOException {
    TableDefinition table =
        table(
            "(d Date, id UInt32) ENGINE = MergeTree PARTITION BY toYYYYMM(d) ORDER BY id DESC"
                + " SETTINGS allow_experimental_reverse_key = 1");

    List<WrittenPart> parts =
        build(table, date("d", 19_800, 19_700, 19_801), uint32("id", 1, 2, 3));

    assertThat(parts)
        .extracting(p -> p.name().text())
        .containsExactly("202403_1_1_0", "202312_2_2_0");
    assertThat(rows(table, "202403_1_1_0", "id")).containsExactly(List.of("3"), List.of("1"));
  }

  @Test
  void columnsThatAreNotGivenAreFilledFromTheirDefaults() throws IOException {
    TableDefinition table =
        table(
            "(id UInt32, b UInt64 DEFAULT a + 1, a UInt64 DEFAULT id * 10, m String MATERIALIZED"
                + " toString(b), z Nullable(Int8), al UInt64 ALIAS a + b) ENGINE = MergeTree ORDER"
                + " BY id");

    build(table, uint32("id", 7));

    assertThat(rows(table, "all_1_1_0", "a", "b", "m", "z", "al"))
        .containsExactly(java.util.Arrays.asList("70", "71", "71", null, "141"));
  }

  @Test
  void otherArrowTypesAreConverted() throws IOException {
    TableDefinition table =
        table("(id UInt32, s String, e Enum8('a' = 1, 'b' = 2)) ENGINE = MergeTree ORDER BY id");
    BigIntVector id = new BigIntVector("id", allocator);
    id.allocateNew(2);
    id.set(0, 5);
    id.set(1, 4);
    id.setValueCount(2);

    build(table, id, text("s", "x", "y"), text("e", "b", "a"));

    assertThat(rows(table, "all_1_1_0", "id", "s", "e"))
        .containsExactly(List.of("4", "y", "1"), List.of("5", "x", "2"));
  }

  @Test
  void dictionaryEncodedColumnsAreDecoded() throws IOException {
    TableDefinition table =
        table("(id UInt32, s LowCardinality(String)) ENGINE = MergeTree ORDER BY id");
    DictionaryEncoding encoding = new DictionaryEncoding(3, false, null);
    try (VarCharVector keys = text("keys", "red", "blue");
        VarCharVector plain = text("s", "blue", "red", "blue");
        PartBuilder builder = PartBuilder.open(table, disk, allocator)) {
      Dictionary dictionary = new Dictionary(keys, encoding);
      FieldVector encoded = (FieldVector) DictionaryEncoder.encode(plain, dictionary);
      try (VectorSchemaRoot batch = new VectorSchemaRoot(List.of(uint32("id", 1, 2, 3), encoded))) {
        assertThatThrownBy(() -> builder.add(batch))
            .isInstanceOf(EngineException.class)
            .hasMessageContaining("encoded by dictionary 3, which was not given");
        builder.add(batch, new MapDictionaryProvider(dictionary));
      }
      builder.finish();
    }

    assertThat(rows(table, "all_1_1_0", "s"))
        .containsExactly(List.of("blue"), List.of("red"), List.of("blue"));
  }

  @Test
  void whatLiesUnderNullInForeignVectorsIsNotWritten() throws IOException {
    TableDefinition table = table("(id UInt32, n Nullable(Int32)) ENGINE = MergeTree ORDER BY id");
    List<byte[]> files = new ArrayList<>();
    for (int garbage : new int[] {0, 77}) {
      IntVector n = new IntVector("n", allocator);
      n.allocateNew(2);
      n.set(0, garbage);
      n.setNull(0);
      n.getDataBuffer().setInt(0, garbage);
      n.set(1, 5);
      n.setValueCount(2);
      Path target = directory.resolve("g" + garbage);
      Files.createDirectories(target);
      try (VectorSchemaRoot batch = new VectorSchemaRoot(List.of(uint32("id", 1, 2), n));
          PartBuilder builder = PartBuilder.open(table, new LocalDisk(target), allocator)) {
        builder.add(batch);
        builder.finish();
      }
      files.add(Files.readAllBytes(target.resolve("all_1_1_0/data.bin")));
    }

    assertThat(files.get(0)).isEqualTo(files.get(1));
  }

  @Test
  void inputThatDoesNotFitIsRefusedWithTheReason() throws IOException {
    TableDefinition table =
        table("(id UInt32, m UInt8 MATERIALIZED 1) ENGINE = MergeTree ORDER BY id");
    IntVector nulls = new IntVector("id", allocator);
    nulls.allocateNew(1);
    nulls.setNull(0);
    nulls.setValueCount(1);

    assertThatThrownBy(() -> build(table, uint32("other", 1)))
        .isInstanceOfSatisfying(
            EngineException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_SUCH_COLUMN_IN_TABLE))
        .hasMessageContaining("it has id, m");
    assertThatThrownBy(() -> build(table, uint32("id", 1), uint32("m", 1)))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("column m is MATERIALIZED");
    assertThatThrownBy(() -> build(table, nulls)).isInstanceOf(EngineException.class);
    assertThat(disk.list("")).isEmpty();
  }

  @Test
  void ttlTimesAreThoseOfTheRowsThatARuleIsFor() throws IOException {
    TableDefinition table =
        table(
            "(id UInt32, d Date, v UInt32 TTL d + INTERVAL 1 DAY) ENGINE = MergeTree ORDER BY id"
                + " TTL d + toIntervalYear(80) DELETE WHERE id > 3, d + INTERVAL 2 DAY");

    build(table, date("d", 10, 20, 30), uint32("id", 3, 4, 5), uint32("v", 1, 2, 3));

    // What 26.7 writes: only rows that fulfil WHERE count for a rule that has one.
    assertThat(Files.readString(directory.resolve("all_1_1_0/ttl.txt")))
        .isEqualTo(
            "ttl format version: 1\n"
                + "{\"columns\":[{\"name\":\"v\",\"min\":950400,\"max\":2678400,\"finished\":0}],"
                + "\"table\":{\"min\":1036800,\"max\":2764800,\"finished\":0},\"rows_where\":[{\"expression\":\"d"
                + " + toIntervalYear(80)\",\"min\":2526336000,\"max\":2527200000,\"finished\":0}]}");
  }

  @Test
  void arraysOfOneNestedMustHaveEqualLengths() throws IOException {
    TableDefinition table =
        table("(id UInt32, n Nested(a UInt32, b UInt32)) ENGINE = MergeTree ORDER BY id");

    build(table, uint32("id", 1), array("n.a", 2), array("n.b", 2));

    assertThatThrownBy(() -> build(table, uint32("id", 1), array("n.a", 2), array("n.b", 1)))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("column n.b has 1 elements, expected 2 as n.a");
  }

  private FieldVector array(String name, int size) {
    ListVector list =
        (ListVector)
            ArrowMapping.field(
                    name,
                    new io.coppice.language.type.DataType.ArrayType(
                        io.coppice.language.type.PlainType.UINT32))
                .createVector(allocator);
    UnionListWriter writer = list.getWriter();
    writer.startList();
    for (int i = 0; i < size; i++) {
      writer.uInt4().writeUInt4(i);
    }
    writer.endList();
    writer.setValueCount(1);
    list.setValueCount(1);
    return list;
  }

  @Test
  void tablesThatCannotBeBuiltAreRefusedWhenOpened() {
    assertRefused("(id UInt32, j JSON) ENGINE = MergeTree ORDER BY id", "column j has type JSON");
    assertRefused(
        "(id UInt32, PROJECTION p (SELECT id ORDER BY id)) ENGINE = MergeTree ORDER BY id",
        "has projections (p)");
    assertRefused("(id Nullable(UInt32)) ENGINE = MergeTree ORDER BY id", "allow_nullable_key");
    assertRefused(
        "(id UInt32) ENGINE = MergeTree ORDER BY id SETTINGS no_such_setting = 1",
        "unknown setting no_such_setting");
    assertRefused("(id UInt32 CODEC(ZXC)) ENGINE = MergeTree ORDER BY id", "ZXC");
    assertRefused("(id UInt32) ENGINE = Memory", "engine Memory");
  }

  private void assertRefused(String rest, String reason) {
    assertThatThrownBy(() -> PartBuilder.open(table(rest), disk, allocator))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void blocksAreCutWhereTheyAreFullAndAnExistingPartIsNotOverwritten() throws IOException {
    TableDefinition table = table("(id UInt32) ENGINE = MergeTree ORDER BY id");
    try (PartBuilder builder =
        PartBuilder.open(table, disk, allocator)
            .firstBlock(5)
            .blockLimits(new BlockLimits(3, 0, 3, 0, false))) {
      for (int i = 0; i < 4; i++) {
        try (VectorSchemaRoot batch = new VectorSchemaRoot(List.of(uint32("id", i, i + 10)))) {
          builder.add(batch);
        }
      }
      assertThat(builder.finish())
          .extracting(p -> p.name().text() + ":" + p.rowCount())
          .containsExactly("all_5_5_0:4", "all_6_6_0:4");
    }
    try (PartBuilder builder = PartBuilder.open(table, disk, allocator).firstBlock(5);
        VectorSchemaRoot batch = new VectorSchemaRoot(List.of(uint32("id", 1)))) {
      builder.add(batch);
      assertThatThrownBy(builder::finish)
          .isInstanceOf(EngineException.class)
          .hasMessageContaining("all_5_5_0 is there already");
    }
  }
}
