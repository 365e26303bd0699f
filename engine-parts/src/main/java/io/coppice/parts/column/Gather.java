package io.coppice.parts.column;

import io.coppice.base.bytes.Memory;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;

/**
 * Copies chosen rows of one vector to the end of another of the same type: for sorting, filtering
 * and dictionaries.
 *
 * <p>Stateless; the target belongs to the calling thread.
 */
public final class Gather {
  private Gather() {}

  /**
   * A new vector of the rows {@code indexes[0, count)} of {@code from}. The caller owns it.
   *
   * @param indexes row numbers of {@code from}, each in range
   */
  public static FieldVector take(
      FieldVector from, int[] indexes, int count, BufferAllocator allocator) {
    FieldVector to = Vectors.emptyLike(from, allocator);
    try {
      append(from, indexes, 0, count, to, 0);
      Vectors.finish(to, count);
      return to;
    } catch (Throwable e) {
      to.close();
      throw e;
    }
  }

  /**
   * Puts rows {@code indexes[start, start + count)} of {@code from} at rows [at, at + count) of
   * {@code to}, which is being filled.
   */
  public static void append(
      FieldVector from, int[] indexes, int start, int count, FieldVector to, int at) {
    Vectors.reserve(to, at + count);
    if (to instanceof NullVector) {
      return;
    }
    if (to.getField().isNullable()) {
      copyValidity(from, indexes, start, count, to, at);
    }
    if (to instanceof BitVector) {
      long source = Vectors.data(from);
      long target = Vectors.data(to);
      for (int i = 0; i < count; i++) {
        if (Vectors.bit(source, indexes[start + i])) {
          Vectors.setBit(target, at + i);
        } else {
          Vectors.clearBit(target, at + i);
        }
      }
    } else if (to instanceof BaseFixedWidthVector fixed) {
      copyFixed(
          Vectors.data(from), indexes, start, count, Vectors.data(to), at, fixed.getTypeWidth());
    } else if (to instanceof BaseVariableWidthVector variable) {
      copyVariable((BaseVariableWidthVector) from, indexes, start, count, variable, at);
    } else if (to instanceof ListVector list) {
      copyLists((ListVector) from, indexes, start, count, list, at);
    } else if (to instanceof StructVector struct) {
      List<FieldVector> targets = struct.getChildrenFromFields();
      List<FieldVector> sources = from.getChildrenFromFields();
      for (int c = 0; c < targets.size(); c++) {
        append(sources.get(c), indexes, start, count, targets.get(c), at);
      }
    } else {
      throw new AssertionError("a vector of " + to.getClass());
    }
  }

  /**
   * Puts rows [start, start + count) of {@code from} at rows [at, at + count) of {@code to}, which
   * is being filled: {@link #append} of neighbouring rows, by whole copies.
   */
  public static void appendRange(FieldVector from, int start, int count, FieldVector to, int at) {
    if (count == 0) {
      return;
    }
    Vectors.reserve(to, at + count);
    if (to instanceof NullVector) {
      return;
    }
    if (to.getField().isNullable()) {
      if (from.getNullCount() == 0) {
        Vectors.setValid(to, at, at + count);
      } else {
        copyBits(
            from.getValidityBuffer().memoryAddress(),
            start,
            count,
            to.getValidityBuffer().memoryAddress(),
            at);
      }
    }
    if (to instanceof BitVector) {
      copyBits(Vectors.data(from), start, count, Vectors.data(to), at);
    } else if (to instanceof BaseFixedWidthVector fixed) {
      long width = fixed.getTypeWidth();
      Memory.copy(Vectors.data(from) + start * width, Vectors.data(to) + at * width, count * width);
    } else if (to instanceof BaseVariableWidthVector variable) {
      int first = Memory.getInt(Vectors.offsets(from) + start * 4L);
      int end = copyOffsets(from, start, count, to, at);
      long bytes = Memory.getInt(Vectors.offsets(to) + (at + count) * 4L) - (long) end;
      Vectors.reserveBytes(variable, end + bytes, to.getName());
      Memory.copy(Vectors.data(from) + first, Vectors.data(to) + end, bytes);
    } else if (to instanceof ListVector list) {
      int first = Memory.getInt(Vectors.offsets(from) + start * 4L);
      int end = copyOffsets(from, start, count, to, at);
      int elements = Memory.getInt(Vectors.offsets(to) + (at + count) * 4L) - end;
      appendRange(((ListVector) from).getDataVector(), first, elements, list.getDataVector(), end);
    } else if (to instanceof StructVector struct) {
      List<FieldVector> targets = struct.getChildrenFromFields();
      List<FieldVector> sources = from.getChildrenFromFields();
      for (int c = 0; c < targets.size(); c++) {
        appendRange(sources.get(c), start, count, targets.get(c), at);
      }
    } else {
      throw new AssertionError("a vector of " + to.getClass());
    }
  }

