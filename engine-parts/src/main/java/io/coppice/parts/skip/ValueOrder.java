package io.coppice.parts.skip;

import io.coppice.base.bytes.Memory;
import io.coppice.base.check.Check;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;

/**
 * ClickHouse's order of the values of a type, in the vectors of its Arrow mapping: numbers by
 * value, strings by bytes, tuples and arrays by elements; NULL is greater than everything.
 * Comparing a NaN with a number gives what is asked for by the caller through {@link #isNaN}.
 * Stateless.
 */
final class ValueOrder {
  private enum Shape {
    SIGNED,
    UNSIGNED,
    FLOAT,
    /** Little-endian bytes, the highest 8 with a sign. */
    WIDE_SIGNED,
    WIDE_UNSIGNED,
    /** Bytes in order. */
    BYTES,
    /** Two halves of 8 little-endian bytes, each unsigned; the second half counts first. */
    HALVES,
    BIT,
    STRING,
    LIST,
    TUPLE,
    NONE
  }

  private final Shape shape;
  private final int width;
  private final List<ValueOrder> inner = new ArrayList<>();

  private ValueOrder(Shape shape, int width) {
    this.shape = shape;
    this.width = width;
  }

  static ValueOrder of(DataType given) {
    DataType type = bare(given);
    int width = type.widthBytes();
    if (type instanceof DataType.ArrayType array) {
      return composite(Shape.LIST, List.of(array.element()));
    } else if (type instanceof DataType.MapType map) {
      ValueOrder entries = composite(Shape.TUPLE, List.of(map.key(), map.value()));
      ValueOrder order = new ValueOrder(Shape.LIST, 0);
      order.inner.add(entries);
      return order;
    } else if (type instanceof DataType.TupleType tuple) {
      return composite(Shape.TUPLE, tuple.elements().stream().map(DataType.Element::type).toList());
    } else if (type instanceof PlainType plain) {
      Shape shape =
          switch (plain) {
            case UINT8, UINT16, UINT32, UINT64, DATE, IPV4 -> Shape.UNSIGNED;
            case INT8, INT16, INT32, INT64, DATE32, TIME -> Shape.SIGNED;
            case UINT128, UINT256 -> Shape.WIDE_UNSIGNED;
            case INT128, INT256 -> Shape.WIDE_SIGNED;
            case FLOAT32, FLOAT64, BFLOAT16 -> Shape.FLOAT;
            case BOOL -> Shape.BIT;
            case STRING -> Shape.STRING;
            case UUID -> Shape.HALVES;
            case IPV6 -> Shape.BYTES;
            case NOTHING -> Shape.NONE;
          };
      return new ValueOrder(shape, width);
    } else if (type instanceof DataType.DateTimeType) {
      return new ValueOrder(Shape.UNSIGNED, width);
    } else if (type instanceof DataType.FixedStringType) {
      return new ValueOrder(Shape.BYTES, width);
    } else if (type instanceof DataType.DecimalType) {
      return new ValueOrder(width > 8 ? Shape.WIDE_SIGNED : Shape.SIGNED, width);
    }
    return new ValueOrder(width > 0 ? Shape.SIGNED : Shape.NONE, width);
  }

  private static ValueOrder composite(Shape shape, List<DataType> elements) {
    ValueOrder order = new ValueOrder(shape, 0);
    for (DataType element : elements) {
      order.inner.add(of(element));
    }
    return order;
  }

  static DataType bare(DataType type) {
    DataType at = type.storage();
    while (true) {
      if (at instanceof DataType.LowCardinalityType low) {
        at = low.inner().storage();
      } else if (at instanceof DataType.NullableType nullable) {
        at = nullable.inner().storage();
      } else {
        return at;
      }
    }
  }

  /** Whether values are floats, among which NaN compares with nothing. */
  boolean floating() {
    return shape == Shape.FLOAT;
  }

  boolean isNaN(FieldVector vector, int row) {
    return shape == Shape.FLOAT && Double.isNaN(floating(vector, row));
  }

  private double floating(FieldVector vector, int row) {
    long at = address(vector, row);
    return switch (width) {
      case 2 -> Float.intBitsToFloat(Memory.getShort(at) << 16);
      case 4 -> Float.intBitsToFloat(Memory.getInt(at));
      default -> Double.longBitsToDouble(Memory.getLong(at));
    };
  }

  static long address(FieldVector vector, int row) {
    BaseFixedWidthVector fixed = (BaseFixedWidthVector) vector;
    Check.argument(0 <= row && row < fixed.getValueCount(), "row %d", row);
    return fixed.getDataBuffer().memoryAddress() + (long) row * fixed.getTypeWidth();
  }

