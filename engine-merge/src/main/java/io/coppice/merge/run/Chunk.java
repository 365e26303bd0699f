package io.coppice.merge.run;

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
  private int holds = 1;

  /**
   * Takes the vectors; the caller has the first hold.
   *
   * @param longs of the key's elements
   */
  Chunk(List<FieldVector> columns, TableKeys.Evaluated key, KeyLongs[] longs, int rows) {
    this.columns = columns;
    this.key = key;
    this.longs = longs.clone();
    this.rows = rows;
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
