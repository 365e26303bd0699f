package io.coppice.base.disk.sim;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.coppice.base.check.Check;
import io.coppice.base.disk.Disk;
import io.coppice.base.disk.DiskPath;
import io.coppice.base.disk.ReadableFile;
import io.coppice.base.disk.SubDisk;
import io.coppice.base.disk.WritableFile;
import io.coppice.base.hash.IntHash;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A disk in memory that loses at a crash what no sync has made durable, as a real one may.
 *
 * <p>Everything that changes the disk is an operation with a number, from 0. {@link #crashAt} cuts
 * the power at one of them; from then on every call throws {@link PowerCutException}. {@link
 * #reboot} gives the disk as it is found afterwards:
 *
 * <ul>
 *   <li>bytes written after a file's last sync are there, or cut at any byte, or zeros, or gone;
 *   <li>a creation, rename, replacement, link or deletion that no {@link #syncDirectory} of its
 *       directory followed happened or not, each by its own coin;
 *   <li>what was synced is there.
 * </ul>
 *
 * <p>All coins come from the seed. Thread-safe.
 */
public final class SimDisk implements Disk {
  /*
   * Two trees over the same inodes: the visible one, which programs see, and the durable one. A
   * change of names goes to the visible tree at once and into `pending`; syncing a directory moves
   * its changes from `pending` to the durable tree, in order. A crash throws a coin for each change
   * that is left. Files only grow, so a file's durable state is a size: bytes below it are safe.
   *
   * A rename between directories is durable once the target directory is synced: then both names
   * are. This is stricter than journaling file systems are and as strict as POSIX is.
   */
  private abstract static class Node {}

  private static final class FileNode extends Node {
    byte[] bytes = new byte[64];
    int size;
    int durableSize;
    int links;
  }

  private static final class DirectoryNode extends Node {
    final TreeMap<String, Node> visible = new TreeMap<>();
    final TreeMap<String, Node> durable = new TreeMap<>();
  }

  /**
   * A change of names: {@code node} leaves {@code from} (if any) and enters {@code to} (if any).
   */
  private record Change(
      DirectoryNode from, String fromName, DirectoryNode to, String toName, Node node) {
    DirectoryNode durableWith() {
      return to != null ? to : from;
    }

    void makeDurable() {
      if (from != null && from.durable.get(fromName) == node) {
        from.durable.remove(fromName);
      }
      if (to != null) {
        to.durable.put(toName, node);
      }
    }
  }

  private static final long NEVER = Long.MAX_VALUE;

  private final Object lock = new Object();

  @GuardedBy("lock")
  private final Random coins;

  @GuardedBy("lock")
  private final DirectoryNode root;

  @GuardedBy("lock")
  private final List<Change> pending = new ArrayList<>();

  @GuardedBy("lock")
  private long operations;

  @GuardedBy("lock")
  private long crashAt = NEVER;

  @GuardedBy("lock")
  private boolean powerless;

  @GuardedBy("lock")
  private long capacityBytes = 1L << 40;

  @GuardedBy("lock")
  private long usedBytes;

  /** An empty disk whose coins come from {@code seed}. */
  public SimDisk(long seed) {
    // Random's first coins are nearly the same for all small seeds, so these are spread first.
    this(new Random(IntHash.intHash64(seed)), new DirectoryNode());
  }

  private SimDisk(Random coins, DirectoryNode root) {
    this.coins = coins;
    this.root = root;
  }

  /** Cuts the power at operation {@code number}, which happens or not by a coin. */
  public SimDisk crashAt(long number) {
    Check.argument(number >= 0, "operation %d", number);
    synchronized (lock) {
      this.crashAt = number;
    }
    return this;
  }

  /** Limits what all files together may hold; writing more fails as a full disk does. */
  public SimDisk withCapacity(long bytes) {
    Check.argument(bytes >= 0, "capacity %d", bytes);
    synchronized (lock) {
      this.capacityBytes = bytes;
    }
    return this;
  }

  /** How many operations have changed this disk, or tried to. */
  public long operations() {
    synchronized (lock) {
      return operations;
    }
  }

  /** Whether the power is cut. */
  public boolean crashed() {
    synchronized (lock) {
      return powerless;
    }
  }

  /** Cuts the power now. */
  public void crash() {
    synchronized (lock) {
      powerless = true;
    }
  }

  /**
   * Cuts the power, if it is not cut yet, and gives the disk as it is found when the machine starts
   * again. This disk stays without power.
   */
  public SimDisk reboot() {
    synchronized (lock) {
      powerless = true;
      for (Change change : pending) {
        if (coins.nextBoolean()) {
          change.makeDurable();
        }
      }
      pending.clear();
      Map<Node, Node> copies = new IdentityHashMap<>();
      SimDisk found =
          new SimDisk(
              new Random(IntHash.intHash64(coins.nextLong())),
              (DirectoryNode) survivor(root, copies));
      synchronized (found.lock) {
        found.capacityBytes = capacityBytes;
        for (Node node : copies.values()) {
          if (node instanceof FileNode file) {
            found.usedBytes += file.size;
          }
        }
      }
      return found;
    }
  }

  /** What is found of a node and all below it; names of one file stay names of one file. */
  @GuardedBy("lock")
  private Node survivor(Node node, Map<Node, Node> copies) {
    Node known = copies.get(node);
    if (known != null) {
      return known;
    }
    if (node instanceof DirectoryNode directory) {
      DirectoryNode copy = new DirectoryNode();
      copies.put(directory, copy);
      for (Map.Entry<String, Node> entry : directory.durable.entrySet()) {
        Node child = survivor(entry.getValue(), copies);
        copy.durable.put(entry.getKey(), child);
        if (child instanceof FileNode file) {
          file.links++;
        }
      }
      copy.visible.putAll(copy.durable);
      return copy;
    }
    FileNode file = (FileNode) node;
    FileNode copy = new FileNode();
    copies.put(file, copy);
    int unsynced = file.size - file.durableSize;
    int size = file.size;
    int zerosFrom = size;
    if (unsynced > 0) {
      switch (coins.nextInt(4)) {
        case 0 -> size = file.durableSize;
        case 1 -> size = zerosFrom = file.durableSize + coins.nextInt(unsynced);
        case 2 -> zerosFrom = file.durableSize + coins.nextInt(unsynced);
        default -> {}
      }
    }
    copy.bytes = Arrays.copyOf(file.bytes, Math.max(64, size));
    if (zerosFrom < size) {
      Arrays.fill(copy.bytes, zerosFrom, size, (byte) 0);
    }
    copy.size = copy.durableSize = size;
    return copy;
  }

  @GuardedBy("lock")
  private void checkPower(String operation) throws PowerCutException {
    if (powerless) {
      throw new PowerCutException(operation);
    }
  }

  /** Counts an operation; with the power going now, says whether it still happens. */
  @GuardedBy("lock")
  private boolean goesThrough(String operation) throws PowerCutException {
    checkPower(operation);
    if (operations++ < crashAt) {
      return true;
    }
    powerless = true;
    return coins.nextBoolean();
  }

  /** After an operation that went through: the caller does not hear of it when the power went. */
  @GuardedBy("lock")
  private void answer(String operation) throws PowerCutException {
    checkPower(operation);
  }

  @GuardedBy("lock")
  private Node find(String path) {
    Node node = root;
    for (String name : DiskPath.names(path)) {
      if (!(node instanceof DirectoryNode directory)) {
        return null;
      }
      node = directory.visible.get(name);
    }
    return node;
  }

  @GuardedBy("lock")
  private Node require(String path) throws NoSuchFileException {
    Node node = find(path);
    if (node == null) {
      throw new NoSuchFileException(describe(path));
    }
    return node;
  }

  @GuardedBy("lock")
  private FileNode requireFile(String path) throws IOException {
    if (require(path) instanceof FileNode file) {
      return file;
    }
    throw new FileSystemException(describe(path), null, "is a directory");
  }

  @GuardedBy("lock")
  private DirectoryNode requireDirectory(String path) throws IOException {
    if (require(path) instanceof DirectoryNode directory) {
      return directory;
    }
    throw new NotDirectoryException(describe(path));
  }

  /** The directory of a name that is to be made there; the name must be free. */
  @GuardedBy("lock")
  private DirectoryNode directoryForNew(String path) throws IOException {
    DirectoryNode directory = requireDirectory(DiskPath.parent(path));
    if (directory.visible.containsKey(DiskPath.name(path))) {
      throw new FileAlreadyExistsException(describe(path));
    }
    return directory;
  }

  @GuardedBy("lock")
  private void change(
      DirectoryNode from, String fromName, DirectoryNode to, String name, Node node) {
    if (from != null) {
      unlinked(from.visible.remove(fromName));
    }
    if (to != null) {
      if (node instanceof FileNode file) {
        file.links++;
      }
      Node replaced = to.visible.put(name, node);
      unlinked(replaced);
      if (replaced instanceof FileNode file && file.links == 0) {
        usedBytes -= file.size;
      }
    }
    if (node instanceof FileNode file && file.links == 0) {
      usedBytes -= file.size;
    }
    pending.add(new Change(from, fromName, to, name, node));
  }

  /** A name of {@code node} went; the space of a file with none left is free. */
  @GuardedBy("lock")
  private void unlinked(Node node) {
    if (node instanceof FileNode file) {
      file.links--;
    }
  }

  @Override
  public WritableFile create(String path) throws IOException {
    DiskPath.checkBelow(path);
    String operation = "create " + path;
    synchronized (lock) {
      checkPower(operation);
      DirectoryNode directory = directoryForNew(path);
      FileNode file = new FileNode();
      if (goesThrough(operation)) {
        change(null, null, directory, DiskPath.name(path), file);
      }
      answer(operation);
      return new Writing(path, file);
    }
  }

  @Override
  public ReadableFile open(String path) throws IOException {
    DiskPath.checkBelow(path);
    synchronized (lock) {
      checkPower("open " + path);
      return new Reading(path, requireFile(path));
    }
  }

  @Override
  public byte[] readAll(String path, int limitBytes) throws IOException {
    DiskPath.checkBelow(path);
    synchronized (lock) {
      checkPower("read " + path);
      FileNode file = requireFile(path);
      if (file.size > limitBytes) {
        throw new FileSystemException(
            describe(path), null, file.size + " bytes, more than the limit of " + limitBytes);
      }
      return Arrays.copyOf(file.bytes, file.size);
    }
  }

  @Override
  public boolean exists(String path) throws IOException {
    DiskPath.check(path);
    synchronized (lock) {
      checkPower("look for " + path);
      return find(path) != null;
    }
  }

  @Override
  public long sizeBytes(String path) throws IOException {
    DiskPath.checkBelow(path);
    synchronized (lock) {
      checkPower("size of " + path);
      return requireFile(path).size;
    }
  }

  @Override
  public List<Entry> list(String directory) throws IOException {
    DiskPath.check(directory);
    synchronized (lock) {
      checkPower("list " + directory);
      List<Entry> entries = new ArrayList<>();
      requireDirectory(directory)
          .visible
          .forEach(
              (name, node) ->
                  entries.add(
                      node instanceof FileNode file
                          ? new Entry(name, false, file.size)
                          : new Entry(name, true, 0)));
      return entries;
    }
  }

  @Override
  public void createDirectories(String directory) throws IOException {
    DiskPath.check(directory);
    synchronized (lock) {
      checkPower("create directories " + directory);
      DirectoryNode at = root;
      for (String name : DiskPath.names(directory)) {
        Node child = at.visible.get(name);
        if (child instanceof FileNode) {
          throw new FileAlreadyExistsException(describe(directory));
        }
        if (child == null) {
          String operation = "create directory " + name + " of " + directory;
          child = new DirectoryNode();
          if (goesThrough(operation)) {
            change(null, null, at, name, child);
          }
          answer(operation);
        }
        at = (DirectoryNode) child;
      }
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
    DiskPath.checkBelow(from);
    DiskPath.checkBelow(to);
    String operation = "rename " + from + " to " + to;
    synchronized (lock) {
      checkPower(operation);
      Node node = require(from);
      DirectoryNode target = directoryForNew(to);
      if (to.startsWith(from + "/")) {
        throw new FileSystemException(describe(from), describe(to), "would move into itself");
      }
      move(operation, from, node, target, to);
    }
  }

  @Override
  public void replace(String from, String to) throws IOException {
    DiskPath.checkBelow(from);
    DiskPath.checkBelow(to);
    String operation = "replace " + to + " by " + from;
    synchronized (lock) {
      checkPower(operation);
      Node node = requireFile(from);
      DirectoryNode target = requireDirectory(DiskPath.parent(to));
      if (target.visible.get(DiskPath.name(to)) instanceof DirectoryNode) {
        throw new FileSystemException(describe(from), describe(to), "only files replace files");
      }
      move(operation, from, node, target, to);
    }
  }

  @GuardedBy("lock")
  private void move(String operation, String from, Node node, DirectoryNode target, String to)
      throws IOException {
    if (goesThrough(operation) && !from.equals(to)) {
      change(
          requireDirectory(DiskPath.parent(from)),
          DiskPath.name(from),
          target,
          DiskPath.name(to),
          node);
    }
    answer(operation);
  }

  @Override
  public void link(String from, String to) throws IOException {
    DiskPath.checkBelow(from);
    DiskPath.checkBelow(to);
    String operation = "link " + from + " as " + to;
    synchronized (lock) {
      checkPower(operation);
      FileNode file = requireFile(from);
      DirectoryNode target = directoryForNew(to);
      if (goesThrough(operation)) {
        change(null, null, target, DiskPath.name(to), file);
      }
      answer(operation);
    }
  }

  @Override
  public void delete(String path) throws IOException {
    DiskPath.checkBelow(path);
    synchronized (lock) {
      checkPower("delete " + path);
      Node node = require(path);
      if (node instanceof DirectoryNode directory && !directory.visible.isEmpty()) {
        throw new DirectoryNotEmptyException(describe(path));
      }
      remove(path, node);
    }
  }

  @GuardedBy("lock")
  private void remove(String path, Node node) throws IOException {
    String operation = "delete " + path;
    if (goesThrough(operation)) {
      change(requireDirectory(DiskPath.parent(path)), DiskPath.name(path), null, null, node);
    }
    answer(operation);
  }

  @Override
  public void deleteRecursively(String directory) throws IOException {
    DiskPath.checkBelow(directory);
    synchronized (lock) {
      checkPower("delete " + directory);
      Node node = find(directory);
      if (node != null) {
        removeAll(directory, node);
      }
    }
  }

  @GuardedBy("lock")
  private void removeAll(String path, Node node) throws IOException {
    if (node instanceof DirectoryNode directory) {
      for (String name : List.copyOf(directory.visible.keySet())) {
        removeAll(DiskPath.join(path, name), directory.visible.get(name));
      }
    }
    remove(path, node);
  }

  @Override
  public void syncDirectory(String directory) throws IOException {
    DiskPath.check(directory);
    String operation = "sync directory " + directory;
    synchronized (lock) {
      checkPower(operation);
      DirectoryNode node = requireDirectory(directory);
      if (goesThrough(operation)) {
        for (Iterator<Change> changes = pending.iterator(); changes.hasNext(); ) {
          Change change = changes.next();
          if (change.durableWith() == node || nameIsTakenAgain(change, node)) {
            change.makeDurable();
            changes.remove();
          }
        }
      }
      answer(operation);
    }
  }

  /** Whether the name that a rename left in {@code directory} is now another file's. */
  private static boolean nameIsTakenAgain(Change change, DirectoryNode directory) {
    return change.from() == directory
        && directory.visible.containsKey(change.fromName())
        && directory.visible.get(change.fromName()) != change.node();
  }

  @Override
  public long freeBytes() throws IOException {
    synchronized (lock) {
      checkPower("free space");
      return Math.max(0, capacityBytes - usedBytes);
    }
  }

  @Override
  public Disk within(String directory) {
    return new SubDisk(this, directory);
  }

  @Override
  public String describe(String path) {
    return "sim:/" + path;
  }

  private final class Writing implements WritableFile {
    private final String path;
    private final FileNode file;
    private boolean closed;

    Writing(String path, FileNode file) {
      this.path = path;
      this.file = file;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      String operation = "write " + path;
      synchronized (lock) {
        checkPower(operation);
        checkOpen();
        if (!bytes.hasRemaining()) {
          return;
        }
        boolean through = goesThrough(operation);
        int count = (int) Math.min(bytes.remaining(), Math.max(0, capacityBytes - usedBytes));
        if (through) {
          if (count > file.bytes.length - file.size) {
            file.bytes =
                Arrays.copyOf(file.bytes, Math.max(file.size + count, 2 * file.bytes.length));
          }
          boolean full = count < bytes.remaining();
          bytes.get(file.bytes, file.size, count);
          file.size += count;
          usedBytes += count;
          if (full) {
            answer(operation);
            throw new FileSystemException(describe(path), null, "No space left on device");
          }
        }
        answer(operation);
      }
    }

    @GuardedBy("lock")
    private void checkOpen() throws ClosedChannelException {
      if (closed) {
        throw new ClosedChannelException();
      }
    }

    @Override
    public void sync() throws IOException {
      String operation = "sync " + path;
      synchronized (lock) {
        checkPower(operation);
        checkOpen();
        if (goesThrough(operation)) {
          file.durableSize = file.size;
        }
        answer(operation);
      }
    }

    @Override
    public long sizeBytes() {
      synchronized (lock) {
        return file.size;
      }
    }

    @Override
    public void close() {
      synchronized (lock) {
        closed = true;
      }
    }
  }

  private final class Reading implements ReadableFile {
    private final String path;
    private final FileNode file;
    private boolean closed;

    Reading(String path, FileNode file) {
      this.path = path;
      this.file = file;
    }

    @GuardedBy("lock")
    private void checkOpen() throws IOException {
      checkPower("read " + path);
      if (closed) {
        throw new ClosedChannelException();
      }
    }

    @Override
    public long sizeBytes() throws IOException {
      synchronized (lock) {
        checkOpen();
        return file.size;
      }
    }

    @Override
    public int read(long offset, ByteBuffer target) throws IOException {
      Check.argument(offset >= 0, "offset %d", offset);
      synchronized (lock) {
        checkOpen();
        int count = (int) Math.max(0, Math.min(target.remaining(), file.size - offset));
        if (count > 0) {
          target.put(file.bytes, (int) offset, count);
        }
        return count;
      }
    }

    @Override
    public void close() {
      synchronized (lock) {
        closed = true;
      }
    }
  }
}
