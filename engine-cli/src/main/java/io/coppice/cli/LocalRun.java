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
import java.util.List;
import java.util.Optional;

/** Carries out {@code coppice local}, once. Confined to one thread. */
final class LocalRun {
  private static final int BUFFER_BYTES = 1 << 20;

  private final Shell shell;
  private final LocalOptions options;
  private final List<String> settings;

  /**
   * @param settings the statements that set what options say, carried out first
   */
  LocalRun(Shell shell, LocalOptions options, List<String> settings) {
    this.shell = shell;
    this.options = options;
    this.settings = settings;
  }

  /**
   * Carries it out.
   *
   * @return the exit status
   */
  int run() throws IOException {
    try (Temporary temporary = options.path == null ? new Temporary("coppice-local") : null) {
      Path directory = options.path == null ? temporary.directory() : options.path;
      EngineConfig config = EngineConfig.at(directory).withReadOnly(options.readOnly);
      try (Engine engine = Engine.open(config)) {
        Session session = new Session(engine);
        Statements statements =
            new Statements(
                shell,
                engine,
                session,
                Optional.ofNullable(options.format),
                options.time,
                options.progress);
        for (String setting : settings) {
          session.execute(setting).close();
        }
        if (!options.database.equals("default")) {
          session.execute("USE `" + options.database.replace("`", "\\`") + "`").close();
        }
        return run(engine, session, statements);
      }
    } catch (EngineException e) {
      return Statements.failed(shell, e);
    }
  }

  private int run(Engine engine, Session session, Statements statements) throws IOException {
    boolean asked = !options.queries.isEmpty() || !options.files.isEmpty();
    boolean described =
        options.structure != null || options.inputFormat != null || options.file != null;
    boolean stdinIsTable = described && (options.file == null || options.file.equals("-"));
    if (described) {
      session.input(options.table, inputTable());
    }
    InputStream data = stdinIsTable ? InputStream.nullInputStream() : shell.in();
    if (!asked && !stdinIsTable) {
      return shell.inTerminal()
          ? new Interactive(engine, statements.watched()).run()
          : statements.run(ByteText.of(shell.in().readAllBytes()), InputStream.nullInputStream());
    }
    for (String query : options.queries) {
      int status = statements.run(query, data);
      if (status != 0) {
        return status;
      }
    }
    for (Path script : options.files) {
      int status = statements.run(ByteText.of(Files.readAllBytes(script)), data);
      if (status != 0) {
        return status;
      }
    }
    return 0;
  }

  private InputTable inputTable() {
    Optional<String> columns = Optional.ofNullable(options.structure);
    if (options.file == null || options.file.equals("-")) {
      DataFormat input =
          DataFormat.inputNamed(options.inputFormat == null ? "TSV" : options.inputFormat);
      return InputTable.once("stdin", input, columns, shell.in());
    }
    DataFormat input =
        options.inputFormat == null
            ? DataFormat.ofFileName(options.file)
            : DataFormat.inputNamed(options.inputFormat);
    return new InputTable(
        options.file,
        input,
        columns,
        () -> {
          Path named = Path.of(options.file);
          if (!Files.exists(named)) {
            throw EngineException.of(
                ErrorCode.FILE_DOESNT_EXIST, "file %s does not exist", options.file);
          }
          return FileCompression.of("auto", options.file)
              .open(new BufferedInputStream(Files.newInputStream(named), BUFFER_BYTES));
        });
  }
}
