package io.coppice.parts.text;

import io.coppice.base.bytes.Memory;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.text.ByteText;
import io.coppice.language.text.FloatText;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.DateTime64Type;
import io.coppice.language.type.DataType.DateTimeType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.DataType.EnumType;
import io.coppice.language.type.DataType.FixedStringType;
import io.coppice.language.type.DataType.Time64Type;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Vectors;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;

/**
 * Reads the text of one value of a type that contains no other: bytes without quotes and escapes. A
 * number of too many bits, which ClickHouse would wrap round, is refused. Dates and times beyond
 * their type become the first or the last there is, as ClickHouse has them; days that a month lacks
 * count on into the next.
 *
 * <p>Immutable; any thread may use it.
 */
abstract class LeafParser {
  /** Whether values stand in quotes inside containers and in JSON. */
  final boolean quoted;

  private LeafParser(boolean quoted) {
    this.quoted = quoted;
  }

  /** Puts the value of the text [from, to) at row {@code row} of a vector being filled. */
  abstract void text(byte[] bytes, int from, int to, FieldVector vector, int row);

  /** As {@link #text} for a bare number or word where the type's values stand in quotes. */
  void bare(byte[] bytes, int from, int to, FieldVector vector, int row) {
    text(bytes, from, to, vector, row);
  }

  /** As {@link #bare} for a number in JSON, of which what is too large does not stay so. */
  void json(byte[] bytes, int from, int to, FieldVector vector, int row) {
    bare(bytes, from, to, vector, row);
  }

  static LeafParser of(DataType type, ZoneId zone) {
    if (type == PlainType.STRING) {
      return new OfString();
    }
    if (type instanceof FixedStringType t) {
      return new OfFixedString(t.sizeBytes());
    }
    if (type instanceof EnumType t) {
      return new OfEnum(t);
    }
    if (type instanceof DecimalType t) {
      return new OfDecimal(t);
    }
    if (type instanceof DateTimeType t) {
      return new OfDateTime(t.zone().map(ZoneId::of).orElse(zone));
    }
    if (type instanceof DateTime64Type t) {
      return new OfDateTime64(t.scale(), t.zone().map(ZoneId::of).orElse(zone));
    }
    if (type instanceof Time64Type t) {
      return new OfTime(t.scale(), 8);
    }
    if (type instanceof PlainType t) {
      return switch (t) {
        case BOOL -> new OfBool();
        case FLOAT32, FLOAT64, BFLOAT16 -> new OfFloat(t);
        case DATE -> new OfDate(0, 65_535);
        case DATE32 -> new OfDate(-25_567, 120_529);
        case TIME -> new OfTime(0, 4);
        case UUID -> new OfUuid();
        case IPV4 -> new OfIpv4();
        case IPV6 -> new OfIpv6();
        case INT128, INT256, UINT128, UINT256 -> new OfWideInteger(t);
        default -> new OfInteger(t.widthBytes(), t.signed(), t.text());
      };
    }
    return new OfInteger(8, true, type.text()); // intervals
  }

  private static EngineException wrong(
      ErrorCode code, String expected, byte[] bytes, int from, int to) {
    String found = from == to ? "nothing" : "'" + TextCursor.shown(bytes, from, to) + "'";
    return new EngineException(code, "expected " + expected + ", found " + found);
  }

  private static String ascii(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
  }

  static long at(FieldVector vector, int row, int width) {
    return Vectors.data(vector) + (long) row * width;
  }

  private static final class OfInteger extends LeafParser {
    private final int width;
    private final boolean signed;
    private final String type;

    OfInteger(int width, boolean signed, String type) {
      super(false);
      this.width = width;
      this.signed = signed;
      this.type = type;
    }

