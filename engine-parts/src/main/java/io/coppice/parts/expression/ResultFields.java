package io.coppice.parts.expression;

import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.DateTime64Type;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Arrow fields for the types that functions return. */
final class ResultFields {
  private static final String TYPE_KEY = "clickhouse.type";

  private ResultFields() {}

  static Field field(String name, DataType type) {
    DataType bare = Types.bare(type);
    boolean nullable = bare instanceof NullableType || Types.isNothing(bare);
    DataType inner = Types.notNull(bare);
    FieldType fieldType =
        new FieldType(nullable, arrow(inner), null, Map.of(TYPE_KEY, type.text()));
    return new Field(name, fieldType, children(inner));
  }

  private static List<Field> children(DataType type) {
    if (type instanceof ArrayType array) {
      return List.of(field("item", array.element()));
    }
    if (type instanceof TupleType tuple) {
      List<Field> fields = new ArrayList<>();
      for (int i = 0; i < tuple.elements().size(); i++) {
        fields.add(field(tuple.elementName(i), tuple.elements().get(i).type()));
      }
      return fields;
    }
    if (type instanceof MapType map) {
      FieldType entries = new FieldType(false, ArrowType.Struct.INSTANCE, null);
      return List.of(
          new Field(
              "entries", entries, List.of(field("key", map.key()), field("value", map.value()))));
    }
    return List.of();
  }

  private static ArrowType arrow(DataType type) {
    if (type instanceof PlainType plain) {
      return switch (plain) {
        case BOOL -> ArrowType.Bool.INSTANCE;
        case FLOAT32 -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
        case FLOAT64 -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
        case STRING -> ArrowType.Utf8.INSTANCE;
        case DATE, DATE32 -> new ArrowType.Date(DateUnit.DAY);
        case TIME -> new ArrowType.Int(32, true);
        case IPV4 -> new ArrowType.Int(32, false);
        case UUID, IPV6 -> new ArrowType.FixedSizeBinary(16);
        case BFLOAT16 -> new ArrowType.FixedSizeBinary(2);
        case NOTHING -> ArrowType.Null.INSTANCE;
        default ->
            plain.widthBytes() > 8
                ? new ArrowType.FixedSizeBinary(plain.widthBytes())
                : new ArrowType.Int(plain.widthBytes() * 8, plain.signed());
      };
    }
    if (type instanceof DecimalType decimal) {
      return new ArrowType.Decimal(
          decimal.precision(), decimal.scale(), decimal.precision() <= 38 ? 128 : 256);
    }
    if (type instanceof DataType.FixedStringType fixed) {
      return new ArrowType.FixedSizeBinary(fixed.sizeBytes());
    }
    if (type instanceof DataType.DateTimeType) {
      return new ArrowType.Int(32, false);
    }
    if (type instanceof DateTime64Type time) {
      String zone = time.zone().orElse("UTC");
      return switch (time.scale()) {
        case 0 -> new ArrowType.Timestamp(TimeUnit.SECOND, zone);
        case 3 -> new ArrowType.Timestamp(TimeUnit.MILLISECOND, zone);
        case 6 -> new ArrowType.Timestamp(TimeUnit.MICROSECOND, zone);
        case 9 -> new ArrowType.Timestamp(TimeUnit.NANOSECOND, zone);
        default -> new ArrowType.Int(64, true);
      };
    }
    if (type instanceof DataType.EnumType enumeration) {
      return new ArrowType.Int(enumeration.widthBytes() * 8, true);
    }
    if (type instanceof ArrayType) {
      return ArrowType.List.INSTANCE;
    }
    if (type instanceof TupleType) {
      return ArrowType.Struct.INSTANCE;
    }
    if (type instanceof MapType) {
      return new ArrowType.Map(false);
    }
    return new ArrowType.Int(64, true);
  }
}
