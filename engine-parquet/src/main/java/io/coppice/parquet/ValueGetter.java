package io.coppice.parquet;

import io.coppice.language.text.ByteText;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.DateTime64Type;
import io.coppice.language.type.DataType.DateTimeType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.DataType.EnumType;
import io.coppice.language.type.PlainType;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import org.apache.arrow.vector.BaseIntVector;
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
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.io.api.Binary;

/** Writes the value of a row of a vector to a column. Confined to one thread. */
interface ValueGetter {
  void write(FieldVector vector, int row, ColumnWriter to, int repetition, int definition);

  /** For values of a type, as {@link ColumnSchema} writes it. */
  static ValueGetter of(DataType type) {
    if (type instanceof DecimalType decimal) {
      return (v, row, to, r, d) -> to.write(decimal(v, row, decimal.widthBytes()), r, d);
    }
    if (type instanceof EnumType names) {
      return names(names);
    }
    if (type instanceof DateTimeType) {
      return (v, row, to, r, d) ->
          to.write((((UInt4Vector) v).get(row) & 0xFFFF_FFFFL) * 1000, r, d);
    }
    if (type instanceof DateTime64Type time) {
      return time(time);
    }
    if (type == PlainType.UUID) {
      return (v, row, to, r, d) ->
          to.write(fixed(Uuids.swapped(((FixedSizeBinaryVector) v).get(row))), r, d);
    }
    return ValueGetter::plain;
  }

  private static Binary fixed(byte[] bytes) {
    return Binary.fromConstantByteArray(bytes);
  }

  private static void plain(FieldVector vector, int row, ColumnWriter to, int r, int d) {
    if (vector instanceof VarCharVector v) {
      to.write(fixed(v.get(row)), r, d);
    } else if (vector instanceof FixedSizeBinaryVector v) {
      to.write(fixed(v.get(row)), r, d);
    } else if (vector instanceof BigIntVector v) {
      to.write(v.get(row), r, d);
    } else if (vector instanceof UInt8Vector v) {
      to.write(v.get(row), r, d);
    } else if (vector instanceof IntVector v) {
      to.write(v.get(row), r, d);
    } else if (vector instanceof UInt4Vector v) {
      to.write(v.get(row), r, d);
    } else if (vector instanceof UInt2Vector v) {
      to.write((int) v.get(row), r, d);
    } else if (vector instanceof UInt1Vector v) {
      to.write(v.get(row) & 0xFF, r, d);
    } else if (vector instanceof SmallIntVector v) {
      to.write((int) v.get(row), r, d);
    } else if (vector instanceof TinyIntVector v) {
      to.write((int) v.get(row), r, d);
    } else if (vector instanceof DateDayVector v) {
      to.write(v.get(row), r, d);
    } else if (vector instanceof BitVector v) {
      to.write(v.get(row) == 1, r, d);
    } else if (vector instanceof Float4Vector v) {
      to.write(v.get(row), r, d);
    } else if (vector instanceof Float8Vector v) {
      to.write(v.get(row), r, d);
    } else {
      throw new AssertionError("a vector " + vector.getClass());
    }
  }

  private static ValueGetter names(EnumType type) {
    Map<Long, Binary> names = new HashMap<>();
    type.entries()
        .forEach(entry -> names.put((long) entry.value(), fixed(ByteText.bytes(entry.name()))));
    return (v, row, to, r, d) -> to.write(names.get(((BaseIntVector) v).getValueAsLong(row)), r, d);
  }

  private static ValueGetter time(DateTime64Type type) {
    int unit =
        switch (ColumnSchema.unit(type.scale())) {
          case MILLIS -> 3;
          case MICROS -> 6;
          case NANOS -> 9;
        };
    long factor = 1;
    for (int i = type.scale(); i < unit; i++) {
      factor *= 10;
    }
    long ticks = factor;
    return (v, row, to, r, d) -> {
      long value =
          v instanceof TimeStampVector stamps ? stamps.get(row) : ((BigIntVector) v).get(row);
      to.write(value * ticks, r, d);
    };
  }

  /** The unscaled number, big-endian. */
  private static Binary decimal(FieldVector vector, int row, int width) {
    BigDecimal value =
        vector instanceof Decimal256Vector wide
            ? wide.getObject(row)
            : ((DecimalVector) vector).getObject(row);
    byte[] bytes = value.unscaledValue().toByteArray();
    byte[] all = new byte[width];
    java.util.Arrays.fill(all, value.signum() < 0 ? (byte) -1 : 0);
    System.arraycopy(bytes, 0, all, width - bytes.length, bytes.length);
    return fixed(all);
  }
}
