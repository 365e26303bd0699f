package io.coppice.base.disk;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;

/**
 * Another disk, of which nothing is changed: whatever would is refused with READONLY. As
 * thread-safe as the disk behind it.
 */
public final class ReadOnlyDisk implements Disk {
  private final Disk disk;

  public ReadOnlyDisk(Disk disk) {
    this.disk = disk;
  }

  private EngineException refused(String what, String path) {
    return EngineException.of(
        ErrorCode.READONLY,
        "can't %s %s: it was opened to read only; open it for writing",
        what,
        disk.describe(path));
  }

  @Override
  public WritableFile create(String path) {
    throw refused("create", path);
  }

  @Override
  public ReadableFile open(String path) throws IOException {
    return disk.open(path);
  }

  @Override
  public byte[] readAll(String path, int limitBytes) throws IOException {
    return disk.readAll(path, limitBytes);
  }

  @Override
  public byte[] readListed(String path, int sizeBytes) throws IOException {
    return disk.readListed(path, sizeBytes);
  }

  @Override
  public boolean exists(String path) throws IOException {
    return disk.exists(path);
  }

  @Override
  public long sizeBytes(String path) throws IOException {
    return disk.sizeBytes(path);
  }

  @Override
  public List<Entry> list(String directory) throws IOException {
    return disk.list(directory);
  }

  @Override
  public List<Entry> list(String directory, Predicate<String> wanted) throws IOException {
    return disk.list(directory, wanted);
  }

  @Override
  public OpenDirectory openDirectory(String directory) throws IOException {
    return disk.openDirectory(directory);
  }

  @Override
  public void createDirectories(String directory) {
    throw refused("create", directory);
  }

  @Override
  public void rename(String from, String to) {
    throw refused("rename", from);
  }

  @Override
  public void replace(String from, String to) {
    throw refused("replace", to);
  }

  @Override
  public void link(String from, String to) {
    throw refused("link", from);
  }

  @Override
  public void delete(String path) {
    throw refused("delete", path);
  }

  @Override
  public void deleteRecursively(String directory) {
    throw refused("delete", directory);
  }

  @Override
  public void syncDirectory(String directory) {
    throw refused("sync", directory);
  }

  @Override
  public long freeBytes() throws IOException {
    return disk.freeBytes();
  }

  @Override
  public Disk within(String directory) {
    return new ReadOnlyDisk(disk.within(directory));
  }

  @Override
  public String describe(String path) {
    return disk.describe(path);
  }

  @Override
  public String toString() {
    return disk.toString();
  }
}
