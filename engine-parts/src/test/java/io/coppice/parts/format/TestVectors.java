package io.coppice.parts.format;

import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * Empty vectors of the Arrow mapping of a type, for tests below the package that owns the mapping.
 */
public final class TestVectors {
  private TestVectors() {}

  /** An empty vector; the caller closes it. */
  public static FieldVector of(DataType type, BufferAllocator allocator) {
    return field("v", type, false).createVector(allocator);
  }

  private static Field field(String name, DataType type, boolean nullable) {
    DataType at = type.storage();
    if (at instanceof DataType.NullableType t) {
      return field(name, t.inner(), true);
    } else if (at instanceof DataType.LowCardinalityType t) {
      return field(name, t.inner(), nullable);
    }
    List<Field> children = new ArrayList<>();
    if (at instanceof DataType.ArrayType t) {
      children.add(field("item", t.element(), false));
    } else if (at instanceof DataType.TupleType t) {
      for (int i = 0; i < t.elements().size(); i++) {
        children.add(field(t.elementName(i), t.elements().get(i).type(), false));
      }
    } else if (at instanceof DataType.MapType t) {
      List<Field> both = List.of(field("key", t.key(), false), field("value", t.value(), false));
      FieldType struct = new FieldType(false, ArrowType.Struct.INSTANCE, null);
      children.add(new Field("entries", struct, both));
    }
    return new Field(name, new FieldType(nullable, arrow(at), null), children);
  }

  private static ArrowType arrow(DataType type) {
    if (type instanceof PlainType plain) {
      return switch (plain) {
        case UINT8, UINT16, UINT32, UINT64 -> new ArrowType.Int(8 * plain.widthBytes(), false);
        case INT8, INT16, INT32, INT64 -> new ArrowType.Int(8 * plain.widthBytes(), true);
        case IPV4 -> new ArrowType.Int(32, false);
        case TIME -> new ArrowType.Int(32, true);
        case FLOAT32 -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
        case FLOAT64 -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
        case BOOL -> ArrowType.Bool.INSTANCE;
        case STRING -> ArrowType.Utf8.INSTANCE;
        case DATE, DATE32 -> new ArrowType.Date(DateUnit.DAY);
        case NOTHING -> ArrowType.Null.INSTANCE;
        default -> new ArrowType.FixedSizeBinary(plain.widthBytes());
      };
    } else if (type instanceof DataType.DecimalType t) {
      return new ArrowType.Decimal(t.precision(), t.scale(), t.precision() <= 38 ? 128 : 256);
    } else if (type instanceof DataType.DateTimeType) {
      return new ArrowType.Int(32, false);
    } else if (type instanceof DataType.DateTime64Type t) {
      return t.scale() % 3 == 0
          ? new ArrowType.Timestamp(TimeUnit.values()[t.scale() / 3], "UTC")
          : new ArrowType.Int(64, true);
    } else if (type instanceof DataType.Time64Type || type instanceof DataType.IntervalType) {
      return new ArrowType.Int(64, true);
    } else if (type instanceof DataType.EnumType t) {
      return new ArrowType.Int(8 * t.widthBytes(), true);
    } else if (type instanceof DataType.FixedStringType t) {
      return new ArrowType.FixedSizeBinary(t.sizeBytes());
    } else if (type instanceof DataType.ArrayType) {
      return ArrowType.List.INSTANCE;
    } else if (type instanceof DataType.TupleType) {
      return ArrowType.Struct.INSTANCE;
    } else if (type instanceof DataType.MapType) {
      return new ArrowType.Map(false);
    }
    throw new IllegalArgumentException(type.text());
  }
}
