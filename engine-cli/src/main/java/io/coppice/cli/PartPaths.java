package io.coppice.cli;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.LocalDisk;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.parts.format.ChecksumsFile;
import io.coppice.parts.format.ColumnsFile;
import io.coppice.parts.format.CountFile;
import io.coppice.parts.format.FormatVersionFile;
import io.coppice.parts.format.MarkFormat;
import io.coppice.parts.name.DetachedName;
import io.coppice.parts.set.ActiveParts;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;

/**
 * Finds the parts that arguments of a command mean: a part's directory; a directory or an archive
 * with parts in it; a path that goes on inside an archive ({@code backup.tar/data/all_1_1_0}).
 * Archives that are compressed are unpacked to a temporary directory.
 *
 * <p>Of a directory that holds parts those are meant that count ({@link ActiveParts}); what is left
 * out is said. A part that is named itself is meant whatever it is.
 *
 * <p>Confined to one thread. Owns the archives until closed.
 */
final class PartPaths implements Closeable {
  private static final int MOST_NAMED = 10;
  private static final String DETACHED = "detached";

  /**
   * A part that was found.
   *
   * @param disk of its directory
   * @param above of the directory it lies in, where metadata may lie beside it
   * @param place the directory it lies in, when that is a real one
   * @param label how to call it in messages
   * @param named whether the argument named it, not what holds it
   */
  record Found(
      String name, Disk disk, Disk above, Optional<Path> place, String label, boolean named) {}

  /**
   * Where parts are looked for.
   *
   * @param disk whose paths are relative to the start
   * @param label of the start, for messages
   * @param start the real directory that the disk shows, or that the archive lies in
   * @param archive whether the disk is an archive's
   * @param name of a part that lies at the start itself
   */
  private record Tree(Disk disk, String label, Path start, boolean archive, String name) {
    String labelOf(String path) {
      return path.isEmpty() ? label : label + "/" + path;
    }

    Optional<Path> placeOf(String path) {
      if (archive) {
        return path.isEmpty() ? Optional.of(start) : Optional.empty();
      }
      return Optional.of(path.isEmpty() ? start : start.resolve(path));
    }
  }

  private final Consumer<String> notes;
  private final List<Closeable> opened = new ArrayList<>();
  private final Map<Path, TarDisk> archives = new LinkedHashMap<>();

