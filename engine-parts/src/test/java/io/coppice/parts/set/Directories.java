package io.coppice.parts.set;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.WritableFile;
import io.coppice.fixtures.Column;
import io.coppice.parts.name.PartName;
import io.coppice.parts.robust.Samples;
import io.coppice.parts.table.TableSettings.Profile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Table directories for tests: one part is built, then put there under many names. */
final class Directories {
  static final Samples.Table TABLE =
      Samples.table(
          List.of(Column.of("id", "UInt32"), Column.of("name", "String")),
          "",
          "ORDER BY id SETTINGS fsync_after_insert = 1, fsync_part_directory = 1",
          Profile.MODERN);

  static final PartSetSettings SETTINGS = PartSetSettings.of(TABLE.definition());

  private Directories() {}

  static PartName name(String text) {
    return PartName.parse(text);
  }

  /** Builds a part of a few rows to {@code directory}, where it has a name of its own. */
  static String build(Disk disk, String directory, long seed, BufferAllocator allocator)
      throws IOException {
    disk.createDirectories(directory);
    return directory
        + "/"
        + Samples.build(TABLE, disk.within(directory), seed, 20, 1, allocator).get(0).name().text();
  }

  /** Puts a part of a few rows under a name. */
  static void put(Disk disk, String name, long seed, BufferAllocator allocator) throws IOException {
    disk.createDirectories("");
    String built = build(disk, "tmp_put", seed, allocator);
    disk.rename(built, name);
    disk.deleteRecursively("tmp_put");
  }

  static void write(Disk disk, String path, byte[] content) throws IOException {
    try (WritableFile file = disk.create(path)) {
      file.write(ByteBuffer.wrap(content));
      file.sync();
    }
  }

  /** Cuts the last byte of a file. */
  static void cut(Disk disk, String path) throws IOException {
    byte[] content = disk.readAll(path, 1 << 28);
    disk.delete(path);
    write(disk, path, java.util.Arrays.copyOf(content, content.length - 1));
  }
}