    @Override
    void text(byte[] bytes, int from, int to, FieldVector vector, int row) {
      int i = from;
      boolean negative = false;
      if (i < to && (bytes[i] == '-' || bytes[i] == '+')) {
        negative = bytes[i] == '-';
        i++;
      }
      if (i == to) {
        throw wrong(ErrorCode.CANNOT_PARSE_NUMBER, "a whole number", bytes, from, to);
      }
      long value = 0;
      for (; i < to; i++) {
        int digit = bytes[i] - '0';
        if (digit < 0 || digit > 9) {
          throw wrong(ErrorCode.CANNOT_PARSE_NUMBER, "a whole number", bytes, from, to);
        }
        boolean fits =
            Long.compareUnsigned(value, 0x1999999999999999L) < 0
                || value == 0x1999999999999999L && digit <= 5;
        if (!fits) {
          throw outOfRange(bytes, from, to);
        }
        value = value * 10 + digit;
      }
      if (signed) {
        long most = width == 8 ? Long.MAX_VALUE : (1L << (8 * width - 1)) - 1;
        if (Long.compareUnsigned(value, negative ? most + 1 : most) > 0) {
          throw outOfRange(bytes, from, to);
        }
        value = negative ? -value : value;
      } else if (negative && value != 0 || width < 8 && value >>> 8 * width != 0) {
        throw outOfRange(bytes, from, to);
      }
      long at = at(vector, row, width);
      switch (width) {
        case 1 -> Memory.putByte(at, (byte) value);
        case 2 -> Memory.putShort(at, (short) value);
        case 4 -> Memory.putInt(at, (int) value);
        default -> Memory.putLong(at, value);
      }
    }

    @Override
    void bare(byte[] bytes, int from, int to, FieldVector vector, int row) {
      text(bytes, from, to, vector, row);
    }

    private EngineException outOfRange(byte[] bytes, int from, int to) {
      return wrong(
          ErrorCode.VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE, "a number of " + type, bytes, from, to);
    }
  }

  private static final class OfWideInteger extends LeafParser {
    private final PlainType type;
    private final BigInteger least;
    private final BigInteger most;

    OfWideInteger(PlainType type) {
      super(false);
      this.type = type;
      int bits = 8 * type.widthBytes();
      this.least = type.signed() ? BigInteger.ONE.shiftLeft(bits - 1).negate() : BigInteger.ZERO;
      this.most =
          BigInteger.ONE.shiftLeft(type.signed() ? bits - 1 : bits).subtract(BigInteger.ONE);
    }

    @Override
    void text(byte[] bytes, int from, int to, FieldVector vector, int row) {
      BigInteger value = null;
      if (to - from <= 100) { // no value has more digits
        try {
          value = new BigInteger(ascii(bytes, from, to));
        } catch (NumberFormatException e) {
          throw wrong(ErrorCode.CANNOT_PARSE_NUMBER, "a whole number", bytes, from, to);
        }
      }
      if (value == null || value.compareTo(least) < 0 || value.compareTo(most) > 0) {
        throw wrong(
            ErrorCode.VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE,
            "a number of " + type.text(),
            bytes,
            from,
            to);
      }
      putWide(at(vector, row, type.widthBytes()), type.widthBytes(), value);
    }
  }

  private static void putWide(long at, int width, BigInteger value) {
    byte[] bigEndian = value.toByteArray();
    byte fill = (byte) (value.signum() < 0 ? -1 : 0);
    for (int i = 0; i < width; i++) {
      Memory.putByte(at + i, i < bigEndian.length ? bigEndian[bigEndian.length - 1 - i] : fill);
    }
  }

  private static final class OfFloat extends LeafParser {
    /** Powers of ten that a double holds exactly. */
    private static final double[] EXACT = new double[23];

    static {
      EXACT[0] = 1;
      for (int i = 1; i < EXACT.length; i++) {
        EXACT[i] = EXACT[i - 1] * 10;
      }
    }

    private final PlainType type;

    OfFloat(PlainType type) {
      super(false);
      this.type = type;
    }

