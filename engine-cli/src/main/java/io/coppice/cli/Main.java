package io.coppice.cli;

import io.coppice.base.error.EngineException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/**
 * The {@code coppice} command. Exit status: 0 when all is fine, 1 when the thing that was looked at
 * or worked on is wrong, 2 when the command was used wrongly.
 */
public final class Main {
  /** The part, the input or the machine is wrong. */
  static final int WRONG = 1;

  /** The command was not used as it is meant. */
  static final int USAGE = 2;

  private Main() {}

  public static void main(String[] arguments) {
    Shell shell = Shell.ofProcess();
    if (Locales.lost(arguments.length)) {
      shell.error(Locales.refusal());
      System.exit(USAGE);
    }
    int status;
    try {
      status = run(shell, arguments);
    } catch (OutOfMemoryError e) {
      shell.error(
          "not enough memory: " + e.getMessage() + "; give more, as by COPPICE_OPTS=-Xmx4g");
      status = WRONG;
    } catch (StackOverflowError e) {
      shell.error("nested too deeply");
      status = WRONG;
    }
    System.exit(status);
  }

  /**
   * Runs one command.
   *
   * @return the exit status
   */
  static int run(Shell shell, String... arguments) {
    String asked = arguments.length == 0 ? "" : arguments[0];
    if (asked.equals("local") || asked.equals("demo")) {
      Ahead.begin();
    }
    CommandLine line = commands(shell, asked);
    PrintWriter out = new PrintWriter(shell.out(), true, StandardCharsets.UTF_8);
    line.setOut(out);
    line.setErr(new PrintWriter(shell.err(), true, StandardCharsets.UTF_8));
    boolean debug = List.of(arguments).contains("--debug");
    line.setParameterExceptionHandler((e, given) -> misused(shell, e));
    line.setExecutionExceptionHandler((e, command, parsed) -> failed(shell, e, debug));
    line.registerConverter(Path.class, Main::path);
    String[] given =
        Arrays.stream(arguments).filter(a -> !a.equals("--debug")).toArray(String[]::new);
    int status = line.execute(given);
    out.flush();
    return shell.finish(status);
  }

  private static Path path(String text) {
    if (text.isEmpty()) {
      throw new TypeConversionException("the name of the file is empty");
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new TypeConversionException("'" + text + "' is not the name of a file");
    }
  }

  /** A command that is read only when it, or a list of all, is asked for: reading takes a while. */
  private record Named(String name, Supplier<CommandLine> line) {}

  private static CommandLine commands(Shell shell, String asked) {
    List<Named> all =
        List.of(
            new Named("part", () -> partCommands(shell)),
            new Named("table", () -> tableCommands(shell)),
            new Named("local", () -> new CommandLine(new LocalCommand(shell))),
            new Named("demo", () -> new CommandLine(new DemoCommand(shell))),
            new Named("completion", () -> new CommandLine(new AutoComplete.GenerateCompletion())));
    boolean one = !asked.equals("completion") && all.stream().anyMatch(c -> c.name().equals(asked));
    CommandLine root = new CommandLine(new RootCommand());
    for (Named command : all) {
      if (!one || command.name().equals(asked)) {
        root.addSubcommand(command.name(), command.line().get());
      }
    }
    CommandLine completion = root.getSubcommands().get("completion");
    if (completion != null) {
      completion
          .getCommandSpec()
          .usageMessage()
          .description("Prints a completion script: source <(coppice completion)");
    }
    root.setUsageHelpAutoWidth(true);
    return root;
  }

  private static CommandLine partCommands(Shell shell) {
    CommandLine part = new CommandLine(new PartCommand());
    part.addSubcommand(new InfoCommand(shell));
    part.addSubcommand(new CatCommand(shell));
    part.addSubcommand(new VerifyCommand(shell));
    part.addSubcommand(new BuildCommand(shell));
    part.addSubcommand(new DiffCommand(shell));
    return part;
  }

  private static CommandLine tableCommands(Shell shell) {
    CommandLine table = new CommandLine(new TableCommand());
    table.addSubcommand(new PictureCommand(shell));
    return table;
  }

  private static int misused(Shell shell, ParameterException e) {
    CommandSpec spec = e.getCommandLine().getCommandSpec();
    shell.error(e.getMessage());
    shell.err().println("Try: " + spec.qualifiedName(" ") + " --help");
    return USAGE;
  }

  /** ClickHouse's name and number of an error, to look it up by. */
  private static String code(Exception e) {
    return e instanceof EngineException engine
        ? " (" + engine.code() + ", " + engine.code().number() + ")"
        : "";
  }

  private static int failed(Shell shell, Exception thrown, boolean debug) {
    Exception e = thrown instanceof UncheckedIOException u ? u.getCause() : thrown;
    if (debug) {
      e.printStackTrace(shell.err());
    }
    if (shell.failed()) {
      return 0; // the results could not be written, or whoever reads has seen enough: finish()
      // tells
    }
    shell.error(Words.of(e) + code(e));
    return WRONG;
  }
}
