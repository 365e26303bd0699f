package io.coppice.base.disk.sim;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.coppice.base.disk.Disk;
import io.coppice.base.disk.ReadableFile;
import io.coppice.base.disk.SubDisk;
import io.coppice.base.disk.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A disk that remembers who opened what, and what was read. Does what the disk behind it does.
 * Thread-safe.
 */
public final class TrackingDisk implements Disk {
  /**
   * A file that is open.
   *
   * @param writing whether it is being written, else read
   * @param openedAt where it was opened: a stack, never thrown
   */
  public record OpenFile(String path, boolean writing, Throwable openedAt) {}

  private final Disk disk;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final Map<Object, OpenFile> open = new IdentityHashMap<>();

  @GuardedBy("lock")
  private final TreeSet<String> pathsOpened = new TreeSet<>();

  @GuardedBy("lock")
  private final TreeMap<String, Long> bytesRead = new TreeMap<>();

  /** Borrows {@code disk}. */
  public TrackingDisk(Disk disk) {
    this.disk = disk;
  }

  /** The files open now. */
  public List<OpenFile> openFiles() {
    synchronized (lock) {
      return List.copyOf(open.values());
    }
  }

  /** Fails when a file is open, with the place that opened it as the cause. */
  public void checkNothingOpen() {
    List<OpenFile> files = openFiles();
    if (!files.isEmpty()) {
      throw new AssertionError(
          files.size() + " files were not closed, among them " + files.get(0).path(),
          files.get(0).openedAt());
    }
  }

  /** Paths of the files that were opened for reading or read whole, so far. */
  public SortedSet<String> pathsRead() {
    synchronized (lock) {
      return new TreeSet<>(pathsOpened);
    }
  }

  /** Bytes read so far, by path. */
  public SortedMap<String, Long> bytesRead() {
    synchronized (lock) {
      return new TreeMap<>(bytesRead);
    }
  }

  /** Forgets what was read; open files stay known. */
  public void forgetReads() {
    synchronized (lock) {
      pathsOpened.clear();
      bytesRead.clear();
    }
  }

  private void opened(Object file, String path, boolean writing) {
    synchronized (lock) {
      open.put(file, new OpenFile(path, writing, new Throwable("opened here: " + path)));
      if (!writing) {
        pathsOpened.add(path);
      }
    }
  }

  private void closed(Object file) {
    synchronized (lock) {
      open.remove(file);
    }
  }

  private void read(String path, long count) {
    synchronized (lock) {
      pathsOpened.add(path);
      bytesRead.merge(path, count, Long::sum);
    }
  }

  @Override
  public WritableFile create(String path) throws IOException {
    WritableFile file = new Writing(disk.create(path));
    opened(file, path, true);
    return file;
  }

  @Override
  public ReadableFile open(String path) throws IOException {
    ReadableFile file = new Reading(path, disk.open(path));
    opened(file, path, false);
    return file;
  }

  @Override
  public byte[] readAll(String path, int limitBytes) throws IOException {
    byte[] bytes = disk.readAll(path, limitBytes);
    read(path, bytes.length);
    return bytes;
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
  public void createDirectories(String directory) throws IOException {
    disk.createDirectories(directory);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    disk.rename(from, to);
  }

  @Override
  public void replace(String from, String to) throws IOException {
    disk.replace(from, to);
  }

  @Override
  public void link(String from, String to) throws IOException {
    disk.link(from, to);
  }

  @Override
  public void delete(String path) throws IOException {
    disk.delete(path);
  }

  @Override
  public void deleteRecursively(String directory) throws IOException {
    disk.deleteRecursively(directory);
  }

  @Override
  public void syncDirectory(String directory) throws IOException {
    disk.syncDirectory(directory);
  }

  @Override
  public long freeBytes() throws IOException {
    return disk.freeBytes();
  }

  @Override
  public Disk within(String directory) {
    return new SubDisk(this, directory);
  }

  @Override
  public String describe(String path) {
    return disk.describe(path);
  }

  private final class Writing implements WritableFile {
    private final WritableFile file;

    Writing(WritableFile file) {
      this.file = file;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      file.write(bytes);
    }

    @Override
    public void sync() throws IOException {
      file.sync();
    }

    @Override
    public long sizeBytes() {
      return file.sizeBytes();
    }

    @Override
    public void close() throws IOException {
      closed(this);
      file.close();
    }
  }

  private final class Reading implements ReadableFile {
    private final String path;
    private final ReadableFile file;

    Reading(String path, ReadableFile file) {
      this.path = path;
      this.file = file;
    }

    @Override
    public long sizeBytes() throws IOException {
      return file.sizeBytes();
    }

    @Override
    public int read(long offset, ByteBuffer target) throws IOException {
      int count = file.read(offset, target);
      TrackingDisk.this.read(path, count);
      return count;
    }

    @Override
    public void close() throws IOException {
      closed(this);
      file.close();
    }
  }
}
