package io.coppice.parts.scan;

import io.coppice.language.type.DataType;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * How a scan comes by a column: from the part, or, where the part does not hold it or holds it with
 * another type, by computing it from columns of the part.
 *
 * @param name of the column
 * @param type that the scan gives it
 * @param virtual what gives it where it is no column of the table
 */
record ColumnPlan(
    String name, DataType type, Optional<Computed> computed, Optional<VirtualColumns> virtual) {

  /** A column of the part as it is. */
  static ColumnPlan stored(String name, DataType type) {
    return new ColumnPlan(name, type, Optional.empty(), Optional.empty());
  }

  /** What a part does not hold but is known of it. */
  static ColumnPlan virtual(String name, VirtualColumns columns) {
    return new ColumnPlan(name, columns.types().get(name), Optional.empty(), Optional.of(columns));
  }

  /** An expression over other columns of the same rows. Thread-safe. */
  interface Computed {
    /** Columns it needs. */
    List<String> columns();

    /** Its values for all rows of a batch of those columns, in that order; the caller owns them. */
    FieldVector evaluate(VectorSchemaRoot batch, BufferAllocator allocator);

    /** Whether it is used although the part holds the column: an ALIAS. */
    boolean always();
  }
}
