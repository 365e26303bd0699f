package io.coppice.parts.column;

import io.coppice.base.bytes.Memory;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.LowCardinalityType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;

/**
 * Bytes that ClickHouse counts for a column in its memory, by which it sizes granules and chooses
 * Wide or Compact: fixed widths as they are, a string with 8 bytes for its offset, an array
 * likewise, a byte per row for NULL flags, LowCardinality as its indexes and dictionary.
 *
 * <p>Stateless; any thread may call it.
 */
public final class InMemorySize {
  private InMemorySize() {}

  /**
   * Bytes of a column of a part, whose rows are some of those of a block. Parts of one block share
   * the block's dictionaries of LowCardinality, but for those within arrays; what is shared is not
   * counted.
   *
   * @param rows of the part
   * @param block the column before the block was split
   * @param indexBytes filled with what was found out about the block's dictionaries, which are
   *     looked at once for all its parts; threads may share it if it is made for that
   */
  public static long ofSplit(
      FieldVector vector,
      DataType given,
      int rows,
      FieldVector block,
      int blockRows,
      Map<FieldVector, Long> indexBytes) {
    DataType type = given.storage();
    if (rows == blockRows) {
      return of(vector, type, rows);
    }
    if (type instanceof TupleType t) {
      long sum = 0;
      for (int i = 0; i < t.elements().size(); i++) {
        sum +=
            ofSplit(
                vector.getChildrenFromFields().get(i),
                t.elements().get(i).type(),
                rows,
                block.getChildrenFromFields().get(i),
                blockRows,
                indexBytes);
      }
      return sum;
    }
    if (type instanceof LowCardinalityType t) {
      return rows
          * indexBytes.computeIfAbsent(block, b -> dictionary(b, t, 0, blockRows).indexBytes());
    }
    return of(vector, type, rows);
  }

  /** Bytes of rows [0, rows) of a finished vector. */
  public static long of(FieldVector vector, DataType type, int rows) {
    return of(vector, type, rows, SharedDictionaries.NONE);
  }

  /** The same of a column some of whose dictionaries are shared, which are not counted. */
  public static long of(FieldVector vector, DataType type, int rows, SharedDictionaries shared) {
    return of(vector, type, 0, rows, new SharedDictionaries.Cursor(shared));
  }

  private static long of(
      FieldVector vector, DataType given, int from, int to, SharedDictionaries.Cursor shared) {
    DataType type = given.storage();
    long rows = to - from;
    if (type instanceof NullableType t) {
      return rows + of(vector, t.inner(), from, to, shared);
    }
    if (type instanceof LowCardinalityType t) {
      int indexBytes = shared.next();
      if (indexBytes > 0) {
        return rows * indexBytes;
      }
      Dictionary dictionary = dictionary(vector, t, from, to);
      return rows * dictionary.indexBytes() + dictionary.sizeBytes();
    }
    if (type instanceof TupleType t) {
      List<FieldVector> children = vector.getChildrenFromFields();
      long sum = 0;
      for (int i = 0; i < children.size(); i++) {
        sum += of(children.get(i), t.elements().get(i).type(), from, to, shared);
      }
      return sum;
    }
    if (type instanceof ArrayType || type instanceof MapType) {
      if (rows == 0) {
        return 0;
      }
      ListVector list = (ListVector) vector;
      int first = Memory.getInt(Vectors.offsets(list) + from * 4L);
      int last = Memory.getInt(Vectors.offsets(list) + to * 4L);
      DataType element =
          type instanceof ArrayType a
              ? a.element()
              : new TupleType(
                  List.of(
                      new DataType.Element(java.util.Optional.empty(), ((MapType) type).key()),
                      new DataType.Element(java.util.Optional.empty(), ((MapType) type).value())));
      return rows * 8 + of(list.getDataVector(), element, first, last, shared);
    }
    if (type == PlainType.STRING) {
      return rows == 0 ? 0 : rows * 8 + stringBytes(vector, from, to);
    }
    return rows * type.widthBytes();
  }

  private static long stringBytes(FieldVector vector, int from, int to) {
    long offsets = Vectors.offsets(vector);
    return Memory.getInt(offsets + to * 4L) - (long) Memory.getInt(offsets + from * 4L);
  }

  /** Bytes of the dictionary of some values, and of each index into it. */
  private record Dictionary(long sizeBytes, long indexBytes) {}

  private static Dictionary dictionary(
      FieldVector vector, LowCardinalityType type, int from, int to) {
    DataType inner = type.inner() instanceof NullableType n ? n.inner() : type.inner();
    int fixed = inner.storage() == PlainType.STRING ? 0 : inner.storage().widthBytes();
    boolean floating = inner.storage() instanceof PlainType p && p.floating();
    KeyTable keys = new KeyTable();
    RecentKeys recent = new RecentKeys();
    long end = Vectors.data(vector) + vector.getDataBuffer().capacity();
    boolean nulls = vector.getField().isNullable() && vector.getNullCount() > 0;
    for (int row = from; row < to; row++) {
      if (nulls && vector.isNull(row)) {
        continue;
      }
      long at;
      int size;
      if (fixed == 0) {
        long offsets = Vectors.offsets(vector) + row * 4L;
        at = Vectors.data(vector) + Memory.getInt(offsets);
        size = Memory.getInt(offsets + 4) - Memory.getInt(offsets);
      } else if (vector instanceof org.apache.arrow.vector.BaseFixedWidthVector f
          && f.getTypeWidth() > 0) {
        at = Vectors.data(vector) + (long) row * f.getTypeWidth();
        size = Math.min(fixed, f.getTypeWidth());
      } else {
        return new Dictionary(2, 1);
      }
      long packed = RecentKeys.packed(at, size, end);
      if (packed != 0 && recent.find(packed) >= 0) {
        continue;
      }
      if (isDefault(at, size) || floating && LowCardinality.isMinusZero(at, size)) {
        continue; // a key that is always there
      }
      long hash = KeyTable.hash(at, size);
      if (keys.find(at, size, hash) < 0) {
        keys.add(at, size, hash);
      }
      if (packed != 0) {
        recent.put(packed, 0);
      }
    }
    // The default, and NULL before it.
    int always = type.nullable() ? 2 : 1;
    long count = keys.count() + always;
    long index = count < 1 << 8 ? 1 : count < 1 << 16 ? 2 : 4;
    long size = keys.keyBytes() + (fixed == 0 ? count * 8L : (long) always * fixed);
    return new Dictionary(size, index);
  }

  private static boolean isDefault(long at, int size) {
    for (int i = 0; i < size; i++) {
      if (Memory.getByte(at + i) != 0) {
        return false;
      }
    }
    return true;
  }
}
