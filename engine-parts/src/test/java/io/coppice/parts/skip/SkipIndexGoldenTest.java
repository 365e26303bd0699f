package io.coppice.parts.skip;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.fixtures.Golden;
import io.coppice.language.parse.Parser;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.type.DataType;
import io.coppice.parts.compress.CodecChain;
import io.coppice.parts.compress.Compressor;
import io.coppice.parts.compress.Decompressor;
import io.coppice.parts.compress.DirectBytes;
import io.coppice.parts.format.CountFile;
import io.coppice.parts.format.MarkFile;
import io.coppice.parts.format.MarkFormat;
import io.coppice.parts.format.PackedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The index files of golden parts are built again from their columns, byte for byte. */
class SkipIndexGoldenTest {
  @TempDir Path temp;

  @Test
  void filesOfIndexesAreBuiltAgain() throws IOException {
    int count = 0;
    List<Golden> goldens = new ArrayList<>(Golden.group(Golden.Engine.V26_7, "h_skip"));
    goldens.add(Golden.of(Golden.Engine.V26_7, "n_multigranule"));
    for (Golden golden : goldens) {
      CreateTable table = Parser.createTable(golden.createSql());
      for (Path part : golden.unpackParts(temp.resolve(golden.name()))) {
        try (BufferAllocator allocator = new RootAllocator();
            Compressor compressor = new Compressor(allocator);
            Decompressor decompressor = new Decompressor(allocator)) {
          for (CreateTable.Index declared : table.indexes()) {
            count += build(table, declared, part, allocator, compressor, decompressor);
          }
        }
      }
    }
    System.out.println("index files built again: " + count);
    assertThat(count).isGreaterThan(70);
  }

  private static Map<String, byte[]> files(Path part) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> paths = Files.list(part)) {
      for (Path path : paths.filter(p -> p.getFileName().toString().startsWith("skp_")).toList()) {
        files.put(path.getFileName().toString(), Files.readAllBytes(path));
      }
    }
    byte[] packed = files.get(PackedFile.SKIP_INDEXES);
    if (packed != null) {
      for (PackedFile.Entry entry : PackedFile.read(packed, "packed").entries()) {
        files.put(entry.name(), entry.content());
      }
    }
    return files;
  }

  private static int build(
      CreateTable table,
      CreateTable.Index declared,
      Path part,
      BufferAllocator allocator,
      Compressor compressor,
      Decompressor decompressor)
      throws IOException {
    int rows =
        (int) CountFile.read(Files.readAllBytes(part.resolve(CountFile.NAME)), "count").rowCount();
    WideColumns columns = new WideColumns(part, decompressor, rows);
    List<DataType> types = new ArrayList<>();
    List<FieldVector> vectors = new ArrayList<>();
    for (var element : new CreateTable.SortingKey(declared.expression(), List.of()).elements()) {
      String column = element.text();
      if (table.columns().stream().noneMatch(c -> c.name().equals(column))) {
        vectors.forEach(FieldVector::close);
        return 0; // an expression
      }
      types.add(
          table.columns().stream()
              .filter(c -> c.name().equals(column))
              .findFirst()
              .orElseThrow()
              .type()
              .orElseThrow());
      vectors.add(columns.read(column, types.get(types.size() - 1), allocator));
    }
    SkipIndex index =
        SkipIndex.of(
            declared.name(),
            declared.type().name(),
            declared.type().arguments().stream().map(a -> a.text()).toList(),
            types,
            declared.granularity());
    int[] granules = new int[(rows + 63) / 64];
    for (int i = 0; i < granules.length; i++) {
      granules[i] = Math.min(64, rows - 64 * i);
    }
    int count = 0;
    try (Frames frames = new Frames(allocator, compressor)) {
      index.build(vectors, granules, frames);
      Map<String, byte[]> files = files(part);
      assertThat(frames.finish())
          .as("%s of %s", index.fileStem(), part)
          .isEqualTo(files.get(index.fileStem() + index.extension()));
      count++;
      for (MarkFormat format : MarkFormat.values()) {
        byte[] bytes = files.get(index.fileStem() + format.extension());
        if (bytes != null) {
          MarkFile.Builder marks = MarkFile.builder(format, 1);
          for (long[] mark : frames.marks) {
            marks.place(mark[0], mark[1]).end(1);
          }
          assertThat(marks.build().write(compressor, CodecChain.ZSTD_3)).isEqualTo(bytes);
          count++;
        }
      }
    } finally {
      vectors.forEach(FieldVector::close);
    }
    return count;
  }

  /** A stream of frames with ClickHouse's rule for cutting them at marks. */
  private static final class Frames implements SkipIndex.Target, AutoCloseable {
    private final Compressor compressor;
    private final DirectBytes pending;
    private final DirectBytes file;
    private final List<long[]> marks = new ArrayList<>();

    Frames(BufferAllocator allocator, Compressor compressor) {
      this.compressor = compressor;
      this.pending = new DirectBytes(allocator);
      this.file = new DirectBytes(allocator);
    }

    @Override
    public void mark() {
      if (pending.sizeBytes() >= 65536) {
        cut();
      }
      marks.add(new long[] {file.sizeBytes(), pending.sizeBytes()});
    }

    @Override
    public void write(byte[] bytes, int offset, int size) {
      pending.append(bytes, offset, size);
    }

    private void cut() {
      if (pending.sizeBytes() > 0) {
        compressor.compress(CodecChain.LZ4, pending.address(), (int) pending.sizeBytes(), file);
        pending.clear();
      }
    }

    byte[] finish() {
      cut();
      return file.toByteArray();
    }

    @Override
    public void close() {
      pending.close();
      file.close();
    }
  }
}
