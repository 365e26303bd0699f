package io.coppice.parts.column;

import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.TupleType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.StructVector;

/**
 * How many rows of an inserted column hold the default, and whether it is therefore stored sparse.
 *
 * <p>Up to 1000 rows all are looked at; of more, a tenth, evenly spread: the share of defaults
 * among those is taken for all. A column is sparse when its share is above the table's ratio.
 * Elements of a tuple decide for themselves; a tuple is never sparse as a whole.
 *
 * @param rows of the column
 * @param defaults of those, perhaps estimated
 * @param elements of a tuple, in order
 */
public record SparseChoice(boolean sparse, long rows, long defaults, List<SparseChoice> elements) {
  private static final int EXACT_UP_TO_ROWS = 1000;

  public SparseChoice {
    elements = List.copyOf(elements);
  }

  /**
   * The choice for a column; empty for types that are never sparse, of which nothing is counted.
   *
   * @param rows numbers of the column's rows in the vector, in the order in which they were
   *     inserted: an estimate depends on it
   * @param ratio share of defaults above which a column is sparse
   * @param exact whether all rows are counted whatever their number
   * @param sparseNullable whether Nullable columns may be sparse
   */
  public static Optional<SparseChoice> of(
      FieldVector vector,
      DataType type,
      int[] rows,
      double ratio,
      boolean exact,
      boolean sparseNullable) {
    return counted(type, sparseNullable)
        ? Optional.of(choose(vector, type.storage(), rows, ratio, exact, EXACT_UP_TO_ROWS))
        : Optional.empty();
  }

  /** As the other for a column that is sparse already: all rows are looked at. */
  public static Optional<SparseChoice> ofSparse(
      FieldVector vector, DataType type, int[] rows, boolean exact, boolean sparseNullable) {
    return counted(type, sparseNullable)
        ? Optional.of(choose(vector, type.storage(), rows, 1, exact, Integer.MAX_VALUE))
        : Optional.empty();
  }

  /**
   * Whether the defaults of a column of this type are counted.
   *
   * @param sparseNullable whether Nullable columns may be sparse
   */
  public static boolean counted(DataType type, boolean sparseNullable) {
    DataType storage = type.storage();
    return storage instanceof TupleType
        || Defaults.maySparse(storage)
        || sparseNullable && storage instanceof NullableType;
  }

  private static SparseChoice choose(
      FieldVector vector,
      DataType given,
      int[] rows,
      double ratio,
      boolean exact,
      int allUpToRows) {
    DataType type = given.storage();
    // Of a tuple as a whole ClickHouse never counts exactly.
    long defaults =
        count(vector, Defaults.of(type), rows, exact && !(type instanceof TupleType), allUpToRows);
    if (type instanceof TupleType t) {
      List<SparseChoice> elements = new ArrayList<>();
      List<FieldVector> children = ((StructVector) vector).getChildrenFromFields();
      for (int i = 0; i < children.size(); i++) {
        elements.add(
            choose(children.get(i), t.elements().get(i).type(), rows, ratio, exact, allUpToRows));
      }
      return new SparseChoice(false, rows.length, defaults, elements);
    }
    // Recorded whatever the type; types that are never sparse are written in full all the same.
    boolean sparse = rows.length > 0 && (double) defaults / rows.length > ratio;
    return new SparseChoice(sparse, rows.length, defaults, List.of());
  }

  private static long count(
      FieldVector vector, Defaults defaults, int[] selection, boolean exact, int allUpToRows) {
    int rows = selection.length;
    if (rows <= allUpToRows || exact) {
      long found = 0;
      for (int row : selection) {
        found += defaults.isDefault(vector, row) ? 1 : 0;
      }
      // ClickHouse, too, takes a share of the rows, which may cost the last of them.
      return exact ? found : (long) ((double) found / Math.max(1, rows) * rows);
    }
    long sample = (long) (rows * 0.1);
    long looked = 0;
    long found = 0;
    // Row i is looked at when it is the first at or behind the next of `sample` even steps.
    for (long row = 0; row < rows; row++) {
      if (looked * rows <= row * sample) {
        found += defaults.isDefault(vector, selection[(int) row]) ? 1 : 0;
        looked++;
      }
    }
    return (long) ((double) found / looked * rows);
  }

  /** The same as the encodings want it. */
  public Encodings.Kind kind() {
    return new Encodings.Kind(sparse, elements.stream().map(SparseChoice::kind).toList());
  }
}
