package io.coppice.cli;

import io.coppice.base.error.EngineException;
import io.coppice.parts.inspect.Fault;
import io.coppice.parts.inspect.InspectionReport;
import io.coppice.parts.inspect.PartInspector;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "verify",
    description = {
      "Looks through parts: every checksum, mark and count, the files against each other, and with the"
          + " table known the index, order and partition against the rows.",
      "Names each fault with its file and offset; exit status 1 if there is any."
    },
    mixinStandardHelpOptions = true)
final class VerifyCommand implements Callable<Integer> {
  private final Shell shell;

  @Mixin private PartOptions options;

  @Parameters(arity = "1..*", paramLabel = "PART", description = "Parts, or what holds them.")
  private List<Path> parts;

  @Option(
      names = {"-q", "--quiet"},
      description = "Says nothing of parts that are fine.")
  private boolean quiet;

  VerifyCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws Exception {
    boolean sound = true;
    options.check();
    try (PartPaths paths = new PartPaths(shell::note);
        BufferAllocator allocator = new RootAllocator()) {
      List<PartPaths.Found> all = new ArrayList<>();
      for (Path argument : parts) {
        try {
          all.addAll(paths.find(argument));
        } catch (EngineException | IOException e) {
          shell.error(Words.of(e)); // the others are looked at all the same
          sound = false;
        }
      }
      try (Progress progress = new Progress(shell, "verifying", "parts", all.size())) {
        for (int i = 0; i < all.size(); i++) {
          progress.at(i);
          sound &= verify(all.get(i), progress, allocator);
          shell.flush(); // whoever waits for many parts sees each when it is done
        }
      }
    }
    return sound ? 0 : Main.WRONG;
  }

  private boolean verify(PartPaths.Found part, Progress progress, BufferAllocator allocator) {
    PartInspector inspector = PartInspector.of(part.disk(), part.name()).zone(options.zone());
    Optional<TableDefinition> table;
    try {
      table = options.table(part, shell);
    } catch (EngineException | IOException e) {
      shell.line(part.label() + ": not verified: " + Words.of(e));
      return false;
    }
    if (table.isPresent()) {
      inspector = inspector.table(table.get());
    }
    InspectionReport report = inspector.inspect(allocator);
    progress.wipe();
    if (report.sound()) {
      if (!quiet) {
        shell.line(part.label() + ": fine, " + looked(report));
        report.notes().forEach(note -> shell.line("  note: " + note));
      }
      return true;
    }
    shell.line(
        part.label()
            + ": "
            + Amounts.count(report.faults().size(), "fault")
            + " in "
            + looked(report));
    for (Fault fault : report.faults()) {
      shell.line("  " + Plain.line(fault.text()) + " (" + fault.code() + ")");
    }
    report.notes().forEach(note -> shell.line("  note: " + note));
    return false;
  }

  private static String looked(InspectionReport report) {
    return Amounts.count(report.rowCount(), "row")
        + ", "
        + Amounts.count(report.fileCount(), "file")
        + ", "
        + Amounts.bytes(report.sizeBytes())
        + ", "
        + Amounts.count(report.frameCount(), "frame");
  }
}
