package io.coppice.parts.expression;

import io.coppice.base.bytes.Memory;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;

/** Arrow vectors to {@link Values} and back. Vectors given are borrowed, those made are new. */
final class ArrowValues {
  private ArrowValues() {}

  /** The values of {@code vector}, whose ClickHouse type is {@code type}, copied. */
  static Values read(ValueVector vector, DataType type) {
    int rows = vector.getValueCount();
    DataType bare = Types.bare(type);
    if (vector instanceof NullVector) {
      return Values.Nothings.of(rows, false);
    }
    boolean[] nulls = bare instanceof NullableType ? nulls(vector, rows) : null;
    DataType inner = Types.notNull(bare);
    if (vector instanceof BitVector bits) {
      long[] values = new long[rows];
      for (int i = 0; i < rows; i++) {
        values[i] = bits.isNull(i) ? 0 : bits.get(i);
      }
      return new Values.Longs(values, false, nulls);
    }
    if (vector instanceof BaseVariableWidthVector strings) {
      return strings(strings, rows, nulls);
    }
    if (vector instanceof ListVector list) {
      return list(list, inner, rows, nulls);
    }
    if (vector instanceof StructVector struct && inner instanceof TupleType tuple) {
      List<Values> elements = new ArrayList<>();
      for (int i = 0; i < tuple.elements().size(); i++) {
        elements.add(read(struct.getChildByOrdinal(i), tuple.elements().get(i).type()));
      }
      return new Values.Tuples(rows, elements, false, nulls);
    }
    if (vector instanceof BaseFixedWidthVector fixed) {
      return fixed(fixed, inner, rows, nulls);
    }
    throw EngineException.of(
        ErrorCode.NOT_IMPLEMENTED,
        "an Arrow vector %s cannot be read as %s",
        vector.getField(),
        type.text());
  }

  private static boolean[] nulls(ValueVector vector, int rows) {
    if (vector.getNullCount() == 0) {
      return null;
    }
    boolean[] nulls = new boolean[rows];
    for (int i = 0; i < rows; i++) {
      nulls[i] = vector.isNull(i);
    }
    return nulls;
  }

  private static Values strings(BaseVariableWidthVector vector, int rows, boolean[] nulls) {
    int[] offsets = new int[rows + 1];
    if (rows > 0) {
      long address = vector.getOffsetBuffer().memoryAddress();
      int first = Memory.getInt(address);
      for (int i = 0; i <= rows; i++) {
        offsets[i] = Memory.getInt(address + 4L * i) - first;
      }
      byte[] bytes = new byte[offsets[rows]];
      vector.getDataBuffer().getBytes(first, bytes);
      return new Values.Strings(bytes, offsets, false, nulls);
    }
    return new Values.Strings(new byte[0], offsets, false, nulls);
  }

  private static Values list(ListVector vector, DataType type, int rows, boolean[] nulls) {
    int[] offsets = new int[rows + 1];
    for (int i = 0; i < rows; i++) {
      offsets[i] = vector.getElementStartIndex(i);
      offsets[i + 1] = vector.getElementEndIndex(i);
    }
    DataType element =
        type instanceof MapType map ? Families.pair(map) : ((ArrayType) type).element();
    return new Values.Lists(offsets, read(vector.getDataVector(), element), false, nulls);
  }

