package io.coppice.parts.format;

import io.coppice.base.bytes.ByteReader;
import io.coppice.base.bytes.ByteWriter;
import io.coppice.base.bytes.Memory;
import io.coppice.base.check.Check;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
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
 * One value of a type in ClickHouse's binary form for single values, to and from a row of an Arrow
 * vector. Primary keys, partition.dat, minmax files and minmax indexes are made of it.
 *
 * <pre>
 *   numbers, dates, times, enums, decimals, UUID, IPv4, IPv6, FixedString   as in a .bin file
 *   Bool             1 byte, 0 or 1
 *   String           size (variable length), bytes
 *   Nullable(T)      1 byte, 1 for NULL; the value only if it is 0
 *   LowCardinality   as the type inside
 *   Array, Map       count (variable length), elements (keys and values in turn)
 *   Tuple            elements
 * </pre>
 *
 * <p>Bound to a vector of the type's Arrow mapping; confined to one thread; borrows the vector.
 * Reading sets the row and grows the vector; the caller sets the value count. Writing takes what
 * the row's slot holds; only Nullable looks whether it is NULL. Faults are those of {@link
 * ByteReader}, and INCORRECT_DATA for a flag that is neither 0 nor 1.
 */
public abstract class SingleValue {
  private SingleValue() {}

  /** Reads a value from {@code in} into row {@code row}. Rows are read in ascending order. */
  public abstract void read(ByteReader in, int row);

  /** Appends the value of row {@code row} to {@code out}. */
  public abstract void write(ByteWriter out, int row);

  /**
   * The form of {@code type}, bound to {@code vector}.
   *
   * @throws EngineException NOT_IMPLEMENTED for types known by name only
   * @throws IllegalArgumentException if the vector is not of the type's mapping
   */
  public static SingleValue of(DataType type, FieldVector vector) {
    DataType storage = type.storage();
    if (storage instanceof DataType.LowCardinalityType low) {
      return of(low.inner(), vector);
    } else if (storage instanceof DataType.NullableType nullable) {
      return nullable.inner() == PlainType.NOTHING
          ? new OfNothing()
          : new OfNullable(of(nullable.inner(), vector), vector);
    } else if (storage == PlainType.STRING) {
      return new OfString(cast(BaseVariableWidthVector.class, vector, type));
    } else if (storage == PlainType.BOOL) {
      return new OfBool(cast(BitVector.class, vector, type));
    } else if (storage instanceof DataType.ArrayType array) {
      ListVector list = cast(ListVector.class, vector, type);
      return new OfList(of(array.element(), list.getDataVector()), list);
    } else if (storage instanceof DataType.MapType map) {
      ListVector list = cast(ListVector.class, vector, type);
      StructVector entries = cast(StructVector.class, list.getDataVector(), type);
      Check.argument(entries.size() == 2, "a map vector whose entries have %d", entries.size());
      List<SingleValue> both =
          List.of(
              of(map.key(), (FieldVector) entries.getChildByOrdinal(0)),
              of(map.value(), (FieldVector) entries.getChildByOrdinal(1)));
      return new OfList(new OfTuple(both, entries), list);
    } else if (storage instanceof DataType.TupleType tuple) {
      StructVector struct = cast(StructVector.class, vector, type);
      Check.argument(
          struct.size() == tuple.elements().size(),
          "%s in a vector with %d children",
          type.text(),
          struct.size());
      List<SingleValue> elements = new ArrayList<>();
      for (int i = 0; i < tuple.elements().size(); i++) {
        elements.add(of(tuple.elements().get(i).type(), (FieldVector) struct.getChildByOrdinal(i)));
      }
      return new OfTuple(elements, struct);
    } else if (storage.widthBytes() > 0) {
      BaseFixedWidthVector fixed = cast(BaseFixedWidthVector.class, vector, type);
      boolean signed = storage instanceof DataType.DecimalType;
      Check.argument(
          !(fixed instanceof BitVector) && storage.widthBytes() <= fixed.getTypeWidth(),
          "%s in a vector of %d bytes a value",
          type.text(),
          fixed.getTypeWidth());
      return new OfFixed(fixed, storage.widthBytes(), signed);
    }
    throw EngineException.of(
        ErrorCode.NOT_IMPLEMENTED, "single values of type %s are not supported", type.text());
  }

  private static <V extends FieldVector> V cast(Class<V> kind, FieldVector vector, DataType type) {
    Check.argument(
        kind.isInstance(vector), "%s in a %s", type.text(), vector.getClass().getSimpleName());
    return kind.cast(vector);
  }

  private static final class OfFixed extends SingleValue {
    private final BaseFixedWidthVector vector;
    private final int width;
    private final int vectorWidth;
    private final boolean signed;
    private final byte[] buffer;

    OfFixed(BaseFixedWidthVector vector, int width, boolean signed) {
      this.vector = vector;
      this.width = width;
      this.vectorWidth = vector.getTypeWidth();
      this.signed = signed;
      this.buffer = new byte[vectorWidth];
    }

