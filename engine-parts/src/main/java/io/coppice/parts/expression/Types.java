package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
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
import io.coppice.language.type.DataType.Time64Type;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the functions need to know of types: kinds, widths, promotion. */
final class Types {
  private static final PlainType[] SIGNED = {
    PlainType.INT8,
    PlainType.INT16,
    PlainType.INT32,
    PlainType.INT64,
    PlainType.INT128,
    PlainType.INT256
  };
  private static final PlainType[] UNSIGNED = {
    PlainType.UINT8,
    PlainType.UINT16,
    PlainType.UINT32,
    PlainType.UINT64,
    PlainType.UINT128,
    PlainType.UINT256
  };

  private Types() {}

  /** The type without LowCardinality, SimpleAggregateFunction and geometry names around it. */
  static DataType bare(DataType type) {
    if (type instanceof LowCardinalityType low) {
      return bare(low.inner());
    }
    if (type instanceof NullableType nullable) {
      DataType inner = bare(nullable.inner());
      return inner == nullable.inner() ? type : new NullableType(inner);
    }
    DataType storage = type.storage();
    return storage.equals(type) ? type : bare(storage);
  }

  static DataType notNull(DataType type) {
    return type instanceof NullableType nullable ? nullable.inner() : type;
  }

  static DataType nullable(DataType type) {
    return type instanceof NullableType
            || type instanceof ArrayType
            || type instanceof MapType
            || type instanceof TupleType
        ? type
        : new NullableType(type);
  }

  static boolean isNothing(DataType type) {
    return notNull(type) == PlainType.NOTHING;
  }

  /** Integers and Bool. */
  static boolean integer(DataType type) {
    return type instanceof PlainType plain && (plain.integer() || plain == PlainType.BOOL);
  }

  static boolean floating(DataType type) {
    return type instanceof PlainType plain && plain.floating();
  }

  static boolean number(DataType type) {
    return integer(type) || floating(type) || type instanceof DecimalType;
  }

  static boolean signed(DataType type) {
    return floating(type)
        || type instanceof DecimalType
        || (type instanceof PlainType plain && plain.signed());
  }

  static boolean string(DataType type) {
    return type == PlainType.STRING || type instanceof FixedStringType;
  }

  static boolean dateLike(DataType type) {
    return type == PlainType.DATE
        || type == PlainType.DATE32
        || type instanceof DateTimeType
        || type instanceof DateTime64Type;
  }

  static boolean interval(DataType type) {
    return type instanceof IntervalType;
  }

  /** Whether values are held in {@link Values.Bigs}. */
  static boolean big(DataType type) {
    return type instanceof DecimalType decimal
        ? decimal.widthBytes() > 8
        : type instanceof PlainType plain && plain.integer() && plain.widthBytes() > 8;
  }

  /** Whether values are held in {@link Values.Strings}. */
  static boolean bytes(DataType type) {
    return string(type) || type == PlainType.UUID || type == PlainType.IPV6;
  }

  static int width(DataType type) {
    return type.widthBytes();
  }

  static PlainType integerOf(boolean signed, int widthBytes) {
    return (signed ? SIGNED : UNSIGNED)[Integer.numberOfTrailingZeros(widthBytes)];
  }

  static PlainType floatOf(int widthBytes) {
    return widthBytes <= 2
        ? PlainType.BFLOAT16
        : widthBytes <= 4 ? PlainType.FLOAT32 : PlainType.FLOAT64;
  }

  /** Twice the width until 8; wide ones stay. */
  static int nextWidth(int widthBytes) {
    return widthBytes < 8 ? widthBytes * 2 : widthBytes;
  }

  static int scale(DataType type) {
    if (type instanceof DecimalType decimal) {
      return decimal.scale();
    }
    if (type instanceof DateTime64Type time) {
      return time.scale();
    }
    return type instanceof Time64Type time ? time.scale() : 0;
  }

  static DecimalType decimalOfWidth(int widthBytes, int scale) {
    int precision = widthBytes <= 4 ? 9 : widthBytes <= 8 ? 18 : widthBytes <= 16 ? 38 : 76;
    return new DecimalType(precision, scale);
  }

  static Optional<String> zone(DataType type) {
    if (type instanceof DateTimeType time) {
      return time.zone();
    }
    return type instanceof DateTime64Type time ? time.zone() : Optional.empty();
  }

