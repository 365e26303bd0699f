package io.coppice.parts.scan;

import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** A condition on rows, evaluated column-wise. Thread-safe. */
interface RowFilter {
  /** The columns it looks at. */
  List<String> columns();

  /**
   * Numbers of the rows that hold, ascending, in {@code selected}; returns how many. The batch is
   * borrowed and has the columns asked for, in that order.
   */
  int select(VectorSchemaRoot batch, int[] selected, BufferAllocator allocator);
}
