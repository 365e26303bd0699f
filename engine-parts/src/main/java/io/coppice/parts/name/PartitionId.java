package io.coppice.parts.name;

import io.coppice.base.bytes.Memory;
import io.coppice.base.check.Check;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.base.hash.SipHash;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.PlainType;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;

/**
 * The id of a partition, first piece of the names of its parts, from the values of the partition
 * key.
 *
 * <ul>
 *   <li>No key: {@code all}.
 *   <li>All values whole numbers of at most 64 bits (or Bool, Enum, Date, Date32, DateTime, Time,
 *       Interval, IPv4, and not NULL): their decimal numbers joined by {@code -}; a Date as
 *       YYYYMMDD, a DateTime as seconds, a Date32 as days.
 *   <li>Else the 32 hex digits, in memory order, of SipHash128 over all values: a byte that says
 *       what the value is, and the value.
 * </ul>
 *
 * <pre>
 *   0   NULL, nothing follows            19  Decimal of 4 bytes
 *   1   unsigned, 8 bytes; Bool, Date    20  Decimal of 8 bytes; DateTime64, Time64
 *   2   signed, 8 bytes; Enum, Date32    21  Decimal of 16 bytes
 *   3   Float64; other floats widened    23  Decimal of 32 bytes
 *   4   UInt128; UUID                    24  UInt256
 *   5   Int128                           25  Int256
 *   16  8 bytes size, bytes; IPv6        26  Map: 8 bytes count, a Tuple per entry
 *   17  Array: 8 bytes count, elements   30  IPv4, 4 bytes
 *   18  Tuple: 8 bytes count, elements
 * </pre>
 *
 * <p>18.16.1 hashes a Decimal with its scale behind it, in as many bytes again, and a Tuple with 17
 * before it. Checked against {@code partitionId()} of 26.7 for every type, against parts of
 * 18.16.1, and against the part names of {@code golden}.
 *
 * <p>Thread-safe; borrows the vectors.
 */
public final class PartitionId {
  /** The id in tables without a partition key. */
  public static final String ALL = "all";

  private final List<Value> values = new ArrayList<>();
  private final boolean classic;
  private final SipHash hash = new SipHash(); // of one row at a time

  /**
   * Binds to the columns of the key.
   *
   * @param classic whether ids are those of 18.16.1, where they differ
   * @throws EngineException NOT_IMPLEMENTED for types known by name only
   */
  public PartitionId(List<DataType> types, List<FieldVector> vectors, boolean classic) {
    Check.argument(
        types.size() == vectors.size(), "%d types, %d vectors", types.size(), vectors.size());
    this.classic = classic;
    for (int i = 0; i < types.size(); i++) {
      values.add(new Value(types.get(i), vectors.get(i)));
    }
  }

  /** The id of the partition to which row {@code row} belongs. */
  public String of(int row) {
    if (values.isEmpty()) {
      return ALL;
    }
    for (Value value : values) {
      if (!value.decimal || value.isNull(row)) {
        return hashed(row);
      }
    }
    StringBuilder id = new StringBuilder();
    for (Value value : values) {
      if (!id.isEmpty()) {
        id.append('-');
      }
      value.appendDecimal(id, row);
    }
    return id.toString();
  }

  private synchronized String hashed(int row) {
    hash.reset();
    for (Value value : values) {
      value.update(row);
    }
    return hash.hash128().memoryHex();
  }

  /** Tag of a type with one, when its values have a fixed width. */
  private static int tag(DataType type) {
    if (type instanceof PlainType plain) {
      return switch (plain) {
        case UINT8, UINT16, UINT32, UINT64, BOOL, DATE -> 1;
        case INT8, INT16, INT32, INT64, DATE32, TIME -> 2;
        case FLOAT32, FLOAT64, BFLOAT16 -> 3;
        case UINT128, UUID -> 4;
        case INT128 -> 5;
        case IPV6 -> 16;
        case UINT256 -> 24;
        case INT256 -> 25;
        case IPV4 -> 30;
        case STRING, NOTHING -> -1;
      };
    } else if (type instanceof DataType.DateTimeType) {
      return 1;
    } else if (type instanceof DataType.EnumType || type instanceof DataType.IntervalType) {
      return 2;
    } else if (type instanceof DataType.DateTime64Type || type instanceof DataType.Time64Type) {
      return 20;
    } else if (type instanceof DecimalType decimal) {
      return switch (decimal.widthBytes()) {
        case 4 -> 19;
        case 8 -> 20;
        case 16 -> 21;
        default -> 23;
      };
    } else if (type instanceof DataType.FixedStringType) {
      return 16;
    }
    return -1;
  }

  private final class Value {
    private final DataType type;
    private final FieldVector vector;
    private final int tag;
    private final boolean decimal;
    private final boolean plainDate;
    private final List<Value> inner = new ArrayList<>();

