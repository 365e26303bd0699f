package io.coppice.parts.text;

import io.coppice.base.check.Check;
import io.coppice.base.error.EngineException;
import io.coppice.parts.expression.Surroundings;
import io.coppice.parts.stream.ArrowFlags;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Reads rows of a {@link DataFormat} into batches of a table's columns, a bounded number at a time.
 *
 * <p>Text is read as ClickHouse 26.7 reads it with its default settings: empty fields of CSV,
 * {@code \N} in a column that is not Nullable and absent names of JSON stand for the column's
 * default; a plain TSV or CSV that begins with a line of the column names is read by it. Three
 * things differ, so that no row is invented: a number, date or time that does not fit its type is
 * an error where ClickHouse wraps it round or cuts it, a name given twice is an error, and so is a
 * name that the table does not have, unless {@link Options#skipUnknown} says to pass over it. The
 * names of the elements of tuples that CSVWithNames is written with are understood.
 *
 * <p>Errors name input, line and column: CANNOT_PARSE_…, INCORRECT_DATA and others of kind USAGE.
 *
 * <p>Confined to one thread. Borrows the stream; what {@link #next} gives belongs to the caller.
 */
public interface BatchReader extends AutoCloseable {
  /**
   * How to read.
   *
   * @param zone of times that name none, in text and in expressions
   * @param batchRows most rows of a batch of the text formats
   * @param skipUnknown whether columns that the table does not have are passed over
   * @param surroundings time and chance for the DEFAULT expressions that fill what single rows
   *     lack; the time is that of opening the reader
   * @param settings of the formats; {@code skipUnknown} counts instead of the one of its name
   * @param columns that an input without names has, in order, and that one with names may have;
   *     none meaning all that are ordinary
   * @param segment over whose end no batch of text reaches
   */
  record Options(
      ZoneId zone,
      int batchRows,
      boolean skipUnknown,
      Surroundings surroundings,
      FormatSettings settings,
      List<String> columns,
      Segment segment) {
    /** UTC, batches of 65,536 rows, unknown columns refused. */
    public static final Options DEFAULT = new Options(ZoneOffset.UTC, 65_536, false);

    public Options {
      Check.argument(1 <= batchRows && batchRows <= 1 << 24, "batches of %d rows", batchRows);
      columns = List.copyOf(columns);
    }

    /** Without segments. */
    public Options(
        ZoneId zone,
        int batchRows,
        boolean skipUnknown,
        Surroundings surroundings,
        FormatSettings settings,
        List<String> columns) {
      this(zone, batchRows, skipUnknown, surroundings, settings, columns, Segment.NONE);
    }

    /** With 26.7's settings of formats, but for unknown columns. */
    public Options(ZoneId zone, int batchRows, boolean skipUnknown, Surroundings surroundings) {
      this(zone, batchRows, skipUnknown, surroundings, FormatSettings.DEFAULT, List.of());
    }

    /** With the machine's clock and unpredictable numbers. */
    public Options(ZoneId zone, int batchRows, boolean skipUnknown) {
      this(zone, batchRows, skipUnknown, Surroundings.system());
    }

    /** With batches of at most so many rows, in such segments. */
    public Options within(int rows, Segment other) {
      return new Options(zone, rows, skipUnknown, surroundings, settings, columns, other);
    }

    private Options atThisMoment() {
      return new Options(
          zone,
          batchRows,
          skipUnknown,
          surroundings.in(zone).atThisMoment(),
          settings,
          columns,
          segment);
    }
  }

  /**
   * The pieces in which ClickHouse reads text on several threads, which its blocks do not reach
   * over. Each ends behind the row with which it is so large.
   *
   * @param rows of it, lines of a head among them
   * @param bytes of text, {@code min_chunk_bytes_for_parallel_parsing}
   */
  record Segment(long rows, long bytes) {
    /** All of a text. */
    public static final Segment NONE = new Segment(Long.MAX_VALUE, Long.MAX_VALUE);

    public Segment {
      Check.argument(rows > 0 && bytes > 0, "segments of %d rows, %d bytes", rows, bytes);
    }
  }

  /**
   * The next batch, never empty, which the caller closes; empty at the end of the input. Columns
   * that the input does not have are not in the batch.
   *
   * @throws EngineException naming input, line and column of what cannot be read
   */
  Optional<VectorSchemaRoot> next() throws IOException;

  /**
   * Whether the input itself ends a block behind the batch given last: at the end of a segment of
   * text, and behind every batch of the formats that have blocks of their own.
   */
  default boolean blockEnds() {
    return true;
  }

  /** Gives back what the reader holds; batches given stay valid. */
  @Override
  void close() throws IOException;

  /**
   * Opens a reader.
   *
   * @param name of the input, for messages
   * @param table whose columns are wanted; its DEFAULT expressions fill what single rows lack
   */
  static BatchReader open(
      DataFormat format,
      InputStream in,
      String name,
      TableDefinition table,
      Options given,
      BufferAllocator allocator) {
    ArrowFlags.require();
    Options options = given.atThisMoment();
    return switch (format) {
      case TSV,
          TSV_WITH_NAMES,
          TSV_WITH_NAMES_AND_TYPES,
          TSV_RAW,
          TSV_RAW_WITH_NAMES,
          TSV_RAW_WITH_NAMES_AND_TYPES,
          CSV,
          CSV_WITH_NAMES,
          CSV_WITH_NAMES_AND_TYPES ->
          new SeparatedReader(format, in, name, table, options, allocator);
      case JSON_EACH_ROW, JSON -> new JsonReader(format, in, name, table, options, allocator);
      case JSON_COMPACT,
          JSON_COMPACT_EACH_ROW,
          JSON_COMPACT_EACH_ROW_WITH_NAMES,
          JSON_COMPACT_EACH_ROW_WITH_NAMES_AND_TYPES ->
          new JsonCompactReader(format, in, name, table, options, allocator);
      case VALUES -> new ValuesReader(in, name, table, options, allocator);
      case NATIVE -> new NativeInput(in, name, table, options, allocator);
      case ROW_BINARY, ROW_BINARY_WITH_NAMES, ROW_BINARY_WITH_NAMES_AND_TYPES ->
          new RowBinaryInput(format, in, name, table, options, allocator);
      case ARROW, ARROW_STREAM -> new ArrowStreamInput(in, name, table, options, allocator);
      case PARQUET -> new WholeFileInput(format, in, name, table, options, allocator);
      default -> throw DataFormat.outputOnly(format);
    };
  }
}
