package io.coppice.merge.run;

import io.coppice.parts.column.SharedDictionaries;
import io.coppice.parts.column.Vectors;
import java.util.List;
import org.apache.arrow.vector.FieldVector;

/** Merged rows, which whoever got them closes. */
final class MergedBlock implements AutoCloseable {
  private final List<FieldVector> columns;
  private final int rows;
  private final List<SharedDictionaries> shared;
  private final Runnable closing;

  /** Vectors of its own. */
  MergedBlock(List<FieldVector> columns, int rows) {
    this(columns, rows, List.of(), () -> Vectors.close(columns));
  }

  /** A chunk as it is, whose hold goes over to the block. */
  MergedBlock(Chunk chunk) {
    this(chunk.columns(), chunk.rows(), chunk.shared(), chunk::release);
  }

  private MergedBlock(
      List<FieldVector> columns, int rows, List<SharedDictionaries> shared, Runnable closing) {
    this.shared = shared;
    this.columns = columns;
    this.rows = rows;
    this.closing = closing;
  }

  List<FieldVector> columns() {
    return columns;
  }

  int rows() {
    return rows;
  }

  /** Dictionaries of each column, of a granule that passes as it is. */
  List<SharedDictionaries> shared() {
    return shared;
  }

  @Override
  public void close() {
    closing.run();
  }
}