    @Override
    void text(byte[] bytes, int from, int to, FieldVector vector, int row) {
      if (type == PlainType.FLOAT64) {
        double value = quick(bytes, from, to);
        if (Double.isNaN(value)) {
          value = special(bytes, from, to);
          if (value == 0) {
            value = Double.parseDouble(number(bytes, from, to));
          }
        }
        Memory.putLong(at(vector, row, 8), Double.doubleToRawLongBits(value));
        return;
      }
      double named = special(bytes, from, to);
      float value = named != 0 ? (float) named : Float.parseFloat(number(bytes, from, to));
      int bits = Float.floatToRawIntBits(value);
      if (type == PlainType.FLOAT32) {
        Memory.putInt(at(vector, row, 4), bits);
      } else {
        Memory.putShort(at(vector, row, 2), (short) (bits >>> 16));
      }
    }

    /** Numbers of few digits, exact because both factors are; NaN for all others. */
    private static double quick(byte[] bytes, int from, int to) {
      int i = from;
      boolean negative = i < to && bytes[i] == '-';
      if (negative) {
        i++;
      }
      long digits = 0;
      int count = 0;
      int fraction = -1;
      for (; i < to; i++) {
        int b = bytes[i];
        if (b >= '0' && b <= '9') {
          digits = digits * 10 + (b - '0');
          count++;
          if (fraction >= 0) {
            fraction++;
          }
        } else if (b == '.' && fraction < 0) {
          fraction = 0;
        } else {
          return Double.NaN;
        }
        if (count > 15) {
          return Double.NaN;
        }
      }
      if (count == 0) {
        return Double.NaN;
      }
      double value = fraction > 0 ? digits / EXACT[fraction] : digits;
      return negative ? -value : value;
    }

    private static boolean word(byte[] bytes, int from, int to, String word) {
      int start = from < to && (bytes[from] == '-' || bytes[from] == '+') ? from + 1 : from;
      if (to - start != word.length()) {
        return false;
      }
      for (int i = 0; i < word.length(); i++) {
        if ((bytes[start + i] | 0x20) != word.charAt(i)) {
          return false;
        }
      }
      return true;
    }

    /** Infinities and NaN of either sign; 0 for anything else. */
    private static double special(byte[] bytes, int from, int to) {
      boolean negative = from < to && bytes[from] == '-';
      if (word(bytes, from, to, "inf") || word(bytes, from, to, "infinity")) {
        return negative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
      } else if (word(bytes, from, to, "nan")) {
        return negative ? FloatText.NEGATIVE_NAN : Double.NaN;
      }
      return 0;
    }

    /** The text as a number that Java reads as well; Java's own suffixes are refused. */
    private static String number(byte[] bytes, int from, int to) {
      boolean digit = false;
      boolean exponentDigit = true;
      for (int i = from; i < to; i++) {
        int b = bytes[i];
        boolean sign = b == '-' || b == '+';
        boolean exponent = b == 'e' || b == 'E';
        if (b >= '0' && b <= '9') {
          digit = true;
          exponentDigit = true;
        } else if (exponent && digit) {
          exponentDigit = false;
        } else if (!(b == '.' || sign && (i == from || (bytes[i - 1] | 0x20) == 'e'))) {
          digit = false;
          break;
        }
      }
      String text = ascii(bytes, from, to);
      boolean onePoint = text.indexOf('.') == text.lastIndexOf('.');
      boolean oneExponent =
          text.chars().filter(c -> c == 'e' || c == 'E').count() <= 1
              && (text.indexOf('.') < 0
                  || !text.substring(0, text.indexOf('.')).matches(".*[eE].*"));
      if (!digit || !exponentDigit || !onePoint || !oneExponent) {
        throw wrong(ErrorCode.CANNOT_PARSE_NUMBER, "a number", bytes, from, to);
      }
      return text;
    }
  }

  private static final class OfBool extends LeafParser {
    OfBool() {
      super(false);
    }

