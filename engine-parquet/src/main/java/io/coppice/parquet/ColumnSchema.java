package io.coppice.parquet;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.DateTime64Type;
import io.coppice.language.type.DataType.DateTimeType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.DataType.EnumType;
import io.coppice.language.type.DataType.FixedStringType;
import io.coppice.language.type.DataType.IntervalType;
import io.coppice.language.type.DataType.LowCardinalityType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;

/** Which column of a file holds a ClickHouse type, as 26.7 writes it. Stateless. */
final class ColumnSchema {
  private ColumnSchema() {}

  /**
   * The column.
   *
   * @throws EngineException UNKNOWN_TYPE for a type that Parquet has no form for
   */
  static Type of(String name, DataType given) {
    DataType type = bare(given);
    if (type instanceof ArrayType array) {
      return Types.requiredList().setElementType(of("element", array.element())).named(name);
    }
    if (type instanceof MapType map) {
      return Types.requiredMap()
          .key(of("key", map.key()))
          .value(of("value", map.value()))
          .named(name);
    }
    if (type instanceof TupleType tuple) {
      List<Type> elements = new ArrayList<>();
      for (int i = 0; i < tuple.elements().size(); i++) {
        elements.add(of(tuple.elementName(i), tuple.elements().get(i).type()));
      }
      if (elements.isEmpty()) {
        throw unsupported(name, given);
      }
      return Types.buildGroup(Repetition.REQUIRED)
          .addFields(elements.toArray(Type[]::new))
          .named(name);
    }
    boolean nullable = type instanceof NullableType;
    DataType inner = type instanceof NullableType n ? bare(n.inner()) : type;
    return leaf(name, inner, nullable ? Repetition.OPTIONAL : Repetition.REQUIRED);
  }

  /** The type without what changes its storage only: LowCardinality, and names of types. */
  static DataType bare(DataType given) {
    DataType type = given.storage();
    return type instanceof LowCardinalityType low ? low.inner().storage() : type;
  }

  private static Type plain(Repetition repetition, PrimitiveTypeName type, String name) {
    return Types.primitive(type, repetition).named(name);
  }

  private static Type leaf(String name, DataType type, Repetition repetition) {
    if (type instanceof PlainType plain) {
      return leaf(name, plain, repetition);
    }
    if (type instanceof DecimalType decimal) {
      return Types.primitive(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY, repetition)
          .length(decimal.widthBytes())
          .as(LogicalTypeAnnotation.decimalType(decimal.scale(), decimal.precision()))
          .named(name);
    }
    if (type instanceof FixedStringType fixed) {
      return Types.primitive(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY, repetition)
          .length(fixed.sizeBytes())
          .named(name);
    }
    if (type instanceof EnumType) {
      return Types.primitive(PrimitiveTypeName.BINARY, repetition)
          .as(LogicalTypeAnnotation.enumType())
          .named(name);
    }
    if (type instanceof DateTimeType) {
      return timestamp(name, TimeUnit.MILLIS, repetition);
    }
    if (type instanceof DateTime64Type time) {
      return timestamp(name, unit(time.scale()), repetition);
    }
    if (type instanceof IntervalType) {
      return plain(repetition, PrimitiveTypeName.INT64, name);
    }
    throw unsupported(name, type);
  }

  private static Type timestamp(String name, TimeUnit unit, Repetition repetition) {
    return Types.primitive(PrimitiveTypeName.INT64, repetition)
        .as(LogicalTypeAnnotation.timestampType(true, unit))
        .named(name);
  }

  /** The coarsest unit that holds all of a DateTime64. */
  static TimeUnit unit(int scale) {
    return scale <= 3 ? TimeUnit.MILLIS : scale <= 6 ? TimeUnit.MICROS : TimeUnit.NANOS;
  }

  private static Type leaf(String name, PlainType type, Repetition repetition) {
    return switch (type) {
      case BOOL -> plain(repetition, PrimitiveTypeName.BOOLEAN, name);
      case INT8, INT16, UINT8, UINT16, UINT32, UINT64 -> {
        int bits = type.widthBytes() * 8;
        boolean signed = type == PlainType.INT8 || type == PlainType.INT16;
        yield Types.primitive(
                bits == 64 ? PrimitiveTypeName.INT64 : PrimitiveTypeName.INT32, repetition)
            .as(LogicalTypeAnnotation.intType(bits, signed))
            .named(name);
      }
      case IPV4 ->
          Types.primitive(PrimitiveTypeName.INT32, repetition)
              .as(LogicalTypeAnnotation.intType(32, false))
              .named(name);
      case INT32 -> plain(repetition, PrimitiveTypeName.INT32, name);
      case INT64 -> plain(repetition, PrimitiveTypeName.INT64, name);
      case FLOAT32 -> plain(repetition, PrimitiveTypeName.FLOAT, name);
      case FLOAT64 -> plain(repetition, PrimitiveTypeName.DOUBLE, name);
      case DATE, DATE32 ->
          Types.primitive(PrimitiveTypeName.INT32, repetition)
              .as(LogicalTypeAnnotation.dateType())
              .named(name);
      case STRING ->
          Types.primitive(PrimitiveTypeName.BINARY, repetition)
              .as(LogicalTypeAnnotation.stringType())
              .named(name);
      case UUID ->
          Types.primitive(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY, repetition)
              .length(16)
              .as(LogicalTypeAnnotation.uuidType())
              .named(name);
      case INT128, UINT128, INT256, UINT256, IPV6 ->
          Types.primitive(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY, repetition)
              .length(type.widthBytes())
              .named(name);
      case BFLOAT16, TIME, NOTHING -> throw unsupported(name, type);
    };
  }

  private static EngineException unsupported(String name, DataType type) {
    return EngineException.of(
        ErrorCode.UNKNOWN_TYPE,
        "column %s has type %s, which has no form in Parquet; leave it out or convert it",
        name,
        type.text());
  }
}
