package io.coppice.parts.write;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.parts.column.Encodings;
import io.coppice.parts.table.ColumnDefinition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;

/** What arrays of one Nested must keep to. Stateless. */
final class NestedSizes {
  private NestedSizes() {}

  /**
   * Columns of one Nested share their sizes: a row with arrays of unequal length has no form in a
   * part.
   */
  static void check(List<ColumnDefinition> columns, List<FieldVector> stored, int rows) {
    Map<String, Integer> first = new LinkedHashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      int at = i;
      if (!(stored.get(i) instanceof ListVector list)
          || !(columns.get(i).type() instanceof ArrayType)) {
        continue;
      }
      Optional<String> nested = Encodings.nestedTable(columns.get(i).name());
      Integer other = nested.map(n -> first.putIfAbsent(n, at)).orElse(null);
      for (int row = 0; other != null && row < rows; row++) {
        ListVector sibling = (ListVector) stored.get(other);
        int size = list.getElementEndIndex(row) - list.getElementStartIndex(row);
        int expected = sibling.getElementEndIndex(row) - sibling.getElementStartIndex(row);
        if (size != expected) {
          throw EngineException.of(
              ErrorCode.SIZES_OF_ARRAYS_DONT_MATCH,
              "row %d of %d: column %s has %d elements, expected %d as %s of the same Nested",
              row + 1,
              rows,
              columns.get(i).name(),
              size,
              expected,
              columns.get(other).name());
        }
      }
    }
  }
}
