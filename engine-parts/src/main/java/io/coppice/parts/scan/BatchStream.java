package io.coppice.parts.scan;

import java.io.IOException;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The batches of a scan, one after another.
 *
 * <p>Confined to one thread. The caller closes it; closing early is fine and leaves nothing
 * allocated.
 */
public interface BatchStream extends AutoCloseable {
  /** The schema of every batch. */
  Schema schema();

  /** Moves to the next batch; false at the end. */
  boolean next() throws IOException;

  /**
   * The batch moved to, which stays owned by the stream and is valid until the next call of next.
   */
  VectorSchemaRoot batch();

  /**
   * The dictionaries of columns that are indexes into one, as {@link Scan#dictionaries} asks for;
   * owned by the stream. They grow with the batches: what an index means does not change.
   */
  default DictionaryProvider dictionaries() {
    return new DictionaryProvider.MapDictionaryProvider();
  }

  /** What was read and left out so far. */
  ScanReport report();

  @Override
  void close() throws IOException;
}
