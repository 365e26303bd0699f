package io.coppice.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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
  private final Shell shell;

  @Spec private CommandSpec spec;

  @Mixin private final LocalOptions options = new LocalOptions();

  @Unmatched private List<String> rest = new ArrayList<>();

  LocalCommand(Shell shell) {
    this.shell = shell;
  }

  /** What was read, once it was. */
  LocalOptions options() {
    options.rest.clear();
    options.rest.addAll(rest);
    return options;
  }

  @Override
  public Integer call() throws IOException {
    List<String> settings;
    try {
      settings = options().settings();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    return new LocalRun(shell, options, settings).run();
  }
}
