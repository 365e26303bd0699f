package io.coppice.base.disk;

import java.io.IOException;
import java.util.List;

/**
 * A directory while it is being looked through: what is in it, and small files of it, with less
 * work for the system than by their paths. Who closes it later does not keep the directory from
 * being renamed or deleted meanwhile.
 *
 * <p>Confined to one thread; the owner closes it.
 */
public interface OpenDirectory extends AutoCloseable {
  /** What {@link Disk#list} says of the directory, asked for once, on opening. */
  List<Disk.Entry> entries();

  /** The whole content of one of the files, as {@link Disk#readListed} reads it. */
  byte[] readListed(String name, int sizeBytes) throws IOException;

  @Override
  void close() throws IOException;

  /** One that asks {@code disk} for everything. */
  static OpenDirectory of(Disk disk, String directory) throws IOException {
    List<Disk.Entry> entries = disk.list(directory);
    return new OpenDirectory() {
      @Override
      public List<Disk.Entry> entries() {
        return entries;
      }

      @Override
      public byte[] readListed(String name, int sizeBytes) throws IOException {
        return disk.readListed(directory.isEmpty() ? name : directory + "/" + name, sizeBytes);
      }

      @Override
      public void close() {}
    };
  }
}
