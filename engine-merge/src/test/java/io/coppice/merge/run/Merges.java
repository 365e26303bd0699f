package io.coppice.merge.run;

import io.coppice.base.disk.Disk;
import io.coppice.language.parse.Parser;
import io.coppice.parts.expression.Surroundings;
import io.coppice.parts.inspect.PartInspector;
import io.coppice.parts.name.PartName;
import io.coppice.parts.scan.BatchStream;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.scan.Scan;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import io.coppice.parts.text.BatchReader;
import io.coppice.parts.text.DataFormat;
import io.coppice.parts.write.PartBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Merges for tests. */
final class Merges {
  private Merges() {}

  /** Builds a part of rows as tab-separated text. */
  static void insert(String create, Disk disk, long block, String rows) throws IOException {
    TableDefinition table = TableDefinition.parse(create, Profile.MODERN).existing();
    try (BufferAllocator allocator = new RootAllocator();
        PartBuilder builder = PartBuilder.open(table, disk, allocator).firstBlock(block);
        BatchReader reader =
            BatchReader.open(
                DataFormat.TSV,
                new ByteArrayInputStream(rows.getBytes(StandardCharsets.UTF_8)),
                "rows",
                table,
                BatchReader.Options.DEFAULT,
                allocator)) {
      for (Optional<VectorSchemaRoot> batch = reader.next();
          batch.isPresent();
          batch = reader.next()) {
        try (VectorSchemaRoot root = batch.get()) {
          builder.add(root);
        }
      }
      builder.finish();
    }
  }

  /** What came of a merge. */
  record Result(String name, boolean vertical, boolean compact) {}

  /** Merges parts of a directory and gives the result its name there. */
  static Result merge(String create, Disk disk, List<PartName> sources, BufferAllocator allocator)
      throws IOException {
    TableDefinition table = TableDefinition.parse(create, Profile.MODERN).existing();
    MergeOptions options = MergeOptions.of(Parser.createTable(create).settings());
    String name = name(sources).text();
    try (MergeTask task =
        MergeTask.of(
            load(disk, sources, table, allocator),
            name,
            table,
            options,
            disk,
            Surroundings.system(),
            allocator)) {
      while (task.advance()) {}
      disk.rename(task.take(), name);
      return new Result(name, task.progress().vertical(), task.written().compact());
    }
  }

  static List<LoadedPart> load(
      Disk disk, List<PartName> names, TableDefinition table, BufferAllocator allocator)
      throws IOException {
    List<LoadedPart> parts = new ArrayList<>();
    for (PartName name : names) {
      parts.add(
          LoadedPart.open(
              disk.within(name.text()),
              name.text(),
              new LoadedPart.Hints(OptionalLong.of(table.settings().indexGranularity())),
              allocator));
    }
    return parts;
  }

  /** The name of the part that parts of one partition become. */
  static PartName name(List<PartName> sources) {
    long min = Long.MAX_VALUE;
    long max = 0;
    int level = 0;
    for (PartName source : sources) {
      min = Math.min(min, source.minBlock());
      max = Math.max(max, source.maxBlock());
      level = Math.max(level, (int) source.level());
    }
    return new PartName(sources.get(0).partition(), min, max, level + 1);
  }

  /** What is wrong with a part. */
  static List<String> damage(String create, Disk disk, String part, BufferAllocator allocator)
      throws IOException {
    TableDefinition table = TableDefinition.parse(create, Profile.MODERN).existing();
    return PartInspector.of(disk.within(part), part)
        .table(table)
        .inspect(allocator)
        .faults()
        .stream()
        .map(Object::toString)
        .toList();
  }

  /** The values of a column as text. */
  static List<String> rows(
      String create, Disk disk, String part, String column, BufferAllocator allocator)
      throws IOException {
    TableDefinition table = TableDefinition.parse(create, Profile.MODERN).existing();
    List<String> rows = new ArrayList<>();
    try (BatchStream batches =
        Scan.of(load(disk, List.of(PartName.parse(part)), table, allocator))
            .table(table)
            .columns(column)
            .open(allocator)) {
      while (batches.next()) {
        FieldVector vector = batches.batch().getVector(0);
        for (int row = 0; row < vector.getValueCount(); row++) {
          rows.add(String.valueOf(vector.getObject(row)));
        }
      }
    }
    return rows;
  }

  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> walk = Files.walk(from)) {
      for (Path path : walk.toList()) {
        Path target = to.resolve(from.relativize(path).toString());
        if (Files.isDirectory(path)) {
          Files.createDirectories(target);
        } else {
          Files.copy(path, target);
        }
      }
    }
  }
}
