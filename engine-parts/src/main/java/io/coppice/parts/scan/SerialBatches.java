package io.coppice.parts.scan;

import io.coppice.parts.stream.DirectMemory;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.OversizedAllocationException;

/** A scan on the calling thread: one set of vectors, filled again for every batch. */
final class SerialBatches implements BatchStream {
  private final BufferAllocator allocator;
  private final AutoCloseable lease;
  private final GranuleReader reader;
  private final Iterator<GranuleReader.Task> tasks;
  private final VectorSchemaRoot root;
  private final ScanReport chosen;
  private long rowsLeft;
  private long rowsReturned;
  private boolean closed;

  /**
   * @param allocator owned by the stream
   * @param lease released when the stream is closed
   */
  SerialBatches(
      BufferAllocator allocator,
      AutoCloseable lease,
      Schema schema,
      GranuleReader reader,
      Iterator<GranuleReader.Task> tasks,
      ScanReport chosen,
      long limit) {
    this.allocator = allocator;
    this.lease = lease;
    this.reader = reader;
    this.tasks = tasks;
    this.chosen = chosen;
    this.rowsLeft = limit;
    List<FieldVector> vectors =
        schema.getFields().stream().map(f -> f.createVector(allocator)).toList();
    this.root = new VectorSchemaRoot(schema, vectors, 0);
  }

  @Override
  public Schema schema() {
    return root.getSchema();
  }

  @Override
  public boolean next() throws IOException {
    if (closed) {
      throw new IllegalStateException("the scan is closed");
    }
    while (rowsLeft > 0 && tasks.hasNext()) {
      int rows = fill(tasks.next());
      if (rows > rowsLeft) {
        rows = (int) rowsLeft;
        Limits.cut(root, rows);
      }
      if (rows > 0) {
        rowsLeft -= rows;
        rowsReturned += rows;
        return true;
      }
    }
    return false;
  }

  private int fill(GranuleReader.Task task) throws IOException {
    try {
      return reader.fill(task, root);
    } catch (OutOfMemoryException | OversizedAllocationException e) {
      throw DirectMemory.lacking(e, "reading part " + task.part().name());
    }
  }

  @Override
  public VectorSchemaRoot batch() {
    return root;
  }

  @Override
  public ScanReport report() {
    return Limits.report(
        chosen,
        reader.rowsRead(),
        rowsReturned,
        reader.compressedBytes(),
        reader.uncompressedBytes());
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    Limits.closeAll(root, reader, lease, allocator);
  }
}