  /** The least type of an integer literal. */
  static PlainType ofInteger(BigInteger value) {
    boolean negative = value.signum() < 0;
    int bits = negative ? value.not().bitLength() + 1 : value.bitLength();
    int width = 1;
    while (width * 8 < bits) {
      width *= 2;
    }
    return integerOf(negative, width);
  }

  /** Cuts {@code values} to the width of {@code type}, as C++ does on assignment. */
  static void wrap(long[] values, DataType type) {
    if (!(type instanceof PlainType plain)) {
      return;
    }
    switch (plain) {
      case UINT8 -> {
        for (int i = 0; i < values.length; i++) {
          values[i] &= 0xff;
        }
      }
      case UINT16, DATE -> {
        for (int i = 0; i < values.length; i++) {
          values[i] &= 0xffff;
        }
      }
      case UINT32, IPV4 -> {
        for (int i = 0; i < values.length; i++) {
          values[i] &= 0xffffffffL;
        }
      }
      case INT8 -> {
        for (int i = 0; i < values.length; i++) {
          values[i] = (byte) values[i];
        }
      }
      case INT16 -> {
        for (int i = 0; i < values.length; i++) {
          values[i] = (short) values[i];
        }
      }
      case INT32, DATE32, TIME -> {
        for (int i = 0; i < values.length; i++) {
          values[i] = (int) values[i];
        }
      }
      default -> {}
    }
  }