    @Override
    void text(byte[] bytes, int from, int to, FieldVector vector, int row) {
      boolean value =
          switch (to - from <= 8 ? ascii(bytes, from, to).toLowerCase(java.util.Locale.ROOT) : "") {
            case "1", "true", "t", "yes", "y", "on", "enable", "enabled" -> true;
            case "0", "false", "f", "no", "n", "off", "disable", "disabled" -> false;
            default -> throw wrong(ErrorCode.CANNOT_PARSE_BOOL, "true or false", bytes, from, to);
          };
      BitVectorHelper.setValidityBit(vector.getDataBuffer(), row, value ? 1 : 0);
    }
  }

  private static final class OfDecimal extends LeafParser {
    private final DecimalType type;
    private final BigInteger limit;

    OfDecimal(DecimalType type) {
      super(false);
      this.type = type;
      this.limit = BigInteger.TEN.pow(type.precision());
    }

    @Override
    void text(byte[] bytes, int from, int to, FieldVector vector, int row) {
      int width = ((BaseFixedWidthVector) vector).getTypeWidth();
      if (!quick(bytes, from, to, at(vector, row, width), width)) {
        slow(bytes, from, to, at(vector, row, width), width);
      }
    }

    /** Plain digits that fit 18 places. */
    private boolean quick(byte[] bytes, int from, int to, long at, int width) {
      int i = from;
      boolean negative = i < to && bytes[i] == '-';
      if (negative) {
        i++;
      }
      long value = 0;
      int digits = 0;
      int fraction = -1;
      for (; i < to; i++) {
        int b = bytes[i];
        if (b >= '0' && b <= '9') {
          if (fraction < type.scale()) { // more are cut off
            value = value * 10 + (b - '0');
            digits += value == 0 ? 0 : 1;
            fraction += fraction >= 0 ? 1 : 0;
          }
        } else if (b == '.' && fraction < 0) {
          fraction = 0;
          if (type.scale() == 0) {
            return false;
          }
        } else {
          return false;
        }
        if (digits > 18) {
          return false;
        }
      }
      for (int missing = type.scale() - Math.max(fraction, 0); missing > 0; missing--) {
        value *= 10;
        digits += value == 0 ? 0 : 1;
      }
      if (digits > 18 || digits > type.precision() || to == from || to - from == 1 && negative) {
        return false;
      }
      if (fraction == 0 && to - from == 1) {
        return false;
      }
      value = negative ? -value : value;
      Memory.putLong(at, value);
      for (int b = 8; b < width; b += 8) {
        Memory.putLong(at + b, value >> 63);
      }
      return true;
    }

    private void slow(byte[] bytes, int from, int to, long at, int width) {
      BigDecimal value;
      try {
        if (to - from > 1000) {
          throw new NumberFormatException("too long");
        }
        value = new BigDecimal(ascii(bytes, from, to));
      } catch (NumberFormatException e) {
        throw wrong(ErrorCode.CANNOT_PARSE_NUMBER, "a decimal number", bytes, from, to);
      }
      // An exponent must not make a number of millions of digits.
      boolean tooLarge = value.precision() - (long) value.scale() > 80;
      boolean tooSmall = value.precision() - (long) value.scale() < -80;
      BigInteger unscaled =
          tooSmall || tooLarge
              ? BigInteger.ZERO
              : value.setScale(type.scale(), java.math.RoundingMode.DOWN).unscaledValue();
      if (tooLarge && value.signum() != 0 || unscaled.abs().compareTo(limit) >= 0) {
        throw wrong(ErrorCode.ARGUMENT_OUT_OF_BOUND, "a number of " + type.text(), bytes, from, to);
      }
      putWide(at, width, unscaled);
    }
  }

  private static final class OfString extends LeafParser {
    OfString() {
      super(true);
    }

    @Override
    void text(byte[] bytes, int from, int to, FieldVector vector, int row) {
      BaseVariableWidthVector strings = (BaseVariableWidthVector) vector;
      long offsets = Vectors.offsets(strings) + row * 4L;
      int start = row == 0 ? 0 : Memory.getInt(offsets);
      int size = to - from;
      Vectors.reserveBytes(strings, (long) start + size, vector.getName());
      Memory.copy(bytes, from, Vectors.data(strings) + start, size);
      if (row == 0) {
        Memory.putInt(offsets, 0);
      }
      Memory.putInt(offsets + 4, start + size);
    }
  }

