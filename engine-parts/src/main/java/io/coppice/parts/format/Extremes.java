package io.coppice.parts.format;

import io.coppice.base.bytes.ByteWriter;
import io.coppice.language.type.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.StructVector;

/**
 * The least and the greatest of the values of a type, as minmax files and minmax indexes hold them.
 *
 * <ul>
 *   <li>Among numbers NaN does not count; where there is nothing else both are one NaN, whatever
 *       the bits of those there are. Of zeros of either sign the last counts.
 *   <li>NULL does not count either, but if any value is NULL the greatest is NULL; if all are,
 *       both.
 *   <li>Of tuples the elements are taken apart: the least of each, the greatest of each. In them
 *       NULL does not count, unless there is nothing else.
 *   <li>Arrays and maps are compared whole. One that became the least is not looked at as the
 *       greatest; NULL and NaN in them stand at the other end for both.
 * </ul>
 *
 * <p>Witnessed by 26.7 ({@code MinMaxPeerTest}). Stateless; vectors are borrowed, by ranges too.
 */
public final class Extremes {
  /** The least and the greatest value among some rows. */
  public record Range(Value least, Value greatest) {}

  /** A value: of a row, or one that no row holds. */
  public sealed interface Value {}

  private record OfRow(FieldVector vector, int row) implements Value {
    boolean isNull() {
      return vector.isNull(row);
    }
  }

  private record NaN() implements Value {}

  private record OfTuple(List<Value> elements) implements Value {}

  private static final NaN NAN = new NaN();

  private final DataType type;
  private final boolean nullable;
  private final boolean outermost;
  private final boolean lists;
  private final List<Extremes> elements = new ArrayList<>();
  private final ValueOrder order;
  private final ValueOrder missingLeast;
  private final ValueOrder ofValues;

  private Extremes(DataType type, boolean outermost) {
    this.type = type;
    this.outermost = outermost;
    this.nullable = type.storage().nullable();
    DataType bare = type.bare();
    this.lists = bare instanceof DataType.ArrayType || bare instanceof DataType.MapType;
    if (bare instanceof DataType.TupleType tuple) {
      for (DataType.Element element : tuple.elements()) {
        elements.add(new Extremes(element.type(), false));
      }
    }
    this.order = ValueOrder.of(type, ValueOrder.Missing.GREATEST);
    this.missingLeast = ValueOrder.of(type, ValueOrder.Missing.LEAST);
    this.ofValues = ValueOrder.of(type, ValueOrder.Missing.NULL_LEAST);
  }

  /** Of values of {@code type}. */
  public static Extremes of(DataType type) {
    return new Extremes(type, true);
  }

  /**
   * Looks at rows {@code [from, to)}, of which there is at least one.
   *
   * @param vector of the type's Arrow mapping, without dictionary
   */
  public Range over(FieldVector vector, int from, int to) {
    return over(vector, Optional.empty(), from, to);
  }

  /** Looks at the rows of these numbers, of which there is at least one. */
  public Range over(FieldVector vector, int[] rows) {
    return over(vector, Optional.of(rows), 0, rows.length);
  }

  private Range over(FieldVector vector, Optional<int[]> selection, int from, int to) {
    if (type.bare() instanceof DataType.TupleType) {
      StructVector struct = (StructVector) vector;
      List<Value> least = new ArrayList<>();
      List<Value> greatest = new ArrayList<>();
      for (int i = 0; i < elements.size(); i++) {
        FieldVector child = (FieldVector) struct.getChildByOrdinal(i);
        Range range = elements.get(i).over(child, selection, from, to);
        least.add(range.least());
        greatest.add(range.greatest());
      }
      return new Range(new OfTuple(least), new OfTuple(greatest));
    }
    int[] rows = selection.orElse(null);
    return lists ? ofLists(vector, rows, from, to) : ofLeaves(vector, rows, from, to);
  }