  static BigInteger wrap(BigInteger value, DataType type) {
    int bits = type.widthBytes() * 8;
    BigInteger low = value.and(BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE));
    return signed(type) && low.testBit(bits - 1)
        ? low.subtract(BigInteger.ONE.shiftLeft(bits))
        : low;
  }

  static BigInteger unsigned(long value) {
    BigInteger big = BigInteger.valueOf(value);
    return value >= 0 ? big : big.add(BigInteger.ONE.shiftLeft(64));
  }

  /** The value as a number of any size; for a decimal its unscaled number. */
  static BigInteger bigAt(Values values, DataType type, int row) {
    if (values instanceof Values.Bigs bigs) {
      return bigs.values[bigs.at(row)];
    }
    long value = ((Values.Longs) values).values[values.at(row)];
    return type == PlainType.UINT64 ? unsigned(value) : BigInteger.valueOf(value);
  }

  static double doubleOf(long value, DataType type) {
    if (type != PlainType.UINT64 || value >= 0) {
      return (double) value;
    }
    // Round to even over the whole 64 bits.
    return ((double) ((value >>> 1) | (value & 1))) * 2.0;
  }

  /** The type that all of {@code types} fit into, as {@code if} and arrays need. */
  static DataType common(List<DataType> types, String forWhat) {
    boolean nullable = false;
    List<DataType> known = new ArrayList<>();
    for (DataType type : types) {
      DataType bare = bare(type);
      nullable |= bare instanceof NullableType;
      DataType inner = notNull(bare);
      if (inner != PlainType.NOTHING && !known.contains(inner)) {
        known.add(inner);
      }
    }
    if (known.isEmpty()) {
      return nullable ? new NullableType(PlainType.NOTHING) : PlainType.NOTHING;
    }
    DataType result = known.size() == 1 ? known.get(0) : several(known, forWhat);
    return nullable ? nullable(result) : result;
  }

  private static DataType several(List<DataType> types, String forWhat) {
    if (types.stream().allMatch(t -> t == PlainType.BOOL || t == PlainType.UINT8)) {
      return types.get(0);
    }
    if (types.stream().allMatch(Types::integer)) {
      return integers(types).orElseThrow(() -> none(types, forWhat));
    }
    if (types.stream().allMatch(t -> integer(t) || floating(t))) {
      return floats(types).orElseThrow(() -> none(types, forWhat));
    }
    if (types.stream().allMatch(t -> integer(t) || t instanceof DecimalType)) {
      int scale = types.stream().mapToInt(Types::scale).max().orElse(0);
      int precision = 1;
      for (DataType type : types) {
        int digits =
            type instanceof DecimalType d ? d.precision() - d.scale() : integerDigits(type);
        precision = Math.max(precision, digits + scale);
      }
      int widest = types.stream().mapToInt(Types::precisionClass).max().orElse(9);
      precision = Math.max(precision, widest);
      if (precision > 76) {
        throw none(types, forWhat);
      }
      return decimalOfWidth(new DecimalType(precision, scale).widthBytes(), scale);
    }
    if (types.stream().allMatch(Types::string)) {
      return PlainType.STRING;
    }
    if (types.stream().allMatch(t -> string(t) || t instanceof EnumType)
        && types.stream().anyMatch(Types::string)) {
      return PlainType.STRING;
    }
    if (types.stream().allMatch(Types::dateLike)) {
      return times(types);
    }
    if (types.stream().allMatch(ArrayType.class::isInstance)) {
      return new ArrayType(
          common(types.stream().map(t -> ((ArrayType) t).element()).toList(), forWhat));
    }
    if (types.stream().allMatch(MapType.class::isInstance)) {
      return new MapType(
          common(types.stream().map(t -> ((MapType) t).key()).toList(), forWhat),
          common(types.stream().map(t -> ((MapType) t).value()).toList(), forWhat));
    }
    if (types.stream().allMatch(TupleType.class::isInstance)) {
      return tuples(types, forWhat);
    }
    throw none(types, forWhat);
  }

  private static int precisionClass(DataType type) {
    return type instanceof DecimalType d ? decimalOfWidth(d.widthBytes(), 0).precision() : 9;
  }

  private static int integerDigits(DataType type) {
    return switch (type.widthBytes()) {
      case 1 -> 3;
      case 2 -> 5;
      case 4 -> 10;
      case 8 -> signed(type) ? 19 : 20;
      case 16 -> 39;
      default -> 78;
    };
  }

  private static Optional<DataType> integers(List<DataType> types) {
    int signed = 0;
    int unsigned = 0;
    for (DataType type : types) {
      if (signed(type)) {
        signed = Math.max(signed, type.widthBytes());
      } else {
        unsigned = Math.max(unsigned, type.widthBytes());
      }
    }
    if (signed == 0) {
      return Optional.of(integerOf(false, unsigned));
    }
    int width = unsigned >= signed ? unsigned * 2 : signed;
    return width > 32 ? Optional.empty() : Optional.of(integerOf(true, width));
  }

  private static Optional<DataType> floats(List<DataType> types) {
    int width = 2;
    for (DataType type : types) {
      int needed =
          floating(type)
              ? type.widthBytes()
              : switch (type.widthBytes()) {
                case 1 -> 2;
                case 2 -> 4;
                case 4 -> 8;
                default -> 16;
              };
      width = Math.max(width, needed);
    }
    return width > 8 ? Optional.empty() : Optional.of(floatOf(width));
  }

  private static DataType times(List<DataType> types) {
    int scale = -1;
    boolean wide = false;
    Optional<String> zone = Optional.empty();
    DataType first = null;
    for (DataType type : types) {
      if (type instanceof DateTime64Type t) {
        // The zone of the first of the result's own kind.
        zone = scale < 0 ? t.zone() : zone;
        scale = Math.max(scale, t.scale());
      }
      if (first == null && type instanceof DateTimeType) {
        first = type;
      }
      wide |= type == PlainType.DATE32;
    }
    if (scale >= 0) {
      return new DateTime64Type(scale, zone);
    }
    if (first != null) {
      return wide ? new DateTime64Type(0, Optional.empty()) : first;
    }
    return PlainType.DATE32;
  }

  private static DataType tuples(List<DataType> types, String forWhat) {
    TupleType first = (TupleType) types.get(0);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < first.elements().size(); i++) {
      List<DataType> column = new ArrayList<>();
      for (DataType type : types) {
        if (((TupleType) type).elements().size() != first.elements().size()) {
          throw none(types, forWhat);
        }
        column.add(((TupleType) type).elements().get(i).type());
      }
      elements.add(new Element(Optional.empty(), common(column, forWhat)));
    }
    return new TupleType(elements);
  }

  private static EngineException none(List<DataType> types, String forWhat) {
    return EngineException.of(
        ErrorCode.NO_COMMON_TYPE,
        "%s: no common type for %s; convert one of them",
        forWhat,
        types.stream().map(DataType::text).toList());
  }
}