    @Override
    public void read(ByteReader in, int row) {
      in.read(buffer, 0, width);
      if (width < vectorWidth) {
        byte fill = signed && buffer[width - 1] < 0 ? (byte) -1 : 0;
        java.util.Arrays.fill(buffer, width, vectorWidth, fill);
      }
      while (row >= vector.getValueCapacity()) {
        vector.reAlloc();
      }
      long address = vector.getDataBuffer().memoryAddress() + (long) row * vectorWidth;
      Memory.copy(buffer, 0, address, vectorWidth);
      BitVectorHelper.setBit(vector.getValidityBuffer(), row);
    }

    @Override
    public void write(ByteWriter out, int row) {
      checkRow(vector, row);
      out.bytes(vector.getDataBuffer().memoryAddress() + (long) row * vectorWidth, width);
    }
  }

  private static void checkRow(FieldVector vector, int row) {
    Check.argument(0 <= row && row < vector.getValueCount(), "row %d", row);
  }

  private static final class OfBool extends SingleValue {
    private final BitVector vector;

    OfBool(BitVector vector) {
      this.vector = vector;
    }

    @Override
    public void read(ByteReader in, int row) {
      vector.setSafe(row, flag(in));
    }

    @Override
    public void write(ByteWriter out, int row) {
      checkRow(vector, row);
      out.u8(BitVectorHelper.get(vector.getDataBuffer(), row));
    }
  }

  private static int flag(ByteReader in) {
    long offset = in.offset();
    int flag = in.u8();
    if (flag > 1) {
      throw EngineException.of(
          ErrorCode.INCORRECT_DATA,
          "%s: %d at offset %d, expected 0 or 1",
          in.name(),
          flag,
          offset);
    }
    return flag;
  }

  private static final class OfString extends SingleValue {
    private final BaseVariableWidthVector vector;

    OfString(BaseVariableWidthVector vector) {
      this.vector = vector;
    }

    @Override
    public void read(ByteReader in, int row) {
      byte[] bytes = in.stringBytes(in.remaining());
      vector.setSafe(row, bytes, 0, bytes.length);
    }

    @Override
    public void write(ByteWriter out, int row) {
      checkRow(vector, row);
      int from = vector.getStartOffset(row);
      int size = vector.getValueLength(row);
      out.varUInt(size).bytes(vector.getDataBuffer().memoryAddress() + from, size);
    }
  }

  private static final class OfNullable extends SingleValue {
    private final SingleValue inner;
    private final FieldVector vector;

    OfNullable(SingleValue inner, FieldVector vector) {
      this.inner = inner;
      this.vector = vector;
    }

    @Override
    public void read(ByteReader in, int row) {
      if (flag(in) == 0) {
        inner.read(in, row);
        return;
      }
      while (row >= vector.getValueCapacity()) {
        vector.reAlloc();
      }
      vector.setNull(row);
    }

    @Override
    public void write(ByteWriter out, int row) {
      checkRow(vector, row);
      boolean isNull = vector.isNull(row);
      out.u8(isNull ? 1 : 0);
      if (!isNull) {
        inner.write(out, row);
      }
    }
  }

  /** {@code Nullable(Nothing)}: NULL always. */
  private static final class OfNothing extends SingleValue {
    @Override
    public void read(ByteReader in, int row) {
      if (flag(in) == 0) {
        throw EngineException.of(
            ErrorCode.INCORRECT_DATA, "%s: a value of type Nothing", in.name());
      }
    }

    @Override
    public void write(ByteWriter out, int row) {
      out.u8(1);
    }
  }

  private static final class OfList extends SingleValue {
    private final SingleValue element;
    private final ListVector vector;

    OfList(SingleValue element, ListVector vector) {
      this.element = element;
      this.vector = vector;
    }

    @Override
    public void read(ByteReader in, int row) {
      int count = in.count("elements", in.remaining());
      int start = vector.startNewValue(row);
      for (int i = 0; i < count; i++) {
        element.read(in, start + i);
      }
      vector.endValue(row, count);
    }

    @Override
    public void write(ByteWriter out, int row) {
      checkRow(vector, row);
      int start = vector.getElementStartIndex(row);
      int end = vector.getElementEndIndex(row);
      out.varUInt(end - start);
      for (int i = start; i < end; i++) {
        element.write(out, i);
      }
    }
  }

  private static final class OfTuple extends SingleValue {
    private final List<SingleValue> elements;
    private final StructVector vector;

    OfTuple(List<SingleValue> elements, StructVector vector) {
      this.elements = elements;
      this.vector = vector;
    }

    @Override
    public void read(ByteReader in, int row) {
      for (SingleValue element : elements) {
        element.read(in, row);
      }
      while (row >= vector.getValueCapacity()) {
        vector.reAlloc();
      }
      vector.setIndexDefined(row);
    }

    @Override
    public void write(ByteWriter out, int row) {
      for (SingleValue element : elements) {
        element.write(out, row);
      }
    }
  }
}
