package io.coppice.parquet;

import io.coppice.parts.column.Vectors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.parquet.column.ColumnReader;

/**
 * Reads one column of values into its vector, and where lists around it begin and end. A value's
 * levels say: its repetition level, at which list a new element begins; its definition level, how
 * far there is something. Confined to one thread.
 */
final class LeafColumn {
  private static final byte[] NOTHING = {};

  private final Node leaf;
  private final List<Node> lists;
  private final ColumnReader reader;
  private long left;

  /**
   * @param lists around the values, the outermost first
   * @param count of values, and of what stands for lacking ones
   */
  LeafColumn(Node leaf, List<Node> lists, ColumnReader reader, long count) {
    this.leaf = leaf;
    this.lists = lists;
    this.reader = reader;
    this.left = count;
  }

  /** Where the values of a batch go. */
  record Target(FieldVector values, List<ListVector> lists, ValueSetter setter) {
    Target {
      lists = new ArrayList<>(lists);
    }
  }

  /**
   * Reads the values of so many rows.
   *
   * @return how many rows, and elements of each list around the values
   */
  int[] read(int rows, Target to) throws IOException {
    int[] counts = new int[lists.size() + 1];
    boolean nullable = to.values().getField().isNullable();
    for (ListVector list : to.lists()) {
      Vectors.reserve(list, Math.max(rows, 1));
      list.getOffsetBuffer().setInt(0, 0);
    }
    while (left > 0) {
      int repetition = reader.getCurrentRepetitionLevel();
      int definition = reader.getCurrentDefinitionLevel();
      if (repetition == 0 && counts[0] == rows) {
        return counts;
      }
      if (repetition > lists.size() || repetition > 0 && counts[0] == 0) {
        throw Damage.broken("column %s has a repetition level %d", leaf.name(), repetition);
      }
      if (place(repetition, definition, counts, to)) {
        int row = counts[lists.size()] - 1;
        if (definition >= leaf.definition()) {
          to.setter().set(row, reader);
        } else {
          setNull(to.values(), row, nullable);
        }
      }
      reader.consume();
      left--;
    }
    if (counts[0] != rows) {
      throw Damage.broken(
          "column %s ends %d rows before its row group", leaf.name(), rows - counts[0]);
    }
    return counts;
  }

  /** Counts a new element at every list that has one; whether there is a value. */
  private boolean place(int repetition, int definition, int[] counts, Target to) {
    counts[repetition] = Math.incrementExact(counts[repetition]);
    int depth = repetition;
    for (; depth < lists.size(); depth++) {
      boolean element = definition > lists.get(depth).definition();
      if (element) {
        counts[depth + 1] = Math.incrementExact(counts[depth + 1]);
      }
      end(to.lists().get(depth), counts[depth], counts[depth + 1]);
      if (!element) {
        break;
      }
    }
    for (int outer = repetition - 1; outer >= 0; outer--) {
      end(to.lists().get(outer), counts[outer], counts[outer + 1]);
    }
    return depth == lists.size();
  }

  private static void end(ListVector list, int row, int elements) {
    if (list.getOffsetBuffer().capacity() < (row + 1L) * 4) {
      Vectors.reserve(list, Math.multiplyExact(row, 2));
    }
    list.getOffsetBuffer().setInt(row * 4L, elements);
  }

  private static void setNull(FieldVector vector, int row, boolean nullable) {
    if (vector instanceof BaseVariableWidthVector strings) {
      strings.setSafe(row, NOTHING);
    } else {
      Vectors.reserve(vector, row + 1);
      zero(vector, row);
    }
    if (nullable) {
      vector.setNull(row);
    }
  }

  private static void zero(FieldVector vector, int row) {
    if (vector instanceof org.apache.arrow.vector.BitVector bits) {
      bits.setSafe(row, 0);
    } else {
      int width = ((org.apache.arrow.vector.BaseFixedWidthVector) vector).getTypeWidth();
      vector.getDataBuffer().setZero((long) row * width, width);
    }
  }
}
