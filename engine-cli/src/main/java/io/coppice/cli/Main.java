package io.coppice.cli;

import io.coppice.base.error.EngineException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Arrays;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

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
    int status = run(shell, arguments);
    shell.flush();
    System.exit(status);
  }

  /**
   * Runs one command.
   *
   * @return the exit status
   */
  static int run(Shell shell, String... arguments) {
    CommandLine line = commands(shell);
    line.setOut(new PrintWriter(shell.out(), true, StandardCharsets.UTF_8));
    line.setErr(new PrintWriter(shell.err(), true, StandardCharsets.UTF_8));
    boolean debug = List.of(arguments).contains("--debug");
    line.setParameterExceptionHandler((e, given) -> misused(shell, e));
    line.setExecutionExceptionHandler((e, command, parsed) -> failed(shell, e, debug));
    String[] given =
        Arrays.stream(arguments).filter(a -> !a.equals("--debug")).toArray(String[]::new);
    return line.execute(given);
  }

  private static CommandLine commands(Shell shell) {
    CommandLine part = new CommandLine(new PartCommand());
    part.addSubcommand(new InfoCommand(shell));
    part.addSubcommand(new CatCommand(shell));
    part.addSubcommand(new VerifyCommand(shell));
    part.addSubcommand(new BuildCommand(shell));
    part.addSubcommand(new DiffCommand(shell));
    CommandLine root = new CommandLine(new RootCommand());
    root.addSubcommand(part);
    root.addSubcommand(new DemoCommand(shell));
    root.addSubcommand("completion", new AutoComplete.GenerateCompletion());
    CommandLine completion = root.getSubcommands().get("completion");
    completion
        .getCommandSpec()
        .usageMessage()
        .description("Prints a completion script: source <(coppice completion)");
    root.setUsageHelpAutoWidth(true);
    return root;
  }

  private static int misused(Shell shell, ParameterException e) {
    CommandSpec spec = e.getCommandLine().getCommandSpec();
    shell.error(e.getMessage());
    shell.err().println("Try: " + spec.qualifiedName(" ") + " --help");
    return USAGE;
  }

  private static int failed(Shell shell, Exception thrown, boolean debug) {
    Exception e = thrown instanceof UncheckedIOException u ? u.getCause() : thrown;
    if (e instanceof IOException && String.valueOf(e.getMessage()).contains("Broken pipe")) {
      return 0; // whoever reads has seen enough
    }
    if (debug) {
      e.printStackTrace(shell.err());
    }
    shell.error(e instanceof IOException io ? words(io) : words(e));
    return WRONG;
  }

  private static String words(Exception e) {
    if (e instanceof EngineException) {
      return e.getMessage();
    }
    return "unexpected: "
        + e
        + "; this is a fault of coppice, please report it with what --debug prints";
  }

  private static String words(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file or directory: " + e.getMessage();
    }
    if (e instanceof FileAlreadyExistsException) {
      return "there already: " + e.getMessage();
    }
    if (e instanceof NotDirectoryException) {
      return "no directory: " + e.getMessage();
    }
    if (e instanceof AccessDeniedException) {
      return "access denied: " + e.getMessage();
    }
    if (e instanceof InterruptedIOException) {
      return "interrupted";
    }
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }
}
