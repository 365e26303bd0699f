package io.coppice.base.disk;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.List;
import java.util.function.Predicate;

/**
 * Files below one root. Paths are relative, parts separated by {@code /}, without {@code .} or
 * {@code ..}, and never leave the root; a path that would is refused with {@link
 * IllegalArgumentException}. The empty path is the root itself, where a directory is asked for.
 *
 * <p>A file is created once, appended to, closed, and from then on only read, renamed, linked or
 * deleted. After a crash only that is certain to be there which was synced: contents by {@link
 * WritableFile#sync()}, names (creations, renames, links, deletions) by {@link #syncDirectory}.
 *
 * <p>Thread-safe. Every method may throw {@link java.nio.file.NoSuchFileException} when what it
 * works on is absent, {@link java.nio.file.FileAlreadyExistsException} when what it makes is there
 * already, and {@link IOException} for weather.
 */
public interface Disk {
  /** What a name in a directory stands for. */
  record Entry(String name, boolean directory, long sizeBytes) {}

  /** Creates a file that must not exist. The caller owns and closes the result. */
  WritableFile create(String path) throws IOException;

  /** Opens a file for reading. The caller owns and closes the result. */
  ReadableFile open(String path) throws IOException;

  /**
   * The whole content of a small file; refuses one above {@code limitBytes} with an IOException.
   */
  byte[] readAll(String path, int limitBytes) throws IOException;

  /**
   * The whole content of a small file that {@link #list} found with that size, above 0; an
   * IOException when it has another size now. Asks the disk for nothing that the list has told.
   */
  default byte[] readListed(String path, int sizeBytes) throws IOException {
    byte[] bytes = readAll(path, sizeBytes);
    if (bytes.length != sizeBytes) {
      throw new FileSystemException(
          describe(path), null, "has " + bytes.length + " bytes, listed with " + sizeBytes);
    }
    return bytes;
  }

  boolean exists(String path) throws IOException;

  /** Size of the file in bytes. */
  long sizeBytes(String path) throws IOException;

  /** Names directly below a directory, sorted by name. */
  List<Entry> list(String directory) throws IOException;

  /** Those of {@link #list} whose names are wanted; of the others the disk is asked nothing. */
  default List<Entry> list(String directory, Predicate<String> wanted) throws IOException {
    return list(directory).stream().filter(entry -> wanted.test(entry.name())).toList();
  }

  /** A directory and small files in it, looked through at once. The caller closes the result. */
  default OpenDirectory openDirectory(String directory) throws IOException {
    return OpenDirectory.of(this, directory);
  }

  /** Creates a directory and those above it; fine if it is there. */
  void createDirectories(String directory) throws IOException;

  /** Renames a file or directory; the target must not exist. */
  void rename(String from, String to) throws IOException;

  /**
   * Renames a file over another in one step: whoever looks sees the old content of {@code to} or
   * the new one. Fine if {@code to} is absent; a directory there is refused.
   */
  void replace(String from, String to) throws IOException;

  /** Makes {@code to} a second name of the file {@code from}. */
  void link(String from, String to) throws IOException;

  /** Deletes a file or an empty directory. */
  void delete(String path) throws IOException;

  /** Deletes a directory and all below it; fine if it is absent. Never follows symbolic links. */
  void deleteRecursively(String directory) throws IOException;

  /** Makes the names directly in {@code directory} durable. */
  void syncDirectory(String directory) throws IOException;

  /** Bytes that can still be written. */
  long freeBytes() throws IOException;

  /** A disk whose root is {@code directory} of this one. */
  Disk within(String directory);

  /** How this disk names {@code path} to people, for messages. */
  String describe(String path);
}
