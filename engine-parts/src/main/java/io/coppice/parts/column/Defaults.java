package io.coppice.parts.column;

import io.coppice.base.bytes.Memory;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.EnumType;
import io.coppice.language.type.DataType.LowCardinalityType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import java.util.List;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;

/**
 * The default value of a type: NULL, zero, the empty string or array, a tuple of defaults.
 *
 * <p>Stateless; any thread may call it.
 */
public final class Defaults {
  /** 1900-01-01, in days since 1970. */
  private static final int FIRST_DAY = -25_567;

  private final DataType type;
  private final List<Defaults> elements;

  private Defaults(DataType type, List<Defaults> elements) {
    this.type = type;
    this.elements = elements;
  }

  /** The default of a type. */
  public static Defaults of(DataType type) {
    DataType storage = type.storage();
    List<Defaults> elements =
        storage instanceof TupleType t
            ? t.elements().stream().map(e -> of(e.type())).toList()
            : List.of();
    return new Defaults(storage, elements);
  }

  /** Whether row {@code row} holds the default value, bit for bit. */
  public boolean isDefault(FieldVector vector, int row) {
    if (vector.getField().isNullable() && vector.isNull(row)) {
      return true;
    }
    if (type instanceof NullableType
        || type instanceof LowCardinalityType l && l.inner() instanceof NullableType) {
      return false;
    }
    if (vector instanceof BitVector) {
      return !Vectors.bit(Vectors.data(vector), row);
    }
    if (vector instanceof BaseFixedWidthVector fixed) {
      int width = fixed.getTypeWidth();
      long at = Vectors.data(vector) + (long) row * width;
      return switch (width) {
        case 1 -> Memory.getByte(at) == 0;
        case 2 -> Memory.getShort(at) == 0;
        case 4 -> Memory.getInt(at) == 0;
        case 8 -> Memory.getLong(at) == 0;
        default -> zero(at, width);
      };
    }
    if (vector instanceof BaseVariableWidthVector || vector instanceof ListVector) {
      long offsets = Vectors.offsets(vector) + row * 4L;
      return Memory.getInt(offsets) == Memory.getInt(offsets + 4);
    }
    if (vector instanceof StructVector struct) {
      List<FieldVector> children = struct.getChildrenFromFields();
      for (int i = 0; i < elements.size(); i++) {
        if (!elements.get(i).isDefault(children.get(i), row)) {
          return false;
        }
      }
      return true;
    }
    return vector instanceof NullVector;
  }

  private static boolean zero(long at, int width) {
    int i = 0;
    for (; width - i >= 8; i += 8) {
      if (Memory.getLong(at + i) != 0) {
        return false;
      }
    }
    for (; i < width; i++) {
      if (Memory.getByte(at + i) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Puts the default value at row {@code at} of a vector being filled. */
  public void append(FieldVector vector, int at) {
    append(vector, at, 1);
  }

  /**
   * Puts {@code count} default values at rows [at, at + count) of a vector being filled. As
   * ClickHouse does for a column that a part lacks, an Enum gets its first value.
   */
  public void append(FieldVector vector, int at, int count) {
    Vectors.reserve(vector, at + count);
    if (vector instanceof NullVector) {
      return;
    }
    if (vector.getField().isNullable()) {
      boolean nulls = type instanceof NullableType || nullableLowCardinality();
      long bits = vector.getValidityBuffer().memoryAddress();
      for (int row = at; row < at + count; row++) {
        if (nulls) {
          Vectors.clearBit(bits, row);
        } else {
          Vectors.setBit(bits, row);
        }
      }
    }
    if (vector instanceof BitVector) {
      for (int row = at; row < at + count; row++) {
        Vectors.clearBit(Vectors.data(vector), row);
      }
    } else if (vector instanceof BaseFixedWidthVector fixed) {
      int width = fixed.getTypeWidth();
      Memory.fill(Vectors.data(vector) + (long) at * width, (long) count * width, (byte) 0);
    } else if (vector instanceof BaseVariableWidthVector || vector instanceof ListVector) {
      long offsets = Vectors.offsets(vector);
      int end = at == 0 ? 0 : Memory.getInt(offsets + at * 4L);
      for (int row = at; row <= at + count; row++) {
        Memory.putInt(offsets + row * 4L, end);
      }
    } else if (vector instanceof StructVector struct) {
      List<FieldVector> children = struct.getChildrenFromFields();
      for (int i = 0; i < elements.size(); i++) {
        elements.get(i).append(children.get(i), at, count);
      }
    }
  }

  private boolean nullableLowCardinality() {
    return type instanceof LowCardinalityType low && low.inner() instanceof NullableType;
  }

  /**
   * Puts what ClickHouse reads for a column without data at rows [at, at + count): the default, but
   * for an Enum its first value by number when 0 is none of them.
   */
  public void appendMissing(FieldVector vector, int at, int count) {
    append(vector, at, count);
    if (type instanceof EnumType e && e.entries().stream().noneMatch(x -> x.value() == 0)) {
      putFirst(e, vector, at, count);
    } else if (type instanceof TupleType) {
      List<FieldVector> children = ((StructVector) vector).getChildrenFromFields();
      for (int i = 0; i < elements.size(); i++) {
        elements.get(i).appendMissing(children.get(i), at, count);
      }
    }
  }

  /**
   * Puts what ClickHouse has for a column that an INSERT or a part does not have at all at rows
   * [at, at + count): as {@link #appendMissing}, but 1900-01-01 for Date32, and the first value for
   * an Enum also if 0 is one of them.
   */
  public void appendAbsent(FieldVector vector, int at, int count) {
    appendMissing(vector, at, count);
    if (type instanceof EnumType e) {
      putFirst(e, vector, at, count);
    } else if (type == PlainType.DATE32) {
      for (int row = at; row < at + count; row++) {
        Memory.putInt(Vectors.data(vector) + row * 4L, FIRST_DAY);
      }
    } else if (type instanceof TupleType) {
      List<FieldVector> children = ((StructVector) vector).getChildrenFromFields();
      for (int i = 0; i < elements.size(); i++) {
        elements.get(i).appendAbsent(children.get(i), at, count);
      }
    }
  }

  private static void putFirst(EnumType type, FieldVector vector, int at, int count) {
    int first = type.entries().get(0).value();
    for (int row = at; row < at + count; row++) {
      if (type.widthBytes() == 1) {
        Memory.putByte(Vectors.data(vector) + row, (byte) first);
      } else {
        Memory.putShort(Vectors.data(vector) + row * 2L, (short) first);
      }
    }
  }

  /** Whether columns of the type may be stored sparse; tuples decide per element. */
  public static boolean maySparse(DataType type) {
    DataType storage = type.storage();
    return !(storage instanceof NullableType
        || storage instanceof LowCardinalityType
        || storage instanceof ArrayType
        || storage instanceof MapType
        || storage instanceof TupleType);
  }
}
