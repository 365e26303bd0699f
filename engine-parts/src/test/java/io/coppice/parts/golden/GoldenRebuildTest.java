package io.coppice.parts.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.disk.LocalDisk;
import io.coppice.fixtures.Golden;
import io.coppice.parts.name.PartName;
import io.coppice.parts.nativeformat.NativeReader;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import io.coppice.parts.write.PartBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  /** Goldens that differ, and why; at most six. */
  private static final Map<String, String> EXCEPTIONS = Map.of();

  @TempDir Path directory;

  @TestFactory
  Stream<DynamicTest> modernPartsHaveTheBytesOfTheEngine() {
    return Golden.all(Golden.Engine.V26_7).stream()
        .filter(g -> g.has("input.native"))
        .map(g -> DynamicTest.dynamicTest(g.name(), () -> rebuildModern(g)));
  }

  @TestFactory
  Stream<DynamicTest> classicPartsHaveTheBytesOfTheEngine() {
    return Golden.all(Golden.Engine.V18_16_1).stream()
        .filter(g -> g.files().stream().anyMatch(f -> f.startsWith("input.")))
        .map(g -> DynamicTest.dynamicTest(g.name(), () -> rebuildClassic(g)));
  }

  private void rebuildModern(Golden golden) throws Exception {
    TableDefinition table = TableDefinition.parse(golden.createSql(), Profile.MODERN);
    Path ours = directory.resolve(golden.name() + ".ours");
    build(table, golden.bytes("input.native"), ours, 1);
    Path theirs = directory.resolve(golden.name());
    golden.unpackParts(theirs);
    compare(golden, theirs, ours);
  }

  private void rebuildClassic(Golden golden) throws Exception {
    TableDefinition table = TableDefinition.parse(golden.createSql(), Profile.CLASSIC);
    Path theirs = directory.resolve(golden.name());
    for (Path part : golden.unpackParts(theirs)) {
      String name = part.getFileName().toString();
      if (!golden.has("input." + name + ".native")) {
        continue;
      }
      Path ours = directory.resolve(golden.name() + "." + name);
      PartName parsed = table.oldSyntax() ? PartName.parseWithDays(name) : PartName.parse(name);
      build(table, golden.bytes("input." + name + ".native"), ours, parsed.minBlock());
      Path only = directory.resolve(golden.name() + "." + name + ".golden");
      Files.createDirectories(only);
      Files.move(part, only.resolve(name));
      compare(golden, only, ours);
    }
  }

  private static void build(TableDefinition table, byte[] input, Path to, long firstBlock)
      throws IOException {
    Files.createDirectories(to);
    try (BufferAllocator allocator = new RootAllocator();
        PartBuilder builder =
            PartBuilder.open(table, new LocalDisk(to), allocator)
                .firstBlock(firstBlock)
                .blockLimits(10_000_000, 1L << 40);
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
    assertThat(differences)
        .as("%s: %s", golden.name(), EXCEPTIONS.getOrDefault(golden.name(), ""))
        .isEmpty();
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
