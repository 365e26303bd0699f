package io.coppice.parts.table;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.LocalDisk;
import io.coppice.parts.expression.Surroundings;
import io.coppice.parts.scan.BatchStream;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.scan.PartReader;
import io.coppice.parts.scan.Scan;
import io.coppice.parts.table.TableSettings.Profile;
import io.coppice.parts.text.BatchReader;
import io.coppice.parts.text.BatchWriter;
import io.coppice.parts.text.DataFormat;
import io.coppice.parts.write.PartBuilder;
import io.coppice.parts.write.WrittenPart;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** A table whose rows a test gives and compares as text. */
public final class SmallTable {
  private final Path directory;
  private final BufferAllocator allocator;
  private final TableDefinition definition;
  private final List<LoadedPart> parts = new ArrayList<>();
  private Surroundings surroundings = Surroundings.system();
  private long nextBlock = 1;

  /**
   * @param definition what follows CREATE TABLE and the name
   */
  public SmallTable(Path directory, BufferAllocator allocator, String definition) {
    this.directory = directory;
    this.allocator = allocator;
    this.definition = TableDefinition.parse("CREATE TABLE t " + definition, Profile.MODERN);
  }

  /** The same with time and chance for expressions. */
  public SmallTable in(Surroundings other) {
    surroundings = other;
    return this;
  }

  public TableDefinition definition() {
    return definition;
  }

  public List<LoadedPart> parts() {
    return parts;
  }

  /** Inserts rows of JSONEachRow as one block. */
  public SmallTable insert(String json) throws IOException {
    return insert(DataFormat.JSON_EACH_ROW, json);
  }

  /** Inserts rows of a format as one block. */
  public SmallTable insert(DataFormat format, String text) throws IOException {
    Files.createDirectories(directory);
    Disk disk = new LocalDisk(directory);
    BatchReader.Options options =
        new BatchReader.Options(ZoneOffset.UTC, 1000, false, surroundings);
    try (PartBuilder builder =
            PartBuilder.open(definition, disk, surroundings, allocator).firstBlock(nextBlock);
        BatchReader reader =
            BatchReader.open(
                format,
                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                "input",
                definition,
                options,
                allocator)) {
      for (Optional<VectorSchemaRoot> batch = reader.next();
          batch.isPresent();
          batch = reader.next()) {
        try (VectorSchemaRoot rows = batch.get()) {
          builder.add(rows);
        }
      }
      for (WrittenPart part : builder.finish()) {
        nextBlock++;
        parts.add(
            PartReader.open(directory.resolve(part.name().text()), definition, allocator).part());
      }
    }
    return this;
  }

  /** A scan of all parts as this table's. */
  public Scan scan() {
    return Scan.of(parts).table(definition).in(surroundings);
  }

  /** All rows of a scan as TSV. */
  public String tsv(Scan scan) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (BatchStream batches = scan.open(allocator);
        BatchWriter writer =
            BatchWriter.open(DataFormat.TSV, out, batches.schema(), ZoneOffset.UTC, allocator)) {
      while (batches.next()) {
        writer.write(batches.batch());
      }
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}
