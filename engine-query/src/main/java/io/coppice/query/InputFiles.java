package io.coppice.query;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.parts.text.DataFormat;
import io.coppice.parts.text.FileCompression;
import io.coppice.parts.text.FileStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The files of {@code file('path', 'format', 'structure', 'compression')} and FROM INFILE. A path
 * may have {@code *}, {@code ?} and {@code {a,b}} in its last part. Immutable.
 */
final class InputFiles {
  private static final int BUFFER_BYTES = 1 << 20;

  private final Context context;
  private final String path;
  private final Optional<String> format;
  private final Optional<String> structure;
  private final String compression;

  private InputFiles(
      Context context,
      String path,
      Optional<String> format,
      Optional<String> structure,
      String compression) {
    this.context = context;
    this.path = path;
    this.format = format.filter(name -> !name.equalsIgnoreCase("auto"));
    this.structure = structure.filter(text -> !text.equalsIgnoreCase("auto"));
    this.compression = compression;
  }

  static InputFiles of(Context context, FunctionCall call) {
    TableFunctions functions = new TableFunctions(context);
    int count = call.arguments().size();
    if (count > 4) {
      throw EngineException.of(
          ErrorCode.NUMBER_OF_ARGUMENTS_DOESNT_MATCH,
          "%s has %d arguments, expected file(path, format, structure, compression)",
          call.text(),
          count);
    }
    return new InputFiles(
        context,
        functions.text(call, 0, "path"),
        count > 1 ? Optional.of(functions.text(call, 1, "format")) : Optional.empty(),
        count > 2 ? Optional.of(functions.text(call, 2, "structure")) : Optional.empty(),
        count > 3 ? functions.text(call, 3, "compression") : "auto");
  }

  /**
   * The files that a path names, in the order of their names.
   *
   * @throws EngineException FILE_DOESNT_EXIST when there is none
   */
  static List<Path> found(String path) throws IOException {
    Path named = named(path);
    List<Path> files = new ArrayList<>();
    boolean pattern = path.chars().anyMatch(c -> c == '*' || c == '?' || c == '{');
    if (pattern && !Files.exists(named)) {
      Path directory = Optional.ofNullable(named.getParent()).orElse(Path.of("."));
      PathMatcher matcher =
          FileSystems.getDefault().getPathMatcher("glob:" + named.getFileName().toString());
      if (Files.isDirectory(directory)) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
          for (Path file : all) {
            if (matcher.matches(file.getFileName()) && Files.isRegularFile(file)) {
              files.add(file);
            }
          }
        }
      }
      files.sort(null);
    } else if (Files.exists(named)) {
      files.add(named);
    }
    if (files.isEmpty()) {
      throw EngineException.of(ErrorCode.FILE_DOESNT_EXIST, "file %s does not exist", path);
    }
    return files;
  }

  static Path named(String path) {
    try {
      return Path.of(path);
    } catch (InvalidPathException e) {
      throw new EngineException(
          ErrorCode.INCORRECT_FILE_NAME, "'" + path + "' is not the name of a file", e);
    }
  }

  /** Opens a file, decompressed. */
  static InputStream open(Path file, String compression) throws IOException {
    if (FileCompression.of(compression, file.toString()) == FileCompression.NONE) {
      return FileStream.open(file);
    }
    InputStream raw = Files.newInputStream(file);
    boolean done = false;
    try {
      InputStream in =
          FileCompression.of(compression, file.toString())
              .open(new BufferedInputStream(raw, BUFFER_BYTES));
      done = true;
      return new BufferedInputStream(in, BUFFER_BYTES);
    } finally {
      if (!done) {
        raw.close();
      }
    }
  }

  private DataFormat format(Path file) {
    return format
        .map(DataFormat::inputNamed)
        .orElseGet(() -> DataFormat.ofFileName(file.toString()));
  }

  /** Reads the rows of all files, which have the columns of the first. */
  Rows open() throws IOException {
    List<Path> files = found(path);
    List<Rows> opened = new ArrayList<>();
    boolean done = false;
    try {
      Optional<String> columns = structure;
      for (Path file : files) {
        Rows rows =
            new InputTable(file.toString(), format(file), columns, () -> open(file, compression))
                .open(context);
        opened.add(rows);
        columns = Optional.of(columns.orElseGet(() -> structure(rows)));
      }
      Rows all = opened.size() == 1 ? opened.get(0) : new UnionRows(opened);
      done = true;
      return all;
    } finally {
      if (!done) {
        Closing.all(opened);
      }
    }
  }

  private static String structure(Rows rows) {
    List<String> columns = new ArrayList<>();
    for (ResultColumn column : rows.columns()) {
      String name = column.name().replace("\\", "\\\\").replace("`", "\\`");
      columns.add("`" + name + "` " + column.type().text());
    }
    return String.join(", ", columns);
  }

  /** The columns to write: those of the structure, or the rows' own. */
  List<ResultColumn> columns(List<ResultColumn> own) {
    return structure.map(TableFunctions::columns).orElse(own);
  }

  /** Writes rows behind those that the file has already; says how many. */
  long write(Rows rows) throws IOException {
    Path file = named(path);
    DataFormat wanted =
        format.map(DataFormat::named).orElseGet(() -> DataFormat.ofFileName(file.toString()));
    boolean more = Files.exists(file) && Files.size(file) > 0;
    return new OutputFiles(context)
        .write(file, wanted, FileCompression.of(compression, path), 0, more, rows);
  }
}
