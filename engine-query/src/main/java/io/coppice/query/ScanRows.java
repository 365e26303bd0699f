package io.coppice.query;

import io.coppice.parts.scan.BatchStream;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;

/** The rows of a table's scan. */
final class ScanRows implements Rows {
  private final List<ResultColumn> columns;
  private final BatchStream stream;
  private final ReadCounter counter;
  private long rowsCounted;
  private long bytesCounted;

  /** A stream of batches with these columns, which is taken over. */
  ScanRows(List<ResultColumn> columns, BatchStream stream, ReadCounter counter) {
    this.counter = counter;
    this.columns = List.copyOf(columns);
    this.stream = stream;
  }

  @Override
  public List<ResultColumn> columns() {
    return columns;
  }

  @Override
  public boolean next() throws IOException {
    boolean more = stream.next();
    long rows = stream.report().rowsRead();
    long bytes = stream.report().uncompressedBytes();
    counter.add(rows - rowsCounted, bytes - bytesCounted);
    rowsCounted = rows;
    bytesCounted = bytes;
    return more;
  }

  @Override
  public VectorSchemaRoot batch() {
    return stream.batch();
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
