package io.coppice.parts.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.SmallTable;
import io.coppice.parts.write.PartBuilder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** LowCardinality columns as indexes into dictionaries say what they say as plain values. */
class DictionaryTest {
  private static final int ROWS = 5000;

  @TempDir Path directory;
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingIsLeftAllocated() {
    allocator.close();
  }

  private SmallTable table() throws IOException {
    SmallTable table =
        new SmallTable(
            directory.resolve("t"),
            allocator,
            "(k UInt32, s LowCardinality(String), n LowCardinality(Nullable(String)), f"
                + " LowCardinality(FixedString(3)), a Array(LowCardinality(String))) ENGINE ="
                + " MergeTree ORDER BY k SETTINGS index_granularity = 64");
    StringBuilder json = new StringBuilder();
    IntStream.range(0, ROWS)
        .forEach(
            i ->
                json.append(
                    String.format(
                        "{\"k\":%d,\"s\":\"s%d\",\"n\":%s,\"f\":\"%03d\",\"a\":[\"x\",\"%d\"]}",
                        i,
                        i / 50, // new values in every batch
                        i % 3 == 0 ? "null" : i % 3 == 1 ? "\"\"" : "\"n" + i % 7 + "\"",
                        i % 11,
                        i % 5)));
    return table.insert(json.toString());
  }

  /** Rows of a stream, dictionaries looked up; what an index meant it must mean ever after. */
  private static List<String> rows(BatchStream batches) throws IOException {
    List<String> rows = new ArrayList<>();
    List<List<String>> meanings = new ArrayList<>();
    VectorSchemaRoot root = null;
    while (batches.next()) {
      if (root != null) {
        assertThat(batches.batch()).isSameAs(root);
      }
      root = batches.batch();
      assertThat(root.getSchema()).isEqualTo(batches.schema());
      for (int row = 0; row < root.getRowCount(); row++) {
        StringBuilder line = new StringBuilder();
        for (FieldVector vector : root.getFieldVectors()) {
          line.append(value(vector, row, batches)).append(' ');
        }
        rows.add(line.toString());
      }
      meanings.add(meanings(batches));
    }
    for (int i = 1; i < meanings.size(); i++) {
      List<String> before = meanings.get(i - 1);
      assertThat(meanings.get(i).subList(0, before.size())).isEqualTo(before);
    }
    return rows;
  }

  private static List<String> meanings(BatchStream batches) {
    Dictionary first =
        batches.dictionaries().lookup(batches.schema().getFields().get(1).getDictionary().getId());
    return IntStream.range(0, first.getVector().getValueCount())
        .mapToObj(i -> String.valueOf(first.getVector().getObject(i)))
        .toList();
  }

  private static String value(FieldVector vector, int row, BatchStream batches) {
    DictionaryEncoding encoding = vector.getField().getDictionary();
    Object value = vector.getObject(row);
    if (encoding != null && value != null) {
      FieldVector values = batches.dictionaries().lookup(encoding.getId()).getVector();
      value = values.getObject(((IntVector) vector).get(row));
    }
    return value instanceof byte[] bytes
        ? new String(bytes, java.nio.charset.StandardCharsets.UTF_8)
        : String.valueOf(value);
  }

  private List<String> plainRows(Scan scan) throws IOException {
    try (BatchStream batches = scan.open(allocator)) {
      List<String> rows = new ArrayList<>();
      while (batches.next()) {
        for (int row = 0; row < batches.batch().getRowCount(); row++) {
          StringBuilder line = new StringBuilder();
          for (FieldVector vector : batches.batch().getFieldVectors()) {
            line.append(value(vector, row, batches)).append(' ');
          }
          rows.add(line.toString());
        }
      }
      return rows;
    }
  }

