package io.coppice.parts.column;

import io.coppice.base.bytes.Memory;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/**
 * What the encodings need of Arrow vectors: room for rows, raw addresses, and closing a vector that
 * was filled by address. A vector being filled is used like an array: rows [0, n) hold values,
 * {@link #finish} makes it a readable vector of n rows.
 *
 * <p>Stateless; a vector belongs to one thread while it is filled.
 */
public final class Vectors {
  /** Most bytes that one variable-width vector can hold: its offsets are 32 bit. */
  public static final long MOST_BYTES = Integer.MAX_VALUE - 8L;

  private Vectors() {}

  /** Makes room for {@code rows} rows, keeping those that are there. */
  public static void reserve(FieldVector vector, int rows) {
    if (vector instanceof NullVector) {
      return;
    }
    if (vector instanceof StructVector struct) {
      reserveOwn(struct, rows);
      for (FieldVector child : struct.getChildrenFromFields()) {
        reserve(child, rows);
      }
      return;
    }
    if (vector instanceof ListVector list) {
      if (list.getOffsetBuffer().capacity() == 0) {
        list.setInitialCapacity(Math.max(rows, 1), 1);
        list.allocateNew();
      }
      while (list.getOffsetBuffer().capacity() < (rows + 1L) * 4
          || list.getValidityBuffer().capacity() < (rows + 7L) / 8) {
        list.reAlloc();
      }
      return;
    }
    if (vector instanceof BaseFixedWidthVector fixed && vector.getValueCapacity() < rows) {
      reserveFixed(fixed, rows);
      return;
    }
    if (vector instanceof BaseVariableWidthVector variable && variable.getValueCapacity() == 0) {
      variable.allocateNew(Math.max(rows, 8) * 8L, Math.max(rows, 8));
    }
    if (vector instanceof BaseVariableWidthVector variable
        && variable.getValueCapacity() < rows
        && !variable.getField().isNullable()) {
      growOffsets(variable, rows);
      return;
    }
    while (vector.getValueCapacity() < rows) {
      if (vector instanceof BaseVariableWidthVector variable) {
        variable.reallocValidityAndOffsetBuffers();
      } else {
        vector.reAlloc();
      }
    }
  }

  /**
   * Arrow fills what is new with zeros. Where no row can be NULL all rows are written anyway, and
   * filling costs as much as reading them.
   */
  private static void reserveFixed(BaseFixedWidthVector vector, int rows) {
    int before = vector.getValueCapacity();
    int width = vector.getTypeWidth();
    if (vector.getField().isNullable() || width == 0 || vector.getNullCount() > 0) {
      if (before == 0) {
        vector.allocateNew(Math.max(rows, 8));
      }
      while (vector.getValueCapacity() < rows) {
        vector.reAlloc();
      }
      return;
    }
    long capacity = Math.max(Math.max(rows, 8), 2L * before);
    if (capacity * width > MOST_BYTES) {
      capacity = rows;
    }
    BufferAllocator allocator = vector.getAllocator();
    int valueCount = vector.getValueCount();
    ArrowBuf validity = allocator.buffer((capacity + 7) / 8);
    try (ArrowBuf data = allocator.buffer(capacity * width)) {
      validity.setOne(0, (capacity + 7) / 8);
      if (before > 0) {
        Memory.copy(
            vector.getDataBuffer().memoryAddress(), data.memoryAddress(), (long) before * width);
      }
      // Neither all rows nor none are said to be NULL: then Arrow takes the buffer as it is.
      vector.loadFieldBuffers(new ArrowFieldNode(Math.max(rows, 8), 1), List.of(validity, data));
      vector.setValueCount(valueCount);
    } finally {
      validity.close();
    }
  }

  /** As {@link #reserveFixed}: what is new of the offsets is written before it is read. */
  private static void growOffsets(BaseVariableWidthVector vector, int rows) {
    int before = vector.getValueCapacity();
    long capacity = Math.max(rows, Math.min(2L * before, Integer.MAX_VALUE / 8));
    BufferAllocator allocator = vector.getAllocator();
    int valueCount = vector.getValueCount();
    int lastSet = vector.getLastSet();
    ArrowBuf validity = allocator.buffer((capacity + 7) / 8);
    try (ArrowBuf offsets = allocator.buffer((capacity + 1) * 4);
        ArrowBuf data = vector.getDataBuffer()) {
      data.getReferenceManager().retain(); // the vector lets go of it before it takes it again
      validity.setOne(0, (capacity + 7) / 8);
      Memory.copy(
          vector.getOffsetBuffer().memoryAddress(), offsets.memoryAddress(), (before + 1L) * 4);
      vector.loadFieldBuffers(new ArrowFieldNode(rows, 1), List.of(validity, offsets, data));
      vector.setLastSet(valueCount - 1);
      vector.setValueCount(valueCount);
      vector.setLastSet(lastSet);
    } finally {
      validity.close();
    }
  }

