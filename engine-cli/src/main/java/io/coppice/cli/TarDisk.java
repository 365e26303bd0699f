package io.coppice.cli;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.ReadableFile;
import io.coppice.base.disk.WritableFile;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarFile;

/**
 * The files inside a tar archive, read where they lie: nothing is unpacked. Read only: every method
 * that would change something is refused with an IOException.
 *
 * <p>Names that lead out of the archive are left out, as are symbolic links and sparse files; hard
 * links stand for the file they name. Thread-safe. The disk that {@link #open(Path)} gives owns the
 * archive; those from {@link #within} borrow it.
 */
final class TarDisk implements Disk, Closeable {
  private static final int BLOCK_BYTES = 512;
  private static final int END_BLOCKS = 2;

  /**
   * Where a file lies.
   *
   * @param offset in the archive; negative for what is no regular file and has no content
   */
  private record Content(long offset, long sizeBytes) {}

  private final String archive;
  private final FileChannel channel;
  private final String root;
  private final TreeMap<String, Content> files;
  private final TreeMap<String, Boolean> directories;

  private TarDisk(
      String archive,
      FileChannel channel,
      String root,
      TreeMap<String, Content> files,
      TreeMap<String, Boolean> directories) {
    this.archive = archive;
    this.channel = channel;
    this.root = root;
    this.files = files;
    this.directories = directories;
  }

  /** Opens an archive that is not compressed. */
  static TarDisk open(Path archive) throws IOException {
    return open(archive, archive.toString());
  }

  /**
   * Opens an archive that is not compressed.
   *
   * @param label how to call it in messages
   * @throws EngineException CANNOT_READ_ALL_DATA when it is cut off, INCORRECT_DATA when it is none
   */
  static TarDisk open(Path archive, String label) throws IOException {
    TreeMap<String, Content> files = new TreeMap<>();
    TreeMap<String, Boolean> directories = new TreeMap<>();
    directories.put("", true);
    FileChannel channel = FileChannel.open(archive, StandardOpenOption.READ);
    boolean done = false;
    try (TarFile tar = new TarFile(archive)) {
      Map<String, String> links = new TreeMap<>();
      long end = 0;
      for (TarArchiveEntry entry : tar.getEntries()) {
        end = Math.max(end, entry.getDataOffset() + entry.getSize());
        String path = clean(entry.getName());
        if (path.isEmpty()) {
          continue;
        }
        if (entry.isDirectory()) {
          addDirectories(path, directories);
        } else if (entry.isLink()) {
          links.put(path, clean(entry.getLinkName()));
        } else if (entry.isFIFO() || entry.isCharacterDevice() || entry.isBlockDevice()) {
          addDirectories(parent(path), directories);
          files.put(path, new Content(-1, 0));
        } else if (entry.isFile() && !entry.isSymbolicLink() && !entry.isSparse()) {
          addDirectories(parent(path), directories);
          files.put(path, new Content(entry.getDataOffset(), entry.getSize()));
        }
      }
      checkEnd(channel, end, label);
      for (Map.Entry<String, String> link : links.entrySet()) {
        Content content = files.get(link.getValue());
        if (content != null) {
          addDirectories(parent(link.getKey()), directories);
          files.put(link.getKey(), content);
        }
      }
      done = true;
      return new TarDisk(label, channel, "", files, directories);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new EngineException(
          ErrorCode.INCORRECT_DATA, label + ": no tar archive: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new EngineException(
          ErrorCode.CANNOT_READ_ALL_DATA,
          label + ": no tar archive, or one that is cut off or damaged: " + Words.of(e),
          e);
    } finally {
      if (!done) {
        channel.close();
      }
    }
  }

  /**
   * Behind the last member there are two blocks of zeros. Where they are missing the archive is cut
   * off, if only between two members, and nobody can tell what was in the rest.
   */
  private static void checkEnd(FileChannel channel, long lastByte, String label)
      throws IOException {
    long end = (lastByte + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
    ByteBuffer blocks = ByteBuffer.allocate(END_BLOCKS * BLOCK_BYTES);
    while (blocks.hasRemaining() && channel.read(blocks, end + blocks.position()) >= 0) {
      // the rest of it
    }
    boolean zeros = !blocks.hasRemaining();
    for (int i = 0; i < blocks.position(); i++) {
      zeros &= blocks.get(i) == 0;
    }
    if (!zeros) {
      throw EngineException.of(
          ErrorCode.CANNOT_READ_ALL_DATA,
          "%s: the archive is cut off or no tar archive: %d bytes, expected the two blocks of zeros"
              + " that end an archive at %d",
          label,
          channel.size(),
          end);
    }
  }

  /** The path without {@code .} and slashes at its ends; empty if it leads out of the archive. */
  private static String clean(String name) {
    List<String> parts = new ArrayList<>();
    for (String part : name.split("/", -1)) {
      if (part.equals("..")) {
        return "";
      }
      if (!part.isEmpty() && !part.equals(".")) {
        parts.add(part);
      }
    }
    return String.join("/", parts);
  }

  private static String parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash < 0 ? "" : path.substring(0, slash);
  }

  private static void addDirectories(String path, Map<String, Boolean> to) {
    for (String at = path; !at.isEmpty() && to.put(at, true) == null; at = parent(at)) {
      // all directories above it as well
    }
  }

