package io.coppice.cli;

import io.coppice.base.error.EngineException;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
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

  /** What is in that file, which may be a pipe and can be read once only. */
  private Optional<String> given = Optional.empty();

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

  /**
   * Reads the file that was named, so that an error in it is told once and not once for each part.
   *
   * @throws EngineException naming file and line
   */
  void check() throws IOException {
    if (schema != null && given.isEmpty()) {
      given = Optional.of(Schemas.text(schema));
      Schemas.parse(given.get(), schema.toString(), Profile.MODERN);
    }
  }

  /** The table of a part, where it is known. */
  Optional<TableDefinition> table(PartPaths.Found part, Shell shell) throws IOException {
    check();
    if (given.isPresent()) {
      Profile profile = Schemas.profile(part.disk());
      return Optional.of(Schemas.parse(given.get(), schema.toString(), profile));
    }
    return Schemas.of(part, shell::note);
  }

  /** Opens a part, with the granularity that its table says. */
  static LoadedPart open(
      PartPaths.Found part, Optional<TableDefinition> table, BufferAllocator allocator)
      throws IOException {
    OptionalLong granularity =
        table.isPresent()
            ? OptionalLong.of(table.get().settings().indexGranularity())
            : OptionalLong.empty();
    // Called by its whole path, so that messages say which of several parts is meant.
    return LoadedPart.open(part.disk(), part.label(), new LoadedPart.Hints(granularity), allocator);
  }
}
