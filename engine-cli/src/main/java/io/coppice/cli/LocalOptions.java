package io.coppice.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/**
 * What was asked of {@code coppice local}. Filled by picocli, or by {@link LocalWords} where words
 * are plain; then left as it is.
 */
final class LocalOptions {
  @Option(
      names = "--path",
      paramLabel = "DIR",
      description = "The data directory. Without it, one that is gone afterwards.")
  Path path;

  @Option(
      names = {"-q", "--query"},
      paramLabel = "SQL",
      description = "Statements, separated by semicolons; may be given several times.")
  List<String> queries = new ArrayList<>();

  @Option(
      names = "--queries-file",
      paramLabel = "FILE",
      description = "A file of statements, carried out behind those of --query; also several.")
  List<Path> files = new ArrayList<>();

  @Option(
      names = {"--format", "--output-format"},
      paramLabel = "FORMAT",
      description = "Of results whose statement names none: else TSV, on a terminal PrettyCompact.")
  String format;

  @Option(
      names = {"-d", "--database"},
      paramLabel = "NAME",
      description = "The database that is current at first.")
  String database = "default";

  @Option(
      names = {"-S", "--structure"},
      paramLabel = "COLUMNS",
      description = "Columns of the table that stdin or --file is, as 'a Int64, b String'.")
  String structure;

  @Option(
      names = "--input-format",
      paramLabel = "FORMAT",
      description = "Format of that table: else what the file's name says, or TSV.")
  String inputFormat;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "The file that is a table; - for stdin.")
  String file;

  @Option(
      names = {"-N", "--table"},
      paramLabel = "NAME",
      description = "Name of that table. Default: table.")
  String table = "table";

  @Option(names = "--progress", description = "Says on stderr what was read and written.")
  boolean progress;

  @Option(
      names = {"-t", "--time"},
      description = "Says on stderr how long each statement took, in seconds.")
  boolean time;

  @Option(names = "--readonly", description = "Changes nothing; a writer may have it open as well.")
  boolean readOnly;

  @Option(
      names = {"-n", "--multiquery"},
      description = "Allowed for the sake of scripts: there may be several statements anyway.")
  boolean multiquery;

  /** All else, in the order in which it was given: names and values of settings. */
  final List<String> rest = new ArrayList<>();

  /**
   * What settings among the rest say, as statements.
   *
   * @throws IllegalArgumentException if something is no setting; its message says what
   */
  List<String> settings() {
    List<String> statements = new ArrayList<>();
    for (int i = 0; i < rest.size(); i++) {
      String option = rest.get(i);
      if (!option.startsWith("--")) {
        throw new IllegalArgumentException(
            "unexpected argument '" + option + "'; a query needs --query");
      }
      int equals = option.indexOf('=');
      boolean behind = equals < 0 && i + 1 < rest.size() && !rest.get(i + 1).startsWith("--");
      String name = option.substring(2, equals < 0 ? option.length() : equals).replace('-', '_');
      String value = equals < 0 ? behind ? rest.get(++i) : "1" : option.substring(equals + 1);
      if (!settingName(name)) {
        throw new IllegalArgumentException("unknown option: '" + option + "'");
      }
      statements.add(
          "SET " + name + " = '" + value.replace("\\", "\\\\").replace("'", "\\'") + "'");
    }
    return statements;
  }

  private static boolean settingName(String name) {
    boolean good = !name.isEmpty() && !Character.isDigit(name.charAt(0));
    for (int i = 0; i < name.length() && good; i++) {
      char c = name.charAt(i);
      good = c < 128 && (c == '_' || Character.isLetterOrDigit(c));
    }
    return good;
  }
}
