package io.coppice.parts.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.coppice.base.disk.LocalDisk;
import io.coppice.fixtures.Golden;
import io.coppice.parts.nativeformat.NativeReader;
import io.coppice.parts.scan.BatchStream;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.scan.Scan;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import io.coppice.parts.text.TextBuffer;
import io.coppice.parts.text.ValueText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every golden part that is to be readable holds the rows that its engine said it holds. */
class GoldenReadTest {
  @TempDir Path directory;

  @TestFactory
  Stream<DynamicTest> modernRowsAreThoseOfTheEngine() {
    return Golden.all(Golden.Engine.V26_7).stream()
        .filter(g -> unread(g).isEmpty())
        .map(g -> DynamicTest.dynamicTest(g.name(), () -> check(g, true)));
  }

  @TestFactory
  Stream<DynamicTest> classicRowsAreThoseOfTheEngine() {
    return Golden.all(Golden.Engine.V18_16_1).stream()
        .filter(g -> unread(g).isEmpty())
        .map(g -> DynamicTest.dynamicTest(g.name(), () -> check(g, false)));
  }

  /** Why the rows of a golden are not read, if they are not. */
  static Optional<String> unread(Golden golden) {
    if (golden.name().startsWith("c_")) {
      return Optional.of(
          "Variant, Dynamic and JSON columns are carried along; the others are read");
    }
    if (golden.name().matches("d_map_buckets.*")) {
      return Optional.of("maps in buckets are not read");
    }
    if (golden.name().matches("e_codec_(alp|zxc).*")) {
      return Optional.of("the codec is not supported; the error names it");
    }
    if (golden.name().matches("k_lw_update|k_lw_update_(compact|delete|part)")) {
      return Optional.of("rows changed by patch parts are not in the part alone");
    }
    if (golden.createSql().contains(" AggregateFunction(")) {
      return Optional.of("aggregate states are carried along; the other columns are read");
    }
    if (golden.name().matches("[jl]_.*")) {
      return Optional.of("what a merge folds or a TTL drops is not applied");
    }
    return Optional.empty();
  }

  private void check(Golden golden, boolean modern) throws Exception {
    TableDefinition table =
        TableDefinition.parse(golden.createSql(), modern ? Profile.MODERN : Profile.CLASSIC);
    try (BufferAllocator allocator = new RootAllocator()) {
      Expected expected = modern ? modern(golden, table, allocator) : classic(golden, table);
      List<String> found = new ArrayList<>();
      for (Path path : golden.unpackParts(directory.resolve(golden.name()))) {
        String name = path.getFileName().toString();
        if (!expected.parts().contains(name)) {
          continue;
        }
        LoadedPart part =
            LoadedPart.open(
                new LocalDisk(path),
                name,
                new LoadedPart.Hints(OptionalLong.of(table.settings().indexGranularity())),
                allocator);
        try (BatchStream batches =
            Scan.of(part).table(table).columns(expected.columns()).open(allocator)) {
          while (batches.next()) {
            print(batches.batch(), table, modern ? "" : name + "\t", found);
          }
        }
      }
      List<String> rows = new ArrayList<>(expected.rows());
      if (golden.expectedNative().isEmpty() && expected.textOnly()) {
        found.replaceAll(GoldenReadTest::asTextKeepsIt);
      }
      rows.sort(null);
      found.sort(null);
      for (int i = 0; i < Math.min(found.size(), rows.size()); i++) {
        assertThat(found.get(i)).as("%s row %d", golden.name(), i).isEqualTo(rows.get(i));
      }
      assertThat(found.size()).as(golden.name()).isEqualTo(rows.size());
    }
  }

  /** Rows as lines of TSV, and the parts that hold them. */
  private record Expected(
      List<String> columns, List<String> rows, Set<String> parts, boolean textOnly) {}