  private static final class OfFixedString extends LeafParser {
    private final int size;

    OfFixedString(int size) {
      super(true);
      this.size = size;
    }

    @Override
    void text(byte[] bytes, int from, int to, FieldVector vector, int row) {
      if (to - from > size) {
        throw wrong(ErrorCode.TOO_LARGE_STRING_SIZE, "at most " + size + " bytes", bytes, from, to);
      }
      long at = at(vector, row, size);
      Memory.copy(bytes, from, at, to - from);
      Memory.fill(at + (to - from), size - (to - from), (byte) 0);
    }
  }

  private static final class OfEnum extends LeafParser {
    private final EnumType type;
    private final Map<String, Integer> values = new HashMap<>();

    OfEnum(EnumType type) {
      super(true);
      this.type = type;
      for (EnumType.Entry entry : type.entries()) {
        byte[] name = ByteText.bytes(entry.name());
        values.put(ascii(name, 0, name.length), entry.value());
      }
    }

    @Override
    void text(byte[] bytes, int from, int to, FieldVector vector, int row) {
      Integer value = values.get(ascii(bytes, from, to));
      if (value == null) {
        value = numbered(bytes, from, to);
      }
      if (type.widthBytes() == 1) {
        Memory.putByte(at(vector, row, 1), value.byteValue());
      } else {
        Memory.putShort(at(vector, row, 2), value.shortValue());
      }
    }

    private Integer numbered(byte[] bytes, int from, int to) {
      if (from < to && to - from <= 6) {
        try {
          int number = Integer.parseInt(ascii(bytes, from, to));
          if (values.containsValue(number)) {
            return number;
          }
        } catch (NumberFormatException e) {
          throw unknown(bytes, from, to);
        }
      }
      throw unknown(bytes, from, to);
    }

    private EngineException unknown(byte[] bytes, int from, int to) {
      String names = type.text();
      return wrong(
          ErrorCode.UNKNOWN_ELEMENT_OF_ENUM,
          "an element of " + (names.length() > 200 ? names.substring(0, 200) + "…" : names),
          bytes,
          from,
          to);
    }
  }

  private static final class OfDate extends LeafParser {
    private final long least;
    private final long most;

    OfDate(long least, long most) {
      super(true);
      this.least = least;
      this.most = most;
    }

    @Override
    void text(byte[] bytes, int from, int to, FieldVector vector, int row) {
      long day = TimeText.date(bytes, from, to);
      put(Math.max(least, Math.min(most, day)), vector, row);
    }

    @Override
    void bare(byte[] bytes, int from, int to, FieldVector vector, int row) {
      long days = wholeNumber(bytes, from, to);
      if (days < least || days > most) {
        throw beyond("a date in the range of its type", bytes, from, to);
      }
      put(days, vector, row);
    }

    @Override
    void json(byte[] bytes, int from, int to, FieldVector vector, int row) {
      long days = wholeNumber(bytes, from, to);
      put(least == 0 ? days & most : days, vector, row);
    }

    private void put(long day, FieldVector vector, int row) {
      Memory.putInt(at(vector, row, 4), (int) day);
    }
  }

  private static EngineException beyond(String expected, byte[] bytes, int from, int to) {
    return wrong(ErrorCode.VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE, expected, bytes, from, to);
  }

  private static long wholeNumber(byte[] bytes, int from, int to) {
    try {
      return Long.parseLong(ascii(bytes, from, Math.min(to, from + 24)));
    } catch (NumberFormatException e) {
      throw wrong(ErrorCode.CANNOT_PARSE_NUMBER, "a whole number", bytes, from, to);
    }
  }

  private static final class OfDateTime extends LeafParser {
    private final ZoneId zone;

