package io.coppice.parts.robust;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.ReadableFile;
import io.coppice.base.disk.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Files of one directory, given as arrays and only read: quick to make with one of them damaged.
 */
final class MemoryDisk implements Disk {
  private final Map<String, byte[]> files;

  MemoryDisk(Map<String, byte[]> files) {
    this.files = new TreeMap<>(files);
  }

  private byte[] file(String path) throws IOException {
    byte[] file = files.get(path);
    if (file == null) {
      throw new NoSuchFileException(path);
    }
    return file;
  }

  @Override
  public ReadableFile open(String path) throws IOException {
    byte[] file = file(path);
    return new ReadableFile() {
      @Override
      public long sizeBytes() {
        return file.length;
      }

      @Override
      public int read(long offset, ByteBuffer target) {
        int count = (int) Math.max(0, Math.min(target.remaining(), file.length - offset));
        if (count > 0) {
          target.put(file, (int) offset, count);
        }
        return count;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public byte[] readAll(String path, int limitBytes) throws IOException {
    byte[] file = file(path);
    if (file.length > limitBytes) {
      throw new IOException(path + " is larger than " + limitBytes);
    }
    return file.clone();
  }

  @Override
  public boolean exists(String path) {
    return path.isEmpty() || files.containsKey(path);
  }

  @Override
  public long sizeBytes(String path) throws IOException {
    return file(path).length;
  }

  @Override
  public List<Entry> list(String directory) {
    return files.entrySet().stream()
        .map(f -> new Entry(f.getKey(), false, f.getValue().length))
        .toList();
  }

  @Override
  public Disk within(String directory) {
    throw new UnsupportedOperationException();
  }

  @Override
  public String describe(String path) {
    return "memory:/" + path;
  }

  @Override
  public WritableFile create(String path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void createDirectories(String directory) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void rename(String from, String to) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void replace(String from, String to) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void link(String from, String to) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void delete(String path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void deleteRecursively(String directory) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void syncDirectory(String directory) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long freeBytes() {
    return 0;
  }
}
