package io.coppice.cli;

import io.coppice.base.disk.LocalDisk;
import io.coppice.base.error.EngineException;
import io.coppice.parts.expression.Surroundings;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import io.coppice.parts.text.BatchReader;
import io.coppice.parts.text.BlockReader;
import io.coppice.parts.text.DataFormat;
import io.coppice.parts.text.FileCompression;
import io.coppice.parts.write.BlockLimits;
import io.coppice.parts.write.PartBuilder;
import io.coppice.parts.write.WrittenPart;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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
      "Builds ready parts from rows: split by partition, sorted, written as ClickHouse writes"
          + " them.",
      "Reads as much at once as one part holds, however large the input."
    },
    mixinStandardHelpOptions = true)
final class BuildCommand implements Callable<Integer> {
  /** As ClickHouse reads text: blocks of an INSERT do not reach over the ends of its segments. */
  private static final BatchReader.Segment SEGMENT =
      new BatchReader.Segment(BlockLimits.DEFAULT.maxRows(), 10_485_760);

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
          "TSV, CSV, JSONEachRow and their kin, Values, RowBinary, Native, Arrow, ArrowStream or"
              + " Parquet. Default: as the name of the file tells.")
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
      description =
          "Most rows of a part. Without it a part has what an INSERT would have put into it:"
              + " batches until there are 1,048,449 rows or 256 MiB.")
  private Integer maxBlockRows;

  @Option(
      names = "--timezone",
      paramLabel = "ZONE",
      converter = PartOptions.Zone.class,
      description = "Zone of times in the input that name none. Default: UTC.")
  private java.time.ZoneId zone = java.time.ZoneOffset.UTC;

  private Surroundings surroundings;

  BuildCommand(Shell shell) {
    this.shell = shell;
  }

  /** Counts what was read of the input. */
  private static final class Counting extends FilterInputStream {
    private long bytes;

    Counting(InputStream in) {
      super(in);
    }

    /**
     * Says that there may be more, as only reading tells: a pipe has no position to ask for, and
     * one that is empty for a moment is not at its end, where a reader of several gzip members
     * would stop.
     */
    @Override
    public int available() {
      return 1;
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
        return inputFormat.equalsIgnoreCase("Arrow")
            ? DataFormat.ARROW_STREAM // told apart by what it begins with
            : DataFormat.named(inputFormat);
      }
      if (input.equals("-")) {
        throw usage("the standard input has no name to tell its format; give --input-format");
      }
      String name = input.endsWith(".gz") ? input.substring(0, input.length() - 3) : input;
      String extension = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
      return extension.equals("arrow") || extension.equals("feather")
          ? DataFormat.ARROW_STREAM
          : DataFormat.ofFileName(name);
    } catch (EngineException e) {
      throw usage(Words.of(e) + (inputFormat == null ? " with --input-format" : ""));
    }
  }

  @Override
  public Integer call() throws Exception {
    if (firstBlock < 0 || maxBlockRows != null && maxBlockRows < 1) {
      throw usage("--first-block must not be negative, --max-block-rows must be positive");
    }
    Profile chosen = profile();
    List<DataFormat> formats = inputs.stream().map(this::format).toList();
    String create = Schemas.text(schema);
    TableDefinition table = Schemas.parse(create, schema.toString(), chosen);
    for (String input : inputs) {
      checkInput(input);
    }
    if (Files.exists(out) && !Files.isDirectory(out)) {
      throw new FileSystemException(
          out.toString(), null, "is a file, expected a directory (--out)");
    }
    List<Path> made = missing(out);
    boolean done = false;
    try {
      Files.createDirectories(out);
      build(table, create, chosen, formats);
      done = true;
      return 0;
    } finally {
      if (!done) {
        deleteEmpty(made);
      }
    }
  }

  private static void checkInput(String input) throws IOException {
    if (input.equals("-")) {
      return;
    }
    Path path = Path.of(input);
    if (!Files.exists(path)) {
      throw new NoSuchFileException(input);
    }
    if (Files.isDirectory(path)) {
      throw new FileSystemException(input, null, "is a directory, expected a file with rows");
    }
  }

  /** A directory and those above it that are not there, the lowest first. */
  private static List<Path> missing(Path directory) {
    List<Path> missing = new ArrayList<>();
    for (Path at = directory.toAbsolutePath().normalize();
        at != null && !Files.exists(at);
        at = at.getParent()) {
      missing.add(at);
    }
    return missing;
  }

  /** Takes back the directories that were made, as far as nothing lies in them. */
  private static void deleteEmpty(List<Path> directories) throws IOException {
    for (Path directory : directories) {
      try {
        Files.deleteIfExists(directory);
      } catch (DirectoryNotEmptyException e) {
        return;
      }
    }
  }

  /** Zone and moment of all expressions: those of defaults in the input, and those of keys. */
  private Surroundings surroundings() {
    if (surroundings == null) {
      surroundings = Surroundings.system().in(zone).atThisMoment();
    }
    return surroundings;
  }

  private PartBuilder open(TableDefinition table, String create, BufferAllocator allocator) {
    try {
      return PartBuilder.open(table, new LocalDisk(out), surroundings(), allocator);
    } catch (EngineException e) {
      throw Schemas.at(e, schema.toString(), create);
    }
  }

  private void build(TableDefinition table, String create, Profile chosen, List<DataFormat> formats)
      throws IOException {
    long started = System.nanoTime();
    long rows = 0;
    long bytes = 0;
    List<WrittenPart> parts;
    try (BufferAllocator allocator = new RootAllocator();
        PartBuilder builder = open(table, create, allocator).firstBlock(firstBlock)) {
      builder.blockLimits(limits());
      boolean done = false;
      try {
        for (int i = 0; i < inputs.size(); i++) {
          String input = inputs.get(i);
          try (Progress progress = new Progress(shell, "building", "rows", 0);
              InputStream raw =
                  input.equals("-") ? shell.in() : Files.newInputStream(Path.of(input))) {
            Counting counted = new Counting(raw);
            rows += add(formats.get(i), counted, input, table, builder, allocator, progress, rows);
            bytes += counted.bytes;
          }
        }
        parts = finish(builder);
        done = true;
      } finally {
        if (!done && !builder.written().isEmpty()) {
          shell.error(
              "note: written before it failed: "
                  + builder.written().stream()
                      .map(part -> out.resolve(part.name().text()).toString())
                      .collect(Collectors.joining(", ")));
        }
      }
    }
    report(table, chosen, parts, rows, bytes, Amounts.secondsSince(started));
  }

  /** What the input is called, with the rows of it that were at hand when something went wrong. */
  private static String named(String input) {
    return input.equals("-") ? "standard input" : input;
  }

  private List<WrittenPart> finish(PartBuilder builder) throws IOException {
    try {
      return builder.finish();
    } catch (EngineException e) {
      throw of(e, inputs.stream().map(BuildCommand::named).collect(Collectors.joining(", ")));
    } catch (IOException e) {
      throw writing(e);
    }
  }

  /** The error with the input before it, unless it begins with that. */
  private static EngineException of(EngineException e, String input) {
    return e.getMessage().startsWith(input) ? e : e.within(input);
  }

  private IOException writing(IOException e) {
    return new IOException("writing parts to " + out + ": " + Words.of(e), e);
  }

  private long add(
      DataFormat format,
      InputStream raw,
      String input,
      TableDefinition table,
      PartBuilder builder,
      BufferAllocator allocator,
      Progress progress,
      long before)
      throws IOException {
    String name = named(input);
    long rows = 0;
    BatchReader.Options reading =
        new BatchReader.Options(
                zone, BatchReader.Options.DEFAULT.batchRows(), skipUnknown, surroundings())
            .within(BatchReader.Options.DEFAULT.batchRows(), SEGMENT);
    InputStream in;
    try {
      in = new BufferedInputStream(raw, 1 << 20);
      in = FileCompression.of("auto", input).open(in);
    } catch (IOException e) {
      throw reading(e, name);
    }
    try (BlockReader reader =
        BlockReader.open(format, in, name, table, reading, limits(), allocator)) {
      for (Optional<BlockReader.Piece> next = next(reader, name, rows);
          next.isPresent();
          next = next(reader, name, rows)) {
        try (VectorSchemaRoot batch = next.get().batch()) {
          add(next.get(), builder, name, rows);
          rows += batch.getRowCount();
        }
        progress.at(before + rows);
      }
    }
    return rows;
  }

  /** Blocks as those of an INSERT, unless it is said how large they are. */
  private BlockLimits limits() {
    return maxBlockRows == null
        ? BlockLimits.DEFAULT
        : BlockLimits.exactly(maxBlockRows, BlockLimits.DEFAULT.minBytes());
  }

  private static Optional<BlockReader.Piece> next(BlockReader reader, String name, long rows)
      throws IOException {
    try {
      return reader.next();
    } catch (EngineException e) {
      throw of(e, name);
    } catch (IOException e) {
      throw reading(e, name);
    }
  }

  private void add(BlockReader.Piece piece, PartBuilder builder, String name, long rows)
      throws IOException {
    VectorSchemaRoot batch = piece.batch();
    try {
      builder.add(batch, piece.ends());
    } catch (EngineException e) {
      throw of(
          e,
          String.format(
              Locale.ROOT, "%s, rows %d to %d", name, rows + 1, rows + batch.getRowCount()));
    } catch (IOException e) {
      throw writing(e);
    }
  }

  private static IOException reading(IOException e, String name) {
    String words = Words.of(e);
    return new IOException(words.startsWith(name) ? words : name + ": " + words, e);
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