  /**
   * @param notes told what was left out, and why
   */
  PartPaths(Consumer<String> notes) {
    this.notes = notes;
  }

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
   * @throws EngineException NO_SUCH_DATA_PART when there is none; LOGICAL_ERROR when it cannot be
   *     told which of those in a directory count
   */
  List<Found> find(Path argument) throws IOException {
    Path path = argument.toAbsolutePath().normalize();
    List<Found> found = new ArrayList<>();
    if (Files.isDirectory(path)) {
      local(path, found);
    } else {
      Path archive = archiveOf(path);
      archive(archive, archive.relativize(path).toString().replace('\\', '/'), found);
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

  private void local(Path path, List<Found> found) throws IOException {
    Disk disk = new LocalDisk(path);
    String name = path.getFileName() == null ? "" : path.getFileName().toString();
    if (part(disk, "", name)) {
      Path above = path.getParent() == null ? path : path.getParent();
      found.add(
          new Found(name, disk, new LocalDisk(above), Optional.of(above), path.toString(), true));
      return;
    }
    within(new Tree(disk, path.toString(), path, false, name), "", found);
  }

  /** The parts directly in a directory; of an archive also those further down. */
  private void within(Tree tree, String directory, List<Found> found) throws IOException {
    List<String> directories = directoriesIn(tree.disk(), directory);
    Optional<FormatVersionFile> format = formatVersion(tree.disk(), directory);
    ActiveParts parts;
    try {
      parts = ActiveParts.of(directories, format);
    } catch (EngineException e) {
      throw e.within(tree.labelOf(directory));
    }
    List<String> leftOut = new ArrayList<>();
    // In a table's directory only what has the name of a part counts; elsewhere a part may be
    // called as its owner likes.
    boolean table = !parts.active().isEmpty() || format.isPresent();
    TreeSet<String> wanted = new TreeSet<>(parts.active());
    for (String other : parts.others()) {
      String path = below(directory, other);
      if (!table) {
        wanted.add(other);
      } else if (other.equals(DETACHED)) {
        if (holdsDirectories(tree.disk(), path)) {
          leftOut.add(DETACHED + " (parts that do not count)");
        }
      } else if (part(tree.disk(), path, other)) {
        leftOut.add(other + " (no part's name)");
      } else {
        wanted.add(other);
      }
    }
    for (ActiveParts.LeftOut one : parts.leftOut()) {
      String path = below(directory, one.directory());
      if (one.coveredBy().isEmpty() && tree.archive() && holdsDirectories(tree.disk(), path)) {
        wanted.add(one.directory()); // somebody's own directory that happens to be called so
      } else {
        leftOut.add(one.directory() + " (" + one.reason() + ")");
      }
    }
    boolean any = false;
    for (String name : wanted) {
      String path = below(directory, name);
      if (part(tree.disk(), path, name)) {
        any = true;
        found.add(
            new Found(
                name,
                tree.disk().within(path),
                directory.isEmpty() ? tree.disk() : tree.disk().within(directory),
                tree.placeOf(directory),
                tree.labelOf(path),
                false));
      } else if (tree.archive()) {
        within(tree, path, found);
      }
    }
    if (!leftOut.isEmpty()) {
      int more = leftOut.size() - MOST_NAMED;
      notes.accept(
          tree.labelOf(directory)
              + ": left out "
              + String.join(", ", leftOut.subList(0, Math.min(MOST_NAMED, leftOut.size())))
              + (more > 0 ? " and " + more + " more" : "")
              + (any ? "" : ", and nothing else is there")
              + "; to have one of them, name it: "
              + tree.labelOf(below(directory, leftOut.get(0).replaceFirst(" \\(.*", ""))));
    }
  }

  private static String below(String directory, String name) {
    return directory.isEmpty() ? name : directory + "/" + name;
  }

  private static List<String> directoriesIn(Disk disk, String path) throws IOException {
    return disk.list(path).stream().filter(Disk.Entry::directory).map(Disk.Entry::name).toList();
  }

  private static boolean holdsDirectories(Disk disk, String path) throws IOException {
    return disk.list(path).stream().anyMatch(Disk.Entry::directory);
  }

  private static Optional<FormatVersionFile> formatVersion(Disk disk, String directory) {
    String file = below(directory, FormatVersionFile.NAME);
    try {
      return disk.exists(file)
          ? Optional.of(
              FormatVersionFile.read(disk.readAll(file, FormatVersionFile.LIMIT_BYTES), file))
          : Optional.empty();
    } catch (IOException | EngineException e) {
      return Optional.empty(); // names are then read in either form
    }
  }

  /**
   * Whether a directory is a part's: by its files, of which some may be missing, or by its name
   * when it holds no parts itself.
   */
  private static boolean part(Disk disk, String path, String name) throws IOException {
    List<Disk.Entry> entries = disk.list(path);
    for (Disk.Entry entry : entries) {
      boolean file =
          switch (entry.name()) {
            case ColumnsFile.NAME, ChecksumsFile.NAME, CountFile.NAME, "data.bin" -> true;
            default -> MarkFormat.ofFileName(entry.name()).isPresent();
          };
      if (file && !name.endsWith(".proj")) {
        return true;
      }
    }
    boolean named =
        ActiveParts.name(name, Optional.empty()).isPresent()
            || DetachedName.tryParse(name).isPresent();
    return named && entries.stream().noneMatch(Disk.Entry::directory);
  }

  /** The file at the start of a path. */
  private static Path archiveOf(Path path) throws IOException {
    for (Path at = path; at != null; at = at.getParent()) {
      if (Files.isRegularFile(at)) {
        return at;
      }
      if (Files.exists(at) && !Files.isDirectory(at)) {
        throw EngineException.of(
            ErrorCode.NO_SUCH_DATA_PART,
            "%s is a pipe, socket or device: a part is a directory, or lies in a .tar or .tar.gz",
            at);
      }
    }
    throw new NoSuchFileException(path.toString());
  }

  private void archive(Path archive, String inside, List<Found> found) throws IOException {
    String file = archive.getFileName().toString();
    boolean compressed = file.endsWith(".tar.gz") || file.endsWith(".tgz");
    if (!compressed && !file.endsWith(".tar")) {
      throw EngineException.of(
          ErrorCode.NO_SUCH_DATA_PART,
          "%s is a file: a part is a directory, or lies in a .tar or .tar.gz",
          archive);
    }
    TarDisk whole = tar(archive, compressed);
    if (!whole.exists(inside)) {
      throw new NoSuchFileException(archive + "/" + inside);
    }
    if (!inside.isEmpty() && !directory(whole, inside)) {
      throw EngineException.of(
          ErrorCode.NO_SUCH_DATA_PART, "%s/%s is a file: a part is a directory", archive, inside);
    }
    String bare = file.replaceFirst("(\\.tar|\\.tar\\.gz|\\.tgz)$", "");
    int slash = inside.lastIndexOf('/');
    String name = inside.isEmpty() ? bare : inside.substring(slash + 1);
    Path place = archive.getParent();
    if (part(whole, inside, name)) {
      String above = slash < 0 ? "" : inside.substring(0, slash);
      found.add(
          new Found(
              name,
              whole.within(inside),
              whole.within(above),
              above.isEmpty() ? Optional.of(place) : Optional.empty(),
              inside.isEmpty() ? archive.toString() : archive + "/" + inside,
              true));
      return;
    }
    within(new Tree(whole, archive.toString(), place, true, name), inside, found);
  }

  private static boolean directory(Disk disk, String path) throws IOException {
    int slash = path.lastIndexOf('/');
    String above = slash < 0 ? "" : path.substring(0, slash);
    return directoriesIn(disk, above).contains(path.substring(slash + 1));
  }

  private TarDisk tar(Path archive, boolean compressed) throws IOException {
    TarDisk disk = archives.get(archive);
    if (disk == null) {
      disk = TarDisk.open(compressed ? unpacked(archive) : archive, archive.toString());
      opened.add(disk);
      archives.put(archive, disk);
    }
    return disk;
  }

  /** The archive that lies compressed in a file. */
  private Path unpacked(Path archive) throws IOException {
    Temporary temporary = new Temporary("coppice-unpacked");
    opened.add(0, temporary::close); // closed last: the disks over it are closed before
    Path target = temporary.directory().resolve("archive.tar");
    try (InputStream in =
        new GZIPInputStream(new BufferedInputStream(Files.newInputStream(archive)), 1 << 16)) {
      Files.copy(in, target);
    } catch (IOException e) {
      throw new IOException(archive + ": cannot be unpacked: " + Words.of(e), e);
    }
    return target;
  }

  @Override
  public void close() throws IOException {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
  }
}
