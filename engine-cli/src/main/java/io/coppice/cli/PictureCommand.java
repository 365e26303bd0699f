package io.coppice.cli;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.Engine;
import io.coppice.engine.EngineConfig;
import io.coppice.engine.PartInfo;
import io.coppice.engine.Table;
import io.coppice.parts.inspect.PartSizes;
import io.coppice.parts.name.PartName;
import io.coppice.parts.scan.LoadedPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "picture",
    description =
        "Draws the parts of a table as SVG: partitions, block numbers, sizes and levels; what a part"
            + " is appears when the mouse is over it.",
    mixinStandardHelpOptions = true)
final class PictureCommand implements Callable<Integer> {
  private final Shell shell;

  @Parameters(
      paramLabel = "DIR",
      description = "The directory of a table, or with --table a data directory.")
  private Path directory;

  @Option(names = "--table", paramLabel = "NAME", description = "Which table: name or db.name.")
  private String table;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      required = true,
      description = "The SVG file to write; one of that name is replaced.")
  private Path out;

  PictureCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws Exception {
    if (!Files.isDirectory(directory)) {
      throw EngineException.of(ErrorCode.FILE_DOESNT_EXIST, "no directory: %s", directory);
    }
    List<PartsPicture.Drawn> parts = table == null ? ofDirectory() : ofTable();
    String name = table == null ? directory.toAbsolutePath().getFileName().toString() : table;
    Files.writeString(out, PartsPicture.of(name, parts));
    shell.line(Amounts.count(parts.size(), "part") + " drawn in " + out);
    return 0;
  }

  private List<PartsPicture.Drawn> ofTable() {
    try (Engine engine = Engine.open(EngineConfig.at(directory).withReadOnly(true))) {
      return of(engine.table(table));
    }
  }

  /** The parts of a table that is open. */
  static List<PartsPicture.Drawn> of(Table table) {
    List<PartsPicture.Drawn> parts = new ArrayList<>();
    for (PartInfo part : table.parts()) {
      parts.add(drawn(part.name(), part.rows(), part.sizeBytes()));
    }
    return parts;
  }

  private static PartsPicture.Drawn drawn(PartName name, long rows, long bytes) {
    return new PartsPicture.Drawn(
        name.text(), name.partition(), name.minBlock(), name.maxBlock(), name.level(), rows, bytes);
  }

  private List<PartsPicture.Drawn> ofDirectory() throws IOException {
    List<PartsPicture.Drawn> parts = new ArrayList<>();
    try (PartPaths paths = new PartPaths(shell::note);
        BufferAllocator allocator = new RootAllocator()) {
      for (PartPaths.Found found : paths.find(List.of(directory))) {
        LoadedPart part =
            LoadedPart.open(found.disk(), found.name(), LoadedPart.Hints.NONE, allocator);
        PartName name =
            PartName.tryParse(found.name())
                .orElseThrow(
                    () ->
                        EngineException.of(
                            ErrorCode.BAD_DATA_PART_NAME,
                            "%s: the directory has no part's name",
                            found.label()));
        parts.add(drawn(name, part.rowCount(), PartSizes.of(part).onDisk()));
      }
    }
    return parts;
  }
}
