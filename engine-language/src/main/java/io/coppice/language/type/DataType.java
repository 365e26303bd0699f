package io.coppice.language.type;

import io.coppice.base.check.Check;
import io.coppice.language.text.Identifiers;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A ClickHouse data type. Immutable; equal when the canonical texts are equal.
 *
 * <p>Text and tree go both ways: {@link #text()} prints ClickHouse's canonical form, {@code
 * io.coppice.language.parse.Parser#type} reads any form ClickHouse accepts.
 */
public sealed interface DataType
    permits PlainType,
        DataType.DecimalType,
        DataType.FixedStringType,
        DataType.DateTimeType,
        DataType.DateTime64Type,
        DataType.Time64Type,
        DataType.EnumType,
        DataType.IntervalType,
        DataType.NullableType,
        DataType.LowCardinalityType,
        DataType.ArrayType,
        DataType.TupleType,
        DataType.NestedType,
        DataType.MapType,
        DataType.GeometryType,
        DataType.SimpleAggregateType,
        DataType.OpaqueType {

  /** ClickHouse's canonical text of this type, as in columns.txt. */
  String text();

  /** Bytes of one value when all values have the same width, else 0. */
  default int widthBytes() {
    return 0;
  }

  /** The type whose data this one's data is: itself but for aliases, Nested and SimpleAggregate. */
  default DataType storage() {
    return this;
  }

  /** The type of the values that are there: without other names, LowCardinality and Nullable. */
  default DataType bare() {
    DataType storage = storage();
    if (storage instanceof LowCardinalityType low) {
      return low.inner().bare();
    }
    return storage instanceof NullableType nullable ? nullable.inner().bare() : storage;
  }

  default boolean nullable() {
    return this instanceof NullableType
        || (this instanceof LowCardinalityType low && low.inner() instanceof NullableType);
  }

  /** {@code Decimal(P, S)}: an integer of 4, 8, 16 or 32 bytes, times 10^-scale. */
  record DecimalType(int precision, int scale) implements DataType {
    public DecimalType {
      Check.argument(1 <= precision && precision <= 76, "precision %d of a Decimal", precision);
      Check.argument(0 <= scale && scale <= precision, "scale %d of Decimal(%d)", scale, precision);
    }

    @Override
    public String text() {
      return "Decimal(" + precision + ", " + scale + ")";
    }

    @Override
    public int widthBytes() {
      return precision <= 9 ? 4 : precision <= 18 ? 8 : precision <= 38 ? 16 : 32;
    }
  }

  /** {@code FixedString(N)}: N bytes, padded with zero bytes. */
  record FixedStringType(int sizeBytes) implements DataType {
    public FixedStringType {
      Check.argument(sizeBytes > 0, "FixedString(%d)", sizeBytes);
    }

    @Override
    public String text() {
      return "FixedString(" + sizeBytes + ")";
    }

    @Override
    public int widthBytes() {
      return sizeBytes;
    }
  }

  /** {@code DateTime} or {@code DateTime('zone')}: UInt32 seconds since 1970-01-01 UTC. */
  record DateTimeType(Optional<String> zone) implements DataType {
    @Override
    public String text() {
      return zone.map(z -> "DateTime(" + Identifiers.quoteString(z) + ")").orElse("DateTime");
    }

    @Override
    public int widthBytes() {
      return 4;
    }
  }

  /** {@code DateTime64(scale[, 'zone'])}: Int64 ticks of 10^-scale seconds since 1970-01-01 UTC. */
  record DateTime64Type(int scale, Optional<String> zone) implements DataType {
    public DateTime64Type {
      Check.argument(0 <= scale && scale <= 9, "scale %d of a DateTime64", scale);
    }

    @Override
    public String text() {
      return "DateTime64("
          + scale
          + zone.map(z -> ", " + Identifiers.quoteString(z)).orElse("")
          + ")";
    }

    @Override
    public int widthBytes() {
      return 8;
    }
  }

  /** {@code Time64(scale)}: Int64 ticks of 10^-scale seconds. */
  record Time64Type(int scale) implements DataType {
    public Time64Type {
      Check.argument(0 <= scale && scale <= 9, "scale %d of a Time64", scale);
    }

    @Override
    public String text() {
      return "Time64(" + scale + ")";
    }

    @Override
    public int widthBytes() {
      return 8;
    }
  }

  /** {@code Enum8} or {@code Enum16}: a signed number of 1 or 2 bytes; entries sorted by number. */
  record EnumType(int widthBytes, List<Entry> entries) implements DataType {
    /** One name and its number. */
    public record Entry(String name, int value) {}

    public EnumType {
      Check.argument(widthBytes == 1 || widthBytes == 2, "Enum of %d bytes", widthBytes);
      entries =
          entries.stream()
              .sorted(java.util.Comparator.comparingInt(Entry::value))
              .collect(Collectors.toUnmodifiableList());
    }

    @Override
    public String text() {
      return entries.stream()
          .map(e -> Identifiers.quoteString(e.name()) + " = " + e.value())
          .collect(Collectors.joining(", ", "Enum" + widthBytes * 8 + "(", ")"));
    }
  }

  /** {@code IntervalDay} and its like: Int64 counts of a unit. */
  record IntervalType(Unit unit) implements DataType {
    /** Units in the order of their length. */
    public enum Unit {
      NANOSECOND("Nanosecond"),
      MICROSECOND("Microsecond"),
      MILLISECOND("Millisecond"),
      SECOND("Second"),
      MINUTE("Minute"),
      HOUR("Hour"),
      DAY("Day"),
      WEEK("Week"),
      MONTH("Month"),
      QUARTER("Quarter"),
      YEAR("Year");

      private final String text;

      Unit(String text) {
        this.text = text;
      }

      public String text() {
        return text;
      }
    }

    @Override
    public String text() {
      return "Interval" + unit.text();
    }

    @Override
    public int widthBytes() {
      return 8;
    }
  }

  /** {@code Nullable(T)}; T is neither Nullable nor a container. */
  record NullableType(DataType inner) implements DataType {
    @Override
    public String text() {
      return "Nullable(" + inner.text() + ")";
    }
  }

  /** {@code LowCardinality(T)}: T or Nullable(T), stored by dictionary. */
  record LowCardinalityType(DataType inner) implements DataType {
    @Override
    public String text() {
      return "LowCardinality(" + inner.text() + ")";
    }
  }

  record ArrayType(DataType element) implements DataType {
    @Override
    public String text() {
      return "Array(" + element.text() + ")";
    }
  }

  /** One element of a Tuple or Nested; a Tuple's may be without name, then all are. */
  record Element(Optional<String> name, DataType type) {
    String text() {
      return name.map(n -> Identifiers.backQuoteIfNeeded(n) + " ").orElse("") + type.text();
    }
  }

  record TupleType(List<Element> elements) implements DataType {
    public TupleType {
      elements = List.copyOf(elements);
    }

    /** Name of element {@code index}, from 0: its own or its number from 1. */
    public String elementName(int index) {
      return elements.get(index).name().orElseGet(() -> Integer.toString(index + 1));
    }

    @Override
    public String text() {
      return elements.stream().map(Element::text).collect(Collectors.joining(", ", "Tuple(", ")"));
    }
  }

  /** {@code Nested(a T, …)}: in a table a group of arrays of equal length, else Array(Tuple(…)). */
  record NestedType(List<Element> elements) implements DataType {
    public NestedType {
      elements = List.copyOf(elements);
    }

    @Override
    public String text() {
      return elements.stream().map(Element::text).collect(Collectors.joining(", ", "Nested(", ")"));
    }

    @Override
    public DataType storage() {
      return new ArrayType(new TupleType(elements));
    }
  }

  record MapType(DataType key, DataType value) implements DataType {
    @Override
    public String text() {
      return "Map(" + key.text() + ", " + value.text() + ")";
    }
  }

  /** The aliases for points and shapes made of them. */
  record GeometryType(Shape shape) implements DataType {
    /** Each shape and what it is made of. */
    public enum Shape {
      POINT("Point", 0),
      RING("Ring", 1),
      LINE_STRING("LineString", 1),
      POLYGON("Polygon", 2),
      MULTI_LINE_STRING("MultiLineString", 2),
      MULTI_POLYGON("MultiPolygon", 3);

      private final String text;
      private final int depth;

      Shape(String text, int depth) {
        this.text = text;
        this.depth = depth;
      }

      public String text() {
        return text;
      }
    }

    @Override
    public String text() {
      return shape.text();
    }

    @Override
    public DataType storage() {
      DataType type =
          new TupleType(
              List.of(
                  new Element(Optional.empty(), PlainType.FLOAT64),
                  new Element(Optional.empty(), PlainType.FLOAT64)));
      for (int i = 0; i < shape.depth; i++) {
        type = new ArrayType(type);
      }
      return type;
    }
  }

  /** {@code SimpleAggregateFunction(f, T)}: stored as T, folded by f when rows are merged. */
  record SimpleAggregateType(String function, DataType inner) implements DataType {
    @Override
    public String text() {
      return "SimpleAggregateFunction(" + function + ", " + inner.text() + ")";
    }

    @Override
    public DataType storage() {
      return inner.storage();
    }
  }

  /**
   * A type that is known by name only: its columns are carried in metadata, not read or written.
   */
  record OpaqueType(String family, String text) implements DataType {}
}