  /** A value of at most 8 bytes as 64 bits, extended as its type says. */
  long number(FieldVector vector, int row) {
    if (vector instanceof BitVector) {
      return BitVectorHelper.get(vector.getDataBuffer(), row);
    }
    long at = address(vector, row);
    boolean signed = shape == Shape.SIGNED;
    return switch (width) {
      case 1 -> signed ? Memory.getByte(at) : Memory.getByte(at) & 0xffL;
      case 2 -> signed ? Memory.getShort(at) : Memory.getShort(at) & 0xffffL;
      case 4 -> signed ? Memory.getInt(at) : Memory.getInt(at) & 0xffffffffL;
      default -> Memory.getLong(at);
    };
  }

  /** Negative, zero or positive as row {@code i} of {@code a} is less, equal or greater. */
  int compare(FieldVector a, int i, FieldVector b, int j) {
    boolean leftNull = shape == Shape.NONE || a.isNull(i);
    boolean rightNull = shape == Shape.NONE || b.isNull(j);
    if (leftNull || rightNull) {
      return Boolean.compare(leftNull, rightNull);
    }
    return switch (shape) {
      case SIGNED -> Long.compare(number(a, i), number(b, j));
      case UNSIGNED, BIT -> Long.compareUnsigned(number(a, i), number(b, j));
      case FLOAT -> compareFloats(floating(a, i), floating(b, j));
      case WIDE_SIGNED, WIDE_UNSIGNED -> compareWide(address(a, i), address(b, j));
      case BYTES -> compareBytes(address(a, i), width, address(b, j), width);
      case HALVES -> {
        long x = address(a, i);
        long y = address(b, j);
        int second = Long.compareUnsigned(Memory.getLong(x + 8), Memory.getLong(y + 8));
        yield second != 0 ? second : Long.compareUnsigned(Memory.getLong(x), Memory.getLong(y));
      }
      case STRING -> {
        BaseVariableWidthVector x = (BaseVariableWidthVector) a;
        BaseVariableWidthVector y = (BaseVariableWidthVector) b;
        yield compareBytes(
            x.getDataBuffer().memoryAddress() + x.getStartOffset(i),
            x.getValueLength(i),
            y.getDataBuffer().memoryAddress() + y.getStartOffset(j),
            y.getValueLength(j));
      }
      case LIST -> compareLists((ListVector) a, i, (ListVector) b, j);
      case TUPLE -> compareTuples((StructVector) a, i, (StructVector) b, j);
      case NONE -> 0;
    };
  }

  /** NaN greatest, zeros equal. */
  private static int compareFloats(double x, double y) {
    return x < y ? -1 : x > y ? 1 : x == y ? 0 : Boolean.compare(Double.isNaN(x), Double.isNaN(y));
  }

  private int compareWide(long x, long y) {
    int last = width - 8;
    int high =
        shape == Shape.WIDE_SIGNED
            ? Long.compare(Memory.getLong(x + last), Memory.getLong(y + last))
            : Long.compareUnsigned(Memory.getLong(x + last), Memory.getLong(y + last));
    for (int at = last - 8; high == 0 && at >= 0; at -= 8) {
      high = Long.compareUnsigned(Memory.getLong(x + at), Memory.getLong(y + at));
    }
    return high;
  }

  private static int compareBytes(long x, int xSize, long y, int ySize) {
    int common = Math.min(xSize, ySize);
    for (int i = 0; i < common; i++) {
      int order = Byte.compareUnsigned(Memory.getByte(x + i), Memory.getByte(y + i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(xSize, ySize);
  }

  private int compareLists(ListVector a, int i, ListVector b, int j) {
    int x = a.getElementStartIndex(i);
    int y = b.getElementStartIndex(j);
    int xEnd = a.getElementEndIndex(i);
    int yEnd = b.getElementEndIndex(j);
    while (x < xEnd && y < yEnd) {
      int order = inner.get(0).compare(a.getDataVector(), x++, b.getDataVector(), y++);
      if (order != 0) {
        return order;
      }
    }
    return Boolean.compare(x < xEnd, y < yEnd);
  }

  private int compareTuples(StructVector a, int i, StructVector b, int j) {
    for (int k = 0; k < inner.size(); k++) {
      FieldVector x = (FieldVector) a.getChildByOrdinal(k);
      FieldVector y = (FieldVector) b.getChildByOrdinal(k);
      int order = inner.get(k).compare(x, i, y, j);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}
