package io.coppice.parts.write;

import io.coppice.parts.column.Gather;
import io.coppice.parts.column.Vectors;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/** Rows of several batches gathered to one block. Confined to one thread; owns its vectors. */
final class BlockAccumulator implements AutoCloseable {
  private final List<FieldVector> vectors = new ArrayList<>();
  private int rows;

  BlockAccumulator(List<Field> fields, BufferAllocator allocator) {
    for (Field field : fields) {
      vectors.add(field.createVector(allocator));
    }
  }

  /** Appends rows [from, from + count) of a batch, one vector per field, which are borrowed. */
  void append(List<FieldVector> batch, int from, int count) {
    for (int i = 0; i < vectors.size(); i++) {
      Gather.appendRange(batch.get(i), from, count, vectors.get(i), rows);
    }
    rows += count;
  }

  int rows() {
    return rows;
  }

  /** The gathered rows as readable vectors, which stay owned by this. */
  List<FieldVector> finish() {
    for (FieldVector vector : vectors) {
      Vectors.finish(vector, rows);
    }
    return vectors;
  }

  /** Forgets the rows and keeps the memory. */
  void reset() {
    rows = 0;
  }

  @Override
  public void close() {
    Vectors.close(vectors);
  }
}
