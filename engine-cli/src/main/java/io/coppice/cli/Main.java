package io.coppice.cli;

import io.coppice.base.error.EngineException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

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
    boolean debug = List.of(arguments).contains("--debug");
    if (System.getProperty(LOG_FORMAT) == null) {
      System.setProperty(LOG_FORMAT, "coppice: %4$s: %5$s%n"); // read once, at the first message
    }
    String[] given =
        Arrays.stream(arguments).filter(a -> !a.equals("--debug")).toArray(String[]::new);
    String asked = given.length == 0 ? "" : given[0];
    if (asked.equals("local") || asked.equals("demo")) {
      Ahead.begin();
    }
    Optional<LocalOptions> local = LocalWords.read(given);
    return shell.finish(
        local.isPresent() ? local(shell, debug, local.get()) : Commands.run(shell, debug, given));
  }

  private static final String LOG_FORMAT = "java.util.logging.SimpleFormatter.format";

  private static int local(Shell shell, boolean debug, LocalOptions options) {
    try {
      return new LocalRun(shell, options, options.settings()).run();
    } catch (IOException | RuntimeException e) {
      return failed(shell, e, debug);
    }
  }

  /** ClickHouse's name and number of an error, to look it up by. */
  private static String code(Exception e) {
    return e instanceof EngineException engine
        ? " (" + engine.code() + ", " + engine.code().number() + ")"
        : "";
  }

  /** Tells what a command threw; gives the exit status for it. */
  static int failed(Shell shell, Exception thrown, boolean debug) {
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