  @Test
  void indexesMeanTheSameInAllBatchesAndWaysOfReading() throws IOException {
    SmallTable table = table();
    Scan scan = table.scan().batchRows(300);
    List<String> plain = plainRows(scan);
    assertThat(plain).hasSize(ROWS).contains("0 s0 null 000 [\"x\",\"0\"] ");
    ExecutorService executor = Executors.newFixedThreadPool(3);
    try {
      for (Scan one :
          List.of(
              scan,
              scan.on(executor, 3),
              scan.where("k % 3 = 1"),
              scan.limit(777),
              scan.where("s = 's7'"))) {
        try (BatchStream batches = one.dictionaries(true).open(allocator)) {
          assertThat(batches.schema().getFields())
              .extracting(f -> f.getDictionary() != null)
              .containsExactly(false, true, true, true, false);
          assertThat(rows(batches)).isEqualTo(plainRows(one));
        }
      }
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void nullIsANullIndexAndNoValue() throws IOException {
    SmallTable table = table();
    try (BatchStream batches = table.scan().columns("n").dictionaries(true).open(allocator)) {
      assertThat(batches.next()).isTrue();
      IntVector indexes = (IntVector) batches.batch().getVector("n");
      assertThat(indexes.isNull(0)).isTrue();
      assertThat(indexes.isNull(1)).isFalse();
      FieldVector values =
          batches.dictionaries().lookup(indexes.getField().getDictionary().getId()).getVector();
      assertThat(values.getNullCount()).isZero();
      assertThat(values.getValueCount()).isEqualTo(8); // '' and n0 to n6
      assertThat(ArrowMapping.typeOf(indexes.getField()).text())
          .isEqualTo("LowCardinality(Nullable(String))");
    }
  }

  @Test
  void aBuilderTakesTheBatchesAsTheyAre() throws IOException {
    SmallTable table = table();
    Path copy = Files.createDirectories(directory.resolve("copy"));
    String part;
    try (BatchStream batches = table.scan().batchRows(300).dictionaries(true).open(allocator);
        PartBuilder builder =
            PartBuilder.open(
                table.definition(), new io.coppice.base.disk.LocalDisk(copy), allocator)) {
      while (batches.next()) {
        builder.add(batches.batch(), batches.dictionaries());
      }
      part = builder.finish().get(0).name().text();
    }
    LoadedPart again = PartReader.open(copy.resolve(part), table.definition(), allocator).part();
    assertThat(table.tsv(Scan.of(again).table(table.definition())))
        .isEqualTo(table.tsv(table.scan()));
  }

  @Test
  void closingEarlyLeavesNothing() throws IOException {
    SmallTable table = table();
    BatchStream batches = table.scan().batchRows(64).dictionaries(true).open(allocator);
    assertThat(batches.next()).isTrue();
    batches.close();
    batches.close();
    assertThat(allocator.getAllocatedMemory()).isZero();
  }

  @Test
  void anIpcStreamOfThemIsReadBackAndBuiltAgain() throws IOException {
    SmallTable table = table();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Scan scan = table.scan().batchRows(300);
    try (BatchStream batches = scan.dictionaries(true).open(allocator)) {
      boolean more = batches.next();
      try (ArrowStreamWriter writer =
          new ArrowStreamWriter(batches.batch(), batches.dictionaries(), bytes)) {
        writer.start();
        for (; more; more = batches.next()) {
          writer.writeBatch();
        }
        writer.end();
      }
    }
    Path copy = Files.createDirectories(directory.resolve("copy"));
    List<String> decoded = new ArrayList<>();
    String part;
    try (ArrowStreamReader reader =
            new ArrowStreamReader(new ByteArrayInputStream(bytes.toByteArray()), allocator);
        PartBuilder builder =
            PartBuilder.open(
                table.definition(), new io.coppice.base.disk.LocalDisk(copy), allocator)) {
      while (reader.loadNextBatch()) {
        VectorSchemaRoot root = reader.getVectorSchemaRoot();
        FieldVector s = root.getVector("s");
        try (FieldVector values =
            (FieldVector)
                DictionaryEncoder.decode(s, reader.lookup(s.getField().getDictionary().getId()))) {
          for (int row = 0; row < root.getRowCount(); row++) {
            decoded.add(String.valueOf(values.getObject(row)));
          }
        }
        builder.add(root, reader);
      }
      part = builder.finish().get(0).name().text();
    }
    assertThat(decoded).isEqualTo(IntStream.range(0, ROWS).mapToObj(i -> "s" + i / 50).toList());
    LoadedPart again = PartReader.open(copy.resolve(part), table.definition(), allocator).part();
    assertThat(table.tsv(Scan.of(again).table(table.definition()))).isEqualTo(table.tsv(scan));
  }
}
