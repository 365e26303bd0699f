package io.coppice.parts.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.disk.LocalDisk;
import io.coppice.fixtures.Golden;
import io.coppice.language.parse.Parser;
import io.coppice.language.statement.CreateTable;
import io.coppice.parts.scan.BatchStream;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.scan.Scan;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.text.TextBuffer;
import io.coppice.parts.text.ValueText;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every golden part that is to be readable holds the rows that its engine said it holds. */
class GoldenReadTest {
  @TempDir Path directory;

  @TestFactory
  Stream<DynamicTest> modernRowsAreThoseOfTheEngine() {
    return Golden.all(Golden.Engine.V26_7).stream()
        .filter(g -> g.name().matches("[abdefghkmn]_.*|i_.*"))
        .filter(g -> !g.name().matches(".*(map_buckets|codec_alp|codec_zxc).*"))
        .map(g -> DynamicTest.dynamicTest(g.name(), () -> check(g, true)));
  }

  @TestFactory
  Stream<DynamicTest> classicRowsAreThoseOfTheEngine() {
    return Golden.all(Golden.Engine.V18_16_1).stream()
        .map(g -> DynamicTest.dynamicTest(g.name(), () -> check(g, false)));
  }

  private void check(Golden golden, boolean modern) throws Exception {
    byte[] expectedBytes =
        modern ? golden.expectedTsv().orElseThrow() : golden.rowsTsv().orElseThrow();
    List<String> expected = lines(expectedBytes);
    List<String> header = List.of(expected.get(0).split("\t", -1));
    CreateTable create = Parser.createTable(golden.createSql());
    OptionalLong granularity =
        create.settings().containsKey("index_granularity")
            ? OptionalLong.of(Long.parseLong(create.settings().get("index_granularity").text()))
            : OptionalLong.empty();
    List<String> found = new ArrayList<>();
    try (BufferAllocator allocator = new RootAllocator()) {
      for (Path path : golden.unpackParts(directory.resolve(golden.name()))) {
        if (path.getFileName().toString().startsWith("patch-")) {
          continue;
        }
        LoadedPart part =
            LoadedPart.open(
                new LocalDisk(path),
                path.getFileName().toString(),
                new LoadedPart.Hints(granularity),
                allocator);
        List<String> columns = header.stream().filter(c -> !c.equals("_part")).toList();
        try (BatchStream batches = Scan.of(part).columns(columns).open(allocator)) {
          while (batches.next()) {
            print(batches, modern ? null : part.name(), found);
          }
        }
      }
    }
    List<String> rows = new ArrayList<>(expected.subList(2, expected.size()));
    rows.sort(null);
    found.sort(null);
    for (int i = 0; i < Math.min(found.size(), rows.size()); i++) {
      assertThat(found.get(i)).as("%s row %d", golden.name(), i).isEqualTo(rows.get(i));
    }
    assertThat(found.size()).as(golden.name()).isEqualTo(rows.size());
  }

  private static List<String> lines(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
    lines.remove(lines.size() - 1);
    lines.set(
        0, new String(lines.get(0).getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
    return lines;
  }

  private static void print(BatchStream batches, String part, List<String> to) {
    List<FieldVector> vectors = batches.batch().getFieldVectors();
    List<ValueText> texts =
        vectors.stream()
            .map(
                v ->
                    ValueText.of(
                        ArrowMapping.typeOf(v.getField()), ValueText.Style.TSV, ZoneOffset.UTC))
            .toList();
    for (int row = 0; row < batches.batch().getRowCount(); row++) {
      TextBuffer line = new TextBuffer();
      if (part != null) {
        line.put(part);
        line.put('\t');
      }
      for (int i = 0; i < texts.size(); i++) {
        if (i > 0) {
          line.put('\t');
        }
        texts.get(i).append(vectors.get(i), row, line);
      }
      to.add(new String(line.toByteArray(), StandardCharsets.ISO_8859_1));
    }
  }
}
