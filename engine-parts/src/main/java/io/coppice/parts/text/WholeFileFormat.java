package io.coppice.parts.text;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A format whose files are read by jumping in them, which a module of its own brings: it is found
 * by {@link ServiceLoader}. Stateless; any thread may use it.
 */
public interface WholeFileFormat {
  /** Which format it is. */
  DataFormat format();

  /**
   * Opens a file, which the caller closes.
   *
   * @param name of the file, for messages
   * @throws EngineException CANNOT_EXTRACT_TABLE_STRUCTURE, INCORRECT_DATA when it is none, or is
   *     damaged
   */
  Opened open(Path file, String name) throws IOException;

  /** Opens a writer, as {@link BatchWriter#open} does. */
  BatchWriter writer(
      OutputStream out, Schema schema, BatchWriter.Options options, BufferAllocator allocator)
      throws IOException;

  /** A file that is open. Confined to one thread. */
  interface Opened extends AutoCloseable {
    /** The types of its columns by name, in order. */
    Map<String, DataType> columns();

    /**
     * Begins to read columns.
     *
     * @param wanted the types that are wanted of those columns by name: where the bytes of a column
     *     are of that type, it is given in it, else in its own
     * @param nullAsDefault whether NULL stands for the default of a wanted type without NULL
     */
    void read(
        Map<String, DataType> wanted,
        boolean nullAsDefault,
        int batchRows,
        BufferAllocator allocator);

    /** The next rows, which the caller closes; empty at the end. */
    Optional<VectorSchemaRoot> next() throws IOException;

    @Override
    void close() throws IOException;
  }

  /**
   * What serves a format.
   *
   * @throws EngineException SUPPORT_IS_DISABLED when no module brings it
   */
  static WholeFileFormat of(DataFormat format) {
    for (WholeFileFormat one : ServiceLoader.load(WholeFileFormat.class)) {
      if (one.format() == format) {
        return one;
      }
    }
    throw EngineException.of(
        ErrorCode.SUPPORT_IS_DISABLED,
        "format %s is served by the module engine-%s, which is not on the class path; add it",
        format.text(),
        format.text().toLowerCase(java.util.Locale.ROOT));
  }
}
