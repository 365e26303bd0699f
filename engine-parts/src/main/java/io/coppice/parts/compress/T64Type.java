package io.coppice.parts.compress;

import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import java.util.Optional;

/** The types that T64 knows, each with its number in the first byte of a T64 body. */
public enum T64Type {
  UINT8(1, 1, false),
  UINT16(2, 2, false),
  UINT32(3, 4, false),
  UINT64(4, 8, false),
  INT8(6, 1, true),
  INT16(7, 2, true),
  INT32(8, 4, true),
  INT64(9, 8, true),
  DATE(13, 2, false),
  DATE_TIME(14, 4, false),
  DATE_TIME64(15, 8, true),
  /** Enums count as unsigned, though their values have a sign. */
  ENUM8(17, 1, false),
  ENUM16(18, 2, false),
  DECIMAL32(19, 4, true),
  DECIMAL64(20, 8, true),
  IPV4(21, 4, false),
  DATE32(22, 4, true),
  TIME(23, 4, true),
  TIME64(24, 8, true);

  private final int number;
  private final int widthBytes;
  private final boolean signed;

  T64Type(int number, int widthBytes, boolean signed) {
    this.number = number;
    this.widthBytes = widthBytes;
    this.signed = signed;
  }

  int number() {
    return number;
  }

  /** Bytes of one value. */
  public int widthBytes() {
    return widthBytes;
  }

  boolean signed() {
    return signed;
  }

  static Optional<T64Type> ofNumber(int number) {
    for (T64Type type : values()) {
      if (type.number == number) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }

  /** How T64 sees values of a type, empty if it refuses the type. */
  public static Optional<T64Type> of(DataType type) {
    T64Type found = null;
    if (type instanceof PlainType plain) {
      found =
          switch (plain) {
            case UINT8, BOOL -> UINT8;
            case UINT16 -> UINT16;
            case UINT32 -> UINT32;
            case UINT64 -> UINT64;
            case INT8 -> INT8;
            case INT16 -> INT16;
            case INT32 -> INT32;
            case INT64 -> INT64;
            case DATE -> DATE;
            case DATE32 -> DATE32;
            case TIME -> TIME;
            case IPV4 -> IPV4;
            default -> null;
          };
    } else if (type instanceof DataType.DateTimeType) {
      found = DATE_TIME;
    } else if (type instanceof DataType.DateTime64Type) {
      found = DATE_TIME64;
    } else if (type instanceof DataType.Time64Type) {
      found = TIME64;
    } else if (type instanceof DataType.EnumType enumType) {
      found = enumType.widthBytes() == 1 ? ENUM8 : ENUM16;
    } else if (type instanceof DataType.DecimalType decimal) {
      found = decimal.widthBytes() == 4 ? DECIMAL32 : decimal.widthBytes() == 8 ? DECIMAL64 : null;
    }
    return Optional.ofNullable(found);
  }
}