  private static Values fixed(
      BaseFixedWidthVector vector, DataType type, int rows, boolean[] nulls) {
    long address = rows == 0 ? 0 : vector.getDataBuffer().memoryAddress();
    int stride = vector.getTypeWidth();
    if (Types.floating(type)) {
      double[] values = new double[rows];
      for (int i = 0; i < rows; i++) {
        values[i] =
            switch (stride) {
              case 2 -> Float.intBitsToFloat((Memory.getShort(address + 2L * i) & 0xffff) << 16);
              case 4 -> Float.intBitsToFloat(Memory.getInt(address + 4L * i));
              default -> Double.longBitsToDouble(Memory.getLong(address + 8L * i));
            };
      }
      return new Values.Doubles(values, false, nulls);
    }
    if (Types.big(type)) {
      BigInteger[] values = new BigInteger[rows];
      for (int i = 0; i < rows; i++) {
        values[i] = big(address + (long) stride * i, stride, Types.signed(type));
      }
      return new Values.Bigs(values, false, nulls);
    }
    if (Types.bytes(type)) {
      byte[] bytes = new byte[Math.multiplyExact(rows, stride)];
      if (rows > 0) {
        vector.getDataBuffer().getBytes(0, bytes);
      }
      int[] offsets = new int[rows + 1];
      for (int i = 0; i < rows; i++) {
        offsets[i + 1] = offsets[i] + stride;
      }
      return new Values.Strings(bytes, offsets, false, nulls);
    }
    long[] values = new long[rows];
    boolean unsigned = !signed(type);
    switch (stride) {
      case 1 -> {
        for (int i = 0; i < rows; i++) {
          byte value = Memory.getByte(address + i);
          values[i] = unsigned ? value & 0xff : value;
        }
      }
      case 2 -> {
        for (int i = 0; i < rows; i++) {
          short value = Memory.getShort(address + 2L * i);
          values[i] = unsigned ? value & 0xffff : value;
        }
      }
      case 4 -> {
        for (int i = 0; i < rows; i++) {
          int value = Memory.getInt(address + 4L * i);
          values[i] = unsigned ? value & 0xffffffffL : value;
        }
      }
      default -> {
        for (int i = 0; i < rows; i++) {
          values[i] = Memory.getLong(address + (long) stride * i);
        }
      }
    }
    return new Values.Longs(values, false, nulls);
  }

  /** Whether what is stored in a few bytes has a sign. */
  static boolean signed(DataType type) {
    if (type instanceof PlainType plain) {
      return plain.signed() || plain == PlainType.DATE32 || plain == PlainType.TIME;
    }
    return !(type instanceof DataType.DateTimeType);
  }

  private static BigInteger big(long address, int size, boolean signed) {
    byte[] bytes = new byte[size];
    for (int i = 0; i < size; i++) {
      bytes[size - 1 - i] = Memory.getByte(address + i);
    }
    return signed ? new BigInteger(bytes) : new BigInteger(1, bytes);
  }

  /** Fills {@code vector}, empty and of the kind that {@code type} maps to, with {@code rows}. */
  static void write(Values values, DataType type, FieldVector vector, int rows) {
    DataType inner = Types.notNull(Types.bare(type));
    if (vector instanceof NullVector nothing) {
      nothing.setValueCount(rows);
      return;
    }
    if (vector instanceof ListVector list) {
      writeList((Values.Lists) values, inner, list, rows);
      return;
    }
    if (vector instanceof StructVector struct) {
      writeStruct((Values.Tuples) values, (TupleType) inner, struct, rows);
      return;
    }
    if (vector instanceof BaseVariableWidthVector strings) {
      writeStrings((Values.Strings) values, strings, rows);
      return;
    }
    BaseFixedWidthVector fixed = (BaseFixedWidthVector) vector;
    fixed.allocateNew(rows);
    fixed.setValueCount(rows);
    validity(values, fixed, rows);
    if (fixed instanceof BitVector bits) {
      Values.Longs longs = (Values.Longs) values;
      for (int i = 0; i < rows; i++) {
        if (!values.isNull(i)) {
          bits.set(i, longs.values[longs.at(i)] != 0 ? 1 : 0);
        }
      }
      return;
    }
    if (rows > 0) {
      writeFixed(values, inner, fixed, rows);
    }
  }

  private static void validity(Values values, FieldVector vector, int rows) {
    long bytes = (rows + 7L) / 8;
    vector.getValidityBuffer().setOne(0, bytes);
    if (values.nulls() != null) {
      for (int i = 0; i < rows; i++) {
        if (values.isNull(i)) {
          org.apache.arrow.vector.BitVectorHelper.unsetBit(vector.getValidityBuffer(), i);
        }
      }
    }
  }

  private static void writeFixed(
      Values values, DataType type, BaseFixedWidthVector vector, int rows) {
    long address = vector.getDataBuffer().memoryAddress();
    int stride = vector.getTypeWidth();
    if (values instanceof Values.Doubles doubles) {
      for (int i = 0; i < rows; i++) {
        double value = doubles.values[doubles.at(i)];
        switch (stride) {
          case 2 ->
              Memory.putShort(
                  address + 2L * i, (short) (Float.floatToRawIntBits((float) value) >>> 16));
          case 4 -> Memory.putInt(address + 4L * i, Float.floatToRawIntBits((float) value));
          default -> Memory.putLong(address + 8L * i, Double.doubleToRawLongBits(value));
        }
      }
    } else if (values instanceof Values.Bigs bigs) {
      for (int i = 0; i < rows; i++) {
        BigInteger value = bigs.values[bigs.at(i)];
        value = value == null ? BigInteger.ZERO : value; // under NULL
        writeBig(value, address + (long) stride * i, stride);
      }
    } else if (values instanceof Values.Strings strings) {
      for (int i = 0; i < rows; i++) {
        int length = Math.min(stride, strings.length(i));
        for (int j = 0; j < stride; j++) {
          byte b = j < length ? strings.bytes[strings.from(i) + j] : 0;
          Memory.putByte(address + (long) stride * i + j, b);
        }
      }
    } else {
      writeLongs((Values.Longs) values, type, address, stride, rows);
    }
  }

