package io.coppice.cli;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.LocalDisk;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.fixtures.ArrowBatches;
import io.coppice.fixtures.Flights;
import io.coppice.parts.inspect.InspectionReport;
import io.coppice.parts.inspect.PartInspector;
import io.coppice.parts.scan.BatchStream;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.scan.Scan;
import io.coppice.parts.scan.ScanReport;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import io.coppice.parts.write.PartBuilder;
import io.coppice.parts.write.WrittenPart;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "demo",
    description =
        "Builds parts from 3,000,000 real flights, verifies them, and scans them with and without"
            + " pruning. Leaves nothing behind.",
    mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
  private static final int BATCH_ROWS = 65_536;

  private static final List<String> QUESTIONS =
      List.of(
          "origin = 'SFO' AND date < '2001-02-01 00:00:00'",
          "date >= '2001-03-15 00:00:00' AND date < '2001-03-16 00:00:00'",
          "origin IN ('JFK', 'LGA') AND delay > 60",
          "delay > 300");

  private final Shell shell;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "So many flights only. Default: all 3,000,000.")
  private long rows = Flights.ROW_COUNT;

  @Spec private CommandSpec spec;

  DemoCommand(Shell shell) {
    this.shell = shell;
  }

  private void say(String format, Object... values) {
    shell.line(String.format(Locale.ROOT, format, values));
    shell.flush();
  }

  @Override
  public Integer call() throws Exception {
    if (rows < 1) {
      throw new ParameterException(spec.commandLine(), "--rows " + rows + ", expected 1 or more");
    }
    long started = System.nanoTime();
    ExecutorService threads = Threads.pool();
    try (Temporary temporary = new Temporary("coppice-demo");
        BufferAllocator allocator = new RootAllocator()) {
      String create = Flights.createSql("flights");
      create.lines().forEach(line -> say("%s", line));
      say("");
      TableDefinition table = TableDefinition.parse(create, Profile.MODERN);
      Disk disk = new LocalDisk(temporary.directory());
      List<WrittenPart> written = build(table, disk, allocator);
      verify(table, disk, written, allocator);
      List<LoadedPart> parts = new ArrayList<>();
      for (WrittenPart part : written) {
        String name = part.name().text();
        parts.add(LoadedPart.open(disk.within(name), name, LoadedPart.Hints.NONE, allocator));
      }
      for (String question : QUESTIONS) {
        ask(question, table, parts, threads, allocator);
      }
    } finally {
      threads.shutdownNow();
    }
    say("");
    say(
        "Done in %.1f s; everything that was written is deleted again.",
        Amounts.secondsSince(started));
    return 0;
  }

  private List<WrittenPart> build(TableDefinition table, Disk disk, BufferAllocator allocator)
      throws Exception {
    long started = System.nanoTime();
    long done = 0;
    List<WrittenPart> written;
    try (ArrowBatches flights = Flights.open(allocator, BATCH_ROWS);
        PartBuilder builder = PartBuilder.open(table, disk, allocator);
        Progress progress = new Progress(shell, "building", "rows", rows)) {
      while (done < rows && flights.next()) {
        builder.add(flights.batch());
        done += flights.batch().getRowCount();
        progress.at(done);
      }
      written = builder.finish();
    }
    double seconds = Amounts.secondsSince(started);
    long bytes = written.stream().mapToLong(WrittenPart::sizeBytes).sum();
    say(
        "Built     %s from %s in %.1f s: %,.0f rows/s, %s on disk",
        Amounts.count(written.size(), "part"),
        Amounts.count(done, "flight"),
        seconds,
        done / seconds,
        Amounts.bytes(bytes));
    for (WrittenPart part : written) {
      say(
          "            %-18s %9s rows, %s, %s",
          part.name().text(),
          Amounts.count(part.rowCount()),
          part.compact() ? "Compact" : "Wide",
          Amounts.bytes(part.sizeBytes()));
    }
    return written;
  }

  private void verify(
      TableDefinition table, Disk disk, List<WrittenPart> parts, BufferAllocator allocator) {
    long started = System.nanoTime();
    long frames = 0;
    long bytes = 0;
    for (WrittenPart part : parts) {
      String name = part.name().text();
      InspectionReport report =
          PartInspector.of(disk.within(name), name).table(table).inspect(allocator);
      if (!report.sound()) {
        throw EngineException.of(
            ErrorCode.CORRUPTED_DATA, "part %s: %s", name, report.faults().get(0).text());
      }
      frames += report.frameCount();
      bytes += report.sizeBytes();
    }
    say(
        "Verified  %s: %s checksummed frames, marks, index, order and partitions, in %.1f s",
        Amounts.bytes(bytes), Amounts.count(frames), Amounts.secondsSince(started));
  }

  private record Answer(ScanReport report, long rows, double seconds) {}

  private Answer scan(Scan scan, BufferAllocator allocator) throws IOException {
    long started = System.nanoTime();
    long found = 0;
    try (BatchStream batches = scan.open(allocator)) {
      while (batches.next()) {
        found += batches.batch().getRowCount();
      }
      return new Answer(batches.report(), found, Amounts.secondsSince(started));
    }
  }

  private void ask(
      String question,
      TableDefinition table,
      List<LoadedPart> parts,
      ExecutorService threads,
      BufferAllocator allocator)
      throws IOException {
    Scan scan =
        Scan.of(parts)
            .table(table)
            .columns("date", "origin", "destination", "delay")
            .where(question)
            .on(threads, Threads.COUNT);
    Answer full = scan(scan.pruning(false), allocator);
    Answer pruned = scan(scan, allocator);
    if (full.rows() != pruned.rows()) {
      throw EngineException.of(
          ErrorCode.LOGICAL_ERROR,
          "%s: %d rows with pruning, %d without",
          question,
          pruned.rows(),
          full.rows());
    }
    say("");
    say("WHERE %s", question);
    say(
        "          %s: read %s of %s granules in %s of %s, %s of %s rows",
        Amounts.count(pruned.rows(), "row"),
        Amounts.count(pruned.report().granulesAfterIndexes()),
        Amounts.count(pruned.report().granules()),
        Amounts.count(pruned.report().partsRead()),
        Amounts.count(pruned.report().parts(), "part"),
        Amounts.count(pruned.report().rowsRead()),
        Amounts.count(full.report().rowsRead()));
    say(
        "          %.0f ms, without pruning %.0f ms (%,.0f rows/s)",
        pruned.seconds() * 1000, full.seconds() * 1000, full.report().rowsRead() / full.seconds());
  }
}
