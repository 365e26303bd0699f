package io.coppice.cli;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.Engine;
import io.coppice.engine.EngineConfig;
import io.coppice.language.text.ByteText;
import io.coppice.parts.text.DataFormat;
import io.coppice.parts.text.FileCompression;
import io.coppice.query.InputTable;
import io.coppice.query.Session;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

@Command(
    name = "local",
    description =
        "Carries out statements over a data directory, as clickhouse-local does. Without a query,"
            + " statements come from stdin, or are asked for on a terminal.",
    footer = {
      "",
      "Any setting may be given as an option: --session_timezone=Europe/Berlin.",
      "Exit status: that of the first error, ClickHouse's code modulo 256."
    },
    mixinStandardHelpOptions = true)
final class LocalCommand implements Callable<Integer> {
  private static final int BUFFER_BYTES = 1 << 20;

  private final Shell shell;

  @Spec private CommandSpec spec;

  @Option(
      names = "--path",
      paramLabel = "DIR",
      description = "The data directory. Without it, one that is gone afterwards.")
  private Path path;

  @Option(
      names = {"-q", "--query"},
      paramLabel = "SQL",
      description = "Statements, separated by semicolons; may be given several times.")
  private List<String> queries = new ArrayList<>();

  @Option(
      names = "--queries-file",
      paramLabel = "FILE",
      description = "A file of statements; may be given several times.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = {"--format", "--output-format"},
      paramLabel = "FORMAT",
      description = "Of results whose statement names none: else TSV, on a terminal PrettyCompact.")
  private String format;

  @Option(
      names = {"-d", "--database"},
      paramLabel = "NAME",
      description = "The database that is current at first.")
  private String database = "default";

  @Option(
      names = {"-S", "--structure"},
      paramLabel = "COLUMNS",
      description = "Columns of the table that stdin or --file is, as 'a Int64, b String'.")
  private String structure;

  @Option(
      names = "--input-format",
      paramLabel = "FORMAT",
      description = "Format of that table: else what the file's name says, or TSV.")
  private String inputFormat;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "The file that is a table; - for stdin.")
  private String file;

  @Option(
      names = {"-N", "--table"},
      paramLabel = "NAME",
      description = "Name of that table. Default: table.")
  private String table = "table";

  @Option(names = "--progress", description = "Says on stderr what was read and written.")
  private boolean progress;

  @Option(
      names = {"-t", "--time"},
      description = "Says on stderr how long each statement took, in seconds.")
  private boolean time;

  @Option(names = "--readonly", description = "Changes nothing; a writer may have it open as well.")
  private boolean readOnly;

  @Option(
      names = {"-n", "--multiquery"},
      description = "Allowed for the sake of scripts: there may be several statements anyway.")
  private boolean multiquery;

  @Unmatched private List<String> rest = new ArrayList<>();

  LocalCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws Exception {
    List<String> set = settings();
    try (Temporary temporary = path == null ? new Temporary("coppice-local") : null) {
      Path directory = path == null ? temporary.directory() : path;
      EngineConfig config = EngineConfig.at(directory).withReadOnly(readOnly);
      try (Engine engine = Engine.open(config)) {
        Session session = new Session(engine);
        Statements statements =
            new Statements(shell, engine, session, Optional.ofNullable(format), time, progress);
        for (String setting : set) {
          session.execute(setting).close();
        }
        if (!database.equals("default")) {
          session.execute("USE `" + database.replace("`", "\\`") + "`").close();
        }
        return run(engine, session, statements);
      }
    } catch (EngineException e) {
      return Statements.failed(shell, e);
    }
  }

  /** What settings among the options say, as statements. */
  private List<String> settings() {
    List<String> statements = new ArrayList<>();
    for (int i = 0; i < rest.size(); i++) {
      String option = rest.get(i);
      if (!option.startsWith("--")) {
        throw new ParameterException(
            spec.commandLine(), "unexpected argument '" + option + "'; a query needs --query");
      }
      int equals = option.indexOf('=');
      boolean behind = equals < 0 && i + 1 < rest.size() && !rest.get(i + 1).startsWith("--");
      String name = option.substring(2, equals < 0 ? option.length() : equals).replace('-', '_');
      String value = equals < 0 ? behind ? rest.get(++i) : "1" : option.substring(equals + 1);
      if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
        throw new ParameterException(spec.commandLine(), "unknown option: '" + option + "'");
      }
      statements.add(
          "SET " + name + " = '" + value.replace("\\", "\\\\").replace("'", "\\'") + "'");
    }
    return statements;
  }

  private int run(Engine engine, Session session, Statements statements) throws IOException {
    boolean asked = !queries.isEmpty() || !files.isEmpty();
    boolean described = structure != null || inputFormat != null || file != null;
    boolean stdinIsTable = described && (file == null || file.equals("-"));
    if (described) {
      session.input(table, inputTable());
    }
    InputStream data = stdinIsTable ? InputStream.nullInputStream() : shell.in();
    if (!asked && !stdinIsTable) {
      return shell.inTerminal()
          ? new Interactive(engine, statements.watched()).run()
          : statements.run(ByteText.of(shell.in().readAllBytes()), InputStream.nullInputStream());
    }
    for (String query : queries) {
      int status = statements.run(query, data);
      if (status != 0) {
        return status;
      }
    }
    for (Path script : files) {
      int status = statements.run(ByteText.of(Files.readAllBytes(script)), data);
      if (status != 0) {
        return status;
      }
    }
    return 0;
  }

  private InputTable inputTable() {
    Optional<String> columns = Optional.ofNullable(structure);
    if (file == null || file.equals("-")) {
      DataFormat input = DataFormat.inputNamed(inputFormat == null ? "TSV" : inputFormat);
      return InputTable.once("stdin", input, columns, shell.in());
    }
    DataFormat input =
        inputFormat == null ? DataFormat.ofFileName(file) : DataFormat.inputNamed(inputFormat);
    return new InputTable(
        file,
        input,
        columns,
        () -> {
          Path named = Path.of(file);
          if (!Files.exists(named)) {
            throw EngineException.of(ErrorCode.FILE_DOESNT_EXIST, "file %s does not exist", file);
          }
          return FileCompression.of("auto", file)
              .open(new BufferedInputStream(Files.newInputStream(named), BUFFER_BYTES));
        });
  }
}