  private String full(String path) {
    if (!path.isEmpty() && (clean(path).isEmpty() || path.startsWith("/"))) {
      throw new IllegalArgumentException("path leads out of the disk: " + path);
    }
    String relative = clean(path);
    return root.isEmpty() ? relative : relative.isEmpty() ? root : root + "/" + relative;
  }

  /** All directories, also those further down, by their paths below this disk's root. */
  List<String> allDirectories() {
    String prefix = root.isEmpty() ? "" : root + "/";
    return directories.keySet().stream()
        .filter(d -> d.startsWith(prefix) || d.equals(root))
        .map(d -> d.equals(root) ? "" : d.substring(prefix.length()))
        .sorted()
        .toList();
  }

  private Content content(String path) throws IOException {
    Content content = files.get(full(path));
    if (content == null) {
      throw new NoSuchFileException(describe(path));
    }
    return content;
  }

  @Override
  public ReadableFile open(String path) throws IOException {
    Content content = content(path);
    if (content.offset() < 0) {
      throw new FileSystemException(
          describe(path), null, "is no regular file but a pipe or device");
    }
    return new ReadableFile() {
      private volatile boolean closed;

      @Override
      public long sizeBytes() {
        return content.sizeBytes();
      }

      @Override
      public int read(long offset, ByteBuffer target) throws IOException {
        if (closed) {
          throw new IOException("read of a closed file: " + describe(path));
        }
        if (offset >= content.sizeBytes()) {
          return 0;
        }
        ByteBuffer window = target.duplicate();
        long left = content.sizeBytes() - offset;
        if (window.remaining() > left) {
          window.limit(window.position() + (int) left);
        }
        int read = 0;
        while (window.hasRemaining()) {
          int n = channel.read(window, content.offset() + offset + read);
          if (n < 0) {
            break; // the archive is cut off
          }
          read += n;
        }
        target.position(target.position() + read);
        return read;
      }

      @Override
      public void close() {
        closed = true;
      }
    };
  }

  @Override
  public byte[] readAll(String path, int limitBytes) throws IOException {
    Content content = content(path);
    if (content.sizeBytes() > limitBytes) {
      throw new IOException(
          describe(path) + " has " + content.sizeBytes() + " bytes, at most " + limitBytes);
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) content.sizeBytes());
    try (ReadableFile file = open(path)) {
      if (file.read(0, bytes) < bytes.capacity()) {
        throw new IOException(describe(path) + ": the archive ends inside this file");
      }
    }
    return bytes.array();
  }

  @Override
  public boolean exists(String path) {
    String full = full(path);
    return files.containsKey(full) || directories.containsKey(full);
  }

  @Override
  public long sizeBytes(String path) throws IOException {
    return content(path).sizeBytes();
  }

  @Override
  public List<Entry> list(String directory) throws IOException {
    String full = full(directory);
    if (!directories.containsKey(full)) {
      throw files.containsKey(full)
          ? new NotDirectoryException(describe(directory))
          : new NoSuchFileException(describe(directory));
    }
    String prefix = full.isEmpty() ? "" : full + "/";
    Map<String, Entry> entries = new TreeMap<>();
    for (Map.Entry<String, Content> file : files.tailMap(prefix).entrySet()) {
      if (!file.getKey().startsWith(prefix)) {
        break;
      }
      String name = file.getKey().substring(prefix.length());
      if (name.indexOf('/') < 0) {
        entries.put(name, new Entry(name, false, file.getValue().sizeBytes()));
      }
    }
    for (String path : directories.tailMap(prefix).keySet()) {
      if (!path.startsWith(prefix)) {
        break;
      }
      String name = path.substring(prefix.length());
      if (!name.isEmpty() && name.indexOf('/') < 0) {
        entries.put(name, new Entry(name, true, 0));
      }
    }
    return Collections.unmodifiableList(new ArrayList<>(entries.values()));
  }

  @Override
  public Disk within(String directory) {
    return new TarDisk(archive, channel, full(directory), files, directories);
  }

  @Override
  public String describe(String path) {
    String full = full(path);
    return archive + (full.isEmpty() ? "" : "/" + full);
  }

  private IOException readOnly() {
    return new IOException(archive + " is an archive and cannot be changed");
  }

  @Override
  public WritableFile create(String path) throws IOException {
    throw readOnly();
  }

  @Override
  public void createDirectories(String directory) throws IOException {
    throw readOnly();
  }

  @Override
  public void rename(String from, String to) throws IOException {
    throw readOnly();
  }

  @Override
  public void replace(String from, String to) throws IOException {
    throw readOnly();
  }

  @Override
  public void link(String from, String to) throws IOException {
    throw readOnly();
  }

  @Override
  public void delete(String path) throws IOException {
    throw readOnly();
  }

  @Override
  public void deleteRecursively(String directory) throws IOException {
    throw readOnly();
  }

  @Override
  public void syncDirectory(String directory) throws IOException {
    throw readOnly();
  }

  @Override
  public long freeBytes() {
    return 0;
  }

  /** Closes the archive. Closing twice is harmless. */
  @Override
  public void close() throws IOException {
    if (root.isEmpty()) {
      channel.close();
    }
  }
}
