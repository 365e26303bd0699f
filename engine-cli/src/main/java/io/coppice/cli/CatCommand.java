package io.coppice.cli;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.parse.Parser;
import io.coppice.parts.expression.Surroundings;
import io.coppice.parts.name.PartName;
import io.coppice.parts.scan.BatchStream;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.scan.Scan;
import io.coppice.parts.scan.ScanReport;
import io.coppice.parts.set.ActiveParts;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.text.BatchWriter;
import io.coppice.parts.text.DataFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "cat",
    description = "Prints the rows of parts, as ClickHouse 26.7 prints them.",
    mixinStandardHelpOptions = true)
final class CatCommand implements Callable<Integer> {
  private final Shell shell;

  @Spec private CommandSpec spec;
  @Mixin private PartOptions options;

  @Parameters(arity = "1..*", paramLabel = "PART", description = "Parts, or what holds them.")
  private List<Path> parts;

  @Option(
      names = "--columns",
      paramLabel = "A,B",
      description = "The columns wanted, in that order; names with commas in backquotes.")
  private String columns;

  @Option(
      names = "--where",
      paramLabel = "EXPR",
      description = "Prints rows for which this is true.")
  private String where;

  @Option(names = "--limit", paramLabel = "N", description = "Stops after so many rows.")
  private Long limit;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "TSV (default), TSVWithNames, TSVWithNamesAndTypes, CSV, CSVWithNames, JSONEachRow, Native"
              + " or ArrowStream.")
  private String format = "TSV";

  @Option(names = "--stats", description = "Says on stderr what was read and what was left out.")
  private boolean stats;

  CatCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws Exception {
    DataFormat wanted = usage(() -> DataFormat.named(format));
    Optional<Expression> condition =
        where == null ? Optional.empty() : Optional.of(usage(() -> Parser.expression(where)));
    if (limit != null && limit < 0) {
      throw new ParameterException(spec.commandLine(), "--limit " + limit + " is negative");
    }
    options.check();
    long started = System.nanoTime();
    ExecutorService threads = Threads.pool();
    try (PartPaths paths = new PartPaths(shell::note);
        BufferAllocator allocator = new RootAllocator()) {
      List<LoadedPart> opened = new ArrayList<>();
      Optional<TableDefinition> table = Optional.empty();
      long rows = 0;
      for (PartPaths.Found part : paths.find(parts)) {
        boolean patch =
            ActiveParts.name(part.name(), Optional.empty()).map(PartName::patch).orElse(false);
        if (patch && !part.named()) {
          shell.note(
              "left out "
                  + part.label()
                  + ", which holds updates of rows in other parts: they are not applied; to see it,"
                  + " name it");
          continue;
        }
        Optional<TableDefinition> own = options.table(part, shell);
        table = table.or(() -> own);
        LoadedPart loaded = PartOptions.open(part, own, allocator);
        opened.add(loaded);
        rows += loaded.rowCount();
      }
      Scan scan = Scan.of(opened).in(Surroundings.system().in(options.zone()));
      if (table.isPresent()) {
        scan = scan.table(table.get());
      }
      if (columns != null) {
        List<String> names = names(columns);
        if (names.contains("")) {
          throw new ParameterException(
              spec.commandLine(),
              "--columns '" + columns + "' has an empty name between its commas");
        }
        scan = scan.columns(names);
      }
      if (condition.isPresent()) {
        scan = scan.where(condition.get());
      }
      if (limit != null) {
        scan = scan.limit(limit);
      } else {
        scan = scan.on(threads, Threads.COUNT);
      }
      try (BatchStream batches = open(scan, allocator);
          Progress progress = new Progress(shell, "reading", "rows", rows)) {
        BatchWriter writer =
            BatchWriter.open(wanted, shell.out(), batches.schema(), options.zone(), allocator);
        while (batches.next()) {
          writer.write(batches.batch());
          progress.at(batches.report().rowsRead());
        }
        writer.close();
        if (stats) {
          shell.flush();
          report(batches.report(), Amounts.secondsSince(started));
        }
      }
    } finally {
      threads.shutdownNow();
    }
    return 0;
  }

  /** What was asked for wrongly, an unknown column or function, is wrong usage. */
  private BatchStream open(Scan scan, BufferAllocator allocator) throws java.io.IOException {
    try {
      return scan.open(allocator);
    } catch (EngineException e) {
      boolean asked =
          (columns != null || where != null)
              && e.code().kind() == ErrorCode.Kind.USAGE
              && e.code() != ErrorCode.NOT_IMPLEMENTED
              && e.code() != ErrorCode.TYPE_MISMATCH;
      if (asked) {
        throw new ParameterException(spec.commandLine(), Words.of(e), e);
      }
      throw e;
    }
  }

  private interface Asked<T> {
    T get();
  }

  private <T> T usage(Asked<T> asked) {
    try {
      return asked.get();
    } catch (EngineException e) {
      throw new ParameterException(spec.commandLine(), Words.of(e), e);
    }
  }

  /** Names between commas; in backquotes a name may hold anything. */
  static List<String> names(String text) {
    List<String> names = new ArrayList<>();
    StringBuilder name = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '`') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        names.add(name.toString().strip());
        name.setLength(0);
      } else {
        name.append(c);
      }
    }
    names.add(name.toString().strip());
    return names;
  }

  private void report(ScanReport report, double seconds) {
    Stats.lines(report, seconds).forEach(shell.err()::println);
  }
}
