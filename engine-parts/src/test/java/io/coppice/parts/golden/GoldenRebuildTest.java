package io.coppice.parts.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.disk.LocalDisk;
import io.coppice.base.error.EngineException;
import io.coppice.fixtures.Golden;
import io.coppice.language.statement.Column.DefaultKind;
import io.coppice.parts.name.PartName;
import io.coppice.parts.nativeformat.NativeReader;
import io.coppice.parts.nativeformat.NativeWriter;
import io.coppice.parts.scan.BatchStream;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.scan.Scan;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.MergingKind;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import io.coppice.parts.write.BlockLimits;
import io.coppice.parts.write.PartBuilder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The rows of a golden's INSERT, in the order in which they were inserted, built again: every file
 * has the bytes that the engine wrote.
 */
class GoldenRebuildTest {
  /** Goldens that differ, and why; at most five. */
  static final Map<String, String> EXCEPTIONS =
      Map.of(
          "e_codec_alp", "the ALP codec is not written",
          "e_codec_zxc_wide", "the ZXC codec is not written",
          "h_text_index", "text indexes are not built",
          "d_map_buckets_wide", "maps in buckets are not written",
          "types_lowcard_single",
              "the server had low_cardinality_max_dictionary_size = 100 and one dictionary per"
                  + " part");

  @TempDir Path directory;

  @TestFactory
  Stream<DynamicTest> modernPartsHaveTheBytesOfTheEngine() {
    return Golden.all(Golden.Engine.V26_7).stream()
        .filter(GoldenRebuildTest::rebuilds)
        .map(g -> DynamicTest.dynamicTest(g.name(), () -> rebuildModern(g)));
  }

  @TestFactory
  Stream<DynamicTest> classicPartsHaveTheBytesOfTheEngine() {
    return Golden.all(Golden.Engine.V18_16_1).stream()
        .filter(GoldenRebuildTest::rebuilds)
        .map(g -> DynamicTest.dynamicTest(g.name(), () -> rebuildClassic(g)));
  }

  /** Whether a golden is rebuilt: plain tables whose rows in the order of insertion are known. */
  static boolean rebuilds(Golden golden) {
    return golden.engine() == Golden.Engine.V26_7
        ? golden.has("input.native")
        : !golden.createSql().contains("AggregateFunction")
            && !golden.name().contains("__")
            && TableDefinition.parse(golden.createSql(), Profile.CLASSIC).kind()
                == MergingKind.PLAIN;
  }

  private void rebuildModern(Golden golden) throws Exception {
    TableDefinition table;
    try {
      table = TableDefinition.parse(golden.createSql(), Profile.MODERN).existing();
      PartBuilder.open(table, new LocalDisk(directory), new RootAllocator()).close();
    } catch (EngineException refused) {
      assertThat(EXCEPTIONS)
          .as("%s: %s", golden.name(), refused.getMessage())
          .containsKey(golden.name());
      return;
    }
    Path ours = directory.resolve(golden.name() + ".ours");
    build(table, golden.bytes("input.native"), ours, 1);
    Path theirs = directory.resolve(golden.name());
    golden.unpackParts(theirs);
    compare(golden, theirs, ours);
  }

  private void rebuildClassic(Golden golden) throws Exception {
    TableDefinition table = TableDefinition.parse(createOf(golden), Profile.CLASSIC).existing();
    Path theirs = directory.resolve(golden.name());
    for (Path part : golden.unpackParts(theirs)) {
      String name = part.getFileName().toString();
      if (!name.endsWith("_0")) {
        continue;
      }
      Path ours = directory.resolve(golden.name() + "." + name);
      PartName parsed = table.oldSyntax() ? PartName.parseWithDays(name) : PartName.parse(name);
      byte[] input =
          textHoldsAll(golden, name)
              ? golden.bytes("input." + name + ".native")
              : rowsOf(part, name, table);
      build(table, input, ours, parsed.minBlock());
      Path only = directory.resolve(golden.name() + "." + name + ".golden");
      Files.createDirectories(only);
      Files.move(part, only.resolve(name));
      compare(golden, only, ours);
    }
  }

