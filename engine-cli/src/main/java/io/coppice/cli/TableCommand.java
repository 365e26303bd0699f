package io.coppice.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "table",
    description = "Works on tables: their directories, or those of a data directory.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class TableCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "say what to do: picture");
  }
}