  private Range ofLists(FieldVector vector, int[] rows, int from, int to) {
    int low = rows == null ? from : rows[from];
    int high = low;
    for (int i = from + 1; i < to; i++) {
      int row = rows == null ? i : rows[i];
      if (order.compare(vector, row, vector, low) < 0) {
        low = row;
      } else if (missingLeast.compare(vector, row, vector, high) > 0) {
        high = row;
      }
    }
    return new Range(new OfRow(vector, low), new OfRow(vector, high));
  }

  private Range ofLeaves(FieldVector vector, int[] rows, int from, int to) {
    int low = -1;
    int high = -1;
    int nullRow = -1;
    boolean nan = false;
    boolean floating = order.floating();
    boolean integers = order.integers();
    long lowNumber = Long.MAX_VALUE;
    long highNumber = Long.MIN_VALUE;
    for (int i = from; i < to; i++) {
      int row = rows == null ? i : rows[i];
      if (nullable && vector.isNull(row)) {
        nullRow = row;
      } else if (floating && order.isNaN(vector, row)) {
        nan = true;
      } else if (integers) {
        long number = order.orderedNumber(vector, row);
        if (number <= lowNumber) {
          lowNumber = number;
          low = row;
        }
        if (number >= highNumber) {
          highNumber = number;
          high = row;
        }
      } else if (low < 0) {
        low = row;
        high = row;
      } else {
        low = order.compare(vector, row, vector, low) <= 0 ? row : low;
        high = order.compare(vector, row, vector, high) >= 0 ? row : high;
      }
    }
    if (low < 0 && !nan) {
      Value missing = new OfRow(vector, nullRow);
      return new Range(missing, missing);
    }
    Value least = low < 0 ? NAN : new OfRow(vector, low);
    Value greatest = low < 0 ? NAN : new OfRow(vector, high);
    return new Range(least, outermost && nullRow >= 0 ? new OfRow(vector, nullRow) : greatest);
  }

  /**
   * The range of the rows of two ranges, {@code first} that of the rows before. Here tuples, arrays
   * and maps are compared whole; a NULL in them is less than everything, a NaN greater than all
   * numbers.
   */
  public Range join(Range first, Range next) {
    return new Range(
        compare(first.least(), next.least()) < 0 ? first.least() : next.least(),
        compare(first.greatest(), next.greatest()) < 0 ? next.greatest() : first.greatest());
  }

  private int compare(Value x, Value y) {
    if (x instanceof OfTuple left && y instanceof OfTuple right) {
      for (int i = 0; i < elements.size(); i++) {
        int order = elements.get(i).compare(left.elements().get(i), right.elements().get(i));
        if (order != 0) {
          return order;
        }
      }
      return 0;
    }
    boolean leftNull = x instanceof OfRow row && row.isNull();
    boolean rightNull = y instanceof OfRow row && row.isNull();
    if (leftNull || rightNull) {
      return (outermost ? 1 : -1) * Boolean.compare(leftNull, rightNull);
    }
    if (x instanceof OfRow left && y instanceof OfRow right) {
      return ofValues.compare(left.vector(), left.row(), right.vector(), right.row());
    }
    return Boolean.compare(x instanceof NaN, y instanceof NaN);
  }

  /** Appends the least and the greatest value in the form of {@link SingleValue}. */
  public void write(ByteWriter out, Range range) {
    write(out, range.least());
    write(out, range.greatest());
  }

  private void write(ByteWriter out, Value value) {
    if (value instanceof OfTuple tuple) {
      for (int i = 0; i < elements.size(); i++) {
        elements.get(i).write(out, tuple.elements().get(i));
      }
    } else if (value instanceof OfRow row) {
      SingleValue.of(type, row.vector()).write(out, row.row());
    } else {
      if (nullable) {
        out.u8(0);
      }
      switch (type.bare().widthBytes()) {
        case 2 -> out.u16(Float.floatToIntBits(Float.NaN) >>> 16);
        case 4 -> out.u32(Float.floatToIntBits(Float.NaN));
        default -> out.u64(Double.doubleToLongBits(Double.NaN));
      }
    }
  }
}
