package io.coppice.cli;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.LocalDisk;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.parts.format.ColumnsFile;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/**
 * Finds the parts that arguments of a command mean: a part's directory; a directory or an archive
 * with parts in it; a path that goes on inside an archive ({@code backup.tar/data/all_1_1_0}).
 * Archives that are compressed are unpacked to a temporary directory.
 *
 * <p>Confined to one thread. Owns the archives until closed.
 */
final class PartPaths implements Closeable {
  /**
   * A part that was found.
   *
   * @param disk of its directory
   * @param above of the directory it lies in, where metadata may lie beside it
   * @param place the directory it lies in, when that is a real one
   * @param label how to call it in messages
   */
  record Found(String name, Disk disk, Disk above, Optional<Path> place, String label) {}

  private final List<Closeable> opened = new ArrayList<>();
  private final Map<Path, TarDisk> archives = new LinkedHashMap<>();

  /** All parts that some arguments mean, in order. */
  List<Found> find(List<Path> arguments) throws IOException {
    List<Found> found = new ArrayList<>();
    for (Path argument : arguments) {
      found.addAll(find(argument));
    }
    return found;
  }

  /**
   * The parts that an argument means: at least one.
   *
   * @throws EngineException NO_SUCH_DATA_PART when there is none
   */
  List<Found> find(Path argument) throws IOException {
    Path path = argument.toAbsolutePath().normalize();
    List<Found> found = new ArrayList<>();
    if (Files.isDirectory(path)) {
      local(path, found);
    } else {
      Path archive = archiveOf(path);
      String inside = archive.relativize(path).toString();
      archive(archive, inside, found);
    }
    if (found.isEmpty()) {
      throw EngineException.of(
          ErrorCode.NO_SUCH_DATA_PART,
          "%s is no part and holds none: a part has a file %s",
          argument,
          ColumnsFile.NAME);
    }
    return found;
  }

  private static void local(Path path, List<Found> found) throws IOException {
    if (Files.isRegularFile(path.resolve(ColumnsFile.NAME))) {
      found.add(found(path));
      return;
    }
    List<Path> children;
    try (Stream<Path> list = Files.list(path)) {
      children = list.filter(Files::isDirectory).sorted().toList();
    }
    for (Path child : children) {
      boolean temporary = child.getFileName().toString().startsWith("tmp_");
      if (!temporary && Files.isRegularFile(child.resolve(ColumnsFile.NAME))) {
        found.add(found(child));
      }
    }
  }

  private static Found found(Path part) {
    Path above = part.getParent();
    return new Found(
        part.getFileName().toString(),
        new LocalDisk(part),
        new LocalDisk(above),
        Optional.of(above),
        part.toString());
  }

  /** The file at the start of a path. */
  private static Path archiveOf(Path path) throws IOException {
    for (Path at = path; at != null; at = at.getParent()) {
      if (Files.isRegularFile(at)) {
        return at;
      }
    }
    throw new NoSuchFileException(path.toString());
  }

  private void archive(Path archive, String inside, List<Found> found) throws IOException {
    String name = archive.getFileName().toString();
    if (name.endsWith(".tar.gz") || name.endsWith(".tgz")) {
      Path unpacked = unpack(archive);
      Path start = unpacked.resolve(inside).normalize();
      try (Stream<Path> walk = Files.walk(start)) {
        List<Path> parts =
            walk.filter(p -> p.getFileName().toString().equals(ColumnsFile.NAME))
                .map(Path::getParent)
                .filter(p -> !p.getFileName().toString().endsWith(".proj"))
                .sorted()
                .toList();
        for (Path part : parts) {
          Found one = found(part);
          String label = archive + "/" + unpacked.relativize(part);
          boolean atRoot = part.getParent().equals(unpacked);
          Optional<Path> place = atRoot ? Optional.of(archive.getParent()) : one.place();
          found.add(new Found(one.name(), one.disk(), one.above(), place, label));
        }
      }
      return;
    }
    if (!name.endsWith(".tar")) {
      throw EngineException.of(
          ErrorCode.NO_SUCH_DATA_PART,
          "%s is a file: a part is a directory, or lies in a .tar or .tar.gz",
          archive);
    }
    TarDisk whole = tar(archive);
    String start = inside.isEmpty() ? "" : inside;
    if (!whole.exists(start)) {
      throw new NoSuchFileException(archive + "/" + inside);
    }
    TarDisk below = (TarDisk) whole.within(start);
    for (String directory : below.allDirectories()) {
      Disk disk = below.within(directory);
      if (directory.endsWith(".proj") || !disk.exists(ColumnsFile.NAME)) {
        continue;
      }
      String path =
          Stream.of(start, directory)
              .filter(p -> !p.isEmpty())
              .reduce((a, b) -> a + "/" + b)
              .orElse("");
      int slash = path.lastIndexOf('/');
      String above = slash < 0 ? "" : path.substring(0, slash);
      String part =
          path.isEmpty() ? name.substring(0, name.length() - 4) : path.substring(slash + 1);
      found.add(
          new Found(
              part,
              disk,
              whole.within(above),
              above.isEmpty() ? Optional.of(archive.getParent()) : Optional.empty(),
              path.isEmpty() ? archive.toString() : archive + "/" + path));
    }
  }

  private TarDisk tar(Path archive) throws IOException {
    TarDisk disk = archives.get(archive);
    if (disk == null) {
      disk = TarDisk.open(archive);
      opened.add(disk);
      archives.put(archive, disk);
    }
    return disk;
  }

  private Path unpack(Path archive) throws IOException {
    Temporary temporary = new Temporary("coppice-unpacked");
    opened.add(temporary::close);
    Path target = temporary.directory();
    try (InputStream in =
            new GZIPInputStream(new BufferedInputStream(Files.newInputStream(archive)), 1 << 16);
        TarArchiveInputStream tar = new TarArchiveInputStream(in, StandardCharsets.UTF_8.name())) {
      for (TarArchiveEntry entry; (entry = tar.getNextEntry()) != null; ) {
        Path path = target.resolve(entry.getName()).normalize();
        if (!path.startsWith(target)) {
          throw new IOException(archive + ": an entry leads out of it: " + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(path);
        } else if (entry.isLink()) {
          Path first = target.resolve(entry.getLinkName()).normalize();
          if (first.startsWith(target) && Files.isRegularFile(first)) {
            Files.createDirectories(path.getParent());
            Files.copy(first, path);
          }
        } else if (entry.isFile() && !entry.isSymbolicLink()) {
          Files.createDirectories(path.getParent());
          Files.copy(tar, path);
        }
      }
    }
    return target;
  }

  @Override
  public void close() throws IOException {
    for (Closeable one : opened) {
      one.close();
    }
  }
}
