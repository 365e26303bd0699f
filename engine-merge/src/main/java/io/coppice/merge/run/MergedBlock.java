package io.coppice.merge.run;

import io.coppice.parts.column.Vectors;
import java.util.List;
import org.apache.arrow.vector.FieldVector;

/** Merged rows, which whoever got them closes. */
final class MergedBlock implements AutoCloseable {
  private final List<FieldVector> columns;
  private final int rows;
  private final Runnable closing;

  /** Vectors of its own. */
  MergedBlock(List<FieldVector> columns, int rows) {
    this(columns, rows, () -> Vectors.close(columns));
  }

  /** A chunk as it is, whose hold goes over to the block. */
  MergedBlock(Chunk chunk) {
    this(chunk.columns(), chunk.rows(), chunk::release);
  }

  private MergedBlock(List<FieldVector> columns, int rows, Runnable closing) {
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

  @Override
  public void close() {
    closing.run();
  }
}
