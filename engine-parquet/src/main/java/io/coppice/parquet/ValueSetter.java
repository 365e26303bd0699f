package io.coppice.parquet;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.DateTime64Type;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.PlainType;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.apache.parquet.io.api.Binary;

/** Puts the value that a column stands at into a vector, which grows. Confined to one thread. */
interface ValueSetter {
  void set(int row, ColumnReader from);

  /**
   * For a column of a file and the vector that holds the type it is given in.
   *
   * @throws IOException when no such column can be
   */
  static ValueSetter of(SchemaElement element, DataType type, FieldVector vector)
      throws IOException {
    if (type instanceof DecimalType decimal) {
      return decimal(element, decimal, vector);
    }
    if (vector instanceof VarCharVector v) {
      return (row, from) -> {
        ByteBuffer bytes = from.getBinary().toByteBuffer();
        v.setSafe(row, bytes, bytes.position(), bytes.remaining());
      };
    }
    if (vector instanceof FixedSizeBinaryVector v) {
      return binary(type, v);
    }
    if (type instanceof DateTime64Type) {
      TimeStampVector v = (TimeStampVector) vector;
      return element.getType() == Type.INT96
          ? (row, from) -> v.setSafe(row, nanos(from.getBinary()))
          : (row, from) -> v.setSafe(row, from.getLong());
    }
    if (element.getType() == Type.FIXED_LEN_BYTE_ARRAY && vector instanceof Float4Vector v) {
      return (row, from) -> v.setSafe(row, half(from.getBinary()));
    }
    return number(element, vector);
  }

  private static ValueSetter number(SchemaElement element, FieldVector vector) throws IOException {
    if (vector instanceof UInt1Vector v) {
      return (row, from) -> v.setSafe(row, from.getInteger());
    } else if (vector instanceof UInt2Vector v) {
      return (row, from) -> v.setSafe(row, from.getInteger());
    } else if (vector instanceof UInt4Vector v) {
      return (row, from) -> v.setSafe(row, from.getInteger());
    } else if (vector instanceof UInt8Vector v) {
      return (row, from) -> v.setSafe(row, from.getLong());
    } else if (vector instanceof TinyIntVector v) {
      return (row, from) -> v.setSafe(row, from.getInteger());
    } else if (vector instanceof SmallIntVector v) {
      return (row, from) -> v.setSafe(row, from.getInteger());
    } else if (vector instanceof IntVector v) {
      return (row, from) -> v.setSafe(row, from.getInteger());
    } else if (vector instanceof BigIntVector v) {
      return (row, from) -> v.setSafe(row, from.getLong());
    } else if (vector instanceof DateDayVector v) {
      return (row, from) -> v.setSafe(row, from.getInteger());
    } else if (vector instanceof BitVector v) {
      return (row, from) -> v.setSafe(row, from.getBoolean() ? 1 : 0);
    } else if (vector instanceof Float4Vector v) {
      return (row, from) -> v.setSafe(row, from.getFloat());
    } else if (vector instanceof Float8Vector v) {
      return (row, from) -> v.setSafe(row, from.getDouble());
    }
    throw Damage.broken("column %s is %s", element.getName(), element.getType());
  }

  private static ValueSetter binary(DataType type, FixedSizeBinaryVector v) {
    int width = v.getByteWidth();
    boolean uuid = type == PlainType.UUID;
    return (row, from) -> {
      byte[] bytes = from.getBinary().getBytes();
      if (bytes.length != width) {
        throw new IllegalArgumentException(
            "a value of " + bytes.length + " bytes, expected " + width);
      }
      v.setSafe(row, uuid ? Uuids.swapped(bytes) : bytes);
    };
  }

  private static ValueSetter decimal(SchemaElement element, DecimalType type, FieldVector vector) {
    ValueOf value =
        switch (element.getType()) {
          case INT32 -> from -> BigInteger.valueOf(from.getInteger());
          case INT64 -> from -> BigInteger.valueOf(from.getLong());
          default -> from -> new BigInteger(from.getBinary().getBytes());
        };
    return (row, from) -> {
      BigInteger unscaled = value.of(from);
      if (unscaled.bitLength() >= (type.precision() <= 38 ? 128 : 256)) {
        throw EngineException.of(
            ErrorCode.DECIMAL_OVERFLOW,
            "column %s: a value of %d bits is no %s",
            element.getName(),
            unscaled.bitLength() + 1,
            type.text());
      }
      BigDecimal number = new BigDecimal(unscaled, type.scale());
      if (vector instanceof Decimal256Vector wide) {
        wide.setSafe(row, number);
      } else {
        ((DecimalVector) vector).setSafe(row, number);
      }
    };
  }

  /** The number that a value is. */
  interface ValueOf {
    BigInteger of(ColumnReader from);
  }

  private static long nanos(Binary value) {
    ByteBuffer bytes = value.toByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    long nanosOfDay = bytes.getLong(bytes.position());
    long julianDay = bytes.getInt(bytes.position() + 8);
    // 2440588 is the Julian day of 1970-01-01.
    return Math.addExact(
        Math.multiplyExact(julianDay - 2_440_588, 86_400_000_000_000L), nanosOfDay);
  }

  private static float half(Binary value) {
    byte[] bytes = value.getBytes();
    int bits = bytes[0] & 0xFF | (bytes[1] & 0xFF) << 8;
    int exponent = bits >>> 10 & 31;
    int fraction = bits & 1023;
    float size =
        exponent == 0
            ? fraction * 0x1p-24f
            : exponent == 31
                ? fraction == 0 ? Float.POSITIVE_INFINITY : Float.NaN
                : (1024 + fraction) * (float) Math.pow(2, exponent - 25);
    return bits >>> 15 == 0 ? size : -size;
  }
}
