package io.coppice.bench;

import io.coppice.base.disk.LocalDisk;
import io.coppice.fixtures.ArrowBatches;
import io.coppice.fixtures.Lineitem;
import io.coppice.fixtures.Money;
import io.coppice.parts.nativeformat.NativeReader;
import io.coppice.parts.nativeformat.NativeWriter;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import io.coppice.parts.write.PartBuilder;
import io.coppice.parts.write.WrittenPart;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** TPC-H-like lineitem rows for the benchmarks: a Native file, and parts built of it. Stateless. */
final class BenchData {
  static final Money MONEY = Money.FLOAT;

  private BenchData() {}

  /**
   * Where data is kept between runs: {@code -Dcoppice.bench.dir}, else a directory of the build.
   */
  static Path directory() {
    return Path.of(System.getProperty("coppice.bench.dir", "target/bench-data")).toAbsolutePath();
  }

  static String createSql(String name) {
    return Lineitem.createSql(name, MONEY);
  }

  static TableDefinition table() {
    return TableDefinition.parse(createSql("lineitem"), Profile.MODERN);
  }

  /** The rows at a scale as a Native file in blocks of 65,409 rows; made when it is not there. */
  static Path nativeFile(double scale, BufferAllocator allocator) throws IOException {
    Path file = directory().resolve("lineitem-" + scale + ".native");
    if (Files.exists(file)) {
      return file;
    }
    Files.createDirectories(directory());
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    try (FileChannel channel =
            FileChannel.open(
                temporary,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
        NativeWriter writer = new NativeWriter(channel, allocator);
        ArrowBatches rows = Lineitem.open(scale, MONEY, allocator, 65_409)) {
      while (rows.next()) {
        writer.write(rows.batch());
      }
    }
    Files.move(temporary, file);
    return file;
  }

  /** Builds parts of a Native file, as INSERT … FROM INFILE does. */
  static List<WrittenPart> build(Path nativeFile, Path to, BufferAllocator allocator)
      throws IOException {
    Files.createDirectories(to);
    try (FileChannel channel = FileChannel.open(nativeFile);
        NativeReader reader = new NativeReader(channel, nativeFile.toString(), allocator);
        PartBuilder builder = PartBuilder.open(table(), new LocalDisk(to), allocator)) {
      Optional<VectorSchemaRoot> block = reader.next();
      while (block.isPresent()) {
        try (VectorSchemaRoot batch = block.get()) {
          builder.add(batch);
        }
        block = reader.next();
      }
      return builder.finish();
    }
  }

  /** Parts of lineitem at a scale; built when they are not there. */
  static List<LoadedPart> parts(double scale, BufferAllocator allocator) throws IOException {
    Path root = directory().resolve("parts-" + scale);
    if (!Files.exists(root)) {
      Path temporary = directory().resolve("parts-" + scale + ".tmp");
      deleteRecursively(temporary);
      build(nativeFile(scale, allocator), temporary, allocator);
      Files.move(temporary, root);
    }
    List<LoadedPart> parts = new ArrayList<>();
    try (var names = Files.list(root)) {
      for (Path path : names.sorted().toList()) {
        parts.add(
            LoadedPart.open(
                new LocalDisk(path),
                path.getFileName().toString(),
                LoadedPart.Hints.NONE,
                allocator));
      }
    }
    return parts;
  }

  static void deleteRecursively(Path path) throws IOException {
    if (Files.exists(path)) {
      new LocalDisk(path.getParent()).deleteRecursively(path.getFileName().toString());
    }
  }
}
