package io.coppice.base.disk;

import io.coppice.base.check.Check;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.function.Predicate;

/** Files of the machine, below a directory. Thread-safe; holds nothing that needs closing. */
public final class LocalDisk implements Disk {
  private final Path root;

  /** The directory need not exist yet; {@link #createDirectories} of {@code ""} makes it. */
  public LocalDisk(Path root) {
    this.root = root.toAbsolutePath().normalize();
  }

  /** The directory that paths are relative to, absolute. */
  public Path root() {
    return root;
  }

  private Path at(String path) {
    Path resolved = root.resolve(DiskPath.check(path));
    // Not implied by the check where the system knows more separators than '/'.
    Check.argument(resolved.normalize().startsWith(root), "path \"%s\" leaves the root", path);
    return resolved;
  }

  private Path below(String path) {
    return at(DiskPath.checkBelow(path));
  }

  @Override
  public WritableFile create(String path) throws IOException {
    Path file = below(path);
    return new Writing(
        file, FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
  }

  @Override
  public ReadableFile open(String path) throws IOException {
    return new Reading(openToRead(below(path)));
  }

  private static FileChannel openToRead(Path file) throws IOException {
    // Looked at first: opening a pipe waits for somebody to write, and a device may do anything.
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    if (attributes.isDirectory()) { // Linux opens directories too, and fails only when reading
      throw new FileSystemException(file.toString(), null, "is a directory");
    }
    if (attributes.isOther()) {
      throw new FileSystemException(
          file.toString(), null, "is no regular file but a pipe, socket or device");
    }
    return FileChannel.open(file, StandardOpenOption.READ);
  }

  @Override
  public byte[] readAll(String path, int limitBytes) throws IOException {
    Path file = below(path);
    try (FileChannel channel = openToRead(file)) {
      long size = channel.size();
      if (size > limitBytes) {
        throw tooLarge(file.toString(), size, limitBytes);
      }
      byte[] bytes = new byte[(int) size];
      ByteBuffer target = ByteBuffer.wrap(bytes);
      while (target.hasRemaining()) {
        if (channel.read(target) < 0) {
          throw new FileSystemException(file.toString(), null, "shrank while it was read");
        }
      }
      return bytes;
    }
  }

  @Override
  public byte[] readListed(String path, int sizeBytes) throws IOException {
    Path file = below(path);
    // No pipe and no device: those are listed with no bytes, and need not be looked for again.
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return LocalDirectory.readListed(channel, file, sizeBytes);
    }
  }

  /** The error of {@link Disk#readAll} for a file above the limit. */
  static IOException tooLarge(String file, long sizeBytes, int limitBytes) {
    return new FileSystemException(
        file, null, sizeBytes + " bytes, more than the limit of " + limitBytes);
  }

  @Override
  public boolean exists(String path) {
    return Files.exists(at(path));
  }

  @Override
  public long sizeBytes(String path) throws IOException {
    Path file = below(path);
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    if (attributes.isDirectory()) {
      throw new FileSystemException(file.toString(), null, "is a directory");
    }
    return attributes.size();
  }

  @Override
  public List<Entry> list(String directory) throws IOException {
    return list(directory, name -> true);
  }

  @Override
  public List<Entry> list(String directory, Predicate<String> wanted) throws IOException {
    try (LocalDirectory opened = new LocalDirectory(at(directory), wanted)) {
      return opened.entries();
    }
  }

  @Override
  public OpenDirectory openDirectory(String directory) throws IOException {
    return new LocalDirectory(at(directory), name -> true);
  }

  @Override
  public void createDirectories(String directory) throws IOException {
    Files.createDirectories(at(directory));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Path target = below(to);
    // An atomic move would overwrite; callers own their directories, so nobody can slip in between.
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(target.toString());
    }
    Files.move(below(from), target, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void replace(String from, String to) throws IOException {
    Path source = below(from);
    Path target = below(to);
    if (Files.isDirectory(source) || Files.isDirectory(target)) {
      throw new FileSystemException(
          source.toString(), target.toString(), "only files replace files");
    }
    Files.move(source, target, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void link(String from, String to) throws IOException {
    Files.createLink(below(to), below(from));
  }

  @Override
  public void delete(String path) throws IOException {
    Files.delete(below(path));
  }

  @Override
  public void deleteRecursively(String directory) throws IOException {
    Path top = below(directory);
    if (!Files.exists(top, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        top,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE; // what we wanted
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path path, IOException e) throws IOException {
            if (e != null) {
              throw e;
            }
            Files.deleteIfExists(path);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  @Override
  public void syncDirectory(String directory) throws IOException {
    Path path = at(directory);
    if (Files.exists(path) && !Files.isDirectory(path)) {
      throw new FileSystemException(path.toString(), null, "is not a directory");
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public long freeBytes() throws IOException {
    Path existing = root;
    while (existing.getParent() != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    return Files.getFileStore(existing).getUsableSpace();
  }

  @Override
  public Disk within(String directory) {
    return new LocalDisk(at(directory));
  }

  @Override
  public String describe(String path) {
    return path.isEmpty() ? root.toString() : root + "/" + path;
  }

  @Override
  public String toString() {
    return root.toString();
  }

  private static final class Writing implements WritableFile {
    private final Path path;
    private final FileChannel channel;
    private long sizeBytes;

    Writing(Path path, FileChannel channel) {
      this.path = path;
      this.channel = channel;
    }

    /** The system says what is wrong, and not with which file. */
    private IOException named(IOException e) {
      if (e instanceof FileSystemException || e instanceof ClosedChannelException) {
        return e;
      }
      IOException named = new FileSystemException(path.toString(), null, e.getMessage());
      named.initCause(e);
      return named;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      try {
        while (bytes.hasRemaining()) {
          sizeBytes += channel.write(bytes);
        }
      } catch (IOException e) {
        throw named(e);
      }
    }

    @Override
    public void sync() throws IOException {
      try {
        channel.force(true);
      } catch (IOException e) {
        throw named(e);
      }
    }

    @Override
    public long sizeBytes() {
      return sizeBytes;
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  private static final class Reading implements ReadableFile {
    private final FileChannel channel;

    Reading(FileChannel channel) {
      this.channel = channel;
    }

    @Override
    public long sizeBytes() throws IOException {
      return channel.size();
    }

    @Override
    public int read(long offset, ByteBuffer target) throws IOException {
      Check.argument(offset >= 0, "offset %d", offset);
      int total = 0;
      while (target.hasRemaining()) {
        int count = channel.read(target, offset + total);
        if (count < 0) {
          break;
        }
        total += count;
      }
      return total;
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
