package io.coppice.parts.expression;

import io.coppice.language.text.ByteText;
import io.coppice.language.text.FloatText;
import io.coppice.language.text.Identifiers;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.DateTime64Type;
import io.coppice.language.type.DataType.DateTimeType;
import io.coppice.language.type.DataType.EnumType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * A constant as ClickHouse's EXPLAIN shows it: whole numbers plain, {@code 2.} where it has a
 * fraction's type, everything else quoted. Immutable.
 */
public final class ConstantText {
  private final Values value;
  private final DataType type;
  private final String zone;

  private ConstantText(Values value, DataType type, String zone) {
    this.value = value;
    this.type = type;
    this.zone = zone;
  }

  /**
   * The value of an expression, if it has one for every row.
   *
   * @param zone of times whose type names none
   */
  public static Optional<ConstantText> of(TypedExpression expression, String zone) {
    return expression
        .constantValue()
        .map(value -> new ConstantText(value, expression.type(), zone));
  }

  public DataType type() {
    return type;
  }

  public boolean isNull() {
    return value.isNull(0);
  }

  /** The number that is stored, of a whole number of up to 64 bits, a date, a time or an enum. */
  public Optional<BigInteger> whole() {
    DataType inner = Types.notNull(Types.bare(type));
    boolean whole =
        inner instanceof PlainType plain
                && (plain.integer()
                    || plain == PlainType.BOOL
                    || plain == PlainType.DATE
                    || plain == PlainType.DATE32)
            || inner instanceof DateTimeType
            || inner instanceof EnumType;
    if (isNull() || !whole || !(value instanceof Values.Longs longs)) {
      return Optional.empty();
    }
    long number = longs.values[0];
    return Optional.of(
        inner == PlainType.UINT64
            ? new BigInteger(Long.toUnsignedString(number))
            : BigInteger.valueOf(number));
  }

  /** The number, of a floating point type. */
  public Optional<Double> floating() {
    return !isNull() && value instanceof Values.Doubles doubles
        ? Optional.of(doubles.values[0])
        : Optional.empty();
  }

  /** The text in a condition on a key: dates and times are the numbers that are stored. */
  public String stored() {
    StringBuilder out = new StringBuilder();
    append(value, 0, type, true, out);
    return out.toString();
  }

  /** The text in an expression: dates and times as they are written. */
  public String written() {
    StringBuilder out = new StringBuilder();
    append(value, 0, type, false, out);
    return out.toString();
  }

  private void append(Values of, int row, DataType given, boolean stored, StringBuilder out) {
    DataType inner = Types.notNull(Types.bare(given));
    if (of.isNull(row)) {
      out.append("NULL");
    } else if (inner instanceof ArrayType array) {
      list((Values.Lists) of, row, array.element(), stored, out);
    } else if (inner instanceof MapType map) {
      list((Values.Lists) of, row, pair(map), stored, out);
    } else if (inner instanceof TupleType tuple) {
      Values.Tuples tuples = (Values.Tuples) of;
      out.append('(');
      for (int i = 0; i < tuple.elements().size(); i++) {
        out.append(i > 0 ? ", " : "");
        DataType element = tuple.elements().get(i).type();
        append(tuples.elements.get(i), tuples.at(row), element, stored, out);
      }
      out.append(')');
    } else if (of instanceof Values.Doubles doubles) {
      double number = doubles.values[doubles.at(row)];
      String text =
          inner == PlainType.FLOAT64 ? FloatText.of(number) : FloatText.of((float) number);
      boolean digits = text.chars().allMatch(c -> c == '-' || Character.isDigit(c));
      out.append(text).append(digits ? "." : "");
    } else if (of instanceof Values.Strings strings && Types.string(inner)) {
      out.append(Identifiers.quoteString(ByteText.of(strings.get(row))));
    } else if (of instanceof Values.Longs longs && plainNumber(inner, stored)) {
      long number = longs.values[longs.at(row)];
      out.append(inner == PlainType.UINT64 ? Long.toUnsignedString(number) : Long.toString(number));
    } else if (stored && inner instanceof DateTime64Type time && of instanceof Values.Longs longs) {
      BigDecimal seconds = BigDecimal.valueOf(longs.values[longs.at(row)], time.scale());
      BigDecimal plain = seconds.signum() == 0 ? BigDecimal.ZERO : seconds.stripTrailingZeros();
      out.append('\'').append(plain.toPlainString()).append('\'');
    } else {
      out.append('\'');
      ValueText.print(of, row, given, zone, out);
      out.append('\'');
    }
  }

  private void list(
      Values.Lists lists, int row, DataType element, boolean stored, StringBuilder out) {
    out.append('[');
    int from = lists.offsets[lists.at(row)];
    for (int i = from; i < lists.offsets[lists.at(row) + 1]; i++) {
      out.append(i > from ? ", " : "");
      append(lists.elements, i, element, stored, out);
    }
    out.append(']');
  }

  private static TupleType pair(MapType map) {
    return new TupleType(
        List.of(
            new TupleType.Element(Optional.empty(), map.key()),
            new TupleType.Element(Optional.empty(), map.value())));
  }

  private static boolean plainNumber(DataType type, boolean stored) {
    boolean time =
        type == PlainType.DATE || type == PlainType.DATE32 || type instanceof DateTimeType;
    return stored && time
        || type instanceof PlainType plain && (plain.integer() || plain == PlainType.BOOL)
        || type instanceof EnumType
        || type instanceof DataType.IntervalType;
  }
}
