package io.coppice.engine;

import io.coppice.base.disk.AtomicFile;
import io.coppice.base.disk.Disk;
import io.coppice.base.disk.DiskPath;
import io.coppice.base.disk.SecondNames;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.catalog.Layout;
import io.coppice.parts.name.FileNames;
import io.coppice.parts.name.PartName;
import io.coppice.parts.set.Part;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Local backups by second names of files: {@code shadow/NAME/store/abc/UUID/PART}. Without a name
 * they are numbered; the last number is in {@code shadow/increment.txt}.
 */
final class Freezing {
  private static final String SHADOW = "shadow";
  private static final String INCREMENT = SHADOW + "/increment.txt";
  private static final String TEMPORARY = "tmp_freeze_";

  private final Disk root;

  Freezing(Disk root) {
    this.root = root;
  }

  /**
   * Freezes parts. When this returns the backup is durable; each part in it is whole.
   *
   * @throws EngineException DIRECTORY_ALREADY_EXISTS when a part is in the backup already
   */
  void freeze(UUID table, List<Part> parts, Optional<String> name) throws IOException {
    synchronized (Freezing.class) { // one number for one backup
      long number = increment();
      String backup = SHADOW + "/" + name.map(FileNames::escape).orElse(Long.toString(number));
      String directory = backup + "/" + Layout.store(table);
      for (Part part : parts) {
        if (root.exists(directory + "/" + part.name().text())) {
          throw EngineException.of(
              ErrorCode.DIRECTORY_ALREADY_EXISTS,
              "%s is there already; give the backup another name",
              root.describe(directory + "/" + part.name().text()));
        }
      }
      if (parts.isEmpty()) {
        return;
      }
      root.createDirectories(directory);
      for (Part part : parts) {
        String temporary = directory + "/" + TEMPORARY + part.name().text();
        root.deleteRecursively(temporary);
        SecondNames.ofDirectory(root, Layout.store(table) + "/" + part.name().text(), temporary);
        root.rename(temporary, directory + "/" + part.name().text());
      }
      for (String path = directory; !path.isEmpty(); path = DiskPath.parent(path)) {
        root.syncDirectory(path);
      }
      root.syncDirectory("");
    }
  }

  private long increment() throws IOException {
    root.createDirectories(SHADOW);
    long last = 0;
    if (root.exists(INCREMENT)) {
      String text = new String(root.readAll(INCREMENT, 64), StandardCharsets.US_ASCII).strip();
      if (!text.matches("[0-9]{1,18}")) {
        throw EngineException.of(
            ErrorCode.INCORRECT_DATA, "%s: expected a number", root.describe(INCREMENT));
      }
      last = Long.parseLong(text);
    }
    AtomicFile.write(root, INCREMENT, (last + 1 + "\n").getBytes(StandardCharsets.US_ASCII));
    root.syncDirectory("");
    return last + 1;
  }

  /** Deletes parts of a backup; those that are not there are no error. */
  void unfreeze(UUID table, Predicate<PartName> meant, String name) throws IOException {
    String directory = SHADOW + "/" + FileNames.escape(name) + "/" + Layout.store(table);
    if (!root.exists(directory)) {
      return;
    }
    List<String> gone = new ArrayList<>();
    for (Disk.Entry entry : root.list(directory)) {
      Optional<PartName> part =
          PartName.tryParse(entry.name()).or(() -> PartName.tryParseWithDays(entry.name()));
      if (entry.directory() && part.filter(meant).isPresent()) {
        String temporary = directory + "/" + TEMPORARY + entry.name();
        root.rename(directory + "/" + entry.name(), temporary);
        gone.add(temporary);
      }
    }
    root.syncDirectory(directory);
    for (String path : gone) {
      root.deleteRecursively(path);
    }
  }
}
