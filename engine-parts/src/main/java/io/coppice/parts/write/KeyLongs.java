package io.coppice.parts.write;

import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.FixedStringType;
import io.coppice.language.type.DataType.LowCardinalityType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import org.apache.arrow.vector.FieldVector;

/**
 * A long for each value of a key's column, whose signed order does not contradict that of the
 * values, over all vectors of the type: so that most comparisons of rows are of longs.
 *
 * @param values one a row; not to be changed
 * @param exact whether values are equal where the longs are; otherwise equal longs say nothing
 */
@SuppressWarnings("ArrayRecordComponent") // read in inner loops
public record KeyLongs(long[] values, boolean exact) {
  /**
   * Those of rows [0, rows).
   *
   * @param descending whether greater values come first, and so have the lesser longs
   */
  public static KeyLongs of(FieldVector vector, DataType given, int rows, boolean descending) {
    DataType type = given.storage();
    if (type instanceof LowCardinalityType t) {
      return of(vector, t.inner(), rows, descending);
    }
    DataType inner = type instanceof NullableType n ? n.inner().storage() : type;
    long[] values;
    boolean exact;
    if (inner instanceof TupleType || inner instanceof ArrayType || inner instanceof MapType) {
      values = new long[rows];
      exact = false;
    } else if (inner == PlainType.STRING
        || inner == PlainType.IPV6
        || inner instanceof FixedStringType) {
      values = SortOrder.prefixes(vector, rows, false);
      exact = false;
    } else if (inner.widthBytes() > 8) {
      values = new long[rows];
      exact = false;
    } else {
      values = new long[rows];
      SortOrder.readLongs(vector, inner, values);
      exact = type.equals(inner) || inner.widthBytes() < 8;
    }
    if (!type.equals(inner)) {
      for (int row = 0; row < rows; row++) {
        if (vector.isNull(row)) {
          values[row] = Long.MAX_VALUE; // behind all values
        }
      }
      // A NaN is the greatest long as well.
      exact &= !(inner instanceof PlainType p && p.floating());
    }
    if (descending) {
      for (int row = 0; row < rows; row++) {
        values[row] = ~values[row];
      }
    }
    return new KeyLongs(values, exact);
  }
}
