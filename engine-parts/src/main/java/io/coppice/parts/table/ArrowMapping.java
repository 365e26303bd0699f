package io.coppice.parts.table;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.parse.Parser;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.DateTime64Type;
import io.coppice.language.type.DataType.DateTimeType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.DataType.Element;
import io.coppice.language.type.DataType.EnumType;
import io.coppice.language.type.DataType.FixedStringType;
import io.coppice.language.type.DataType.IntervalType;
import io.coppice.language.type.DataType.LowCardinalityType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.OpaqueType;
import io.coppice.language.type.DataType.Time64Type;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * Which Arrow field holds a ClickHouse type. Fixed-width types whose bytes Arrow shares keep their
 * bytes; what Arrow has no type for travels as fixed-size binary or as its plain integer. Every
 * field carries its ClickHouse type as text in metadata {@value #TYPE_KEY}, so that nothing is lost
 * on a way through Arrow (zones, names of enums, signs of 128-bit integers, LowCardinality).
 *
 * <p>A String is Utf8 holding the bytes as they are, valid UTF-8 or not; on input Binary is taken
 * as well. A type without NULL maps to a field that is not nullable, with all validity bits set.
 *
 * <p>Stateless; any thread may call it.
 */
public final class ArrowMapping {
  /** Metadata key of the ClickHouse type's text. */
  public static final String TYPE_KEY = "clickhouse.type";

  /** Name of the child of a list, as Arrow's other implementations call it. */
  static final String LIST_CHILD = "item";

  private ArrowMapping() {}

  /**
   * The field for a column.
   *
   * @throws EngineException NOT_IMPLEMENTED naming the column, for types carried in metadata only
   */
  public static Field field(String name, DataType type) {
    return field(name, type, false, type);
  }

  private static Field field(String name, DataType type, boolean nullable, DataType labelled) {
    DataType storage = type.storage();
    if (storage instanceof NullableType t) {
      return field(name, t.inner(), true, labelled);
    }
    if (storage instanceof LowCardinalityType t) {
      return field(name, t.inner(), nullable, labelled);
    }
    List<Field> children = new ArrayList<>();
    if (storage instanceof ArrayType t) {
      children.add(field(LIST_CHILD, t.element()));
    } else if (storage instanceof TupleType t) {
      for (int i = 0; i < t.elements().size(); i++) {
        children.add(field(t.elementName(i), t.elements().get(i).type()));
      }
    } else if (storage instanceof MapType t) {
      Field key = required(field("key", t.key()));
      Field value = field("value", t.value());
      children.add(
          new Field(
              "entries",
              new FieldType(false, ArrowType.Struct.INSTANCE, null),
              List.of(key, value)));
    }
    boolean holdsNull = nullable || storage == PlainType.NOTHING;
    return new Field(
        name,
        new FieldType(holdsNull, arrowType(name, storage), null, Map.of(TYPE_KEY, labelled.text())),
        children);
  }

  /** Arrow's maps have no keys that may be null, not even those of a map of nothing. */
  private static Field required(Field field) {
    FieldType type = new FieldType(false, field.getType(), null, field.getMetadata());
    return field.isNullable() ? new Field(field.getName(), type, field.getChildren()) : field;
  }

  private static ArrowType arrowType(String column, DataType type) {
    if (type instanceof PlainType plain) {
      return switch (plain) {
        case INT8, INT16, INT32, INT64 -> new ArrowType.Int(plain.widthBytes() * 8, true);
        case UINT8, UINT16, UINT32, UINT64 -> new ArrowType.Int(plain.widthBytes() * 8, false);
        case INT128, INT256, UINT128, UINT256, BFLOAT16, UUID, IPV6 ->
            new ArrowType.FixedSizeBinary(plain.widthBytes());
        case FLOAT32 -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
        case FLOAT64 -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
        case BOOL -> ArrowType.Bool.INSTANCE;
        case STRING -> ArrowType.Utf8.INSTANCE;
        case DATE, DATE32 -> new ArrowType.Date(DateUnit.DAY);
        case TIME -> new ArrowType.Int(32, true);
        case IPV4 -> new ArrowType.Int(32, false);
        case NOTHING -> ArrowType.Null.INSTANCE;
      };
    }
    if (type instanceof DecimalType t) {
      return new ArrowType.Decimal(t.precision(), t.scale(), t.precision() <= 38 ? 128 : 256);
    }
    if (type instanceof FixedStringType t) {
      return new ArrowType.FixedSizeBinary(t.sizeBytes());
    }
    if (type instanceof DateTimeType) {
      return new ArrowType.Int(32, false);
    }
    if (type instanceof DateTime64Type t) {
      String zone = t.zone().orElse("UTC");
      return switch (t.scale()) {
        case 0 -> new ArrowType.Timestamp(TimeUnit.SECOND, zone);
        case 3 -> new ArrowType.Timestamp(TimeUnit.MILLISECOND, zone);
        case 6 -> new ArrowType.Timestamp(TimeUnit.MICROSECOND, zone);
        case 9 -> new ArrowType.Timestamp(TimeUnit.NANOSECOND, zone);
        default -> new ArrowType.Int(64, true);
      };
    }
    if (type instanceof Time64Type || type instanceof IntervalType) {
      return new ArrowType.Int(64, true);
    }
    if (type instanceof EnumType t) {
      return new ArrowType.Int(t.widthBytes() * 8, true);
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
    throw unreadable(column, type);
  }

  /** The error for data of a type that is carried in metadata only. */
  public static EngineException unreadable(String column, DataType type) {
    return EngineException.of(
        ErrorCode.NOT_IMPLEMENTED,
        "column %s has type %s, whose data is not read; leave this column out, the others are"
            + " readable",
        column,
        type.text());
  }

  /** The error for building a part with a column whose type is carried in metadata only. */
  public static EngineException unwritable(String column, DataType type) {
    return EngineException.of(
        ErrorCode.NOT_IMPLEMENTED,
        "column %s has type %s, which is not written: no part that holds it can be built. Insert"
            + " such rows through ClickHouse, or build parts of a table without the column",
        column,
        type.text());
  }

  /** Whether data of this type can be read and written. */
  public static boolean readable(DataType type) {
    DataType storage = type.storage();
    if (storage instanceof OpaqueType) {
      return false;
    }
    if (storage instanceof NullableType t) {
      return readable(t.inner());
    }
    if (storage instanceof LowCardinalityType t) {
      return readable(t.inner());
    }
    if (storage instanceof ArrayType t) {
      return readable(t.element());
    }
    if (storage instanceof MapType t) {
      return readable(t.key()) && readable(t.value());
    }
    if (storage instanceof TupleType t) {
      return t.elements().stream().map(Element::type).allMatch(ArrowMapping::readable);
    }
    return true;
  }

  /**
   * Whether data stored as one type is, value by value, data of another without conversion: names
   * were added to an Enum, a zone was changed, LowCardinality was put on or taken off.
   */
  public static boolean readsAs(DataType stored, DataType wanted) {
    DataType from = plain(stored);
    DataType to = plain(wanted);
    if (from instanceof EnumType a && to instanceof EnumType b) {
      return a.widthBytes() == b.widthBytes();
    }
    if (from instanceof DateTimeType && to instanceof DateTimeType) {
      return true;
    }
    if (from instanceof DateTime64Type a && to instanceof DateTime64Type b) {
      return a.scale() == b.scale();
    }
    if (from instanceof NullableType a && to instanceof NullableType b) {
      return readsAs(a.inner(), b.inner());
    }
    if (from instanceof ArrayType a && to instanceof ArrayType b) {
      return readsAs(a.element(), b.element());
    }
    if (from instanceof MapType a && to instanceof MapType b) {
      return readsAs(a.key(), b.key()) && readsAs(a.value(), b.value());
    }
    if (from instanceof TupleType a && to instanceof TupleType b) {
      boolean same = a.elements().size() == b.elements().size();
      for (int i = 0; same && i < a.elements().size(); i++) {
        same =
            a.elementName(i).equals(b.elementName(i))
                && readsAs(a.elements().get(i).type(), b.elements().get(i).type());
      }
      return same;
    }
    return from.equals(to);
  }

  /**
   * Whether the values of one type are, byte for byte, those of another, so that ClickHouse changes
   * a column from one to the other and leaves parts as they are. Reading them converts.
   */
  public static boolean sameBytes(DataType from, DataType to) {
    if (from.equals(to)) {
      return true;
    }
    if (from instanceof ArrayType a && to instanceof ArrayType b) {
      return sameBytes(a.element(), b.element());
    }
    if (from instanceof NullableType a && to instanceof NullableType b) {
      return sameBytes(a.inner(), b.inner());
    }
    if (from instanceof EnumType a && to instanceof EnumType b) {
      return a.widthBytes() == b.widthBytes()
          && new java.util.HashSet<>(b.entries()).containsAll(a.entries());
    }
    if (from instanceof EnumType a) {
      return to == (a.widthBytes() == 1 ? PlainType.INT8 : PlainType.INT16);
    }
    if (from instanceof DateTimeType) {
      return to == PlainType.UINT32 || to instanceof DateTimeType;
    }
    if (from == PlainType.UINT32) {
      return to instanceof DateTimeType;
    }
    return from == PlainType.DATE && to == PlainType.UINT16
        || from == PlainType.UINT16 && to == PlainType.DATE;
  }

  private static DataType plain(DataType type) {
    DataType storage = type.storage();
    return storage instanceof LowCardinalityType t ? t.inner().storage() : storage;
  }

  /** The ClickHouse type of a field: what its metadata says, else the type Arrow's own means. */
  public static DataType typeOf(Field field) {
    String text = field.getMetadata().get(TYPE_KEY);
    return text != null ? Parser.type(text) : guess(field);
  }

  /** The type that an Arrow field without our metadata means, as ClickHouse takes it on import. */
  private static DataType guess(Field field) {
    DataType type;
    ArrowType arrow = field.getType();
    boolean container = false;
    switch (arrow.getTypeID()) {
      case Int -> {
        ArrowType.Int t = (ArrowType.Int) arrow;
        type = PlainType.named((t.getIsSigned() ? "Int" : "UInt") + t.getBitWidth()).orElseThrow();
      }
      case FloatingPoint ->
          type =
              ((ArrowType.FloatingPoint) arrow).getPrecision() == FloatingPointPrecision.DOUBLE
                  ? PlainType.FLOAT64
                  : PlainType.FLOAT32;
      case Bool -> type = PlainType.BOOL;
      case Utf8, Binary, LargeUtf8, LargeBinary, Utf8View, BinaryView -> type = PlainType.STRING;
      case FixedSizeBinary ->
          type =
              "arrow.uuid"
                      .equals(
                          field
                              .getMetadata()
                              .get(ArrowType.ExtensionType.EXTENSION_METADATA_KEY_NAME))
                  ? PlainType.UUID
                  : new FixedStringType(((ArrowType.FixedSizeBinary) arrow).getByteWidth());
      case Decimal -> {
        ArrowType.Decimal t = (ArrowType.Decimal) arrow;
        type = new DecimalType(t.getPrecision(), t.getScale());
      }
      case Date -> type = PlainType.DATE32;
      case Time -> {
        TimeUnit unit = ((ArrowType.Time) arrow).getUnit();
        type = unit == TimeUnit.SECOND ? PlainType.TIME : new Time64Type(scale(unit));
      }
      case Timestamp -> {
        ArrowType.Timestamp t = (ArrowType.Timestamp) arrow;
        type = new DateTime64Type(scale(t.getUnit()), Optional.ofNullable(t.getTimezone()));
      }
      case List, LargeList, FixedSizeList -> {
        type = new ArrayType(typeOf(field.getChildren().get(0)));
        container = true;
      }
      case Struct -> {
        List<Element> elements = new ArrayList<>();
        for (Field child : field.getChildren()) {
          elements.add(new Element(Optional.of(child.getName()), typeOf(child)));
        }
        type = new TupleType(elements);
        container = true;
      }
      case Map -> {
        List<Field> entry = field.getChildren().get(0).getChildren();
        type = new MapType(typeOf(entry.get(0)), typeOf(entry.get(1)));
        container = true;
      }
      case Null -> type = PlainType.NOTHING;
      default ->
          throw EngineException.of(
              ErrorCode.UNKNOWN_TYPE,
              "Arrow column %s has type %s, which no ClickHouse type is taken from",
              field.getName(),
              arrow);
    }
    boolean nullable = field.isNullable() && !container;
    return nullable ? new NullableType(type) : type;
  }

  private static int scale(TimeUnit unit) {
    return switch (unit) {
      case SECOND -> 0;
      case MILLISECOND -> 3;
      case MICROSECOND -> 6;
      case NANOSECOND -> 9;
    };
  }
}
