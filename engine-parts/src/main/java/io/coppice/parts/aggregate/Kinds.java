package io.coppice.parts.aggregate;

import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.DataType.FixedStringType;
import io.coppice.language.type.DataType.LowCardinalityType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;

/** What aggregation needs to know of types. Stateless. */
final class Kinds {
  private Kinds() {}

  /** The type without LowCardinality and other names around it; Nullable stays. */
  static DataType bare(DataType type) {
    DataType storage = type.storage();
    if (storage instanceof LowCardinalityType low) {
      return bare(low.inner());
    }
    return storage instanceof NullableType nullable
        ? new NullableType(bare(nullable.inner()))
        : storage;
  }

  static DataType notNull(DataType type) {
    return type instanceof NullableType nullable ? nullable.inner() : type;
  }

  /** The type with NULL, if it can have NULL. */
  static DataType nullable(DataType type) {
    boolean cannot =
        type instanceof NullableType
            || type instanceof ArrayType
            || type instanceof MapType
            || type instanceof TupleType;
    return cannot ? type : new NullableType(type);
  }

  static boolean floating(DataType type) {
    return type instanceof PlainType plain && plain.floating();
  }

  /** Whether a value is a whole number of up to eight bytes, as it lies in its vector. */
  static boolean whole(DataType type) {
    int width = type.widthBytes();
    return width > 0
        && width <= 8
        && !floating(type)
        && !(type instanceof DecimalType)
        && !(type instanceof FixedStringType);
  }

  /** Whether a whole number has a sign. */
  static boolean signed(DataType type) {
    if (type instanceof PlainType plain) {
      return plain.signed() || plain == PlainType.DATE32 || plain == PlainType.TIME;
    }
    return !(type instanceof DataType.DateTimeType);
  }

  /** Integers of up to eight bytes, and Bool. */
  static boolean integer(DataType type) {
    return type instanceof PlainType plain
        && (plain.integer() || plain == PlainType.BOOL)
        && plain.widthBytes() <= 8;
  }
}
