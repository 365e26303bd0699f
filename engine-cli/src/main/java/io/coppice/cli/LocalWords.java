package io.coppice.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the arguments of {@code coppice local} where they are plain, so that most commands start
 * without picocli, whose classes take longer to be loaded than a small query takes. What is not
 * plain, help and mistakes above all, is left to picocli, which reads the same arguments to the
 * same {@link LocalOptions}.
 */
final class LocalWords {
  private final String[] arguments;
  private final LocalOptions options = new LocalOptions();
  private final Set<String> seen = new HashSet<>();
  private int at = 1;
  private String value;

  private LocalWords(String[] arguments) {
    this.arguments = arguments;
  }

  /**
   * Reads arguments, the command's name first.
   *
   * @return nothing, if picocli must read them
   */
  static Optional<LocalOptions> read(String[] arguments) {
    if (arguments.length == 0 || !arguments[0].equals("local")) {
      return Optional.empty();
    }
    LocalWords words = new LocalWords(arguments);
    try {
      while (words.at < arguments.length) {
        if (!words.word()) {
          return Optional.empty();
        }
      }
      words.options.settings();
    } catch (IllegalArgumentException e) { // a path or a setting that cannot be: picocli says so
      return Optional.empty();
    }
    return Optional.of(words.options);
  }

  /** Takes the next argument, and its value; false if it is not plain. */
  private boolean word() {
    String word = arguments[at++];
    if (word.isEmpty() || word.charAt(0) == '@' || word.equals("--")) {
      return false;
    }
    int equals = word.startsWith("--") ? word.indexOf('=') : -1;
    String name = equals < 0 ? word : word.substring(0, equals);
    value = equals < 0 ? null : word.substring(equals + 1);
    return switch (name) {
      case "--progress" -> flag(name) && (options.progress = true);
      case "--time", "-t" -> flag("--time") && (options.time = true);
      case "--readonly" -> flag(name) && (options.readOnly = true);
      case "--multiquery", "-n" -> flag("--multiquery") && (options.multiquery = true);
      case "--query", "-q" -> valued() && options.queries.add(value);
      case "--queries-file" -> valued() && options.files.add(path(value));
      case "--path" -> once(name) && (options.path = path(value)) != null;
      case "--format", "--output-format" -> once("--format") && (options.format = value) != null;
      case "--database", "-d" -> once("--database") && (options.database = value) != null;
      case "--structure", "-S" -> once("--structure") && (options.structure = value) != null;
      case "--input-format" -> once(name) && (options.inputFormat = value) != null;
      case "--file", "-f" -> once("--file") && (options.file = value) != null;
      case "--table", "-N" -> once("--table") && (options.table = value) != null;
      case "--help", "--version" -> false;
      default ->
          (name.length() > 2 && name.startsWith("--") || name.charAt(0) != '-')
              && options.rest.add(word);
    };
  }

  private boolean flag(String name) {
    return value == null && seen.add(name);
  }

  private boolean once(String name) {
    return seen.add(name) && valued();
  }

  /** Finds the value behind the equals sign or in the next argument. */
  private boolean valued() {
    if (value == null && at < arguments.length) {
      value = arguments[at++];
      if (value.startsWith("@")) {
        return false;
      }
    }
    return value != null && !value.isEmpty() && (value.charAt(0) != '-' || value.equals("-"));
  }

  /**
   * @throws InvalidPathException if it is the name of no file
   */
  private static Path path(String text) {
    return Path.of(text);
  }
}
