package io.coppice.parts.write;

import io.coppice.base.bytes.Memory;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.Vectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;

/**
 * What lies under NULL in Arrow vectors. Arrow says that it may be anything; a part keeps it, so
 * that vectors of others are cleared first, lest the same rows give different bytes. Stateless.
 */
final class NullSlots {
  private NullSlots() {}

  /** Whether the vector, or one inside it, has NULL. */
  static boolean any(FieldVector vector) {
    if (vector.getField().isNullable() && vector.getNullCount() > 0) {
      return true;
    }
    for (FieldVector child : vector.getChildrenFromFields()) {
      if (any(child)) {
        return true;
      }
    }
    return false;
  }

  /** A copy with zeros and empty strings under NULL, which the caller owns. */
  static FieldVector cleared(FieldVector vector, int rows, BufferAllocator allocator) {
    FieldVector copy = Vectors.emptyLike(vector, allocator);
    try {
      Gather.appendRange(vector, 0, rows, copy, 0);
      Vectors.finish(copy, rows);
      clear(copy);
      return copy;
    } catch (Throwable e) {
      copy.close();
      throw e;
    }
  }

  private static void clear(FieldVector vector) {
    for (FieldVector child : vector.getChildrenFromFields()) {
      clear(child);
    }
    if (!vector.getField().isNullable() || vector.getNullCount() == 0) {
      return;
    }
    long data = vector.getDataBuffer().memoryAddress();
    if (vector instanceof BaseVariableWidthVector) {
      closeGaps(vector, data);
      return;
    }
    for (int row = 0; row < vector.getValueCount(); row++) {
      if (!vector.isNull(row)) {
        continue;
      }
      if (vector instanceof BitVector) {
        long at = data + (row >>> 3);
        Memory.putByte(at, (byte) (Memory.getByte(at) & ~(1 << (row & 7))));
      } else if (vector instanceof BaseFixedWidthVector fixed) {
        int width = fixed.getTypeWidth();
        Memory.fill(data + (long) row * width, width, (byte) 0);
      }
    }
  }

  /** Moves strings forward over what lies under NULL. */
  private static void closeGaps(FieldVector vector, long data) {
    long offsets = vector.getOffsetBuffer().memoryAddress();
    int end = Memory.getInt(offsets);
    int start = end;
    for (int row = 0; row < vector.getValueCount(); row++) {
      int next = Memory.getInt(offsets + (row + 1) * 4L);
      if (!vector.isNull(row)) {
        Memory.copy(data + start, data + end, next - start);
        end += next - start;
      }
      start = next;
      Memory.putInt(offsets + (row + 1) * 4L, end);
    }
  }
}