  /**
   * Whether the rows as text hold all that was inserted. They do not hold what lies under NULL,
   * which ClickHouse keeps; nor huge values; nor times that were printed past the end of their
   * type.
   */
  private static boolean textHoldsAll(Golden golden, String part) {
    return golden.has("input." + part + ".native")
        && !golden.createSql().contains("Nullable")
        && !golden.name().contains("gran_huge_value")
        && !golden.name().equals("types_dates");
  }

  /** The rows of a part, what lies under NULL among them, as Native. */
  private static byte[] rowsOf(Path part, String name, TableDefinition table) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (BufferAllocator allocator = new RootAllocator()) {
      LoadedPart loaded =
          LoadedPart.open(
              new LocalDisk(part),
              name,
              new LoadedPart.Hints(OptionalLong.of(table.settings().indexGranularity())),
              allocator);
      List<String> given =
          table.storedColumns().stream()
              .filter(c -> c.defaultKind() == DefaultKind.DEFAULT)
              .map(ColumnDefinition::name)
              .toList();
      try (BatchStream batches = Scan.of(loaded).columns(given).open(allocator);
          NativeWriter writer = new NativeWriter(Channels.newChannel(out), allocator)) {
        while (batches.next()) {
          writer.write(batches.batch());
        }
      }
    }
    return out.toByteArray();
  }

  /** The server's own settings, which an INSERT could not change, said as the table's. */
  private static String createOf(Golden golden) {
    String create = golden.createSql().strip();
    if (golden.name().startsWith("zstd_")) {
      create += ", default_compression_codec = 'ZSTD(1)'";
    }
    if (golden.name().equals("gran_compress_blocks")) {
      create += ", min_compress_block_size = 1000, max_compress_block_size = 4000";
    }
    return create;
  }

  private static void build(TableDefinition table, byte[] input, Path to, long firstBlock)
      throws IOException {
    Files.createDirectories(to);
    try (BufferAllocator allocator = new RootAllocator();
        PartBuilder builder =
            PartBuilder.open(table, new LocalDisk(to), allocator)
                .firstBlock(firstBlock)
                .blockLimits(new BlockLimits(10_000_000, 1L << 40, 10_000_000, 0, false));
        NativeReader reader =
            new NativeReader(
                Channels.newChannel(new ByteArrayInputStream(input)), "input", allocator)) {
      Optional<VectorSchemaRoot> block = reader.next();
      while (block.isPresent()) {
        try (VectorSchemaRoot batch = block.get()) {
          builder.add(batch);
        }
        block = reader.next();
      }
      builder.finish();
    }
  }

  private static void compare(Golden golden, Path theirs, Path ours) throws IOException {
    Map<String, byte[]> expected = files(theirs);
    Map<String, byte[]> found = files(ours);
    List<String> differences = new ArrayList<>();
    TreeSet<String> names = new TreeSet<>(expected.keySet());
    names.addAll(found.keySet());
    for (String name : names) {
      byte[] a = expected.get(name);
      byte[] b = found.get(name);
      if (a == null || b == null) {
        differences.add((a == null ? "only ours: " : "only theirs: ") + name);
      } else if (!Arrays.equals(a, b)) {
        differences.add(
            name + " differs at " + Arrays.mismatch(a, b) + ", " + a.length + " and " + b.length);
      }
    }
    if (EXCEPTIONS.containsKey(golden.name())) {
      assertThat(differences).as("an exception that is none any more").isNotEmpty();
      return;
    }
    assertThat(differences).as(golden.name()).isEmpty();
  }

  private static Map<String, byte[]> files(Path root) throws IOException {
    try (Stream<Path> walk = Files.walk(root)) {
      return walk.filter(Files::isRegularFile)
          .collect(
              Collectors.toMap(
                  p -> root.relativize(p).toString(),
                  p -> {
                    try {
                      return Files.readAllBytes(p);
                    } catch (IOException e) {
                      throw new java.io.UncheckedIOException(e);
                    }
                  },
                  (x, y) -> x,
                  TreeMap::new));
    }
  }
}
