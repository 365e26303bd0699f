package io.coppice.parts.text;

import io.coppice.parts.stream.ArrowFlags;
import java.io.IOException;
import java.io.OutputStream;
import java.time.ZoneId;
import java.util.OptionalLong;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Writes batches in a {@link DataFormat}, byte for byte as ClickHouse 26.7 does with the same
 * settings.
 *
 * <p>Confined to one thread. Borrows the stream and each batch; {@link #close} writes what belongs
 * at the end and leaves the stream open.
 */
public interface BatchWriter extends AutoCloseable {
  /** Writes the rows of a batch, which has the schema that the writer was opened with. */
  void write(VectorSchemaRoot batch) throws IOException;

  /**
   * Says what some formats tell about the whole result, before {@link #close}.
   *
   * @param statistics of the rows given
   */
  default void finish(Statistics statistics) {}

  /** Writes what belongs at the end; the stream stays open. */
  @Override
  void close() throws IOException;

  /**
   * How a result came about.
   *
   * @param seconds it took
   * @param rowsRead rows of tables that were read for it
   * @param bytesRead and their bytes in memory
   * @param rowsBeforeLimit how many rows there would be at least without the LIMIT, if there is one
   */
  record Statistics(double seconds, long rowsRead, long bytesRead, OptionalLong rowsBeforeLimit) {}

  /**
   * How to write.
   *
   * @param zone of times that name none, for the text formats
   * @param settings of the formats
   * @param color whether names may be bold where the settings leave it open
   */
  record Options(ZoneId zone, FormatSettings settings, boolean color) {}

  /** Opens a writer with 26.7's default settings. */
  static BatchWriter open(
      DataFormat format, OutputStream out, Schema schema, ZoneId zone, BufferAllocator allocator)
      throws IOException {
    return open(format, out, schema, new Options(zone, FormatSettings.DEFAULT, false), allocator);
  }

  /**
   * Opens a writer; what belongs at the start is written by then.
   *
   * @param allocator for passing memory of the binary formats
   */
  static BatchWriter open(
      DataFormat format,
      OutputStream out,
      Schema schema,
      Options options,
      BufferAllocator allocator)
      throws IOException {
    ArrowFlags.require();
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
          new SeparatedWriter(format, out, schema, options);
      case TSKV -> new TskvWriter(out, schema, options);
      case JSON_EACH_ROW,
          JSON_STRINGS_EACH_ROW,
          PRETTY_JSON_EACH_ROW,
          JSON_COMPACT_EACH_ROW,
          JSON_COMPACT_EACH_ROW_WITH_NAMES,
          JSON_COMPACT_EACH_ROW_WITH_NAMES_AND_TYPES,
          JSON_COMPACT_STRINGS_EACH_ROW ->
          new JsonRowsWriter(format, out, schema, options);
      case JSON, JSON_COMPACT, JSON_STRINGS, JSON_COMPACT_STRINGS ->
          new JsonWholeWriter(format, out, schema, options);
      case VALUES -> new ValuesWriter(out, schema, options);
      case SQL_INSERT -> new SqlInsertWriter(out, schema, options);
      case MARKDOWN -> new MarkdownWriter(out, schema, options);
      case VERTICAL -> new VerticalWriter(out, schema, options);
      case PRETTY,
          PRETTY_MONO_BLOCK,
          PRETTY_COMPACT,
          PRETTY_COMPACT_MONO_BLOCK,
          PRETTY_SPACE,
          PRETTY_SPACE_MONO_BLOCK ->
          new PrettyWriter(format, out, schema, options);
      case NULL -> new NullWriter();
      case NATIVE -> new NativeBatches(out, allocator);
      case ROW_BINARY, ROW_BINARY_WITH_NAMES, ROW_BINARY_WITH_NAMES_AND_TYPES ->
          new RowBinaryWriter(format, out, schema, allocator);
      case ARROW -> new ArrowFileWriting(out, schema, allocator);
      case ARROW_STREAM -> new ArrowStreamWriting(out, schema);
      case PARQUET -> WholeFileFormat.of(format).writer(out, schema, options, allocator);
    };
  }
}