  /**
   * Makes room for {@code rows} rows in what a struct has besides its children. To be called before
   * its children are filled for the first time: a struct's first allocation empties them.
   */
  static void reserveOwn(FieldVector vector, int rows) {
    StructVector struct = (StructVector) vector;
    if (struct.getValidityBuffer().capacity() == 0) {
      struct.setInitialCapacity(Math.max(rows, 8));
      struct.allocateNew();
    }
    while (struct.getValidityBuffer().capacity() < (rows + 7L) / 8) {
      struct.reAlloc();
    }
  }

  /** Makes room for {@code sizeBytes} bytes of values in all. */
  public static void reserveBytes(BaseVariableWidthVector vector, long sizeBytes, String place) {
    if (sizeBytes > MOST_BYTES) {
      throw EngineException.of(
          ErrorCode.TOO_LARGE_STRING_SIZE,
          "%s: strings of %d bytes in one batch, at most %d fit; read fewer rows at once",
          place,
          sizeBytes,
          MOST_BYTES);
    }
    if (vector.getDataBuffer().capacity() < sizeBytes) {
      vector.reallocDataBuffer(sizeBytes);
    }
  }

  /** Makes {@code vector}, filled by address, a vector of {@code rows} readable rows. */
  public static void finish(FieldVector vector, int rows) {
    if (vector instanceof NullVector) {
      vector.setValueCount(rows);
      return;
    }
    reserve(vector, rows);
    if (!vector.getField().isNullable()) {
      setAllValid(vector, rows);
    }
    if (vector instanceof BaseVariableWidthVector variable) {
      variable.setLastSet(rows - 1);
    } else if (vector instanceof ListVector list) {
      list.setLastSet(rows - 1);
      finish(list.getDataVector(), rows == 0 ? 0 : list.getOffsetBuffer().getInt(rows * 4L));
    } else if (vector instanceof StructVector struct) {
      for (FieldVector child : struct.getChildrenFromFields()) {
        finish(child, rows);
      }
    }
    vector.setValueCount(rows);
  }

  /**
   * Makes {@code vector}, which is empty, arrays as long as those of {@code like}, their elements
   * the default of their type.
   */
  public static void fillArrays(FieldVector vector, DataType element, ListVector like, int rows) {
    ListVector list = (ListVector) vector;
    reserve(list, rows);
    long offsets = offsets(list);
    int end = 0;
    Memory.putInt(offsets, 0);
    for (int row = 0; row < rows; row++) {
      end += like.getElementEndIndex(row) - like.getElementStartIndex(row);
      Memory.putInt(offsets + (row + 1) * 4L, end);
    }
    Defaults.of(element).appendMissing(list.getDataVector(), 0, end);
    finish(list, rows);
  }

  /** Sets the validity bits of rows [0, rows). */
  static void setAllValid(FieldVector vector, int rows) {
    ArrowBuf validity = vector.getValidityBuffer();
    long bytes = (rows + 7L) / 8;
    if (bytes > 0) {
      validity.checkBytes(0, bytes);
      Memory.fill(validity.memoryAddress(), bytes, (byte) 0xFF);
    }
  }

  /** Sets the validity bits of rows [from, to), without touching others. */
  static void setValid(FieldVector vector, int from, int to) {
    long bits = vector.getValidityBuffer().memoryAddress();
    int row = from;
    while (row < to && (row & 7) != 0) {
      setBit(bits, row++);
    }
    int whole = (to - row) / 8;
    if (whole > 0) {
      Memory.fill(bits + row / 8, whole, (byte) 0xFF);
      row += whole * 8;
    }
    while (row < to) {
      setBit(bits, row++);
    }
  }

  static void setBit(long bits, int index) {
    long at = bits + (index >>> 3);
    Memory.putByte(at, (byte) (Memory.getByte(at) | 1 << (index & 7)));
  }

  static void clearBit(long bits, int index) {
    long at = bits + (index >>> 3);
    Memory.putByte(at, (byte) (Memory.getByte(at) & ~(1 << (index & 7))));
  }

  static boolean bit(long bits, int index) {
    return (Memory.getByte(bits + (index >>> 3)) >>> (index & 7) & 1) != 0;
  }

  /** Address of the values of a fixed-width vector, or of its bits. */
  public static long data(FieldVector vector) {
    return vector.getDataBuffer().memoryAddress();
  }

  /** Address of the 32-bit offsets of a variable-width or list vector. */
  public static long offsets(FieldVector vector) {
    return vector.getOffsetBuffer().memoryAddress();
  }

  /** Whether row {@code row} of a vector that was finished or made elsewhere is NULL. */
  public static boolean isNull(FieldVector vector, int row) {
    return vector.isNull(row);
  }

  /** A new empty vector of the same field, in {@code allocator}. */
  public static FieldVector emptyLike(FieldVector vector, BufferAllocator allocator) {
    return vector.getField().createVector(allocator);
  }

  /** Closes all, also when one fails. */
  public static void close(List<? extends FieldVector> vectors) {
    for (FieldVector vector : vectors) {
      vector.close();
    }
  }
}
