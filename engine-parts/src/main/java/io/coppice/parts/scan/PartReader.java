package io.coppice.parts.scan;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.LocalDisk;
import io.coppice.base.error.EngineException;
import io.coppice.language.type.DataType;
import io.coppice.parts.stream.ArrowFlags;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.arrow.memory.BufferAllocator;

/**
 * One part, open for reading: where an embedder starts who has a directory and wants its rows.
 *
 * <pre>{@code
 * PartReader part = PartReader.open(Path.of("all_1_1_0"), allocator);
 * try (BatchStream batches = part.scan().columns("id").where("id < 10").open(allocator)) {
 *   while (batches.next()) { … batches.batch() … }
 * }
 * }</pre>
 *
 * <p>Immutable; any thread may use it. Holds no open file between scans.
 */
public final class PartReader {
  private final LoadedPart part;
  private final Optional<TableDefinition> table;

  private PartReader(LoadedPart part, Optional<TableDefinition> table) {
    this.part = part;
    this.table = table;
  }

  /**
   * Opens a part in a directory of the local file system.
   *
   * @param allocator for reading the part's small files, in passing
   * @throws EngineException of kind CORRUPTION naming the file that is missing or wrong;
   *     SUPPORT_IS_DISABLED in a JVM that was started without the flag that Arrow needs
   */
  public static PartReader open(Path directory, BufferAllocator allocator) throws IOException {
    Path absolute = directory.toAbsolutePath().normalize();
    return open(
        new LocalDisk(absolute),
        String.valueOf(absolute.getFileName()),
        Optional.empty(),
        allocator);
  }

  /**
   * Opens a part of a table: its definition tells what the part does not hold, the keys by which
   * granules are left out, the granularity of parts of fixed granularity, defaults of columns.
   */
  public static PartReader open(Path directory, TableDefinition table, BufferAllocator allocator)
      throws IOException {
    Path absolute = directory.toAbsolutePath().normalize();
    return open(
        new LocalDisk(absolute),
        String.valueOf(absolute.getFileName()),
        Optional.of(table),
        allocator);
  }

  /**
   * Opens a part on any disk.
   *
   * @param disk of the part's directory
   * @param name of the part, for messages
   */
  public static PartReader open(
      Disk disk, String name, Optional<TableDefinition> table, BufferAllocator allocator)
      throws IOException {
    ArrowFlags.require();
    LoadedPart.Hints hints =
        table
            .map(t -> new LoadedPart.Hints(OptionalLong.of(t.settings().indexGranularity())))
            .orElse(LoadedPart.Hints.NONE);
    return new PartReader(LoadedPart.open(disk, name, hints, allocator), table);
  }

  /** Columns and their types, in the order of columns.txt. */
  public Map<String, DataType> columns() {
    return part.columns();
  }

  public long rowCount() {
    return part.rowCount();
  }

  /** The part as its small files describe it. */
  public LoadedPart part() {
    return part;
  }

  /** A scan of all columns and rows, to be narrowed. */
  public Scan scan() {
    Scan all = Scan.of(part);
    return table.map(all::table).orElse(all);
  }
}
