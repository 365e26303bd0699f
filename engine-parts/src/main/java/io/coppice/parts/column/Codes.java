package io.coppice.parts.column;

import org.apache.arrow.vector.FieldVector;

/** Takes the rows of a LowCardinality column as places in dictionaries. */
public interface Codes {
  /**
   * The values that the places from now on are of; NULL where the type has it. Borrowed until the
   * next call; the same vector means the same values while one run of rows is read.
   */
  void dictionary(FieldVector keys);

  /** The places of the next {@code count} rows; the array is used again. */
  void add(int[] positions, int count);
}
