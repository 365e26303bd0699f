package io.coppice.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** All commands, read by picocli. */
final class Commands {
  private Commands() {}

  /**
   * Reads the arguments and runs the command that they ask for.
   *
   * @param debug whether errors say where they come from
   * @return the exit status, before the output's own
   */
  static int run(Shell shell, boolean debug, String... arguments) {
    CommandLine line = line(shell, arguments.length == 0 ? "" : arguments[0]);
    PrintWriter out = new PrintWriter(shell.out(), true, StandardCharsets.UTF_8);
    line.setOut(out);
    line.setErr(new PrintWriter(shell.err(), true, StandardCharsets.UTF_8));
    line.setParameterExceptionHandler((e, given) -> misused(shell, e));
    line.setExecutionExceptionHandler((e, command, parsed) -> Main.failed(shell, e, debug));
    line.registerConverter(Path.class, Commands::path);
    int status = line.execute(arguments);
    out.flush();
    return status;
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

  private static CommandLine line(Shell shell, String asked) {
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
    return Main.USAGE;
  }
}