  /** Copies offsets, moved to where the target ends; returns that. */
  private static int copyOffsets(FieldVector from, int start, int count, FieldVector to, int at) {
    long source = Vectors.offsets(from);
    long target = Vectors.offsets(to);
    int end = at == 0 ? 0 : Memory.getInt(target + at * 4L);
    long move = (long) end - Memory.getInt(source + start * 4L);
    Memory.putInt(target + at * 4L, end);
    if (Memory.getInt(source + (start + count) * 4L) + move > Vectors.MOST_BYTES) {
      throw EngineException.of(
          ErrorCode.TOO_LARGE_STRING_SIZE,
          "column %s: more than %d bytes or elements in one block; use smaller blocks",
          to.getName(),
          Vectors.MOST_BYTES);
    }
    for (int i = 1; i <= count; i++) {
      Memory.putInt(
          target + (at + i) * 4L, (int) (Memory.getInt(source + (start + i) * 4L) + move));
    }
    return end;
  }

  private static void copyBits(long source, int start, int count, long target, int at) {
    if ((start & 7) == 0 && (at & 7) == 0) {
      Memory.copy(source + start / 8, target + at / 8, count / 8);
      for (int i = count & ~7; i < count; i++) {
        copyBit(source, start + i, target, at + i);
      }
      return;
    }
    for (int i = 0; i < count; i++) {
      copyBit(source, start + i, target, at + i);
    }
  }

  private static void copyBit(long source, int from, long target, int to) {
    if (Vectors.bit(source, from)) {
      Vectors.setBit(target, to);
    } else {
      Vectors.clearBit(target, to);
    }
  }

  private static void copyValidity(
      FieldVector from, int[] indexes, int start, int count, FieldVector to, int at) {
    long target = to.getValidityBuffer().memoryAddress();
    if (from.getNullCount() == 0 && from.getValueCount() > 0) {
      Vectors.setValid(to, at, at + count);
      return;
    }
    long source = from.getValidityBuffer().memoryAddress();
    for (int i = 0; i < count; i++) {
      if (Vectors.bit(source, indexes[start + i])) {
        Vectors.setBit(target, at + i);
      } else {
        Vectors.clearBit(target, at + i);
      }
    }
  }

  private static void copyFixed(
      long source, int[] indexes, int start, int count, long target, int at, int width) {
    switch (width) {
      case 1 -> {
        for (int i = 0; i < count; i++) {
          Memory.putByte(target + at + i, Memory.getByte(source + indexes[start + i]));
        }
      }
      case 2 -> {
        long to = target + at * 2L;
        for (int i = 0; i < count; i++) {
          Memory.putShort(to + i * 2L, Memory.getShort(source + indexes[start + i] * 2L));
        }
      }
      case 4 -> {
        long to = target + at * 4L;
        for (int i = 0; i < count; i++) {
          Memory.putInt(to + i * 4L, Memory.getInt(source + indexes[start + i] * 4L));
        }
      }
      case 8 -> {
        long to = target + at * 8L;
        for (int i = 0; i < count; i++) {
          Memory.putLong(to + i * 8L, Memory.getLong(source + indexes[start + i] * 8L));
        }
      }
      case 16 -> {
        long to = target + at * 16L;
        for (int i = 0; i < count; i++) {
          long x = source + indexes[start + i] * 16L;
          Memory.putLong(to + i * 16L, Memory.getLong(x));
          Memory.putLong(to + i * 16L + 8, Memory.getLong(x + 8));
        }
      }
      default -> {
        long to = target + (long) at * width;
        for (int i = 0; i < count; i++) {
          Memory.copy(source + (long) indexes[start + i] * width, to + (long) i * width, width);
        }
      }
    }
  }

