package io.coppice.query;

import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import io.coppice.parts.text.BatchReader;
import io.coppice.parts.text.DataFormat;
import io.coppice.parts.text.FileStream;
import io.coppice.parts.text.StructureReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/**
 * Rows in a {@link DataFormat} that a query reads like a table: a file, or what comes through a
 * pipe. Immutable; what it opens belongs to who reads.
 */
public final class InputTable {
  private static final int BUFFER_BYTES = 1 << 20;

  private final String name;
  private final DataFormat format;
  private final Optional<String> structure;
  private final Opening opening;

  /** Opens the bytes from their start; a stream that is marked and reset may be the same again. */
  @FunctionalInterface
  public interface Opening {
    InputStream open() throws IOException;
  }

  /**
   * @param name of the input, for messages
   * @param structure columns as in a CREATE TABLE; absent where the input is to tell
   */
  public InputTable(String name, DataFormat format, Optional<String> structure, Opening opening) {
    this.name = name;
    this.format = format;
    this.structure = structure;
    this.opening = opening;
  }

  /**
   * What comes through a stream once.
   *
   * @param structure as above
   */
  public static InputTable once(
      String name, DataFormat format, Optional<String> structure, InputStream in) {
    BufferedInputStream buffered = new BufferedInputStream(in, BUFFER_BYTES);
    return new InputTable(name, format, structure, () -> buffered);
  }

  /** A table of these columns. */
  static TableDefinition table(String structure) {
    return TableDefinition.parse(
        "ATTACH TABLE input (" + structure + ") ENGINE = MergeTree ORDER BY tuple()",
        Profile.MODERN);
  }

  /** Reads all rows. */
  Rows open(Context context) throws IOException {
    InputStream in = opening.open();
    BufferedInputStream buffered = buffered(in);
    boolean done = false;
    try {
      TableDefinition table =
          table(
              structure.isPresent()
                  ? structure.get()
                  : StructureReader.read(
                      format, buffered, name, context.formats(), context.allocator()));
      BatchReader reader =
          BatchReader.open(
              format,
              buffered,
              name,
              table,
              options(context, List.of())
                  .within(
                      context.blockRows(),
                      InsertSetting.segment(
                          context.settings(), InsertSetting.fileBlocks(context.settings()))),
              context.allocator());
      List<ResultColumn> columns =
          table.columns().stream()
              .filter(ColumnDefinition::stored)
              .map(column -> new ResultColumn(column.name(), column.type()))
              .toList();
      done = true;
      return new ReaderRows(context, columns, table, reader, buffered);
    } finally {
      if (!done) {
        buffered.close();
      }
    }
  }

  private BufferedInputStream buffered(InputStream in) throws IOException {
    if (format.wholeFile() && !(in instanceof FileStream)) {
      try (in) {
        return FileStream.of(in);
      }
    }
    return in instanceof BufferedInputStream b ? b : new BufferedInputStream(in, BUFFER_BYTES);
  }

  /** How a statement reads. */
  static BatchReader.Options options(Context context, List<String> columns) {
    return new BatchReader.Options(
        context.surroundings().zone(),
        BatchReader.Options.DEFAULT.batchRows(),
        context.formats().is(io.coppice.parts.text.FormatSetting.SKIP_UNKNOWN_FIELDS),
        context.surroundings(),
        context.formats(),
        columns);
  }
}
