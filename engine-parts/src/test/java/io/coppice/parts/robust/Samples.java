package io.coppice.parts.robust;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.LocalDisk;
import io.coppice.fixtures.Column;
import io.coppice.fixtures.RandomData;
import io.coppice.parts.nativeformat.NativeWriter;
import io.coppice.parts.scan.BatchStream;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.scan.Scan;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import io.coppice.parts.write.PartBuilder;
import io.coppice.parts.write.WrittenPart;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Small parts of all kinds, and their rows as bytes that can be compared. */
public final class Samples {
  private Samples() {}

  /** A table, with random data from a seed. */
  public record Table(TableDefinition definition, List<Column> columns) {
    /** Hints for parts whose marks have no row counts. */
    public LoadedPart.Hints hints() {
      return new LoadedPart.Hints(OptionalLong.of(definition.settings().indexGranularity()));
    }
  }

  /**
   * @param rest what follows the columns: indexes come from {@code indexes}
   */
  public static Table table(List<Column> columns, String indexes, String rest, Profile profile) {
    StringBuilder sql = new StringBuilder("CREATE TABLE t (");
    for (int i = 0; i < columns.size(); i++) {
      sql.append(i == 0 ? "" : ", ").append(columns.get(i).definition());
    }
    sql.append(indexes).append(") ENGINE = MergeTree ").append(rest);
    return new Table(TableDefinition.parse(sql.toString(), profile), columns);
  }

  /**
   * Builds parts of random rows into the root of {@code disk}; one part unless it is partitioned.
   */
  public static List<WrittenPart> build(
      Table table, Disk disk, long seed, int rows, long firstBlock, BufferAllocator allocator)
      throws IOException {
    RandomData data = new RandomData(seed).withoutLongStrings();
    try (PartBuilder builder =
            PartBuilder.open(table.definition(), disk, allocator).firstBlock(firstBlock);
        VectorSchemaRoot batch = data.batch(table.columns(), rows, allocator)) {
      builder.add(batch);
      return builder.finish();
    }
  }

  /** As {@link #build}, into a directory of this machine. */
  public static Path buildOne(Table table, Path directory, long seed, int rows) throws IOException {
    try (BufferAllocator allocator = new RootAllocator()) {
      LocalDisk disk = new LocalDisk(directory);
      disk.createDirectories("");
      WrittenPart part = build(table, disk, seed, rows, 1, allocator).get(0);
      return directory.resolve(part.name().text());
    }
  }

  /** All rows of all columns of parts, in the Native format: one block per batch of whole parts. */
  public static byte[] rows(List<LoadedPart> parts, BufferAllocator allocator) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (BatchStream batches = Scan.of(parts).batchRows(1 << 20).open(allocator);
        NativeWriter writer = new NativeWriter(Channels.newChannel(out), allocator)) {
      while (batches.next()) {
        writer.write(batches.batch());
      }
    }
    return out.toByteArray();
  }

  /** Opens a part and reads all its rows. */
  public static byte[] rowsOf(
      Disk disk, String name, LoadedPart.Hints hints, BufferAllocator allocator)
      throws IOException {
    return rows(List.of(LoadedPart.open(disk, name, hints, allocator)), allocator);
  }

  /** The files directly in a directory, by name. */
  public static TreeMap<String, byte[]> files(Disk disk) throws IOException {
    TreeMap<String, byte[]> files = new TreeMap<>();
    for (Disk.Entry entry : disk.list("")) {
      if (!entry.directory()) {
        files.put(entry.name(), disk.readAll(entry.name(), 1 << 28));
      }
    }
    return files;
  }

  /** Columns of most kinds, the key among them. */
  public static List<Column> manyColumns(boolean modern) {
    List<Column> columns = new ArrayList<>();
    columns.add(Column.of("id", "UInt32"));
    columns.add(Column.of("name", "String"));
    columns.add(Column.of("maybe", "Nullable(Int64)"));
    columns.add(Column.of("list", "Array(String)"));
    columns.add(Column.of("pair", "Tuple(UInt8, String)"));
    columns.add(Column.of("amount", "Decimal(18, 4)"));
    columns.add(Column.of("code", "FixedString(6)"));
    columns.add(Column.of("day", "Date"));
    columns.add(Column.of("at", "DateTime('UTC')"));
    columns.add(Column.of("word", "LowCardinality(String)"));
    columns.add(Column.of("words", "Array(LowCardinality(Nullable(String)))"));
    if (modern) {
      columns.add(Column.of("map", "Map(String, Array(UInt16))"));
      columns.add(Column.of("flag", "Bool"));
      columns.add(Column.of("wide", "Decimal(60, 10)"));
      columns.add(Column.of("huge", "UInt256"));
      columns.add(new Column("delta", "Int32", "Delta, ZSTD(1)", 0));
    }
    return columns;
  }
}