  private static void copyVariable(
      BaseVariableWidthVector from,
      int[] indexes,
      int start,
      int count,
      BaseVariableWidthVector to,
      int at) {
    long sourceOffsets = Vectors.offsets(from);
    long targetOffsets = Vectors.offsets(to);
    long end = at == 0 ? 0 : Memory.getInt(targetOffsets + at * 4L);
    long total = end;
    Memory.putInt(targetOffsets + at * 4L, (int) end);
    for (int i = 0; i < count; i++) {
      long place = sourceOffsets + indexes[start + i] * 4L;
      total += Memory.getInt(place + 4) - Memory.getInt(place);
    }
    Vectors.reserveBytes(to, total, to.getName());
    long source = from.getDataBuffer().memoryAddress();
    long target = to.getDataBuffer().memoryAddress();
    // Up to here eight bytes may be read or written at once, those behind the end among them.
    long sourceEnd = from.getDataBuffer().capacity() - 7;
    long targetEnd = to.getDataBuffer().capacity() - 7;
    for (int i = 0; i < count; i++) {
      long place = sourceOffsets + indexes[start + i] * 4L;
      int begin = Memory.getInt(place);
      int size = Memory.getInt(place + 4) - begin;
      if (size <= 32 && begin + (long) size < sourceEnd && end + size < targetEnd) {
        for (int done = 0; done < size; done += 8) {
          Memory.putLong(target + end + done, Memory.getLong(source + begin + done));
        }
      } else {
        copyShort(source + begin, target + end, size);
      }
      end += size;
      Memory.putInt(targetOffsets + (at + i + 1) * 4L, (int) end);
    }
  }

  /** Most strings are short: a call into the copy routine costs more than the bytes. */
  private static void copyShort(long from, long to, int size) {
    if (size > 32) {
      Memory.copy(from, to, size);
      return;
    }
    int done = 0;
    for (; size - done >= 8; done += 8) {
      Memory.putLong(to + done, Memory.getLong(from + done));
    }
    for (; done < size; done++) {
      Memory.putByte(to + done, Memory.getByte(from + done));
    }
  }

  private static void copyLists(
      ListVector from, int[] indexes, int start, int count, ListVector to, int at) {
    long sourceOffsets = Vectors.offsets(from);
    long targetOffsets = Vectors.offsets(to);
    int first = at == 0 ? 0 : Memory.getInt(targetOffsets + at * 4L);
    long end = first;
    Memory.putInt(targetOffsets + at * 4L, first);
    for (int i = 0; i < count; i++) {
      long place = sourceOffsets + indexes[start + i] * 4L;
      end += Memory.getInt(place + 4) - Memory.getInt(place);
      if (end > Vectors.MOST_BYTES) {
        throw EngineException.of(
            ErrorCode.TOO_LARGE_ARRAY_SIZE,
            "column %s: more than %d elements in one block; use smaller blocks",
            to.getName(),
            Vectors.MOST_BYTES);
      }
      Memory.putInt(targetOffsets + (at + i + 1) * 4L, (int) end);
    }
    int[] elements = new int[(int) (end - first)];
    int n = 0;
    for (int i = 0; i < count; i++) {
      long place = sourceOffsets + indexes[start + i] * 4L;
      int stop = Memory.getInt(place + 4);
      for (int e = Memory.getInt(place); e < stop; e++) {
        elements[n++] = e;
      }
    }
    append(from.getDataVector(), elements, 0, n, to.getDataVector(), first);
  }
}
