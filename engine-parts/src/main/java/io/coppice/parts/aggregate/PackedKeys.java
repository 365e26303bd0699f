package io.coppice.parts.aggregate;

import io.coppice.base.bytes.Memory;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Vectors;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;

/**
 * The keys of rows as single longs, where they fit: fixed widths side by side, short strings with
 * their length before them, a byte before what may be NULL. Different keys have different longs.
 *
 * <p>Confined to one thread.
 */
final class PackedKeys {
  private static final int FULL = 8;

  /** Bytes of each key's value, 0 for strings. */
  private final int[] bytesOf;

  private long[] packed = new long[0];
  private byte[] used = new byte[0];

  private final boolean nulls;
  private boolean overflown;

  private PackedKeys(int[] bytesOf, boolean nulls) {
    this.bytesOf = bytesOf;
    this.nulls = nulls;
  }

  /** The packing of one value of up to eight bytes; keys of rows that are NULL mean nothing. */
  static PackedKeys ofNotNull(DataType type) {
    return new PackedKeys(new int[] {type.widthBytes()}, false);
  }

  /** The packing of keys of these types; null when rows of them never fit. */
  static PackedKeys of(List<DataType> types) {
    int[] bytes = new int[types.size()];
    int least = 0;
    for (int i = 0; i < bytes.length; i++) {
      DataType bare = Kinds.bare(types.get(i));
      DataType type = Kinds.notNull(bare);
      int width = type.widthBytes();
      if (type == PlainType.STRING) {
        least++;
      } else if (width > 0 && width <= FULL) {
        bytes[i] = width;
        least += width;
      } else {
        return null;
      }
      least += bare instanceof NullableType ? 1 : 0;
    }
    return least <= FULL ? new PackedKeys(bytes, true) : null;
  }

  /** Packs the keys of rows. */
  void pack(List<FieldVector> vectors, int rows) {
    if (packed.length < rows) {
      packed = new long[rows];
      used = new byte[rows];
    }
    overflown = false;
    if (bytesOf.length == 1 && bytesOf[0] > 0 && !mayBeNull(vectors.get(0)) && rows > 0) {
      copyFixed(vectors.get(0), bytesOf[0], rows);
      return;
    }
    Arrays.fill(packed, 0, rows, 0);
    Arrays.fill(used, 0, rows, (byte) 0);
    for (int i = 0; i < bytesOf.length; i++) {
      add(vectors.get(i), bytesOf[i], rows);
    }
  }

  /** Whether the keys of all rows fit. */
  boolean allFit() {
    return !overflown;
  }

  /** The keys of the rows, in an array that is used again by the next call of {@link #pack}. */
  long[] keys() {
    return packed;
  }

  /** Moves the keys of rows of a group to the front; how many these are. */
  int keep(int[] groups, int rows) {
    int kept = 0;
    for (int row = 0; row < rows; row++) {
      packed[kept] = packed[row];
      kept += groups[row] >= 0 ? 1 : 0;
    }
    return kept;
  }

  /** Whether a row's keys fit. */
  boolean fits(int row) {
    return used[row] <= FULL;
  }

  long key(int row) {
    return packed[row];
  }

  private boolean mayBeNull(FieldVector vector) {
    return nulls && vector.getField().isNullable();
  }

  /** The only key, of a fixed width: its values are the packed ones. */
  private void copyFixed(FieldVector vector, int bytes, int rows) {
    long data = Vectors.data(vector);
    if (vector instanceof BitVector) {
      for (int row = 0; row < rows; row++) {
        packed[row] = Memory.getByte(data + (row >>> 3)) >>> (row & 7) & 1;
      }
      return;
    }
    int stride = ((BaseFixedWidthVector) vector).getTypeWidth();
    long mask = bytes == FULL ? -1 : (1L << 8 * bytes) - 1;
    switch (stride) {
      case 1 -> {
        for (int row = 0; row < rows; row++) {
          packed[row] = Memory.getByte(data + row) & mask;
        }
      }
      case 2 -> {
        for (int row = 0; row < rows; row++) {
          packed[row] = Memory.getShort(data + row * 2L) & mask;
        }
      }
      case 4 -> {
        for (int row = 0; row < rows; row++) {
          packed[row] = Memory.getInt(data + row * 4L) & mask;
        }
      }
      case FULL -> {
        for (int row = 0; row < rows; row++) {
          packed[row] = Memory.getLong(data + row * 8L) & mask;
        }
      }
      default -> {
        for (int row = 0; row < rows; row++) {
          long at = data + (long) row * stride;
          packed[row] = (stride < FULL ? bytes(at, stride) : Memory.getLong(at)) & mask;
        }
      }
    }
  }

