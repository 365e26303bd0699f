package io.coppice.base.disk.sim;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.coppice.base.check.Check;
import io.coppice.base.disk.Disk;
import io.coppice.base.disk.DiskPath;
import io.coppice.base.disk.ReadableFile;
import io.coppice.base.disk.SubDisk;
import io.coppice.base.disk.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A disk that gives every operation a number, from 0, reads and closes included, and fails where it
 * is told to. A rehearsal counts the operations of a flow; then the flow runs once per number.
 *
 * <p>Without a fault it does what the disk behind it does. Thread-safe.
 */
public final class FaultyDisk implements Disk {
  private static final long NEVER = Long.MAX_VALUE;

  /** A name for an operation in {@link #operations}; more than these are counted, not named. */
  private static final int MOST_NAMED = 100_000;

  private final Disk disk;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final List<String> names = new ArrayList<>();

  @GuardedBy("lock")
  private long operations;

  @GuardedBy("lock")
  private long failAt = NEVER;

  @GuardedBy("lock")
  private long fullFrom = NEVER;

  @GuardedBy("lock")
  private long powerCutAt = NEVER;

  @GuardedBy("lock")
  private Random flips;

  @GuardedBy("lock")
  private int readsPerFlip;

  @GuardedBy("lock")
  private String flippedPath;

  @GuardedBy("lock")
  private long flippedBit;

  /** Borrows {@code disk}. */
  public FaultyDisk(Disk disk) {
    this.disk = disk;
  }

  /** Fails operation {@code number} with an IOException; those after it work again. */
  public FaultyDisk failAt(long number) {
    Check.argument(number >= 0, "operation %d", number);
    synchronized (lock) {
      failAt = number;
    }
    return this;
  }

  /** From operation {@code number} on the disk is full: nothing can be created or written. */
  public FaultyDisk fullFrom(long number) {
    Check.argument(number >= 0, "operation %d", number);
    synchronized (lock) {
      fullFrom = number;
    }
    return this;
  }

  /** From operation {@code number} on there is no power: everything fails. */
  public FaultyDisk powerCutAt(long number) {
    Check.argument(number >= 0, "operation %d", number);
    synchronized (lock) {
      powerCutAt = number;
    }
    return this;
  }

  /** Of about {@code readsPerFlip} reads one has one bit wrong, chosen by {@code seed}. */
  public FaultyDisk flipBits(long seed, int newReadsPerFlip) {
    Check.argument(newReadsPerFlip > 0, "one flip in %d reads", newReadsPerFlip);
    synchronized (lock) {
      flips = new Random(seed);
      readsPerFlip = newReadsPerFlip;
    }
    return this;
  }

  /** Every read of bit {@code bit} (8 times the offset, plus 0 to 7) of a file finds it wrong. */
  public FaultyDisk flipBit(String path, long bit) {
    Check.argument(bit >= 0, "bit %d", bit);
    synchronized (lock) {
      flippedPath = DiskPath.checkBelow(path);
      flippedBit = bit;
    }
    return this;
  }

  /** How many operations there were. */
  public long operationCount() {
    synchronized (lock) {
      return operations;
    }
  }

  /** What the operations were, by number: {@code "create a/b"}, {@code "write a/b"}, … */
  public List<String> operations() {
    synchronized (lock) {
      return List.copyOf(names);
    }
  }

  private void operation(String name, boolean writes) throws IOException {
    synchronized (lock) {
      long number = operations++;
      if (names.size() < MOST_NAMED) {
        names.add(name);
      }
      if (number >= powerCutAt) {
        throw new PowerCutException(name);
      }
      if (number == failAt) {
        throw new IOException("injected failure of operation " + number + ": " + name);
      }
      if (writes && number >= fullFrom) {
        throw new FileSystemException(name, null, "No space left on device");
      }
    }
  }

  /** Spoils what a read has put into {@code target} before its position. */
  private void spoil(String path, long offset, ByteBuffer target, int count) {
    synchronized (lock) {
      int end = target.position();
      long flippedByte = flippedBit / 8 - offset;
      if (path.equals(flippedPath) && flippedByte >= 0 && flippedByte < count) {
        flip(target, end - count + (int) flippedByte, (int) (flippedBit % 8));
      }
      if (flips != null && count > 0 && flips.nextInt(readsPerFlip) == 0) {
        flip(target, end - count + flips.nextInt(count), flips.nextInt(8));
      }
    }
  }

  private static void flip(ByteBuffer target, int index, int bit) {
    target.put(index, (byte) (target.get(index) ^ (1 << bit)));
  }

  @Override
  public WritableFile create(String path) throws IOException {
    operation("create " + path, true);
    return new Writing(path, disk.create(path));
  }

  @Override
  public ReadableFile open(String path) throws IOException {
    operation("open " + path, false);
    return new Reading(path, disk.open(path));
  }

  @Override
  public byte[] readAll(String path, int limitBytes) throws IOException {
    operation("read " + path, false);
    byte[] bytes = disk.readAll(path, limitBytes);
    ByteBuffer all = ByteBuffer.wrap(bytes);
    all.position(bytes.length);
    spoil(path, 0, all, bytes.length);
    return bytes;
  }

  @Override
  public boolean exists(String path) throws IOException {
    operation("look for " + path, false);
    return disk.exists(path);
  }

  @Override
  public long sizeBytes(String path) throws IOException {
    operation("size of " + path, false);
    return disk.sizeBytes(path);
  }

  @Override
  public List<Entry> list(String directory) throws IOException {
    operation("list " + directory, false);
    return disk.list(directory);
  }

  @Override
  public void createDirectories(String directory) throws IOException {
    operation("create directories " + directory, true);
    disk.createDirectories(directory);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    operation("rename " + from + " to " + to, false);
    disk.rename(from, to);
  }

  @Override
  public void replace(String from, String to) throws IOException {
    operation("replace " + to + " by " + from, false);
    disk.replace(from, to);
  }

  @Override
  public void link(String from, String to) throws IOException {
    operation("link " + from + " as " + to, true);
    disk.link(from, to);
  }

  @Override
  public void delete(String path) throws IOException {
    operation("delete " + path, false);
    disk.delete(path);
  }

  @Override
  public void deleteRecursively(String directory) throws IOException {
    operation("delete all of " + directory, false);
    disk.deleteRecursively(directory);
  }

  @Override
  public void syncDirectory(String directory) throws IOException {
    operation("sync directory " + directory, false);
    disk.syncDirectory(directory);
  }

  @Override
  public long freeBytes() throws IOException {
    operation("free space", false);
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
    private final String path;
    private final WritableFile file;
    private boolean closed;

    Writing(String path, WritableFile file) {
      this.path = path;
      this.file = file;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      try {
        operation("write " + path, true);
      } catch (IOException e) {
        // A failing write may have written a part.
        ByteBuffer half = bytes.duplicate().limit(bytes.position() + bytes.remaining() / 2);
        file.write(half);
        throw e;
      }
      file.write(bytes);
    }

    @Override
    public void sync() throws IOException {
      operation("sync " + path, false);
      file.sync();
    }

    @Override
    public long sizeBytes() {
      return file.sizeBytes();
    }

    @Override
    public void close() throws IOException {
      if (closed) {
        return;
      }
      closed = true;
      file.close(); // in any case: a failing close closes
      operation("close " + path, false);
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
      operation("size of " + path, false);
      return file.sizeBytes();
    }

    @Override
    public int read(long offset, ByteBuffer target) throws IOException {
      operation("read " + path, false);
      int count = file.read(offset, target);
      spoil(path, offset, target, count);
      return count;
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
