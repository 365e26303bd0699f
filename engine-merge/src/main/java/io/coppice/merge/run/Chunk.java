package io.coppice.merge.run;

import io.coppice.parts.column.SharedDictionaries;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.write.KeyLongs;
import io.coppice.parts.write.TableKeys;
import java.util.List;
import org.apache.arrow.vector.FieldVector;

/**
 * Rows of one granule of a source: columns, and the sorting key's elements with a long for each
 * row. Whoever keeps it holds it; the vectors go with the last hold. Confined to one thread.
 */
final class Chunk {
  private final List<FieldVector> columns;
  private final TableKeys.Evaluated key;
  private final KeyLongs[] longs;
  private final int rows;
  private final List<SharedDictionaries> shared;
  private int holds = 1;

  /**
   * Takes the vectors; the caller has the first hold.
   *
   * @param longs of the key's elements
   * @param shared dictionaries of each column
   */
  Chunk(
      List<FieldVector> columns,
      TableKeys.Evaluated key,
      KeyLongs[] longs,
      int rows,
      List<SharedDictionaries> shared) {
    this.columns = columns;
    this.key = key;
    this.longs = longs.clone();
    this.rows = rows;
    this.shared = shared;
  }

  List<FieldVector> columns() {
    return columns;
  }

  List<FieldVector> key() {
    return key.vectors();
  }

  KeyLongs longs(int element) {
    return longs[element];
  }

  int rows() {
    return rows;
  }

  List<SharedDictionaries> shared() {
    return shared;
  }

  void hold() {
    holds++;
  }

  void release() {
    holds--;
    if (holds == 0) {
      key.close();
      Vectors.close(columns);
    }
  }
}
