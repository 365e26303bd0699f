package io.coppice.parts.format;

import io.coppice.base.bytes.Memory;
import io.coppice.base.check.Check;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import java.util.ArrayList;
import java.util.Collections;
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
 * value, strings by bytes, tuples by elements, arrays and maps by elements and then by size. Where
 * NULL and NaN stand is said when the order is made. Stateless.
 */
public final class ValueOrder {
  /** Where NULL and NaN stand, at any depth; one NaN is as another, and NaN is beyond no NULL. */
  public enum Missing {
    /** Numbers, then NaN, then NULL: as for indexes. */
    GREATEST,
    /** NULL, then NaN, then numbers. */
    LEAST,
    /** NULL, then numbers, then NaN: as single values are compared. */
    NULL_LEAST
  }

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
  private final List<ValueOrder> inner;
  private final boolean nullable;
  private final int nullSign;
  private final int nanSign;

  private ValueOrder(
      Shape shape, int width, List<ValueOrder> inner, boolean nullable, Missing missing) {
    this.shape = shape;
    this.width = width;
    this.inner = inner;
    this.nullable = nullable;
    this.nullSign = missing == Missing.GREATEST ? 1 : -1;
    this.nanSign = missing == Missing.LEAST ? -1 : 1;
  }

  /** The order in which NULL and NaN are {@link Missing#GREATEST}. */
  public static ValueOrder of(DataType type) {
    return of(type, Missing.GREATEST);
  }

  /** The order of the values of {@code type}, whether or not they may be NULL. */
  public static ValueOrder of(DataType given, Missing missing) {
    DataType type = given.bare();
    boolean nullable = given.storage().nullable();
    int width = type.widthBytes();
    if (type instanceof DataType.ArrayType array) {
      return new ValueOrder(
          Shape.LIST, 0, List.of(of(array.element(), missing)), nullable, missing);
    } else if (type instanceof DataType.MapType map) {
      ValueOrder entries = tuple(List.of(map.key(), map.value()), false, missing);
      return new ValueOrder(Shape.LIST, 0, List.of(entries), nullable, missing);
    } else if (type instanceof DataType.TupleType tuple) {
      return tuple(
          tuple.elements().stream().map(DataType.Element::type).toList(), nullable, missing);
    }
    return new ValueOrder(shape(type, width), width, List.of(), nullable, missing);
  }

  private static ValueOrder tuple(List<DataType> elements, boolean nullable, Missing missing) {
    List<ValueOrder> inner = new ArrayList<>();
    for (DataType element : elements) {
      inner.add(of(element, missing));
    }
    return new ValueOrder(Shape.TUPLE, 0, Collections.unmodifiableList(inner), nullable, missing);
  }

  private static Shape shape(DataType type, int width) {
    if (type instanceof PlainType plain) {
      return switch (plain) {
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
    } else if (type instanceof DataType.DateTimeType) {
      return Shape.UNSIGNED;
    } else if (type instanceof DataType.FixedStringType) {
      return Shape.BYTES;
    } else if (type instanceof DataType.DecimalType) {
      return width > 8 ? Shape.WIDE_SIGNED : Shape.SIGNED;
    }
    return width > 0 ? Shape.SIGNED : Shape.NONE;
  }

  /** Whether there are floats, at any depth, among which NaN compares with nothing. */
  public boolean floating() {
    return shape == Shape.FLOAT || inner.stream().anyMatch(ValueOrder::floating);
  }

  /** Whether there may be NULLs, at any depth. */
  public boolean nullable() {
    return nullable || inner.stream().anyMatch(ValueOrder::nullable);
  }

  /** Whether there are arrays or maps, at any depth. */
  public boolean lists() {
    return shape == Shape.LIST || inner.stream().anyMatch(ValueOrder::lists);
  }

  /** Whether the slot of the row holds a NaN; false for all that are no floats. */
  public boolean isNaN(FieldVector vector, int row) {
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

  /** Where the value of a row lies. */
  public static long address(FieldVector vector, int row) {
    BaseFixedWidthVector fixed = (BaseFixedWidthVector) vector;
    Check.argument(0 <= row && row < fixed.getValueCount(), "row %d", row);
    return fixed.getDataBuffer().memoryAddress() + (long) row * fixed.getTypeWidth();
  }

  /** A value of at most 8 bytes as 64 bits, extended as its type says. */
  public long number(FieldVector vector, int row) {
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

  /** Whether values are numbers of at most 8 bytes, for which {@link #orderedNumber} holds. */
  public boolean integers() {
    return shape == Shape.SIGNED && width > 0 || shape == Shape.UNSIGNED || shape == Shape.BIT;
  }

  /** The number of the row's slot as a long whose signed order is that of the values. */
  public long orderedNumber(FieldVector vector, int row) {
    return number(vector, row) ^ (shape == Shape.UNSIGNED ? Long.MIN_VALUE : 0);
  }

  /** Negative, zero or positive as row {@code i} of {@code a} is less, equal or greater. */
  public int compare(FieldVector a, int i, FieldVector b, int j) {
    boolean leftNull = shape == Shape.NONE || a.isNull(i);
    boolean rightNull = shape == Shape.NONE || b.isNull(j);
    if (leftNull || rightNull) {
      return nullSign * Boolean.compare(leftNull, rightNull);
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

  private int compareFloats(double x, double y) {
    if (x < y) {
      return -1;
    }
    return x > y ? 1 : x == y ? 0 : nanSign * Boolean.compare(Double.isNaN(x), Double.isNaN(y));
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
