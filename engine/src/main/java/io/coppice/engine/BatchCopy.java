package io.coppice.engine;

import io.coppice.parts.column.Gather;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.stream.DirectMemory;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Copies of batches that must last longer than those they are of. Stateless. */
final class BatchCopy {
  private BatchCopy() {}

  /** A copy, which the caller closes. */
  static VectorSchemaRoot of(VectorSchemaRoot batch, BufferAllocator allocator) {
    List<FieldVector> vectors = new ArrayList<>();
    int rows = batch.getRowCount();
    boolean done = false;
    try {
      for (FieldVector vector : batch.getFieldVectors()) {
        FieldVector copy = vector.getField().createVector(allocator);
        vectors.add(copy);
        Gather.appendRange(vector, 0, rows, copy, 0);
        Vectors.finish(copy, rows);
      }
      done = true;
    } catch (OutOfMemoryException e) {
      throw DirectMemory.lacking(e, "a copy of rows to insert");
    } finally {
      if (!done) {
        Vectors.close(vectors);
      }
    }
    return new VectorSchemaRoot(
        vectors.stream().map(FieldVector::getField).toList(), vectors, rows);
  }

  /** Bytes in memory. */
  static long sizeBytes(VectorSchemaRoot batch) {
    return batch.getFieldVectors().stream().mapToLong(FieldVector::getBufferSize).sum();
  }
}
