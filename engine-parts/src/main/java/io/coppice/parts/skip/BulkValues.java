package io.coppice.parts.skip;

import io.coppice.base.bytes.ByteReader;
import io.coppice.base.bytes.ByteWriter;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.parts.format.SingleValue;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;

/**
 * Values of a type one behind the other, as in a block of a set index.
 *
 * <pre>
 *   8 bytes          1, per LowCardinality in the type at any depth
 *   numbers          as they are
 *   String           each with its size before it
 *   Nullable         a byte per row, 1 for NULL; then what all slots hold
 *   Array, Map       where each ends, 8 bytes; then all elements, of a Map all keys and all values
 *   Tuple            element after element; one without elements a byte '0' per row
 *   LowCardinality   nothing if there are no rows; else 8 bytes: 0x600 + log2 of the width of an index; 8
 *                    bytes: count of keys; keys, in order of appearance behind NULL's and the default; 8
 *                    bytes: count of rows; an index per row
 * </pre>
 *
 * <p>Stateless; vectors are borrowed, of the type's Arrow mapping without dictionaries.
 */
final class BulkValues {
  private static final int DICTIONARY_FLAGS = 0x600;
  private static final int EMPTY_TUPLE = '0';

  private BulkValues() {}

  /** Appends the rows of these numbers. */
  static void write(ByteWriter out, DataType type, FieldVector vector, int[] rows) {
    for (int i = dictionaries(type); i > 0; i--) {
      out.u64(1);
    }
    writeValues(out, type, vector, rows);
  }

  /**
   * Reads {@code count} rows and sets the value count.
   *
   * @throws EngineException INCORRECT_DATA and those of {@link ByteReader}
   */
  static void read(ByteReader in, DataType type, FieldVector vector, int count) {
    for (int i = dictionaries(type); i > 0; i--) {
      long version = in.u64();
      if (version != 1) {
        throw EngineException.of(
            ErrorCode.INCORRECT_DATA,
            "%s: a dictionary of version %d before offset %d, expected 1",
            in.name(),
            version,
            in.offset());
      }
    }
    readValues(in, type, vector, count);
  }

  /** How many LowCardinality there are in a type. */
  private static int dictionaries(DataType given) {
    DataType type = given.storage();
    if (type instanceof DataType.LowCardinalityType) {
      return 1;
    } else if (type instanceof DataType.NullableType nullable) {
      return dictionaries(nullable.inner());
    } else if (type instanceof DataType.ArrayType array) {
      return dictionaries(array.element());
    } else if (type instanceof DataType.MapType map) {
      return dictionaries(map.key()) + dictionaries(map.value());
    } else if (type instanceof DataType.TupleType tuple) {
      return tuple.elements().stream().mapToInt(element -> dictionaries(element.type())).sum();
    }
    return 0;
  }

  private static void writeValues(ByteWriter out, DataType given, FieldVector vector, int[] rows) {
    DataType type = given.storage();
    if (type instanceof DataType.LowCardinalityType low) {
      writeLowCardinality(out, low, vector, rows);
    } else if (type instanceof DataType.NullableType nullable) {
      for (int row : rows) {
        out.u8(vector.isNull(row) ? 1 : 0);
      }
      writeValues(out, nullable.inner(), vector, rows); // what the slots under NULL hold, too
    } else if (type instanceof DataType.ArrayType array) {
      ListVector list = (ListVector) vector;
      writeValues(out, array.element(), list.getDataVector(), writeEnds(out, list, rows));
    } else if (type instanceof DataType.MapType map) {
      ListVector list = (ListVector) vector;
      StructVector entries = (StructVector) list.getDataVector();
      int[] all = writeEnds(out, list, rows);
      writeValues(out, map.key(), (FieldVector) entries.getChildByOrdinal(0), all);
      writeValues(out, map.value(), (FieldVector) entries.getChildByOrdinal(1), all);
    } else if (type instanceof DataType.TupleType tuple) {
      StructVector struct = (StructVector) vector;
      for (int i = 0; i < rows.length && tuple.elements().isEmpty(); i++) {
        out.u8(EMPTY_TUPLE);
      }
      for (int i = 0; i < tuple.elements().size(); i++) {
        writeValues(
            out, tuple.elements().get(i).type(), (FieldVector) struct.getChildByOrdinal(i), rows);
      }
    } else {
      SingleValue value = SingleValue.of(type, vector);
      for (int row : rows) {
        value.write(out, row);
      }
    }
  }

  /** Writes where the lists end, and returns the numbers of their elements. */
  private static int[] writeEnds(ByteWriter out, ListVector list, int[] rows) {
    int size = 0;
    for (int row : rows) {
      size += list.getElementEndIndex(row) - list.getElementStartIndex(row);
      out.u64(size);
    }
    int[] all = new int[size];
    int at = 0;
    for (int row : rows) {
      for (int i = list.getElementStartIndex(row); i < list.getElementEndIndex(row); i++) {
        all[at++] = i;
      }
    }
    return all;
  }

