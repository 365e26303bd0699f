package io.coppice.parts.text;

import io.coppice.parts.stream.ArrowFlags;
import java.io.IOException;
import java.io.OutputStream;
import java.time.ZoneId;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Writes batches in a {@link DataFormat}, byte for byte as ClickHouse 26.7 does with its default
 * settings.
 *
 * <p>Confined to one thread. Borrows the stream and each batch; {@link #close} writes what belongs
 * at the end and leaves the stream open.
 */
public interface BatchWriter extends AutoCloseable {
  /** Writes the rows of a batch, which has the schema that the writer was opened with. */
  void write(VectorSchemaRoot batch) throws IOException;

  /** Writes what belongs at the end; the stream stays open. */
  @Override
  void close() throws IOException;

  /**
   * Opens a writer; what belongs at the start is written by then.
   *
   * @param zone of times that name none, for the text formats
   * @param allocator for passing memory of the binary formats
   */
  static BatchWriter open(
      DataFormat format, OutputStream out, Schema schema, ZoneId zone, BufferAllocator allocator)
      throws IOException {
    ArrowFlags.require();
    return switch (format) {
      case TSV, TSV_WITH_NAMES, TSV_WITH_NAMES_AND_TYPES, CSV, CSV_WITH_NAMES ->
          new SeparatedWriter(format, out, schema, zone);
      case JSON_EACH_ROW -> new JsonWriter(out, schema, zone);
      case NATIVE -> new NativeBatches(out, allocator);
      case ARROW_STREAM -> new ArrowStreamWriting(out, schema);
    };
  }
}