  /** What is left of bytes that are no UTF-8 once they went through text. */
  private static String asTextKeepsIt(String line) {
    byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
    String text = new String(bytes, StandardCharsets.UTF_8);
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  /** Native where there is one: text lost bytes that are no UTF-8. */
  private static Expected modern(Golden golden, TableDefinition table, BufferAllocator allocator)
      throws IOException {
    Set<String> active = new TreeSet<>();
    for (String line : golden.text("parts.tsv").split("\n")) {
      String[] fields = line.split("\t");
      if (fields[1].equals("1") && !fields[0].startsWith("patch-")) {
        active.add(fields[0]);
      }
    }
    if (golden.expectedTsv().isEmpty()) {
      return json(golden, table, active);
    }
    if (golden.expectedNative().isEmpty()) {
      List<String> lines = lines(golden.expectedTsv().orElseThrow());
      return new Expected(
          List.of(lines.get(0).split("\t", -1)), lines.subList(2, lines.size()), active, true);
    }
    List<String> columns = new ArrayList<>();
    List<String> rows = new ArrayList<>();
    try (NativeReader reader =
        new NativeReader(
            Channels.newChannel(new ByteArrayInputStream(golden.expectedNative().get())),
            "expected.native",
            allocator)) {
      for (Optional<VectorSchemaRoot> block = reader.next();
          block.isPresent();
          block = reader.next()) {
        try (VectorSchemaRoot batch = block.get()) {
          columns = batch.getSchema().getFields().stream().map(Field::getName).toList();
          print(batch, table, "", rows);
        }
      }
    }
    return new Expected(columns, rows, active, false);
  }

  /** Rows of JSON whose values are text or numbers. */
  private static Expected json(Golden golden, TableDefinition table, Set<String> active)
      throws IOException {
    List<String> columns = table.storedColumns().stream().map(ColumnDefinition::name).toList();
    List<String> rows = new ArrayList<>();
    for (String line : lines(golden.expectedJsonl().orElseThrow())) {
      JsonNode row = new ObjectMapper().readTree(line);
      rows.add(
          columns.stream()
              .map(c -> row.get(c).isNull() ? "\\N" : row.get(c).asText())
              .collect(Collectors.joining("\t")));
    }
    return new Expected(columns, rows, active, true);
  }

  private static Expected classic(Golden golden, TableDefinition table) {
    List<String> lines = lines(golden.rowsTsv().orElseThrow());
    List<String> header = List.of(lines.get(0).split("\t", -1));
    List<Integer> kept = new ArrayList<>();
    List<String> columns = new ArrayList<>();
    for (int i = 0; i < header.size(); i++) {
      if (table.column(header.get(i)).isPresent()) {
        kept.add(i);
        columns.add(header.get(i));
      }
    }
    Set<String> parts = new TreeSet<>();
    List<String> rows = new ArrayList<>();
    for (String line : lines.subList(2, lines.size())) {
      String[] fields = line.split("\t", -1);
      parts.add(fields[0]);
      StringBuilder row = new StringBuilder(fields[0]);
      for (int i : kept) {
        row.append('\t')
            .append(
                asPrintedNow(fields[i], table.column(header.get(i)).orElseThrow().type().text()));
      }
      rows.add(row.toString());
    }
    return new Expected(columns, rows, parts, false);
  }

  /** 18.16.1 printed day 0 as zeros and the zeros at the end of a decimal; 26.7 does neither. */
  private static String asPrintedNow(String field, String type) {
    if (type.contains("Date") && field.equals("0000-00-00")) {
      return "1970-01-01";
    }
    if (type.contains("DateTime") && field.equals("0000-00-00 00:00:00")) {
      return "1970-01-01 00:00:00";
    }
    if (type.contains("Asia/Tokyo") && field.equals("1970-01-01 15:28:15")) {
      return "2106-02-07 15:28:15"; // its calendar ended with 2105
    }
    if (type.contains("Decimal") && field.contains(".")) {
      return field.replaceAll("0+$", "").replaceAll("\\.$", "");
    }
    return field;
  }

  private static List<String> lines(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
    lines.remove(lines.size() - 1);
    lines.set(
        0, new String(lines.get(0).getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
    return lines;
  }

  private static void print(
      VectorSchemaRoot batch, TableDefinition table, String before, List<String> to) {
    List<FieldVector> vectors = batch.getFieldVectors();
    List<ValueText> texts =
        vectors.stream()
            .map(
                v ->
                    ValueText.of(
                        table.column(v.getName()).orElseThrow().type(),
                        ValueText.Style.TSV,
                        ZoneOffset.UTC))
            .toList();
    for (int row = 0; row < batch.getRowCount(); row++) {
      TextBuffer line = new TextBuffer();
      line.put(before);
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
