package io.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.coppice.fixtures.Golden;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import io.coppice.parts.text.BatchReader;
import io.coppice.parts.text.BatchWriter;
import io.coppice.parts.text.DataFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands on every part that a real engine wrote. */
class GoldenCommandsTest {
  /** Goldens whose every part can be read; of others only metadata. */
  private static final String READABLE = "([abdefghkmn]_.*|i_.*)";

  private static final String NOT_READABLE = ".*(map_buckets|codec_alp|codec_zxc).*";

  /** Rows changed by patch parts are not in the part alone. */
  private static final String PATCHED = "k_lw_update|k_lw_update_(compact|delete|part)";

  @TempDir Path directory;

  private static boolean readable(Golden golden) {
    return golden.engine() == Golden.Engine.V18_16_1
        ? !golden.name().startsWith("eng_agg")
        : golden.name().matches(READABLE) && !golden.name().matches(NOT_READABLE);
  }

  private static List<String> lines(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    List<String> lines = new ArrayList<>(Arrays.asList(text.split("\n", -1)));
    lines.remove(lines.size() - 1);
    return lines;
  }

  /** Puts the case's archive and its CREATE TABLE into a directory of its own. */
  private Path archive(Golden golden) throws IOException {
    boolean modern = golden.engine() == Golden.Engine.V26_7;
    String name = modern ? "parts.tar.gz" : "part.tar";
    Path target = Files.createDirectories(directory.resolve(golden.engine() + golden.name()));
    Files.write(target.resolve("create.sql"), golden.bytes("create.sql"));
    Path archive = target.resolve(name);
    Files.write(archive, golden.bytes(name));
    return archive;
  }

  /** What an engine said a case holds. */
  private record Expected(
      List<String> columns, List<String> rows, Set<String> parts, boolean throughText) {}

  /** From Native where there is one: text lost bytes that are no UTF-8. */
  private static Expected modern(Golden golden, TableDefinition table) throws IOException {
    Set<String> active = new TreeSet<>();
    for (String line : lines(golden.bytes("parts.tsv"))) {
      String[] fields = line.split("\t");
      if (fields[1].equals("1") && !fields[0].startsWith("patch-")) {
        active.add(fields[0]);
      }
    }
    if (golden.expectedNative().isPresent()) {
      return converted(DataFormat.NATIVE, golden.expectedNative().get(), table, active);
    }
    if (golden.expectedTsv().isEmpty()) {
      return converted(
          DataFormat.JSON_EACH_ROW, golden.expectedJsonl().orElseThrow(), table, active);
    }
    List<String> lines = lines(golden.expectedTsv().get());
    return new Expected(names(lines.get(0)), lines.subList(2, lines.size()), active, true);
  }

  private static Expected converted(
      DataFormat format, byte[] input, TableDefinition table, Set<String> active)
      throws IOException {
    List<String> columns = new ArrayList<>();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (BufferAllocator allocator = new RootAllocator();
        BatchReader reader =
            BatchReader.open(
                format,
                new ByteArrayInputStream(input),
                "expected",
                table,
                BatchReader.Options.DEFAULT,
                allocator)) {
      for (Optional<VectorSchemaRoot> next = reader.next();
          next.isPresent();
          next = reader.next()) {
        try (VectorSchemaRoot batch = next.get();
            BatchWriter writer =
                BatchWriter.open(
                    DataFormat.TSV, out, schema(batch, table), ZoneOffset.UTC, allocator)) {
          columns = batch.getSchema().getFields().stream().map(Field::getName).toList();
          writer.write(batch);
        }
      }
    }
    boolean text = format != DataFormat.NATIVE;
    return new Expected(columns, lines(out.toByteArray()), active, text);
  }

  /** With the types of the table: those in Native lack zones. */
  private static Schema schema(VectorSchemaRoot batch, TableDefinition table) {
    return new Schema(
        batch.getSchema().getFields().stream()
            .map(
                f ->
                    ArrowMapping.field(f.getName(), table.column(f.getName()).orElseThrow().type()))
            .toList());
  }

