package io.coppice.parts.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.disk.LocalDisk;
import io.coppice.fixtures.Golden;
import io.coppice.parts.compress.ArrowCompression;
import io.coppice.parts.nativeformat.NativeReader;
import io.coppice.parts.scan.BatchStream;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.scan.Scan;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import io.coppice.parts.text.TextBuffer;
import io.coppice.parts.text.ValueText;
import io.coppice.parts.write.PartBuilder;
import io.coppice.parts.write.WrittenPart;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * What 26.7 itself emits as Arrow is taken as input: the part holds the rows that it held there.
 */
class GoldenArrowTest {
  @TempDir Path directory;

  @TestFactory
  Stream<DynamicTest> arrowOfTheEngineBecomesTheSameRows() {
    return Golden.all(Golden.Engine.V26_7).stream()
        .filter(g -> g.has("expected.arrows") && g.expectedNative().isPresent())
        .filter(g -> !g.name().startsWith("c_"))
        .map(g -> DynamicTest.dynamicTest(g.name(), () -> check(g)));
  }

  private void check(Golden golden) throws Exception {
    TableDefinition table = TableDefinition.parse(golden.createSql(), Profile.MODERN).existing();
    Path to = directory.resolve(golden.name());
    Files.createDirectories(to);
    try (BufferAllocator allocator = new RootAllocator()) {
      List<String> expected = new ArrayList<>();
      try (NativeReader reader =
          new NativeReader(
              Channels.newChannel(new ByteArrayInputStream(golden.expectedNative().get())),
              "expected.native",
              allocator)) {
        for (Optional<VectorSchemaRoot> block = reader.next();
            block.isPresent();
            block = reader.next()) {
          try (VectorSchemaRoot batch = block.get()) {
            print(batch, table, expected);
          }
        }
      }
      List<WrittenPart> parts;
      try (PartBuilder builder = PartBuilder.open(table, new LocalDisk(to), allocator);
          ArrowStreamReader arrow =
              new ArrowStreamReader(
                  new ByteArrayInputStream(golden.bytes("expected.arrows")),
                  allocator,
                  ArrowCompression.INSTANCE)) {
        while (arrow.loadNextBatch()) {
          builder.add(arrow.getVectorSchemaRoot());
        }
        parts = builder.finish();
      }
      List<String> found = new ArrayList<>();
      for (WrittenPart written : parts) {
        LoadedPart part =
            LoadedPart.open(
                new LocalDisk(to.resolve(written.name().text())),
                written.name().text(),
                LoadedPart.Hints.NONE,
                allocator);
        try (BatchStream batches = Scan.of(part).table(table).open(allocator)) {
          while (batches.next()) {
            print(batches.batch(), table, found);
          }
        }
      }
      assertThat(found).as(golden.name()).containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  private static void print(VectorSchemaRoot batch, TableDefinition table, List<String> to)
      throws IOException {
    for (int row = 0; row < batch.getRowCount(); row++) {
      TextBuffer line = new TextBuffer();
      for (FieldVector vector : batch.getFieldVectors()) {
        ValueText.of(
                table.column(vector.getName()).orElseThrow().type(),
                ValueText.Style.TSV,
                ZoneOffset.UTC)
            .append(vector, row, line);
        line.put('\t');
      }
      to.add(new String(line.toByteArray(), StandardCharsets.ISO_8859_1));
    }
  }
}