    Value(DataType given, FieldVector vector) {
      this.type = given.bare();
      this.vector = vector;
      this.tag = tag(type);
      this.plainDate = given.storage() == PlainType.DATE;
      this.decimal = tag == 1 || tag == 2 || tag == 30;
      if (type instanceof DataType.ArrayType array) {
        inner.add(new Value(array.element(), ((ListVector) vector).getDataVector()));
      } else if (type instanceof DataType.MapType map) {
        StructVector entries = (StructVector) ((ListVector) vector).getDataVector();
        inner.add(new Value(map.key(), (FieldVector) entries.getChildByOrdinal(0)));
        inner.add(new Value(map.value(), (FieldVector) entries.getChildByOrdinal(1)));
      } else if (type instanceof DataType.TupleType tuple) {
        StructVector struct = (StructVector) vector;
        for (int i = 0; i < tuple.elements().size(); i++) {
          inner.add(
              new Value(tuple.elements().get(i).type(), (FieldVector) struct.getChildByOrdinal(i)));
        }
      } else if (tag < 0 && type != PlainType.STRING && type != PlainType.NOTHING) {
        throw EngineException.of(
            ErrorCode.NOT_IMPLEMENTED, "a partition key of type %s is not supported", given.text());
      }
    }

    boolean isNull(int row) {
      return vector.isNull(row);
    }

    private long address(int row) {
      BaseFixedWidthVector fixed = (BaseFixedWidthVector) vector;
      Check.argument(0 <= row && row < fixed.getValueCount(), "row %d", row);
      return fixed.getDataBuffer().memoryAddress() + (long) row * fixed.getTypeWidth();
    }

    /** The value as a number of 64 bits, extended as its type says. */
    private long number(int row) {
      if (vector instanceof BitVector bits) {
        return bits.get(row);
      }
      long at = address(row);
      return switch (type.widthBytes()) {
        case 1 -> tag == 2 ? Memory.getByte(at) : Memory.getByte(at) & 0xffL;
        case 2 -> tag == 2 ? Memory.getShort(at) : Memory.getShort(at) & 0xffffL;
        case 4 -> tag == 2 ? Memory.getInt(at) : Memory.getInt(at) & 0xffffffffL;
        default -> Memory.getLong(at);
      };
    }

    void appendDecimal(StringBuilder id, int row) {
      long number = number(row);
      if (plainDate) { // a Nullable one counts days
        LocalDate day = LocalDate.ofEpochDay(number);
        id.append(day.getYear() * 10000L + day.getMonthValue() * 100L + day.getDayOfMonth());
      } else if (tag == 2) {
        id.append(number);
      } else {
        id.append(Long.toUnsignedString(number));
      }
    }

    void update(int row) {
      if (type == PlainType.NOTHING || vector.isNull(row)) {
        hash.updateU8(0);
      } else if (type == PlainType.STRING) {
        BaseVariableWidthVector strings = (BaseVariableWidthVector) vector;
        int size = strings.getValueLength(row);
        hash.updateU8(16).updateU64(size);
        hash.update(strings.getDataBuffer().memoryAddress() + strings.getStartOffset(row), size);
      } else if (type instanceof DataType.ArrayType || type instanceof DataType.MapType) {
        updateList((ListVector) vector, row);
      } else if (type instanceof DataType.TupleType) {
        hash.updateU8(classic ? 17 : 18).updateU64(inner.size());
        for (Value element : inner) {
          element.update(row);
        }
      } else {
        updateFixed(row);
      }
    }

    private void updateList(ListVector list, int row) {
      int from = list.getElementStartIndex(row);
      int to = list.getElementEndIndex(row);
      boolean map = type instanceof DataType.MapType;
      hash.updateU8(map ? 26 : 17).updateU64(to - from);
      for (int i = from; i < to; i++) {
        if (map) {
          hash.updateU8(18).updateU64(2);
        }
        for (Value element : inner) {
          element.update(i);
        }
      }
    }

    private void updateFixed(int row) {
      hash.updateU8(tag);
      switch (tag) {
        case 1, 2 -> hash.updateU64(number(row));
        case 3 -> hash.updateU64(Double.doubleToRawLongBits(floating(row)));
        case 16 -> {
          hash.updateU64(type.widthBytes());
          hash.update(address(row), type.widthBytes());
        }
        default -> {
          hash.update(address(row), type.widthBytes());
          if (classic && type instanceof DecimalType of) {
            hash.updateU32(of.scale());
            for (int i = 4; i < of.widthBytes(); i++) {
              hash.updateU8(0);
            }
          }
        }
      }
    }

    private double floating(int row) {
      long at = address(row);
      return switch (type.widthBytes()) {
        case 2 -> Float.intBitsToFloat(Memory.getShort(at) << 16);
        case 4 -> Float.intBitsToFloat(Memory.getInt(at));
        default -> Double.longBitsToDouble(Memory.getLong(at));
      };
    }
  }
}
