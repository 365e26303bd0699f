package io.coppice.parts.column;

import io.coppice.base.bytes.Memory;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;

/**
 * Values of a row one behind another as bytes, equal exactly when the values are: keys for a {@link
 * KeyTable}. Floats are equal when their bits are. Confined to one thread.
 */
public final class RowBytes {
  private ByteBuffer buffer = ByteBuffer.allocateDirect(256);
  private long address = Memory.address(buffer);
  private int size;

  /** Where the bytes are, until more are put. */
  public long address() {
    return address;
  }

  /** How many there are. */
  public int sizeBytes() {
    return size;
  }

  /** A copy of them. */
  public byte[] toByteArray() {
    byte[] copy = new byte[size];
    Memory.copy(address, copy, 0, size);
    return copy;
  }

  /** Begins a new row. */
  public void clear() {
    size = 0;
  }

  /** Four bytes of one's own. */
  public void putInt(int value) {
    reserve(4);
    Memory.putInt(address + size, value);
    size += 4;
  }

  /** The values of a row of some vectors. */
  public void put(List<FieldVector> vectors, int row) {
    for (FieldVector vector : vectors) {
      put(vector, row);
    }
  }

  /** Values that are not NULL, whether or not their vectors could hold NULL. */
  public void putNotNull(List<FieldVector> vectors, int row) {
    for (FieldVector vector : vectors) {
      putValue(vector, row);
    }
  }

  private void put(FieldVector vector, int row) {
    if (vector instanceof NullVector) {
      return;
    }
    if (vector.getField().isNullable()) {
      boolean isNull = vector.isNull(row);
      putByte(isNull ? 1 : 0);
      if (isNull) {
        return;
      }
    }
    putValue(vector, row);
  }

  private void putValue(FieldVector vector, int row) {
    if (vector instanceof BitVector bits) {
      putByte(bits.get(row));
    } else if (vector instanceof BaseFixedWidthVector fixed) {
      int width = fixed.getTypeWidth();
      copy(Vectors.data(vector) + (long) row * width, width);
    } else if (vector instanceof BaseVariableWidthVector) {
      long offsets = Vectors.offsets(vector) + row * 4L;
      int begin = Memory.getInt(offsets);
      int length = Memory.getInt(offsets + 4) - begin;
      putInt(length);
      copy(Vectors.data(vector) + begin, length);
    } else if (vector instanceof ListVector list) {
      long offsets = Vectors.offsets(vector) + row * 4L;
      int begin = Memory.getInt(offsets);
      int end = Memory.getInt(offsets + 4);
      putInt(end - begin);
      for (int i = begin; i < end; i++) {
        put(list.getDataVector(), i);
      }
    } else if (vector instanceof StructVector struct) {
      put(struct.getChildrenFromFields(), row);
    } else {
      throw new AssertionError("a vector of " + vector.getClass());
    }
  }

  private void putByte(int value) {
    reserve(1);
    Memory.putByte(address + size, (byte) value);
    size++;
  }

  private void copy(long from, int length) {
    reserve(length);
    Memory.copy(from, address + size, length);
    size += length;
  }

  private void reserve(int more) {
    if (buffer.capacity() - size >= more) {
      return;
    }
    ByteBuffer old = buffer;
    long from = address;
    buffer = ByteBuffer.allocateDirect(Math.toIntExact((size + (long) more) * 2));
    address = Memory.address(buffer);
    Memory.copy(from, address, size);
    java.lang.ref.Reference.reachabilityFence(old);
  }
}