  private static void writeLongs(
      Values.Longs values, DataType type, long address, int stride, int rows) {
    long[] from = values.values;
    int mask = values.mask();
    switch (stride) {
      case 1 -> {
        for (int i = 0; i < rows; i++) {
          Memory.putByte(address + i, (byte) from[i & mask]);
        }
      }
      case 2 -> {
        for (int i = 0; i < rows; i++) {
          Memory.putShort(address + 2L * i, (short) from[i & mask]);
        }
      }
      case 4 -> {
        for (int i = 0; i < rows; i++) {
          Memory.putInt(address + 4L * i, (int) from[i & mask]);
        }
      }
      default -> {
        boolean decimal = type instanceof DecimalType && stride > 8;
        for (int i = 0; i < rows; i++) {
          long value = from[i & mask];
          Memory.putLong(address + (long) stride * i, value);
          for (int j = 8; decimal && j < stride; j += 8) {
            Memory.putLong(address + (long) stride * i + j, value >> 63);
          }
        }
      }
    }
  }

  private static void writeBig(BigInteger value, long address, int size) {
    byte[] bytes = value.toByteArray();
    byte fill = (byte) (value.signum() < 0 ? -1 : 0);
    for (int j = 0; j < size; j++) {
      Memory.putByte(address + j, j < bytes.length ? bytes[bytes.length - 1 - j] : fill);
    }
  }

  private static void writeStrings(
      Values.Strings values, BaseVariableWidthVector vector, int rows) {
    long total = 0;
    for (int i = 0; i < rows; i++) {
      total += values.length(i); // also what lies under NULL, as in ClickHouse's parts
    }
    if (total > Integer.MAX_VALUE) {
      throw EngineException.of(
          ErrorCode.TOO_LARGE_STRING_SIZE,
          "strings of one batch exceed 2 GiB; use smaller batches");
    }
    vector.allocateNew(total, rows);
    int at = 0;
    for (int i = 0; i < rows; i++) {
      vector.getOffsetBuffer().setInt(4L * i, at);
      int length = values.length(i);
      vector.getDataBuffer().setBytes(at, values.bytes, values.from(i), length);
      at += length;
    }
    vector.getOffsetBuffer().setInt(4L * rows, at);
    vector.setLastSet(rows - 1);
    vector.setValueCount(rows);
    validity(values, vector, rows);
  }

  private static void writeList(Values.Lists values, DataType type, ListVector vector, int rows) {
    Values.Lists full = (Values.Lists) values.full(rows);
    vector.allocateNew();
    for (int i = 0; i < rows; i++) {
      vector.startNewValue(i);
      vector.endValue(i, full.offsets[i + 1] - full.offsets[i]);
    }
    DataType element =
        type instanceof MapType map ? Families.pair(map) : ((ArrayType) type).element();
    int from = full.offsets[0];
    int count = full.offsets[rows] - from;
    Values elements = full.elements;
    if (from != 0 || elements.constant() || elements.size() != count) {
      int[] picked = new int[count];
      for (int i = 0; i < count; i++) {
        picked[i] = from + i;
      }
      elements = elements.pick(picked, count);
    }
    write(elements, element, vector.getDataVector(), count);
    vector.setLastSet(rows - 1);
    vector.setValueCount(rows);
  }

  private static void writeStruct(
      Values.Tuples values, TupleType type, StructVector vector, int rows) {
    vector.allocateNew();
    for (int i = 0; i < type.elements().size(); i++) {
      write(
          values.elements.get(i).full(rows),
          type.elements().get(i).type(),
          (FieldVector) vector.getChildByOrdinal(i),
          rows);
    }
    for (int i = 0; i < rows; i++) {
      if (values.isNull(i)) {
        vector.setNull(i);
      } else {
        vector.setIndexDefined(i);
      }
    }
    vector.setValueCount(rows);
  }
}
