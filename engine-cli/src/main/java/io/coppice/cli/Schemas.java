package io.coppice.cli;

import io.coppice.base.disk.Disk;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.parse.Parser;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.text.ByteText;
import io.coppice.parts.format.SerializationFile;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The CREATE TABLE of a part: the file that was named, else {@code metadata.sql} or {@code
 * create.sql} beside the part, else the metadata of ClickHouse's own directories above it.
 * Stateless.
 */
final class Schemas {
  private static final int LIMIT_BYTES = 16 << 20;

  /** A syntax error in the text of a type, whose line is counted from the start of that text. */
  private static final Pattern IN_TYPE =
      Pattern.compile("(?s)type '(.*)': syntax error at line ([0-9]{1,6}).*");

  /** What messages call by its kind and name. */
  private static final Pattern NAMED =
      Pattern.compile(
          "\\b(?:column|setting|index|projection|codec|function|type|engine|key|element)s? [`'(]?([\\w.]+)");

  private Schemas() {}

  /**
   * The table of a part, by what lies near it.
   *
   * @param note told why metadata that was found is not used
   */
  static Optional<TableDefinition> of(PartPaths.Found part, Consumer<String> note)
      throws IOException {
    Optional<Source> source;
    try {
      source = beside(part);
    } catch (IOException e) {
      note.accept(part.label() + ": the metadata near it is not used: " + Words.of(e));
      return Optional.empty();
    }
    if (source.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(parse(source.get().sql(), source.get().place(), profile(part.disk())));
    } catch (EngineException e) {
      note.accept("not used: " + Words.of(e));
      return Optional.empty();
    }
  }

  /** What is in a file that was named, which may be a pipe. */
  static String text(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw EngineException.of(
          ErrorCode.CANNOT_OPEN_FILE,
          "%s is a directory, expected a file with a CREATE TABLE",
          file);
    }
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(LIMIT_BYTES + 1);
    }
    if (bytes.length > LIMIT_BYTES) {
      throw EngineException.of(
          ErrorCode.TOO_LARGE_STRING_SIZE,
          "%s has more than the %d bytes that a CREATE TABLE may have",
          file,
          LIMIT_BYTES);
    }
    return ByteText.of(bytes);
  }

  /**
   * The table of a statement.
   *
   * @throws EngineException naming file and line
   */
  static TableDefinition parse(String sql, String file, Profile profile) {
    String statement = statement(sql);
    CreateTable create;
    try {
      create = Parser.createTable(statement);
    } catch (EngineException e) {
      throw at(e, file, statement);
    }
    try {
      return TableDefinition.of(create, profile);
    } catch (EngineException e) {
      throw at(e, file, statement);
    }
  }

  /** The error with the file, and the line of what it speaks of unless it says a line itself. */
  static EngineException at(EngineException e, String file, String sql) {
    String message = String.valueOf(e.getMessage());
    if (message.matches("(?s)syntax error at line [0-9].*")) {
      return e.within(file);
    }
    return e.within(file + ", line " + line(message, sql));
  }

  /** The line in which the thing stands that a message names: a column, a setting, a function. */
  private static int line(String message, String sql) {
    Matcher type = IN_TYPE.matcher(message);
    int start = type.matches() ? sql.indexOf(type.group(1)) : -1;
    if (start >= 0) {
      return lineOf(start, sql) + Integer.parseInt(type.group(2)) - 1;
    }
    Matcher named = NAMED.matcher(message);
    while (named.find()) {
      Matcher place =
          Pattern.compile("(?<![\\w.])" + Pattern.quote(named.group(1)) + "(?![\\w])").matcher(sql);
      if (place.find()) {
        return lineOf(place.start(), sql);
      }
    }
    Matcher words = Pattern.compile("[\\w]{3,}").matcher(message);
    while (words.find()) {
      Matcher place =
          Pattern.compile("(?<![\\w.])" + Pattern.quote(words.group()) + "\\s*[(=]").matcher(sql);
      if (place.find()) {
        return lineOf(place.start(), sql);
      }
    }
    Matcher create = Pattern.compile("(?i)\\b(CREATE|ATTACH)\\b").matcher(sql);
    return create.find() ? lineOf(create.start(), sql) : 1;
  }

  private static int lineOf(int place, String sql) {
    return 1 + (int) sql.substring(0, place).chars().filter(c -> c == '\n').count();
  }

  /** A statement without the semicolon that may end it. */
  private static String statement(String text) {
    String stripped = text.stripTrailing();
    return stripped.endsWith(";") ? stripped.substring(0, stripped.length() - 1) : stripped;
  }

  private record Source(String sql, String place) {}

  /** Old servers write no serialization.json and marks in the clear; their defaults differ. */
  static Profile profile(Disk part) throws IOException {
    boolean old = !part.exists(SerializationFile.NAME);
    boolean marks = part.list("").stream().anyMatch(e -> e.name().endsWith(".mrk"));
    return old && marks ? Profile.CLASSIC : Profile.MODERN;
  }

  private static Optional<Source> beside(PartPaths.Found part) throws IOException {
    for (String name : List.of("metadata.sql", "create.sql")) {
      if (part.above().exists(name)) {
        byte[] bytes = part.above().readAll(name, LIMIT_BYTES);
        return Optional.of(new Source(ByteText.of(bytes), part.above().describe(name)));
      }
      if (part.place().isPresent() && Files.isRegularFile(part.place().get().resolve(name))) {
        return Optional.of(source(part.place().get().resolve(name)));
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
        return Optional.of(source(file));
      }
    }
    return Optional.empty();
  }

  private static Source source(Path file) throws IOException {
    return new Source(text(file), file.toString());
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
          Source found = source(file);
          if (found.sql().toLowerCase(Locale.ROOT).contains("uuid '" + wanted + "'")) {
            return Optional.of(found);
          }
        }
      }
    }
    return Optional.empty();
  }
}
