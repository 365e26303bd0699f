package io.coppice.parts.set;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.SecondNames;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.parts.name.DetachedName;
import io.coppice.parts.name.PartName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The directory {@code detached/}: parts that do not count, each under a name that says why ({@link
 * DetachedName}). A name that is taken gets {@code _try1}, {@code _try2}, ….
 *
 * <p>Borrows the disk. One thread at a time.
 */
final class Detached {
  static final String DIRECTORY = "detached";

  private static final String CLONING_PREFIX = "tmp_clone_";
  private static final String ATTACHING_PREFIX = "attaching_";
  private static final String DELETING_PREFIX = "deleting_";
  private static final int MOST_ATTEMPTS = 1000;

  private final Disk disk;

  Detached(Disk disk) {
    this.disk = disk;
  }

  /** The first name for a part that is free. */
  private DetachedName free(PartName part, Optional<String> reason) throws IOException {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      DetachedName name = new DetachedName(reason, part, attempt);
      if (!disk.exists(path(name.text()))) {
        return name;
      }
    }
    throw EngineException.of(
        ErrorCode.DIRECTORY_ALREADY_EXISTS,
        "part %s is in %s %d times already; remove what is not needed there",
        part,
        disk.describe(DIRECTORY),
        MOST_ATTEMPTS);
  }

  private void create() throws IOException {
    if (!disk.exists(DIRECTORY)) {
      disk.createDirectories(DIRECTORY);
      disk.syncDirectory("");
    }
  }

  private static String path(String name) {
    return DIRECTORY + "/" + name;
  }

  /** Moves a part that nobody reads; it is there after a crash. */
  DetachedName move(PartName part, String reason) throws IOException {
    create();
    DetachedName name = free(part, Optional.of(reason));
    disk.rename(part.text(), path(name.text()));
    disk.syncDirectory(DIRECTORY);
    disk.syncDirectory("");
    return name;
  }

  /**
   * Makes a second directory with the files of a part that somebody may be reading; it is there
   * after a crash, whole or not at all.
   */
  DetachedName copy(PartName part, Optional<String> reason) throws IOException {
    create();
    DetachedName name = free(part, reason);
    String temporary = path(CLONING_PREFIX + part.text());
    disk.deleteRecursively(temporary);
    try {
      SecondNames.ofDirectory(disk, part.text(), temporary);
      disk.rename(temporary, path(name.text()));
    } catch (IOException | RuntimeException e) {
      try {
        disk.deleteRecursively(temporary);
      } catch (IOException left) {
        e.addSuppressed(left);
      }
      throw e;
    }
    disk.syncDirectory(DIRECTORY);
    return name;
  }

  /** A copy of a part under a temporary name, and the first name that is free for it. */
  PartSet.Clone cloned(PartName part) throws IOException {
    create();
    String temporary = path(CLONING_PREFIX + part.text());
    disk.deleteRecursively(temporary);
    SecondNames.ofDirectory(disk, part.text(), temporary);
    disk.syncDirectory(DIRECTORY);
    return new PartSet.Clone(temporary, path(free(part, Optional.empty()).text()));
  }

  /** Directories of this directory, in order. */
  List<String> names() throws IOException {
    if (!disk.exists(DIRECTORY)) {
      return List.of();
    }
    return disk.list(DIRECTORY).stream()
        .filter(Disk.Entry::directory)
        .map(Disk.Entry::name)
        .toList();
  }

  /** Deletes a directory for good. */
  void drop(String name) throws IOException {
    String deleting = path(DELETING_PREFIX + name);
    disk.deleteRecursively(deleting);
    disk.rename(path(name), deleting);
    disk.syncDirectory(DIRECTORY);
    disk.deleteRecursively(deleting);
  }

  /**
   * Puts right what a crash left: clones that are not whole go, parts on their way out go, parts
   * that were being attached get the name back that they had. Says what it did.
   */
  List<String> clean() throws IOException {
    List<String> cleaned = new ArrayList<>();
    if (!disk.exists(DIRECTORY)) {
      return cleaned;
    }
    disk.syncDirectory(DIRECTORY); // as for the leftovers in the table's directory
    for (Disk.Entry entry : disk.list(DIRECTORY)) {
      String name = entry.name();
      if (!entry.directory()) {
        continue;
      }
      if (name.startsWith(CLONING_PREFIX) || name.startsWith(DELETING_PREFIX)) {
        disk.deleteRecursively(path(name));
        cleaned.add(path(name));
      } else if (name.startsWith(ATTACHING_PREFIX)) {
        String before = name.substring(ATTACHING_PREFIX.length());
        if (!before.isEmpty() && !disk.exists(path(before))) {
          disk.rename(path(name), path(before));
          cleaned.add(path(name));
        }
      }
    }
    return cleaned;
  }
}
