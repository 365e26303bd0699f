package io.coppice.parts.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.disk.LocalDisk;
import io.coppice.base.error.EngineException;
import io.coppice.fixtures.Golden;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import io.coppice.parts.write.PartBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartInspectorTest {
  private static final long SEED = Long.getLong("coppice.seed", 7L);

  @TempDir Path directory;

  private static Optional<TableDefinition> table(Golden golden) {
    try {
      boolean modern = golden.engine() == Golden.Engine.V26_7;
      return Optional.of(
          TableDefinition.parse(golden.createSql(), modern ? Profile.MODERN : Profile.CLASSIC));
    } catch (EngineException e) {
      return Optional.empty();
    }
  }

  private static InspectionReport inspect(
      Path part, Optional<TableDefinition> table, BufferAllocator allocator) {
    PartInspector inspector = PartInspector.of(new LocalDisk(part), part.getFileName().toString());
    return table.map(inspector::table).orElse(inspector).inspect(allocator);
  }

  @Test
  void findsNothingWrongWithAnyPartThatARealEngineWrote() {
    int parts = 0;
    int withTable = 0;
    long frames = 0;
    long rows = 0;
    List<String> wrong = new ArrayList<>();
    try (BufferAllocator allocator = new RootAllocator()) {
      for (Golden.Engine engine : Golden.Engine.values()) {
        for (Golden golden : Golden.all(engine)) {
          Optional<TableDefinition> table = table(golden);
          for (Path part : golden.unpackParts(directory.resolve(engine + golden.name()))) {
            InspectionReport report = inspect(part, table, allocator);
            parts++;
            withTable += table.isPresent() ? 1 : 0;
            frames += report.frameCount();
            rows += report.rowCount();
            for (Fault fault : report.faults()) {
              wrong.add(golden + " " + part.getFileName() + ": " + fault.text());
            }
          }
        }
      }
    }
    System.out.printf(
        "inspect: %d parts of real engines, %d with their table, %d frames, %d rows%n",
        parts, withTable, frames, rows);
    assertThat(wrong).isEmpty();
  }

  /** Copies a part with something done to it. */
  private Path damaged(Path part, String copyName, Damage damage) throws IOException {
    Path copy = directory.resolve(copyName).resolve(part.getFileName());
    Files.createDirectories(copy);
    try (Stream<Path> files = Files.list(part)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    damage.to(copy);
    return copy;
  }

  private interface Damage {
    void to(Path part) throws IOException;
  }

  private static void flip(Path file, int at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[at] ^= 0x40;
    Files.write(file, bytes);
  }

  @Test
  void anotherPartsSkipIndexIsFoundWithoutChecksumsToo() throws Exception {
    try (BufferAllocator allocator = new RootAllocator()) {
      Golden golden = Golden.of(Golden.Engine.V26_7, "n_multigranule");
      List<Path> parts = golden.unpackParts(directory.resolve("multigranule"));
      Path part = parts.get(0);
      Path other = parts.get(parts.size() - 1);
      Path same = damaged(part, "plain", copy -> Files.delete(copy.resolve("checksums.txt")));
      InspectionReport plain = inspect(same, table(golden), allocator);
      assertThat(plain.sound()).as("%s", plain.faults()).isTrue();
      assertThat(plain.notes()).anyMatch(note -> note.contains("not compared with the rows"));
      int found = 0;
      List<Path> indexes;
      try (Stream<Path> list = Files.list(other)) {
        indexes =
            list.filter(f -> f.getFileName().toString().matches("skp_idx_.*\\.idx2?")).toList();
      }
      assertThat(indexes).isNotEmpty();
      for (Path index : indexes) {
        String name = index.getFileName().toString();
        Path swapped =
            damaged(
                part,
                "swapped" + name,
                copy -> {
                  Files.delete(copy.resolve("checksums.txt"));
                  Files.copy(
                      index, copy.resolve(name), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
                });
        InspectionReport report = inspect(swapped, table(golden), allocator);
        if (!report.sound()) {
          assertThat(report.faults()).anyMatch(f -> f.text().contains(name));
          found++;
        }
      }
      assertThat(found).isEqualTo(indexes.size());
    }
  }

  @Test
  void everyFlippedByteAndEveryCutOfAListedFileIsFoundWithItsName() throws Exception {
    System.out.println("inspect: seed " + SEED);
    Random random = new Random(SEED);
    int flips = 0;
    try (BufferAllocator allocator = new RootAllocator()) {
      for (String name :
          List.of("a_scalars_compact", "b_composite_wide", "f_part_yyyymm", "h_skip_wide")) {
        Golden golden = Golden.of(Golden.Engine.V26_7, name);
        Path part = golden.unpackParts(directory.resolve(name)).get(0);
        Optional<TableDefinition> table = table(golden);
        List<Path> files;
        try (Stream<Path> list = Files.list(part)) {
          files = list.filter(Files::isRegularFile).sorted().toList();
        }
        for (Path file : files) {
          String fileName = file.getFileName().toString();
          int size = (int) Files.size(file);
          boolean listed =
              !List.of(
                      "columns.txt",
                      "columns_substreams.txt",
                      "default_compression_codec.txt",
                      "metadata_version.txt")
                  .contains(fileName);
          if (size == 0 || !listed) {
            continue;
          }
          int at = random.nextInt(size);
          Path flipped = damaged(part, "f" + flips, copy -> flip(copy.resolve(fileName), at));
          InspectionReport report = inspect(flipped, table, allocator);
          assertThat(report.sound()).as("%s %s byte %d flipped", name, fileName, at).isFalse();
          assertThat(report.faults())
              .as("%s %s byte %d flipped", name, fileName, at)
              .anyMatch(f -> f.text().contains(fileName));
          int length = random.nextInt(size);
          Path cut =
              damaged(
                  part,
                  "c" + flips,
                  copy ->
                      Files.write(
                          copy.resolve(fileName),
                          java.util.Arrays.copyOf(
                              Files.readAllBytes(copy.resolve(fileName)), length)));
          assertThat(inspect(cut, table, allocator).faults())
              .as("%s %s cut to %d bytes", name, fileName, length)
              .anyMatch(f -> f.text().contains(fileName));
          flips++;
        }
      }
    }
    System.out.printf("inspect: %d files with a byte flipped, and cut, each found%n", flips);
    assertThat(flips).isGreaterThan(40);
  }

  @Test
  void namesTheFrameAndGoesOnBehindIt() throws Exception {
    Golden golden = Golden.of(Golden.Engine.V26_7, "e_multiblock");
    Path part = golden.unpackParts(directory.resolve("m")).get(0);
    Path bin;
    try (Stream<Path> files = Files.list(part)) {
      bin =
          files
              .filter(f -> f.toString().endsWith(".bin"))
              .max(java.util.Comparator.comparingLong(f -> f.toFile().length()))
              .orElseThrow();
    }
    String file = bin.getFileName().toString();
    Path copy =
        damaged(
            part,
            "two",
            p -> {
              flip(p.resolve(file), 100);
              flip(p.resolve(file), (int) Files.size(bin) - 10);
            });
    try (BufferAllocator allocator = new RootAllocator()) {
      InspectionReport report = inspect(copy, table(golden), allocator);
      assertThat(report.faults())
          .filteredOn(f -> f.file().equals(file) && f.offset().isPresent())
          .hasSizeGreaterThanOrEqualTo(2);
    }
  }

  @Test
  void filesThatContradictTheRowsAreNamed() throws Exception {
    Golden golden = Golden.of(Golden.Engine.V26_7, "f_part_yyyymm");
    List<Path> parts = golden.unpackParts(directory.resolve("y"));
    Path one = parts.get(0);
    Path other = parts.get(1);
    try (BufferAllocator allocator = new RootAllocator()) {
      for (String file : List.of("partition.dat", "primary.cidx", "columns.txt")) {
        if (!Files.exists(one.resolve(file))) {
          continue;
        }
        Path copy =
            damaged(
                one,
                "swap-" + file,
                p -> {
                  Files.delete(p.resolve("checksums.txt"));
                  if (file.equals("columns.txt")) {
                    Files.writeString(
                        p.resolve(file),
                        Files.readString(p.resolve(file)).replace("1 columns", "2 columns"));
                    Files.writeString(p.resolve("count.txt"), "77");
                  } else {
                    Files.write(p.resolve(file), Files.readAllBytes(other.resolve(file)));
                  }
                });
        InspectionReport report = inspect(copy, table(golden), allocator);
        assertThat(report.faults()).as(file).isNotEmpty();
        report.faults().forEach(f -> assertThat(f.text()).doesNotContain("\n"));
      }
      Path renamed = directory.resolve("renamed").resolve("209912_1_1_0");
      Files.createDirectories(renamed);
      try (Stream<Path> files = Files.list(one)) {
        for (Path f : files.toList()) {
          Files.copy(f, renamed.resolve(f.getFileName()));
        }
      }
      assertThat(inspect(renamed, table(golden), allocator).faults())
          .anyMatch(f -> f.text().contains("expected 209912 by the part's name"));
      Path extra = damaged(one, "extra", p -> Files.writeString(p.resolve("what.bin"), "x"));
      assertThat(inspect(extra, table(golden), allocator).faults())
          .anyMatch(f -> f.file().equals("what.bin"));
    }
  }

  /** A part without checksums.txt, so that what contradicts itself is found by itself. */
  private Path unlisted(Path part, String name, String columns, Damage damage) throws IOException {
    return damaged(
        part,
        name,
        copy -> {
          Files.delete(copy.resolve("checksums.txt"));
          Files.writeString(copy.resolve("columns.txt"), columns);
          damage.to(copy);
        });
  }

  private List<Path> built(String create, VectorSchemaRoot batch, BufferAllocator allocator)
      throws IOException {
    Path out = Files.createTempDirectory(directory, "built");
    try (PartBuilder builder =
        PartBuilder.open(
            TableDefinition.parse(create, Profile.MODERN), new LocalDisk(out), allocator)) {
      builder.add(batch);
      return builder.finish().stream().map(p -> out.resolve(p.name().text())).toList();
    }
  }

  @Test
  void aTypeThatIsNotThatOfTheStreamsIsAFaultInWideAndCompactParts() throws Exception {
    int cases = 0;
    try (BufferAllocator allocator = new RootAllocator();
        UInt4Vector a = new UInt4Vector("a", allocator)) {
      a.allocateNew(100);
      for (int i = 0; i < 100; i++) {
        a.set(i, 1);
      }
      a.setValueCount(100);
      VectorSchemaRoot batch = VectorSchemaRoot.of(a);
      for (String wide : List.of("0", "1000000")) {
        String create =
            "CREATE TABLE t (a UInt32) ENGINE = MergeTree ORDER BY tuple()"
                + " SETTINGS min_bytes_for_wide_part = "
                + wide;
        Path part = built(create, batch, allocator).get(0);
        String columns = Files.readString(part.resolve("columns.txt"));
        assertThat(inspect(part, Optional.empty(), allocator).faults()).isEmpty();
        for (String type :
            List.of(
                "UInt8",
                "UInt16",
                "UInt64",
                "Int128",
                "String",
                "FixedString(3)",
                "Nullable(UInt32)",
                "Array(UInt8)",
                "LowCardinality(String)",
                "Tuple(x UInt8, y UInt8)")) {
          Path other =
              unlisted(
                  part,
                  "type" + cases,
                  columns.replace("UInt32", type),
                  copy -> {
                    if (wide.equals("0")) { // in Compact parts it says what the marks are of
                      Files.delete(copy.resolve("columns_substreams.txt"));
                    }
                  });
          InspectionReport report = inspect(other, Optional.empty(), allocator);
          assertThat(report.faults()).as("%s, wide from %s", type, wide).isNotEmpty();
          cases++;
        }
        Optional<TableDefinition> said =
            Optional.of(TableDefinition.parse(create.replace("UInt32", "Int64"), Profile.MODERN));
        assertThat(inspect(part, said, allocator).faults())
            .singleElement()
            .satisfies(
                fault ->
                    assertThat(fault.text())
                        .isEqualTo(
                            "columns.txt: column a is UInt32, expected Int64 as table t has it"));
      }
    }
    System.out.printf("inspect: %d types that are not the data's, each found%n", cases);
  }

  @Test
  void oneCauseIsOneFault() throws Exception {
    Golden golden = Golden.of(Golden.Engine.V26_7, "b_composite_wide");
    Path part = golden.unpackParts(directory.resolve("one")).get(0);
    Optional<TableDefinition> table = table(golden);
    int cases = 0;
    int files = 0;
    try (BufferAllocator allocator = new RootAllocator();
        Stream<Path> list = Files.list(part)) {
      for (Path file : list.filter(Files::isRegularFile).sorted().toList()) {
        String name = file.getFileName().toString();
        int size = (int) Files.size(file);
        if (size == 0 || !name.matches(".*\\.(bin|cmrk2|cidx)|count.txt|checksums.txt")) {
          continue;
        }
        if (name.endsWith(".bin") && files++ % 6 != 0 || name.endsWith("mrk2") && files % 6 != 1) {
          continue; // some of many
        }
        List<Damage> all =
            List.of(
                p -> flip(p.resolve(name), size - 1),
                p ->
                    Files.write(
                        p.resolve(name),
                        java.util.Arrays.copyOf(Files.readAllBytes(file), size - 1)),
                p -> Files.write(p.resolve(name), new byte[0]));
        for (int i = 0; i < all.size(); i++) {
          Path bad = damaged(part, "one" + cases, all.get(i));
          InspectionReport report = inspect(bad, table, allocator);
          assertThat(report.faults()).as("%s, damage %d", name, i).hasSize(1);
          assertThat(report.faults().get(0).text())
              .as("%s, damage %d", name, i)
              .startsWith(name)
              .doesNotContain(name + ": " + name, "part " + part.getFileName());
          cases++;
        }
      }
    }
    System.out.printf("inspect: %d damages, one fault each%n", cases);
    assertThat(cases).isGreaterThan(20);
  }
}