  private void add(FieldVector vector, int bytes, int rows) {
    if (rows == 0) {
      return;
    }
    boolean nullable = mayBeNull(vector);
    boolean[] isNull = nullable && vector.getNullCount() > 0 ? new boolean[rows] : null;
    if (nullable) {
      for (int row = 0; row < rows; row++) {
        boolean none = isNull != null && vector.isNull(row);
        if (none) {
          isNull[row] = true;
        }
        put(row, none ? 1 : 0, 1);
      }
    }
    long data = Vectors.data(vector);
    if (vector instanceof BaseVariableWidthVector) {
      addStrings(vector, data, isNull, rows);
    } else if (vector instanceof BitVector) {
      for (int row = 0; row < rows; row++) {
        if (isNull == null || !isNull[row]) {
          put(row, Memory.getByte(data + (row >>> 3)) >>> (row & 7) & 1, 1);
        }
      }
    } else {
      addFixed(data, ((BaseFixedWidthVector) vector).getTypeWidth(), bytes, isNull, rows);
    }
  }

  /** Values of {@code stride} bytes, of which the lowest {@code bytes} tell them apart. */
  private void addFixed(long data, int stride, int bytes, boolean[] isNull, int rows) {
    long mask = bytes == FULL ? -1 : (1L << 8 * bytes) - 1;
    boolean odd = stride < FULL && Integer.bitCount(stride) != 1;
    for (int row = 0; row < rows; row++) {
      if (isNull != null && isNull[row]) {
        continue;
      }
      long value =
          switch (stride) {
            case 1 -> Memory.getByte(data + row);
            case 2 -> Memory.getShort(data + row * 2L);
            case 4 -> Memory.getInt(data + row * 4L);
            default ->
                odd
                    ? bytes(data + (long) row * stride, stride)
                    : Memory.getLong(data + (long) row * stride);
          };
      put(row, value & mask, bytes);
    }
  }

  private void addStrings(FieldVector vector, long data, boolean[] isNull, int rows) {
    long offsets = Vectors.offsets(vector);
    int begin = Memory.getInt(offsets);
    // Eight bytes may be read at once where so many are there.
    long whole = data + Memory.getInt(offsets + rows * 4L) - 8;
    for (int row = 0; row < rows; row++) {
      int end = Memory.getInt(offsets + (row + 1) * 4L);
      if (isNull == null || !isNull[row]) {
        int size = end - begin;
        if (size >= FULL) {
          overflow(row);
        } else {
          long at = data + begin;
          long value = 0;
          if (at <= whole) {
            value = Memory.getLong(at) & (1L << 8 * size) - 1;
          } else {
            value = bytes(at, size);
          }
          put(row, value << 8 | size, 1 + size);
        }
      }
      begin = end;
    }
  }

  private static long bytes(long at, int size) {
    long value = 0;
    for (int i = 0; i < size; i++) {
      value |= (Memory.getByte(at + i) & 0xFFL) << 8 * i;
    }
    return value;
  }

  private void overflow(int row) {
    used[row] = FULL + 1;
    overflown = true;
  }

  private void put(int row, long value, int bytes) {
    int at = used[row];
    if (at + bytes > FULL) {
      overflow(row);
      return;
    }
    packed[row] |= value << 8 * at;
    used[row] = (byte) (at + bytes);
  }
}