    OfDateTime(ZoneId zone) {
      super(true);
      this.zone = zone;
    }

    @Override
    void text(byte[] bytes, int from, int to, FieldVector vector, int row) {
      put(TimeText.ticks(bytes, from, to, 0, zone), vector, row);
    }

    @Override
    void bare(byte[] bytes, int from, int to, FieldVector vector, int row) {
      long seconds = wholeNumber(bytes, from, to);
      if (seconds < 0 || seconds > 0xFFFFFFFFL) {
        throw beyond("a time from 1970-01-01 to 2106-02-07", bytes, from, to);
      }
      put(seconds, vector, row);
    }

    @Override
    void json(byte[] bytes, int from, int to, FieldVector vector, int row) {
      put(wholeNumber(bytes, from, to), vector, row);
    }

    private static void put(long seconds, FieldVector vector, int row) {
      Memory.putInt(at(vector, row, 4), (int) Math.max(0, Math.min(0xFFFFFFFFL, seconds)));
    }
  }

  private static final class OfDateTime64 extends LeafParser {
    private static final long FIRST_SECOND = -62_167_219_200L; // of the year 0
    private static final long LAST_SECOND = 253_402_300_799L; // of the year 9999

    private final int scale;
    private final ZoneId zone;
    private final long least;
    private final long most;

    OfDateTime64(int scale, ZoneId zone) {
      super(true);
      this.scale = scale;
      this.zone = zone;
      this.least = ticks(FIRST_SECOND, 0);
      this.most = ticks(LAST_SECOND, 1);
    }

    /** The first tick of a second or, {@code after} seconds later, the one before it. */
    private long ticks(long second, int after) {
      return BigInteger.valueOf(second + after)
          .multiply(BigInteger.TEN.pow(scale))
          .subtract(BigInteger.valueOf(after))
          .max(BigInteger.valueOf(Long.MIN_VALUE))
          .min(BigInteger.valueOf(Long.MAX_VALUE))
          .longValue();
    }

    @Override
    void text(byte[] bytes, int from, int to, FieldVector vector, int row) {
      Memory.putLong(at(vector, row, 8), TimeText.ticks(bytes, from, to, scale, zone));
    }

    @Override
    void bare(byte[] bytes, int from, int to, FieldVector vector, int row) {
      long ticks = wholeNumber(bytes, from, to);
      Memory.putLong(at(vector, row, 8), Math.max(least, Math.min(most, ticks)));
    }
  }

  private static final class OfTime extends LeafParser {
    private final int scale;
    private final int width;

    OfTime(int scale, int width) {
      super(true);
      this.scale = scale;
      this.width = width;
    }

    @Override
    void text(byte[] bytes, int from, int to, FieldVector vector, int row) {
      put(TimeText.span(bytes, from, to, scale, width == 8), vector, row);
    }

    @Override
    void bare(byte[] bytes, int from, int to, FieldVector vector, int row) {
      put(wholeNumber(bytes, from, to), vector, row);
    }

    private void put(long ticks, FieldVector vector, int row) {
      if (width == 4) {
        Memory.putInt(at(vector, row, 4), (int) ticks);
      } else {
        Memory.putLong(at(vector, row, 8), ticks);
      }
    }
  }

  private static final class OfUuid extends LeafParser {
    OfUuid() {
      super(true);
    }

    @Override
    void text(byte[] bytes, int from, int to, FieldVector vector, int row) {
      boolean dashes = to - from == 36;
      long high = 0;
      long low = 0;
      int digits = 0;
      for (int i = from; i < to; i++) {
        int place = i - from;
        if (dashes && (place == 8 || place == 13 || place == 18 || place == 23)) {
          if (bytes[i] != '-') {
            digits = -100;
          }
          continue;
        }
        int digit = Character.digit(bytes[i], 16);
        if (digit < 0) {
          digits = -100;
          break;
        }
        if (digits < 16) {
          high = high << 4 | digit;
        } else {
          low = low << 4 | digit;
        }
        digits++;
      }
      if (digits != 32) {
        throw wrong(ErrorCode.CANNOT_PARSE_UUID, "a UUID", bytes, from, to);
      }
      long at = at(vector, row, 16);
      Memory.putLong(at, high);
      Memory.putLong(at + 8, low);
    }
  }

