package io.coppice.base.disk;

import java.io.IOException;
import java.util.List;

/** A directory of another disk as a disk. As thread-safe as the disk behind it. */
public final class SubDisk implements Disk {
  private final Disk disk;
  private final String directory;

  /** The directory need not exist yet. */
  public SubDisk(Disk disk, String directory) {
    this.disk = disk;
    this.directory = DiskPath.check(directory);
  }

  private String at(String path) {
    return DiskPath.join(directory, DiskPath.check(path));
  }

  private String below(String path) {
    return DiskPath.join(directory, DiskPath.checkBelow(path));
  }

  @Override
  public WritableFile create(String path) throws IOException {
    return disk.create(below(path));
  }

  @Override
  public ReadableFile open(String path) throws IOException {
    return disk.open(below(path));
  }

  @Override
  public byte[] readAll(String path, int limitBytes) throws IOException {
    return disk.readAll(below(path), limitBytes);
  }

  @Override
  public boolean exists(String path) throws IOException {
    return disk.exists(at(path));
  }

  @Override
  public long sizeBytes(String path) throws IOException {
    return disk.sizeBytes(below(path));
  }

  @Override
  public List<Entry> list(String path) throws IOException {
    return disk.list(at(path));
  }

  @Override
  public void createDirectories(String path) throws IOException {
    disk.createDirectories(at(path));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    disk.rename(below(from), below(to));
  }

  @Override
  public void replace(String from, String to) throws IOException {
    disk.replace(below(from), below(to));
  }

  @Override
  public void link(String from, String to) throws IOException {
    disk.link(below(from), below(to));
  }

  @Override
  public void delete(String path) throws IOException {
    disk.delete(below(path));
  }

  @Override
  public void deleteRecursively(String path) throws IOException {
    disk.deleteRecursively(below(path));
  }

  @Override
  public void syncDirectory(String path) throws IOException {
    disk.syncDirectory(at(path));
  }

  @Override
  public long freeBytes() throws IOException {
    return disk.freeBytes();
  }

  @Override
  public Disk within(String path) {
    return new SubDisk(disk, at(path));
  }

  @Override
  public String describe(String path) {
    return disk.describe(at(path));
  }

  @Override
  public String toString() {
    return disk.describe(directory);
  }
}
