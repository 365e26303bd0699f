package io.coppice.parts.write;

import io.coppice.language.type.DataType;
import org.apache.arrow.vector.FieldVector;

/**
 * The rows with the least and the greatest value of a column among some rows, for minmax files.
 * NULL counts as the greatest.
 */
record MinMax(int minRow, int maxRow) {
  /** Looks at {@code rows[0, count)}, of which there is at least one. */
  static MinMax of(FieldVector vector, DataType type, int[] rows) {
    int min = rows[0];
    int max = rows[0];
    for (int row : rows) {
      if (SortOrder.compareValues(vector, row, vector, min, type) < 0) {
        min = row;
      } else if (SortOrder.compareValues(vector, row, vector, max, type) > 0) {
        max = row;
      }
    }
    return new MinMax(min, max);
  }
}
