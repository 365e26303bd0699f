package io.coppice.parts.aggregate;

import io.coppice.base.bytes.Memory;
import io.coppice.language.type.DataType;
import io.coppice.parts.column.Vectors;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;

/** Numbers of up to eight bytes between Arrow buffers and arrays. Stateless. */
final class Numbers {
  private Numbers() {}

  /** Widens the values of the first {@code rows} rows, by sign where the type has one. */
  static void longs(FieldVector vector, DataType type, int rows, long[] to) {
    if (rows == 0) {
      return;
    }
    long data = Vectors.data(vector);
    if (vector instanceof BitVector) {
      for (int row = 0; row < rows; row++) {
        to[row] = Memory.getByte(data + (row >>> 3)) >>> (row & 7) & 1L;
      }
      return;
    }
    boolean signed = Kinds.signed(type);
    switch (((BaseFixedWidthVector) vector).getTypeWidth()) {
      case 1 -> {
        for (int row = 0; row < rows; row++) {
          byte value = Memory.getByte(data + row);
          to[row] = signed ? value : value & 0xFF;
        }
      }
      case 2 -> {
        for (int row = 0; row < rows; row++) {
          short value = Memory.getShort(data + row * 2L);
          to[row] = signed ? value : value & 0xFFFF;
        }
      }
      case 4 -> {
        for (int row = 0; row < rows; row++) {
          int value = Memory.getInt(data + row * 4L);
          to[row] = signed ? value : value & 0xFFFFFFFFL;
        }
      }
      default -> {
        for (int row = 0; row < rows; row++) {
          to[row] = Memory.getLong(data + row * 8L);
        }
      }
    }
  }

  /** The values of the first {@code rows} rows of a vector of floats of any width. */
  static void doubles(FieldVector vector, int rows, double[] to) {
    if (rows == 0) {
      return;
    }
    long data = Vectors.data(vector);
    switch (((BaseFixedWidthVector) vector).getTypeWidth()) {
      case 2 -> {
        for (int row = 0; row < rows; row++) {
          to[row] = Float.intBitsToFloat(Memory.getShort(data + row * 2L) << 16);
        }
      }
      case 4 -> {
        for (int row = 0; row < rows; row++) {
          to[row] = Float.intBitsToFloat(Memory.getInt(data + row * 4L));
        }
      }
      default -> {
        for (int row = 0; row < rows; row++) {
          to[row] = Double.longBitsToDouble(Memory.getLong(data + row * 8L));
        }
      }
    }
  }

  /** Fills an empty vector with {@code count} values, cut to its width. */
  static void write(long[] values, int count, FieldVector to) {
    begin(to, count);
    long data = Vectors.data(to);
    if (to instanceof BitVector bits) {
      for (int i = 0; i < count; i++) {
        bits.set(i, values[i] == 0 ? 0 : 1);
      }
    } else {
      int width = ((BaseFixedWidthVector) to).getTypeWidth();
      for (int i = 0; i < count; i++) {
        switch (width) {
          case 1 -> Memory.putByte(data + i, (byte) values[i]);
          case 2 -> Memory.putShort(data + i * 2L, (short) values[i]);
          case 4 -> Memory.putInt(data + i * 4L, (int) values[i]);
          default -> Memory.putLong(data + i * 8L, values[i]);
        }
      }
    }
    Vectors.finish(to, count);
  }

  /** Fills an empty vector of floats with {@code count} values. */
  static void write(double[] values, int count, FieldVector to) {
    begin(to, count);
    long data = Vectors.data(to);
    int width = ((BaseFixedWidthVector) to).getTypeWidth();
    for (int i = 0; i < count; i++) {
      switch (width) {
        case 2 ->
            Memory.putShort(
                data + i * 2L, (short) (Float.floatToRawIntBits((float) values[i]) >>> 16));
        case 4 -> Memory.putInt(data + i * 4L, Float.floatToRawIntBits((float) values[i]));
        default -> Memory.putLong(data + i * 8L, Double.doubleToRawLongBits(values[i]));
      }
    }
    Vectors.finish(to, count);
  }

  /** Room for {@code count} rows, none of them NULL. */
  static void begin(FieldVector to, int count) {
    Vectors.reserve(to, count);
    if (count > 0) {
      to.getValidityBuffer().setOne(0, (count + 7L) / 8);
    }
  }
}
