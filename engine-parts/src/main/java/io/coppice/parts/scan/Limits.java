package io.coppice.parts.scan;

import io.coppice.parts.column.Vectors;
import java.io.IOException;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** What serial and parallel scans share. Stateless. */
final class Limits {
  private Limits() {}

  /** Cuts a batch to its first rows. */
  static void cut(VectorSchemaRoot batch, int rows) {
    for (FieldVector vector : batch.getFieldVectors()) {
      Vectors.finish(vector, rows);
    }
    batch.setRowCount(rows);
  }

  static ScanReport report(
      ScanReport chosen, long rowsRead, long rowsReturned, long compressed, long uncompressed) {
    return new ScanReport(
        chosen.parts(),
        chosen.partsRead(),
        chosen.granules(),
        chosen.granulesAfterPartition(),
        chosen.granulesAfterKey(),
        chosen.granulesAfterIndexes(),
        rowsRead,
        rowsReturned,
        compressed,
        uncompressed,
        chosen.rowsChosen(),
        chosen.ranges(),
        chosen.rowsCounted(),
        chosen.rowsByPartition(),
        chosen.indexes());
  }

  /** Closes all in order, also when one fails; throws the first failure. */
  static void closeAll(AutoCloseable... owned) throws IOException {
    Exception first = null;
    for (AutoCloseable one : owned) {
      try {
        one.close();
      } catch (Exception e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first instanceof IOException e) {
      throw e;
    }
    if (first instanceof RuntimeException e) {
      throw e;
    }
    if (first != null) {
      throw new IOException(first);
    }
  }
}
