package io.coppice.cli;

import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.arrow.memory.BufferAllocator;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** The options of every command that reads parts. */
final class PartOptions {
  @Option(
      names = "--schema",
      paramLabel = "FILE.sql",
      description =
          "The table's CREATE TABLE: what a part does not hold (keys, defaults, granularity of old"
              + " parts). Metadata beside the part is used by itself.")
  private Path schema;

  @Option(
      names = "--timezone",
      paramLabel = "ZONE",
      converter = Zone.class,
      description = "Zone of times that name none. Default: UTC.")
  private ZoneId zone;

  /** Reads the name of a zone. */
  static final class Zone implements ITypeConverter<ZoneId> {
    @Override
    public ZoneId convert(String value) {
      try {
        return ZoneId.of(value);
      } catch (DateTimeException e) {
        throw new CommandLine.TypeConversionException("unknown time zone '" + value + "'");
      }
    }
  }

  ZoneId zone() {
    return zone == null ? ZoneOffset.UTC : zone;
  }

  /** The table of a part, where it is known. */
  Optional<TableDefinition> table(PartPaths.Found part, Shell shell) throws IOException {
    return Schemas.of(
        part, Optional.ofNullable(schema), note -> shell.err().println("coppice: " + note));
  }

  /** Opens a part, with the granularity that its table says. */
  static LoadedPart open(
      PartPaths.Found part, Optional<TableDefinition> table, BufferAllocator allocator)
      throws IOException {
    OptionalLong granularity =
        table.isPresent()
            ? OptionalLong.of(table.get().settings().indexGranularity())
            : OptionalLong.empty();
    return LoadedPart.open(part.disk(), part.name(), new LoadedPart.Hints(granularity), allocator);
  }
}