  /** Four numbers to 255 between points, as one number; -1 when the text is something else. */
  private static long ipv4(byte[] bytes, int from, int to) {
    long address = 0;
    int octets = 0;
    int i = from;
    while (octets < 4) {
      int value = 0;
      int start = i;
      while (i < to && i - start < 3 && bytes[i] >= '0' && bytes[i] <= '9') {
        value = value * 10 + bytes[i++] - '0';
      }
      if (i == start || value > 255) {
        return -1;
      }
      address = address << 8 | value;
      octets++;
      if (octets < 4 && (i >= to || bytes[i++] != '.')) {
        return -1;
      }
    }
    return i == to ? address : -1;
  }

  private static final class OfIpv4 extends LeafParser {
    OfIpv4() {
      super(true);
    }

    @Override
    void text(byte[] bytes, int from, int to, FieldVector vector, int row) {
      long address = ipv4(bytes, from, to);
      if (address < 0) {
        throw wrong(ErrorCode.CANNOT_PARSE_IPV4, "an IPv4 address", bytes, from, to);
      }
      Memory.putInt(at(vector, row, 4), (int) address);
    }
  }

  private static final class OfIpv6 extends LeafParser {
    OfIpv6() {
      super(true);
    }

    @Override
    void text(byte[] bytes, int from, int to, FieldVector vector, int row) {
      int[] words = words(bytes, from, to);
      if (words.length != 8) {
        throw wrong(ErrorCode.CANNOT_PARSE_IPV6, "an IPv6 address", bytes, from, to);
      }
      long at = at(vector, row, 16);
      for (int i = 0; i < 8; i++) {
        Memory.putByte(at + 2L * i, (byte) (words[i] >> 8));
        Memory.putByte(at + 2L * i + 1, (byte) words[i]);
      }
    }

    /** The eight words; none when the text is no address. */
    private static int[] words(byte[] bytes, int from, int to) {
      int[] none = new int[0];
      int[] words = new int[8];
      long v4 = ipv4(bytes, from, to);
      if (v4 >= 0) {
        words[5] = 0xFFFF;
        words[6] = (int) (v4 >> 16);
        words[7] = (int) (v4 & 0xFFFF);
        return words;
      }
      int count = 0;
      int gap = -1;
      int i = from;
      if (i + 1 < to && bytes[i] == ':' && bytes[i + 1] == ':') {
        gap = 0;
        i += 2;
      }
      while (i < to) {
        int start = i;
        int value = 0;
        while (i < to && i - start < 4 && Character.digit(bytes[i], 16) >= 0) {
          value = value << 4 | Character.digit(bytes[i++], 16);
        }
        if (i < to && bytes[i] == '.') {
          long tail = ipv4(bytes, start, to);
          if (tail < 0 || count > 6) {
            return none;
          }
          words[count++] = (int) (tail >> 16);
          words[count++] = (int) (tail & 0xFFFF);
          i = to;
          break;
        }
        if (i == start || count == 8) {
          return none;
        }
        words[count++] = value;
        if (i == to) {
          break;
        }
        if (bytes[i++] != ':') {
          return none;
        }
        if (i < to && bytes[i] == ':') {
          if (gap >= 0) {
            return none;
          }
          gap = count;
          i++;
        } else if (i == to) {
          return none; // a single colon at the end
        }
      }
      if (gap < 0) {
        return count == 8 ? words : none;
      }
      if (count == 8) {
        return none;
      }
      int[] spread = new int[8];
      System.arraycopy(words, 0, spread, 0, gap);
      System.arraycopy(words, gap, spread, 8 - (count - gap), count - gap);
      return spread;
    }
  }
}