  private static void writeLowCardinality(
      ByteWriter out, DataType.LowCardinalityType low, FieldVector vector, int[] rows) {
    if (rows.length == 0) {
      return;
    }
    boolean nullable = low.inner() instanceof DataType.NullableType;
    DataType type = low.bare();
    SingleValue value = SingleValue.of(type, vector);
    byte[] zero = type.widthBytes() > 0 ? new byte[type.widthBytes()] : new byte[] {0};
    Map<ByteBuffer, Integer> indexes = new LinkedHashMap<>();
    indexes.put(ByteBuffer.wrap(zero), nullable ? 1 : 0);
    int[] index = new int[rows.length];
    ByteWriter key = new ByteWriter();
    for (int i = 0; i < rows.length; i++) {
      if (vector.isNull(rows[i])) {
        continue; // index 0
      }
      key.clear();
      value.write(key, rows[i]);
      int next = indexes.size() + (nullable ? 1 : 0);
      Integer known = indexes.putIfAbsent(ByteBuffer.wrap(key.toByteArray()), next);
      index[i] = known == null ? next : known;
    }
    int keyCount = indexes.size() + (nullable ? 1 : 0);
    int log = keyCount <= 1 << 8 ? 0 : keyCount <= 1 << 16 ? 1 : 2;
    out.u64(DICTIONARY_FLAGS + log).u64(keyCount);
    if (nullable) {
      out.bytes(zero);
    }
    indexes.keySet().forEach(each -> out.bytes(each.array()));
    out.u64(rows.length);
    for (int each : index) {
      switch (log) {
        case 0 -> out.u8(each);
        case 1 -> out.u16(each);
        default -> out.u32(each);
      }
    }
  }

  /** Reads keys and indexes into a vector of values. */
  private static void readLowCardinality(
      ByteReader in, DataType.LowCardinalityType low, FieldVector vector, int count) {
    if (count == 0) {
      return;
    }
    boolean nullable = low.inner() instanceof DataType.NullableType;
    DataType type = low.bare();
    long flags = in.u64();
    long keyCount = in.u64();
    boolean known = (flags & ~0xffL) == DICTIONARY_FLAGS && (flags & 0xff) <= 2;
    if (!known || keyCount <= 0 || keyCount > in.remaining()) {
      throw EngineException.of(
          ErrorCode.INCORRECT_DATA,
          "%s: a dictionary with flags %x and %s keys before offset %d",
          in.name(),
          flags,
          Long.toUnsignedString(keyCount),
          in.offset());
    }
    List<byte[]> keys = new ArrayList<>((int) keyCount);
    for (long i = 0; i < keyCount; i++) {
      keys.add(
          type.widthBytes() > 0
              ? in.bytes(type.widthBytes())
              : new ByteWriter().string(in.stringBytes(in.remaining())).toByteArray());
    }
    long rowCount = in.u64();
    SingleValue value = SingleValue.of(type, vector);
    for (int row = 0; row < count; row++) {
      int index = (flags & 0xff) == 0 ? in.u8() : (flags & 0xff) == 1 ? in.u16() : in.u32();
      if (rowCount != count || index < 0 || index >= keyCount) {
        throw EngineException.of(
            ErrorCode.INCORRECT_DATA,
            "%s: index %d of %d keys in row %d of %d",
            in.name(),
            index,
            keyCount,
            row,
            rowCount);
      }
      value.read(new ByteReader(keys.get(index), in.name()), row);
      if (nullable && index == 0) {
        BitVectorHelper.unsetBit(vector.getValidityBuffer(), row);
      }
    }
    vector.setValueCount(count);
  }

  private static void readValues(ByteReader in, DataType given, FieldVector vector, int count) {
    DataType type = given.storage();
    if (type instanceof DataType.LowCardinalityType low) {
      readLowCardinality(in, low, vector, count);
      return;
    } else if (type instanceof DataType.NullableType nullable) {
      byte[] nulls = in.bytes(count);
      readValues(in, nullable.inner(), vector, count);
      for (int row = 0; row < count; row++) {
        if (nulls[row] != 0) {
          BitVectorHelper.unsetBit(vector.getValidityBuffer(), row);
        }
      }
      return;
    } else if (type instanceof DataType.ArrayType array) {
      ListVector list = (ListVector) vector;
      readValues(in, array.element(), list.getDataVector(), readEnds(in, list, count));
    } else if (type instanceof DataType.MapType map) {
      ListVector list = (ListVector) vector;
      StructVector entries = (StructVector) list.getDataVector();
      int size = readEnds(in, list, count);
      readValues(in, map.key(), (FieldVector) entries.getChildByOrdinal(0), size);
      readValues(in, map.value(), (FieldVector) entries.getChildByOrdinal(1), size);
      define(entries, size);
      entries.setValueCount(size);
    } else if (type instanceof DataType.TupleType tuple) {
      StructVector struct = (StructVector) vector;
      for (int i = 0; i < tuple.elements().size(); i++) {
        readValues(
            in, tuple.elements().get(i).type(), (FieldVector) struct.getChildByOrdinal(i), count);
      }
      if (tuple.elements().isEmpty()) {
        in.bytes(count);
      }
      define(struct, count);
    } else {
      SingleValue value = SingleValue.of(type, vector);
      for (int row = 0; row < count; row++) {
        value.read(in, row);
      }
    }
    vector.setValueCount(count);
  }

  private static void define(StructVector struct, int count) {
    while (count > struct.getValueCapacity()) {
      struct.reAlloc();
    }
    for (int row = 0; row < count; row++) {
      struct.setIndexDefined(row);
    }
  }

  /** Reads where lists end into the vector, and returns the count of elements. */
  private static int readEnds(ByteReader in, ListVector list, int count) {
    long before = 0;
    for (int row = 0; row < count; row++) {
      long end = in.u64();
      if (end < before || end > in.remaining()) {
        throw EngineException.of(
            ErrorCode.INCORRECT_DATA,
            "%s: an array that ends at element %s after %d",
            in.name(),
            Long.toUnsignedString(end),
            before);
      }
      list.startNewValue(row);
      list.endValue(row, (int) (end - before));
      before = end;
    }
    return (int) before;
  }
}
