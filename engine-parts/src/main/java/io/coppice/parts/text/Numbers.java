package io.coppice.parts.text;

import io.coppice.language.text.FloatText;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.DateTime64Type;
import io.coppice.language.type.DataType.DateTimeType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.DataType.EnumType;
import io.coppice.language.type.DataType.FixedStringType;
import io.coppice.language.type.DataType.Time64Type;
import io.coppice.language.type.PlainType;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Which types are numbers to a reader, and what large numbers are called. Stateless. */
final class Numbers {
  /** Whole numbers from here to those of 64 bits are mostly hashes, to which words add nothing. */
  private static final double LIKE_HASHES = 1e17;

  /** Larger numbers are written with an exponent. */
  private static final double MOST_WITH_POINT = 1e60;

  private static final double TO_64_BITS = 0x1p64;

  private static final String[] NAMES = {
    "",
    " thousand",
    " million",
    " billion",
    " trillion",
    " quadrillion",
    " quintillion",
    " sextillion",
    " septillion",
    " octillion",
    " nonillion",
    " decillion",
    " undecillion",
    " duodecillion",
    " tredecillion",
    " quattuordecillion",
    " quindecillion",
    " sexdecillion",
    " septendecillion",
    " octodecillion",
    " novemdecillion",
    " vigintillion"
  };

  private Numbers() {}

  /** Whether values stand at the right edge of their column. */
  static boolean toTheRight(DataType given) {
    DataType type = given.bare();
    if (type instanceof PlainType plain) {
      return switch (plain) {
        case STRING, UUID, IPV4, IPV6, BOOL, NOTHING -> false;
        default -> true;
      };
    }
    return type instanceof DateTimeType
        || type instanceof DateTime64Type
        || type instanceof Time64Type
        || type instanceof DecimalType
        || !(type instanceof FixedStringType || type instanceof EnumType || container(type));
  }

  private static boolean container(DataType type) {
    return type instanceof DataType.ArrayType
        || type instanceof DataType.MapType
        || type instanceof DataType.TupleType;
  }

  /** Whether values are numbers with which one calculates. */
  static boolean counts(DataType given) {
    DataType type = given.bare();
    return type instanceof DecimalType
        || type instanceof PlainType plain
            && (plain.integer()
                || plain == PlainType.FLOAT32
                || plain == PlainType.FLOAT64
                || plain == PlainType.BFLOAT16);
  }

  /** The tip beside a number whose text this is; empty up to the threshold. */
  static String tip(String text, long threshold) {
    if (threshold == 0 || text.isEmpty() || !digits(text)) {
      return "";
    }
    double value = Double.parseDouble(text);
    double size = Math.abs(value);
    if (Double.isInfinite(value)
        || !(size > threshold)
        || size > LIKE_HASHES && size <= TO_64_BITS) {
      return "";
    }
    int name = 0;
    double shown = value;
    while (name < NAMES.length - 1 && Math.abs(shown) >= 1000) {
      shown /= 1000;
      name++;
    }
    String rounded =
        Math.abs(shown) < MOST_WITH_POINT
            ? new BigDecimal(shown).setScale(2, RoundingMode.HALF_UP).toPlainString()
            : FloatText.of(shown);
    return " -- " + rounded + NAMES[name];
  }

  private static boolean digits(String text) {
    char last = text.charAt(text.length() - 1);
    return '0' <= last && last <= '9';
  }
}
