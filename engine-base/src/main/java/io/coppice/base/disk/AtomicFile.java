package io.coppice.base.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;

/**
 * Writes a small file so that after a crash it is there whole, or as it was before: write beside
 * it, sync, rename over it, sync the directory. Once {@link #write} returned the new content is
 * durable.
 *
 * <p>A crash may leave the temporary file {@code <name>.tmp} behind; the next write removes it.
 * Callers write one file from one thread at a time.
 */
public final class AtomicFile {
  /** Added to the name while the content is being written. */
  public static final String TEMPORARY_SUFFIX = ".tmp";

  private AtomicFile() {}

  /** Writes {@code content}, replacing what the file held. */
  public static void write(Disk disk, String path, byte[] content) throws IOException {
    String temporary = path + TEMPORARY_SUFFIX;
    deleteIfExists(disk, temporary);
    try (WritableFile file = disk.create(temporary)) {
      file.write(ByteBuffer.wrap(content));
      file.sync();
    } catch (IOException | RuntimeException | Error e) {
      try {
        deleteIfExists(disk, temporary);
      } catch (IOException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
    disk.replace(temporary, path);
    disk.syncDirectory(DiskPath.parent(path));
  }

  private static void deleteIfExists(Disk disk, String path) throws IOException {
    try {
      disk.delete(path);
    } catch (NoSuchFileException e) {
      // As wanted.
      return;
    }
  }
}
