package io.coppice.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "coppice",
    description =
        "Tables over ClickHouse's data directory, and its data parts read, checked and built.",
    mixinStandardHelpOptions = true,
    versionProvider = RootCommand.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Exit status: 0 all is fine, 1 the thing is wrong, 2 wrong usage.",
      "--debug after any command prints where an error came from."
    })
final class RootCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** Tells the version of the jar. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = RootCommand.class.getPackage().getImplementationVersion();
      return new String[] {
        "coppice " + (version == null ? "(built from source)" : version),
        "Java " + Runtime.version()
      };
    }
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "say what to do: local, table, part, demo or completion");
  }
}
