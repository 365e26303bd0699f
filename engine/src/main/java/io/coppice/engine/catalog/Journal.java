package io.coppice.engine.catalog;

import io.coppice.base.disk.AtomicFile;
import io.coppice.base.disk.Disk;
import io.coppice.base.disk.DiskPath;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Changes several small files and names of directories as one: either all changes are there after a
 * crash, or none.
 *
 * <p>What the files are to hold is written to one file first, which is then carried out and
 * deleted. Carrying it out again changes nothing, so that a crash in between is mended by {@link
 * #recover}. The file {@code coppice.journal} has a line {@code coppice journal 1}, then for each
 * change {@code write BYTES PATH} and that many bytes and a line feed, {@code delete PATH}, or
 * {@code rename BYTES PATH} and as many bytes of the new path and a line feed.
 */
final class Journal {
  static final String FILE = "coppice.journal";

  private static final String HEADER = "coppice journal 1";
  private static final int LIMIT_BYTES = 256 << 20;

  private Journal() {}

  /**
   * What becomes of one file or directory.
   *
   * @param content what a file is to hold; absent if it is to go or gets another name
   * @param to another name
   */
  record Change(String path, Optional<String> content, Optional<String> to) {
    static Change write(String path, String content) {
      return new Change(path, Optional.of(content), Optional.empty());
    }

    static Change delete(String path) {
      return new Change(path, Optional.empty(), Optional.empty());
    }

    /** The caller has made sure that nothing has the new name. */
    static Change rename(String path, String to) {
      return new Change(path, Optional.empty(), Optional.of(to));
    }
  }

  /** Makes all changes durable. */
  static void apply(Disk disk, List<Change> changes) throws IOException {
    if (changes.size() == 1 && changes.get(0).content().isPresent()) {
      carryOut(disk, changes);
      return;
    }
    Set<String> sources = new TreeSet<>();
    for (Change change : changes) {
      if (change.to().isPresent()) {
        sources.add(DiskPath.parent(change.path()));
      }
    }
    for (String directory : sources) {
      disk.syncDirectory(directory); // what is to get another name must have the one it has
    }
    AtomicFile.write(disk, FILE, write(changes));
    finish(disk, changes);
  }

  /** Finishes what a crash interrupted; says whether there was something. */
  static boolean recover(Disk disk) throws IOException {
    byte[] bytes;
    try {
      bytes = disk.readAll(FILE, LIMIT_BYTES);
    } catch (NoSuchFileException e) {
      return false;
    }
    finish(disk, read(bytes, disk.describe(FILE)));
    return true;
  }

  private static void finish(Disk disk, List<Change> changes) throws IOException {
    carryOut(disk, changes);
    disk.delete(FILE);
    disk.syncDirectory("");
  }

  private static void carryOut(Disk disk, List<Change> changes) throws IOException {
    Set<String> renamedIn = new TreeSet<>();
    for (Change change : changes) {
      if (change.to().isPresent()) {
        if (disk.exists(change.path())) { // else it has the other name already
          disk.rename(change.path(), change.to().get());
        }
        renamedIn.add(DiskPath.parent(change.path()));
        renamedIn.add(DiskPath.parent(change.to().get()));
        continue;
      }
      if (change.content().isPresent()) {
        AtomicFile.write(
            disk, change.path(), change.content().get().getBytes(StandardCharsets.UTF_8));
        continue;
      }
      try {
        disk.delete(change.path());
      } catch (NoSuchFileException e) {
        // Gone already.
        continue;
      } finally {
        disk.syncDirectory(DiskPath.parent(change.path()));
      }
    }
    for (String directory : renamedIn) {
      disk.syncDirectory(directory);
    }
  }

  private static byte[] write(List<Change> changes) {
    StringBuilder out = new StringBuilder(HEADER).append('\n');
    for (Change change : changes) {
      if (change.content().or(change::to).isPresent()) {
        String content = change.content().or(change::to).get();
        out.append(change.to().isPresent() ? "rename " : "write ")
            .append(content.getBytes(StandardCharsets.UTF_8).length)
            .append(' ')
            .append(change.path())
            .append('\n')
            .append(content)
            .append('\n');
      } else {
        out.append("delete ").append(change.path()).append('\n');
      }
    }
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static List<Change> read(byte[] bytes, String place) {
    Lines lines = new Lines(bytes, place);
    if (!lines.next().equals(HEADER)) {
      throw lines.unexpected("the line '" + HEADER + "'");
    }
    List<Change> changes = new ArrayList<>();
    while (!lines.atEnd()) {
      String line = lines.next();
      String[] words = line.split(" ", 3);
      if (line.startsWith("delete ")) {
        changes.add(Change.delete(DiskPath.checkBelow(line.substring("delete ".length()))));
        continue;
      }
      boolean sized = words.length == 3 && words[1].matches("[0-9]{1,9}");
      if (sized && (words[0].equals("write") || words[0].equals("rename"))) {
        String path = DiskPath.checkBelow(words[2]);
        String content = lines.bytes(Integer.parseInt(words[1]));
        changes.add(
            words[0].equals("write")
                ? Change.write(path, content)
                : Change.rename(path, DiskPath.checkBelow(content)));
      } else {
        throw lines.unexpected("a line 'write BYTES PATH', 'rename BYTES PATH' or 'delete PATH'");
      }
    }
    return changes;
  }

  private static final class Lines {
    private final byte[] bytes;
    private final String place;
    private int at;

    Lines(byte[] bytes, String place) {
      this.bytes = bytes;
      this.place = place;
    }

    boolean atEnd() {
      return at == bytes.length;
    }

    String next() {
      int end = at;
      while (end < bytes.length && bytes[end] != '\n') {
        end++;
      }
      if (end == bytes.length) {
        throw unexpected("a line that ends");
      }
      String line = new String(bytes, at, end - at, StandardCharsets.UTF_8);
      at = end + 1;
      return line;
    }

    String bytes(int count) {
      if (count >= bytes.length - at || bytes[at + count] != '\n') {
        throw unexpected(count + " bytes and a line feed");
      }
      String content = new String(bytes, at, count, StandardCharsets.UTF_8);
      at += count + 1;
      return content;
    }

    EngineException unexpected(String expected) {
      return EngineException.of(
          ErrorCode.CANNOT_PARSE_INPUT_ASSERTION_FAILED,
          "%s at %d: expected %s; it is written whole or not at all, so the disk has damaged it",
          place,
          at,
          expected);
    }
  }
}
