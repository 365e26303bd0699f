package io.coppice.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "part",
    description = "Works on data parts: directories, or directories inside a .tar or .tar.gz.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class PartCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "say what to do: info, cat, verify, build or diff");
  }
}
