package io.coppice.cli;

import io.coppice.base.disk.Disk;
import io.coppice.base.error.EngineException;
import io.coppice.parts.format.SerializationFile;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The CREATE TABLE of a part: the file that was named, else {@code metadata.sql} or {@code
 * create.sql} beside the part, else the metadata of ClickHouse's own directories above it.
 * Stateless.
 */
final class Schemas {
  private static final int LIMIT_BYTES = 16 << 20;

  private Schemas() {}

  /**
   * The table of a part.
   *
   * @param given the file that was named
   * @param note told where the metadata was found, and why some was not used
   */
  static Optional<TableDefinition> of(
      PartPaths.Found part, Optional<Path> given, java.util.function.Consumer<String> note)
      throws IOException {
    Profile profile = profile(part.disk());
    if (given.isPresent()) {
      return Optional.of(read(given.get(), profile));
    }
    Optional<Source> source = beside(part);
    if (source.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(TableDefinition.parse(source.get().sql(), profile));
    } catch (EngineException e) {
      note.accept(source.get().place() + " is not used: " + e.getMessage());
      return Optional.empty();
    }
  }

  /** The table in a file. */
  static TableDefinition read(Path file, Profile profile) throws IOException {
    if (Files.size(file) > LIMIT_BYTES) {
      throw new IOException(file + " has " + Files.size(file) + " bytes, at most " + LIMIT_BYTES);
    }
    try {
      return TableDefinition.parse(statement(Files.readString(file)), profile);
    } catch (EngineException e) {
      throw e.within(file.toString());
    }
  }

  /** A statement without the semicolon that may end it. */
  private static String statement(String text) {
    String stripped = text.strip();
    return stripped.endsWith(";") ? stripped.substring(0, stripped.length() - 1) : stripped;
  }

  private record Source(String sql, String place) {}

  /** Old servers write no serialization.json and marks in the clear; their defaults differ. */
  private static Profile profile(Disk part) throws IOException {
    boolean old = !part.exists(SerializationFile.NAME);
    boolean marks = part.list("").stream().anyMatch(e -> e.name().endsWith(".mrk"));
    return old && marks ? Profile.CLASSIC : Profile.MODERN;
  }

  private static Optional<Source> beside(PartPaths.Found part) throws IOException {
    for (String name : List.of("metadata.sql", "create.sql")) {
      if (part.above().exists(name)) {
        byte[] bytes = part.above().readAll(name, LIMIT_BYTES);
        return Optional.of(
            new Source(
                statement(new String(bytes, StandardCharsets.UTF_8)), part.above().describe(name)));
      }
      if (part.place().isPresent() && Files.isRegularFile(part.place().get().resolve(name))) {
        Path file = part.place().get().resolve(name);
        return Optional.of(new Source(statement(Files.readString(file)), file.toString()));
      }
    }
    return part.place().isPresent() ? ofServer(part.place().get()) : Optional.empty();
  }

  private static Optional<Source> ofServer(Path holder) throws IOException {
    boolean detached =
        holder.getFileName() != null && holder.getFileName().toString().equals("detached");
    Path table = detached ? holder.getParent() : holder;
    Path above = table == null ? null : table.getParent();
    Path root = above == null ? null : above.getParent();
    if (root == null || root.getFileName() == null || root.getParent() == null) {
      return Optional.empty();
    }
    String kind = root.getFileName().toString();
    if (kind.equals("store")) {
      return ofUuid(root.getParent(), table.getFileName().toString());
    }
    if (kind.equals("data")) {
      Path file =
          root.getParent()
              .resolve("metadata")
              .resolve(above.getFileName().toString())
              .resolve(table.getFileName() + ".sql");
      if (Files.isRegularFile(file)) {
        return Optional.of(new Source(statement(Files.readString(file)), file.toString()));
      }
    }
    return Optional.empty();
  }

  /** The metadata file that names a table's UUID, which its directory in {@code store} is. */
  private static Optional<Source> ofUuid(Path server, String uuid) throws IOException {
    String wanted = uuid.toLowerCase(Locale.ROOT);
    for (String start : List.of("metadata", "store")) {
      Path directory = server.resolve(start);
      if (!Files.isDirectory(directory)) {
        continue;
      }
      List<Path> files;
      try (Stream<Path> walk = Files.walk(directory, 3)) {
        files =
            walk.filter(f -> f.toString().endsWith(".sql")).filter(Files::isRegularFile).toList();
      }
      for (Path file : files) {
        if (Files.size(file) <= LIMIT_BYTES) {
          String sql = Files.readString(file);
          if (sql.toLowerCase(Locale.ROOT).contains("uuid '" + wanted + "'")) {
            return Optional.of(new Source(statement(sql), file.toString()));
          }
        }
      }
    }
    return Optional.empty();
  }
}