  private static Expected classic(Golden golden, TableDefinition table) {
    List<String> lines = lines(golden.rowsTsv().orElseThrow());
    List<String> header = names(lines.get(0));
    List<String> columns = header.stream().filter(c -> table.column(c).isPresent()).toList();
    Set<String> parts = new TreeSet<>();
    List<String> rows = new ArrayList<>();
    for (String line : lines.subList(2, lines.size())) {
      String[] fields = line.split("\t", -1);
      parts.add(fields[0]);
      StringBuilder row = new StringBuilder(fields[0]);
      for (int i = 0; i < fields.length; i++) {
        Optional<ColumnDefinition> column = table.column(header.get(i));
        if (column.isPresent()) {
          row.append('\t').append(asPrintedNow(fields[i], column.get().type().text()));
        }
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

  private static List<String> names(String line) {
    String utf8 = new String(line.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    return List.of(utf8.split("\t", -1));
  }

  /** What is left of bytes that are no UTF-8 once they went through text. */
  private static String throughText(String line) {
    byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
    String text = new String(bytes, StandardCharsets.UTF_8);
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  @Test
  void catPrintsTheRowsThatTheEngineSaidThePartsHold() throws Exception {
    int goldens = 0;
    int parts = 0;
    long rows = 0;
    for (Golden.Engine engine : Golden.Engine.values()) {
      boolean modern = engine == Golden.Engine.V26_7;
      for (Golden golden : Golden.all(engine)) {
        if (!readable(golden) || golden.name().matches(PATCHED)) {
          continue;
        }
        TableDefinition table =
            TableDefinition.parse(golden.createSql(), modern ? Profile.MODERN : Profile.CLASSIC);
        Expected expected = modern ? modern(golden, table) : classic(golden, table);
        String columns =
            expected.columns().stream().map(c -> "`" + c + "`").collect(Collectors.joining(","));
        List<String> found = new ArrayList<>();
        Path unpacked = directory.resolve("cat-" + engine + golden.name());
        golden.unpackParts(unpacked);
        Files.write(unpacked.resolve("create.sql"), golden.bytes("create.sql"));
        for (String name : expected.parts()) {
          Path part = unpacked.resolve(name);
          if (!Files.isDirectory(part)) {
            continue; // without rows, and gone before the archive was made
          }
          Cli.Result result = Cli.run("part", "cat", part, "--columns", columns);
          assertThat(result.status()).as("%s %s: %s", golden, name, result.err()).isZero();
          result.lines().forEach(line -> found.add(modern ? line : name + "\t" + line));
          parts++;
        }
        if (expected.throughText()) {
          found.replaceAll(GoldenCommandsTest::throughText);
        }
        List<String> wanted = new ArrayList<>(expected.rows());
        wanted.sort(null);
        found.sort(null);
        assertThat(found).as("rows of %s", golden).isEqualTo(wanted);
        goldens++;
        rows += wanted.size();
      }
    }
    System.out.printf(
        "part cat: %d goldens, %d parts, %d rows as the engines said%n", goldens, parts, rows);
    assertThat(goldens).isGreaterThan(180);
  }

  @Test
  void verifyPassesOnEveryReadableGoldenStraightFromItsArchive() throws Exception {
    int goldens = 0;
    int parts = 0;
    for (Golden.Engine engine : Golden.Engine.values()) {
      for (Golden golden : Golden.all(engine)) {
        if (!readable(golden)) {
          continue;
        }
        Cli.Result result = Cli.run("part", "verify", archive(golden));
        assertThat(result.status()).as("%s: %s%s", golden, result.text(), result.err()).isZero();
        parts += (int) result.text().lines().filter(l -> l.contains(": fine, ")).count();
        goldens++;
      }
    }
    System.out.printf("part verify: %d goldens, %d parts fine%n", goldens, parts);
    assertThat(goldens).isGreaterThan(180);
  }

  @Test
  void infoTellsWhatSystemPartsTells() throws Exception {
    int compared = 0;
    for (Golden golden : Golden.all(Golden.Engine.V26_7)) {
      if (!golden.has("parts.tsv")) {
        continue;
      }
      List<String> lines = lines(golden.bytes("parts.tsv"));
      List<String> names = List.of(lines.get(0).split("\t"));
      Map<String, Map<String, String>> expected = new HashMap<>();
      for (String line : lines.subList(1, lines.size())) {
        String[] values = line.split("\t", -1);
        Map<String, String> row = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
          row.put(names.get(i), values[i]);
        }
        expected.put(row.get("name"), row);
      }
      Cli.Result result = Cli.run("part", "info", archive(golden), "--json");
      assertThat(result.status()).as("%s: %s", golden, result.err()).isZero();
      for (JsonNode part : new ObjectMapper().readTree(result.out())) {
        Map<String, String> row = expected.get(part.get("name").asText());
        if (row == null || !row.containsKey("hash_of_all_files")) {
          continue;
        }
        for (String field :
            List.of(
                "rows",
                "partition_id",
                "level",
                "data_version",
                "hash_of_all_files",
                "hash_of_uncompressed_files",
                "uncompressed_hash_of_compressed_files")) {
          assertThat(part.get(field).asText())
              .as("%s %s %s", golden, part.get("name"), field)
              .isEqualTo(row.get(field));
        }
        assertThat(part.get("type").asText()).isEqualTo(row.get("part_type"));
        compared++;
      }
    }
    System.out.printf("part info: %d parts as system.parts has them%n", compared);
    assertThat(compared).isGreaterThan(150);
  }
}
