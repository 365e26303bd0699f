package io.coppice.parts.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.fixtures.Golden;
import io.coppice.language.parse.Parser;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.compress.CodecChain;
import io.coppice.parts.compress.Compressor;
import io.coppice.parts.compress.Decompressor;
import io.coppice.parts.name.FileNames;
import io.coppice.parts.name.PartName;
import io.coppice.parts.name.PartitionId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys, partition values and ranges of every golden part, read into vectors and written again. */
class GoldenKeyFilesTest {
  private static List<GoldenParts.Part> parts;

  private final Map<String, Integer> counts = new TreeMap<>();
  private BufferAllocator allocator;
  private Compressor compressor;
  private Decompressor decompressor;

  @BeforeAll
  static void unpack(@TempDir Path temp) {
    parts = GoldenParts.all(temp);
  }

  @BeforeEach
  void open() {
    allocator = new RootAllocator();
    compressor = new Compressor(allocator);
    decompressor = new Decompressor(allocator);
  }

  @AfterEach
  void close() {
    compressor.close();
    decompressor.close();
    assertThat(allocator.getAllocatedMemory()).isZero();
    allocator.close();
    counts.forEach((kind, count) -> System.out.println(kind + ": " + count + " equal"));
  }

  private void count(String file, GoldenParts.Part part) {
    counts.merge(file + " of " + part.golden().engine().version(), 1, Integer::sum);
  }

  private static CreateTable table(GoldenParts.Part part) {
    return Parser.createTable(part.golden().createSql());
  }

  private List<FieldVector> vectors(List<DataType> types) {
    List<FieldVector> vectors = new ArrayList<>();
    for (DataType type : types) {
      vectors.add(TestVectors.of(type, allocator));
    }
    return vectors;
  }

  private int markCount(GoldenParts.Part part) {
    for (String file : part.files()) {
      MarkFormat format = MarkFormat.ofFileName(file).orElse(null);
      if (format != null && !file.startsWith("skp_idx")) {
        int places = 1;
        if (format.compact()) {
          places =
              format.perStream()
                  ? ColumnsSubstreamsFile.read(part.bytes(ColumnsSubstreamsFile.NAME), file)
                      .streams()
                      .size()
                  : ColumnsFile.read(part.bytes(ColumnsFile.NAME), file).columns().size();
        }
        return MarkFile.read(part.bytes(file), file, format, places, decompressor).markCount();
      }
    }
    throw new AssertionError("no marks in " + part);
  }

  @Test
  void primaryKeys() {
    for (GoldenParts.Part part : parts) {
      boolean ours = !part.projection() && !PartName.tryParse(part.name()).orElse(OTHER).patch();
      for (String file : List.of(PrimaryIndexFile.NAME, PrimaryIndexFile.COMPRESSED_NAME)) {
        if (!part.has(file)) {
          continue;
        }
        byte[] bytes = part.bytes(file);
        byte[] content = PrimaryIndexFile.content(bytes, part + "/" + file, decompressor);
        if (file.equals(PrimaryIndexFile.COMPRESSED_NAME)) {
          assertThat(PrimaryIndexFile.compress(content, compressor, CodecChain.ZSTD_3))
              .isEqualTo(bytes);
          count(file + " (frames)", part);
        }
        if (ours) {
          List<DataType> types = GoldenKeys.primaryKey(table(part));
          List<FieldVector> vectors = vectors(types);
          int rows = markCount(part);
          PrimaryIndexFile.read(content, part + "/" + file, types, vectors, rows);
          assertThat(PrimaryIndexFile.write(types, vectors, 0, rows)).isEqualTo(content);
          vectors.forEach(FieldVector::close);
          count(file, part);
        }
      }
    }
  }

  private static final PartName OTHER = new PartName("other", 1, 1, 0);

  @Test
  void partitionValuesAndIds() {
    for (GoldenParts.Part part : parts) {
      if (!part.has(PartitionFile.NAME)) {
        continue;
      }
      PartName name = PartName.parse(part.name());
      List<DataType> types =
          name.patch() ? List.of(PlainType.STRING) : GoldenKeys.partitionKey(table(part));
      List<FieldVector> vectors = vectors(types);
      byte[] bytes = part.bytes(PartitionFile.NAME);
      PartitionFile.read(bytes, part.toString(), types, vectors);
      assertThat(PartitionFile.write(types, vectors, 0)).isEqualTo(bytes);
      if (!name.patch()) {
        boolean classic = part.golden().engine() == Golden.Engine.V18_16_1;
        assertThat(new PartitionId(types, vectors, classic).of(0))
            .as(part.toString())
            .isEqualTo(name.partition());
      }
      vectors.forEach(FieldVector::close);
      count(PartitionFile.NAME, part);
    }
  }

  @Test
  void leastAndGreatestValues() {
    for (GoldenParts.Part part : parts) {
      ColumnsFile columns = ColumnsFile.read(part.bytes(ColumnsFile.NAME), part.toString());
      for (String file : part.files()) {
        if (!file.startsWith("minmax_")) {
          continue;
        }
        String column = FileNames.unescape(file.substring(7, file.length() - 4));
        assertThat(MinMaxFile.name(column)).isEqualTo(file);
        DataType type =
            Parser.type(
                columns.columns().stream()
                    .filter(c -> c.name().equals(column))
                    .findFirst()
                    .orElseThrow()
                    .type());
        FieldVector vector = TestVectors.of(type, allocator);
        byte[] bytes = part.bytes(file);
        MinMaxFile.read(bytes, part + "/" + file, type, vector);
        assertThat(MinMaxFile.write(type, vector, new int[] {0, 1})).isEqualTo(bytes);
        vector.close();
        count("minmax_*.idx", part);
      }
    }
  }
}
