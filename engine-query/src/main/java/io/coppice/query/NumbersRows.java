package io.coppice.query;

import io.coppice.base.bytes.Memory;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Vectors;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Numbers one after the other: the table function {@code numbers}. */
final class NumbersRows implements Rows {
  static final List<ResultColumn> COLUMNS = List.of(new ResultColumn("number", PlainType.UINT64));

  private final FieldVector vector;
  private final VectorSchemaRoot batch;
  private final int batchRows;
  private final long step;
  private long next;
  private long left;

  /** {@code count} numbers from {@code first} on, both unsigned; so many a batch. */
  NumbersRows(long first, long count, int batchRows, BufferAllocator allocator) {
    this(first, count, 1, batchRows, allocator);
  }

  /** The same with {@code step} from each to the next. */
  NumbersRows(long first, long count, long step, int batchRows, BufferAllocator allocator) {
    this.step = step;
    this.batchRows = batchRows;
    this.next = first;
    this.left = count;
    List<FieldVector> vectors = Batches.vectors(COLUMNS, allocator);
    this.vector = vectors.get(0);
    this.batch = Batches.of(Batches.schema(COLUMNS), vectors, 0);
  }

  @Override
  public List<ResultColumn> columns() {
    return COLUMNS;
  }

  @Override
  public boolean next() {
    if (left == 0) {
      return false;
    }
    int rows = Long.compareUnsigned(left, batchRows) < 0 ? (int) left : batchRows;
    Vectors.reserve(vector, rows);
    long data = Vectors.data(vector);
    for (int row = 0; row < rows; row++) {
      Memory.putLong(data + row * 8L, next);
      next += step;
    }
    left -= rows;
    Vectors.finish(vector, rows);
    batch.setRowCount(rows);
    return true;
  }

  @Override
  public VectorSchemaRoot batch() {
    return batch;
  }

  @Override
  public void close() {
    vector.close();
  }
}
