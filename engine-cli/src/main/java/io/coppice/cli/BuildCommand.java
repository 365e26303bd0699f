package io.coppice.cli;

import io.coppice.base.disk.LocalDisk;
import io.coppice.base.error.EngineException;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import io.coppice.parts.text.BatchReader;
import io.coppice.parts.text.DataFormat;
import io.coppice.parts.write.PartBuilder;
import io.coppice.parts.write.WrittenPart;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.zip.GZIPInputStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "build",
    description = {
      "Builds ready parts from rows: split by partition, sorted, written as ClickHouse writes them.",
      "Reads as much at once as one part holds, however large the input."
    },
    mixinStandardHelpOptions = true)
final class BuildCommand implements Callable<Integer> {
  private final Shell shell;

  @Spec private CommandSpec spec;

  @Option(
      names = "--schema",
      required = true,
      paramLabel = "FILE.sql",
      description = "The table's CREATE TABLE.")
  private Path schema;

  @Option(
      names = "--input",
      required = true,
      paramLabel = "FILE|-",
      description = "Files with rows, also with .gz behind their names; - is the standard input.")
  private List<String> inputs;

  @Option(
      names = "--input-format",
      paramLabel = "FORMAT",
      description =
          "TSV, TSVWithNames, TSVWithNamesAndTypes, CSV, CSVWithNames, JSONEachRow, Native or"
              + " ArrowStream. Default: as the name of the file tells.")
  private String inputFormat;

  @Option(
      names = "--skip-unknown",
      description = "Passes over columns of the input that the table does not have.")
  private boolean skipUnknown;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "Where the parts are put; made if need be.")
  private Path out;

  @Option(
      names = "--profile",
      paramLabel = "PROFILE",
      description = "modern (default): as 26.7 writes; classic: what 18.16.1 reads.")
  private String profile = "modern";

  @Option(
      names = "--first-block",
      paramLabel = "N",
      description =
          "Number of the first block, which the names of the parts begin with. Default: 1.")
  private long firstBlock = 1;

  @Option(
      names = "--max-block-rows",
      paramLabel = "N",
      description = "Most rows of a part, about. Default: ${DEFAULT-VALUE}.")
  private int maxBlockRows = PartBuilder.DEFAULT_BLOCK_ROWS;

  @Option(
      names = "--timezone",
      paramLabel = "ZONE",
      converter = PartOptions.Zone.class,
      description = "Zone of times in the input that name none. Default: UTC.")
  private java.time.ZoneId zone = java.time.ZoneOffset.UTC;

  BuildCommand(Shell shell) {
    this.shell = shell;
  }

  /** Counts what was read of the input. */
  private static final class Counting extends FilterInputStream {
    private long bytes;

    Counting(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int b = super.read();
      bytes += b < 0 ? 0 : 1;
      return b;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      int n = super.read(to, offset, length);
      bytes += Math.max(n, 0);
      return n;
    }
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private Profile profile() {
    return switch (profile.toLowerCase(Locale.ROOT)) {
      case "modern" -> Profile.MODERN;
      case "classic" -> Profile.CLASSIC;
      default -> throw usage("unknown profile '" + profile + "'; there are modern and classic");
    };
  }

  private DataFormat format(String input) {
    try {
      if (inputFormat != null) {
        return DataFormat.named(inputFormat);
      }
      if (input.equals("-")) {
        throw usage("the standard input has no name to tell its format; give --input-format");
      }
      return DataFormat.ofFileName(
          input.endsWith(".gz") ? input.substring(0, input.length() - 3) : input);
    } catch (EngineException e) {
      throw usage(e.getMessage() + (inputFormat == null ? " with --input-format" : ""));
    }
  }

  @Override
  public Integer call() throws Exception {
    if (firstBlock < 0 || maxBlockRows < 1) {
      throw usage("--first-block must not be negative, --max-block-rows must be positive");
    }
    Profile chosen = profile();
    List<DataFormat> formats = inputs.stream().map(this::format).toList();
    TableDefinition table = Schemas.read(schema, chosen);
    Files.createDirectories(out);
    long started = System.nanoTime();
    long rows = 0;
    long bytes = 0;
    List<WrittenPart> parts;
    try (BufferAllocator allocator = new RootAllocator();
        PartBuilder builder =
            PartBuilder.open(table, new LocalDisk(out), allocator)
                .firstBlock(firstBlock)
                .blockLimits(maxBlockRows, PartBuilder.DEFAULT_BLOCK_BYTES)) {
      for (int i = 0; i < inputs.size(); i++) {
        String input = inputs.get(i);
        try (Progress progress = new Progress(shell, "building", "rows", 0);
            InputStream raw =
                input.equals("-") ? shell.in() : Files.newInputStream(Path.of(input))) {
          Counting counted = new Counting(raw);
          InputStream in = new BufferedInputStream(counted, 1 << 20);
          if (input.endsWith(".gz")) {
            in = new GZIPInputStream(in, 1 << 16);
          }
          rows += add(formats.get(i), in, input, table, builder, allocator, progress, rows);
          bytes += counted.bytes;
        }
      }
      parts = builder.finish();
    }
    report(table, chosen, parts, rows, bytes, Amounts.secondsSince(started));
    return 0;
  }

  private long add(
      DataFormat format,
      InputStream in,
      String input,
      TableDefinition table,
      PartBuilder builder,
      BufferAllocator allocator,
      Progress progress,
      long before)
      throws IOException {
    String name = input.equals("-") ? "standard input" : input;
    long rows = 0;
    BatchReader.Options reading =
        new BatchReader.Options(zone, BatchReader.Options.DEFAULT.batchRows(), skipUnknown);
    try (BatchReader reader = BatchReader.open(format, in, name, table, reading, allocator)) {
      for (Optional<VectorSchemaRoot> next = reader.next();
          next.isPresent();
          next = reader.next()) {
        try (VectorSchemaRoot batch = next.get()) {
          builder.add(batch);
          rows += batch.getRowCount();
        }
        progress.at(before + rows);
      }
    }
    return rows;
  }

  private void report(
      TableDefinition table,
      Profile chosen,
      List<WrittenPart> parts,
      long rows,
      long bytes,
      double seconds) {
    if (parts.isEmpty()) {
      shell.line("The input has no rows: no part was built.");
      return;
    }
    for (WrittenPart part : parts) {
      shell.line(
          String.format(
              Locale.ROOT,
              "%s  %s, %s, %s",
              out.resolve(part.name().text()),
              Amounts.count(part.rowCount(), "row"),
              part.compact() ? "Compact" : "Wide",
              Amounts.bytes(part.sizeBytes())));
    }
    shell.line(
        String.format(
            Locale.ROOT,
            "%s from %s in %.1f s (%,.0f rows/s)",
            Amounts.count(rows, "row"),
            Amounts.bytes(bytes),
            seconds,
            rows / Math.max(seconds, 1e-9)));
    String name = table.name();
    shell.line("");
    shell.line(
        "Next: copy the parts into detached/ of the table"
            + (chosen == Profile.MODERN
                ? " (SELECT data_paths FROM system.tables WHERE name = '" + name + "')"
                : "")
            + ", owned by the server's user, then");
    int shown = 0;
    for (WrittenPart part : parts) {
      if (shown++ == 5) {
        shell.line("  … and so on for the other " + (parts.size() - 5) + " parts");
        break;
      }
      shell.line("  ALTER TABLE " + name + " ATTACH PART '" + part.name().text() + "';");
    }
  }
}
