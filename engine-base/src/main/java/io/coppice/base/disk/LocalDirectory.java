package io.coppice.base.disk;

import io.coppice.base.check.Check;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A directory of the machine, held open. Where the system can, files are looked at and opened
 * relative to it, so that the path to it is not gone through again for each.
 */
final class LocalDirectory implements OpenDirectory {
  private static final Set<StandardOpenOption> READ = Set.of(StandardOpenOption.READ);

  private final Path path;
  private final DirectoryStream<Path> stream;
  private final List<Disk.Entry> entries;

  /**
   * @param wanted names to be looked at; the others are left out
   */
  LocalDirectory(Path path, Predicate<String> wanted) throws IOException {
    this.path = path;
    this.stream = Files.newDirectoryStream(path);
    boolean done = false;
    try {
      this.entries = list(wanted);
      done = true;
    } finally {
      if (!done) {
        stream.close();
      }
    }
  }

  private List<Disk.Entry> list(Predicate<String> wanted) throws IOException {
    List<Disk.Entry> found = new ArrayList<>();
    for (Path file : stream) {
      Path name = file.getFileName();
      String text = name.toString();
      if (!wanted.test(text)) {
        continue;
      }
      try {
        BasicFileAttributes attributes = attributes(name, file);
        boolean directory = attributes.isDirectory();
        found.add(new Disk.Entry(text, directory, directory ? 0 : attributes.size()));
      } catch (NoSuchFileException ignored) {
        // It went while we were listing, or is a symbolic link to nothing: not there.
      }
    }
    found.sort(Comparator.comparing(Disk.Entry::name));
    return found;
  }

  private BasicFileAttributes attributes(Path name, Path file) throws IOException {
    return stream instanceof SecureDirectoryStream<Path> relative
        ? relative.getFileAttributeView(name, BasicFileAttributeView.class).readAttributes()
        : Files.readAttributes(file, BasicFileAttributes.class);
  }

  @Override
  public List<Disk.Entry> entries() {
    return entries;
  }

  @Override
  public byte[] readListed(String name, int sizeBytes) throws IOException {
    DiskPath.checkBelow(name);
    Path file = path.resolve(name);
    try (SeekableByteChannel channel =
        stream instanceof SecureDirectoryStream<Path> relative
            ? relative.newByteChannel(file.getFileName(), READ)
            : Files.newByteChannel(file, READ)) {
      return readListed(channel, file, sizeBytes);
    }
  }

  /** The whole content of a file that has so many bytes. */
  static byte[] readListed(SeekableByteChannel channel, Path file, int sizeBytes)
      throws IOException {
    Check.argument(sizeBytes > 0, "%s is listed with %d bytes", file, sizeBytes);
    ByteBuffer target = ByteBuffer.allocate(sizeBytes + 1);
    int count = 0;
    while (target.position() < sizeBytes && count >= 0) {
      count = channel.read(target);
    }
    if (target.position() != sizeBytes) {
      throw new FileSystemException(
          file.toString(), null, "has another size than the " + sizeBytes + " bytes listed");
    }
    return Arrays.copyOf(target.array(), sizeBytes);
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
