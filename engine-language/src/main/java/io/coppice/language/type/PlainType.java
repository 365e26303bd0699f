package io.coppice.language.type;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The types without parameters. */
public enum PlainType implements DataType {
  UINT8("UInt8", 1),
  UINT16("UInt16", 2),
  UINT32("UInt32", 4),
  UINT64("UInt64", 8),
  UINT128("UInt128", 16),
  UINT256("UInt256", 32),
  INT8("Int8", 1),
  INT16("Int16", 2),
  INT32("Int32", 4),
  INT64("Int64", 8),
  INT128("Int128", 16),
  INT256("Int256", 32),
  FLOAT32("Float32", 4),
  FLOAT64("Float64", 8),
  BFLOAT16("BFloat16", 2),
  /** One byte, 0 or 1. */
  BOOL("Bool", 1),
  /** Any bytes, of any length. */
  STRING("String", 0),
  /** UInt16 days since 1970-01-01. */
  DATE("Date", 2),
  /** Int32 days since 1970-01-01. */
  DATE32("Date32", 4),
  /** Int32 seconds of a time of day, or of a span up to 999 hours, also negative. */
  TIME("Time", 4),
  /** Two little-endian UInt64 halves, the first half of the text first. */
  UUID("UUID", 16),
  /** UInt32, first byte of the text highest. */
  IPV4("IPv4", 4),
  /** 16 bytes in network order. */
  IPV6("IPv6", 16),
  /** The type of NULL and of the elements of an empty array; never stored. */
  NOTHING("Nothing", 0);

  private static final Map<String, PlainType> BY_NAME =
      Stream.of(values()).collect(Collectors.toMap(PlainType::text, Function.identity()));

  private final String text;
  private final int widthBytes;

  PlainType(String text, int widthBytes) {
    this.text = text;
    this.widthBytes = widthBytes;
  }

  /** The type of that name, matched with its case. */
  public static Optional<PlainType> named(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  /** The type of that name if the case is ignored, for hints. */
  public static Optional<PlainType> ofAnyCase(String name) {
    return Stream.of(values()).filter(type -> type.text.equalsIgnoreCase(name)).findFirst();
  }

  @Override
  public String text() {
    return text;
  }

  @Override
  public int widthBytes() {
    return widthBytes;
  }

  /** Whether this is one of the integers of 8 to 256 bits; Bool is not. */
  public boolean integer() {
    return compareTo(INT256) <= 0;
  }

  /** Whether this is an integer with a sign. */
  public boolean signed() {
    return integer() && compareTo(INT8) >= 0;
  }

  public boolean floating() {
    return this == FLOAT32 || this == FLOAT64 || this == BFLOAT16;
  }

  @Override
  public String toString() {
    return text;
  }
}
