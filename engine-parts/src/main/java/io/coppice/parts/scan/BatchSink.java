package io.coppice.parts.scan;

import java.io.IOException;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Takes the batches of one run of a scan, one after another on one thread. */
public interface BatchSink extends AutoCloseable {
  /** Takes rows, one at least, which are borrowed for the call. */
  void add(VectorSchemaRoot batch) throws IOException;

  @Override
  void close();
}
