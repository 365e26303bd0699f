package io.coppice.base.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Second names of files: what is never changed needs no second copy. Disks without links get
 * copies. Stateless.
 */
public final class SecondNames {
  private static final int COPY_BYTES = 1 << 20;

  private SecondNames() {}

  /** Makes {@code to} hold what the file {@code from} holds. */
  public static void ofFile(Disk disk, String from, String to) throws IOException {
    try {
      disk.link(from, to);
    } catch (UnsupportedOperationException noLinks) {
      copy(disk, from, to);
    }
  }

  /**
   * Makes a directory with all that another holds, and makes its names durable; not its own name,
   * which is the caller's.
   */
  public static void ofDirectory(Disk disk, String from, String to) throws IOException {
    disk.createDirectories(to);
    for (Disk.Entry entry : disk.list(from)) {
      String source = from + "/" + entry.name();
      String target = to + "/" + entry.name();
      if (entry.directory()) {
        ofDirectory(disk, source, target);
      } else {
        ofFile(disk, source, target);
      }
    }
    disk.syncDirectory(to);
  }

  private static void copy(Disk disk, String from, String to) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(COPY_BYTES);
    try (ReadableFile in = disk.open(from);
        WritableFile out = disk.create(to)) {
      long at = 0;
      for (int n = in.read(at, buffer); n > 0; n = in.read(at, buffer)) {
        at += n;
        buffer.flip();
        out.write(buffer);
        buffer.clear();
      }
      out.sync();
    }
  }
}
