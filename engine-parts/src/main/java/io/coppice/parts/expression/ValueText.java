package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.text.ByteText;
import io.coppice.language.text.FloatText;
import io.coppice.language.text.Identifiers;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.DateTime64Type;
import io.coppice.language.type.DataType.DateTimeType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.DataType.EnumType;
import io.coppice.language.type.DataType.FixedStringType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.Time64Type;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values of every type as text, as toString prints and CAST reads them. */
final class ValueText {
  private static final Pattern FLOAT =
      Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)(e[+-]?[0-9]+)?");
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]{1,3})?");
  private static final Pattern TIMESTAMP = Pattern.compile("-?[0-9]{1,10}(\\.[0-9]{1,9})?");
  private static final Pattern CLOCK =
      Pattern.compile("[ T]([0-9]{2}):([0-9]{2}):([0-9]{2})(\\.[0-9]+)?Z?");
  private static final Pattern DURATION =
      Pattern.compile("(-?)([0-9]{1,3}):([0-9]{1,2}):([0-9]{1,2})(\\.[0-9]+)?");

  private ValueText() {}

  // Printing

  /** The text of one value; strings inside of arrays and tuples are quoted. */
  static void print(Values values, int row, DataType type, String zone, StringBuilder out) {
    DataType inner = Types.notNull(Types.bare(type));
    if (values.isNull(row)) {
      out.append("NULL");
    } else if (inner instanceof ArrayType array) {
      Values.Lists lists = (Values.Lists) values;
      out.append('[');
      for (int i = lists.offsets[lists.at(row)]; i < lists.offsets[lists.at(row) + 1]; i++) {
        out.append(i > lists.offsets[lists.at(row)] ? "," : "");
        nested(lists.elements, i, array.element(), zone, out);
      }
      out.append(']');
    } else if (inner instanceof MapType map) {
      Values.Lists lists = (Values.Lists) values;
      Values.Tuples pairs = (Values.Tuples) lists.elements;
      out.append('{');
      for (int i = lists.offsets[lists.at(row)]; i < lists.offsets[lists.at(row) + 1]; i++) {
        out.append(i > lists.offsets[lists.at(row)] ? "," : "");
        nested(pairs.elements.get(0), i, map.key(), zone, out);
        out.append(':');
        nested(pairs.elements.get(1), i, map.value(), zone, out);
      }
      out.append('}');
    } else if (inner instanceof TupleType tuple) {
      Values.Tuples tuples = (Values.Tuples) values;
      out.append('(');
      for (int i = 0; i < tuple.elements().size(); i++) {
        out.append(i > 0 ? "," : "");
        nested(tuples.elements.get(i), tuples.at(row), tuple.elements().get(i).type(), zone, out);
      }
      out.append(')');
    } else if (values instanceof Values.Strings strings) {
      if (inner == PlainType.UUID) {
        uuid(strings.bytes, strings.from(row), out);
      } else if (inner == PlainType.IPV6) {
        out.append(IpText.ipv6(strings.get(row)));
      } else {
        out.append(ByteText.of(strings.get(row)));
      }
    } else if (values instanceof Values.Doubles doubles) {
      double value = doubles.values[doubles.at(row)];
      out.append(inner == PlainType.FLOAT64 ? FloatText.of(value) : FloatText.of((float) value));
    } else if (values instanceof Values.Bigs bigs) {
      BigInteger value = bigs.values[bigs.at(row)];
      out.append(inner instanceof DecimalType ? decimal(value, Types.scale(inner)) : value);
    } else {
      printLong(((Values.Longs) values).values[values.at(row)], inner, zone, out);
    }
  }

  private static void nested(
      Values values, int row, DataType type, String zone, StringBuilder out) {
    DataType inner = Types.notNull(Types.bare(type));
    boolean quoted =
        !values.isNull(row)
            && (values instanceof Values.Strings
                || Types.dateLike(inner)
                || inner instanceof EnumType
                || inner == PlainType.IPV4
                || inner == PlainType.TIME
                || inner instanceof Time64Type);
    if (!quoted) {
      print(values, row, type, zone, out);
      return;
    }
    StringBuilder text = new StringBuilder();
    print(values, row, type, zone, text);
    boolean free =
        (values instanceof Values.Strings && Types.string(inner)) || inner instanceof EnumType;
    out.append(free ? Identifiers.quoteString(text.toString()) : "'" + text + "'");
  }

  private static void printLong(long value, DataType type, String zone, StringBuilder out) {
    if (type == PlainType.UINT64) {
      out.append(Long.toUnsignedString(value));
    } else if (type == PlainType.BOOL) {
      out.append(value != 0);
    } else if (type == PlainType.DATE || type == PlainType.DATE32) {
      date(value, out);
    } else if (type instanceof DateTimeType time) {
      long local = Calendar.of(time.zone().orElse(zone)).local(value);
      dateTime(local, out);
    } else if (type instanceof DateTime64Type time) {
      long ticks = Numbers.power10(time.scale()).longValueExact();
      long seconds = Math.floorDiv(value, ticks);
      dateTime(Calendar.of(time.zone().orElse(zone)).local(seconds), out);
      fraction(Math.floorMod(value, ticks), time.scale(), out);
    } else if (type == PlainType.TIME) {
      time(value, out);
    } else if (type instanceof Time64Type time) {
      long ticks = Numbers.power10(time.scale()).longValueExact();
      if (value < 0) {
        out.append('-');
      }
      time(Math.abs(value) / ticks, out);
      fraction(Math.abs(value) % ticks, time.scale(), out);
    } else if (type instanceof EnumType enumeration) {
      out.append(enumName(enumeration, value));
    } else if (type == PlainType.IPV4) {
      out.append(value >>> 24)
          .append('.')
          .append(value >>> 16 & 255)
          .append('.')
          .append(value >>> 8 & 255)
          .append('.')
          .append(value & 255);
    } else if (type instanceof DecimalType decimal) {
      out.append(decimal(BigInteger.valueOf(value), decimal.scale()));
    } else {
      out.append(value);
    }
  }

  private static String decimal(BigInteger value, int scale) {
    String text = new BigDecimal(value, scale).toPlainString();
    if (scale == 0 || !text.contains(".")) {
      return text;
    }
    // Zeros at the end are not printed.
    int end = text.length();
    while (text.charAt(end - 1) == '0') {
      end--;
    }
    return text.substring(0, text.charAt(end - 1) == '.' ? end - 1 : end);
  }

  private static String enumName(EnumType type, long value) {
    for (EnumType.Entry entry : type.entries()) {
      if (entry.value() == value) {
        return entry.name();
      }
    }
    throw EngineException.of(ErrorCode.BAD_ARGUMENTS, "%d is no element of %s", value, type.text());
  }

  private static void date(long day, StringBuilder out) {
    int ymd = Calendar.ymd(day);
    digits(Calendar.year(ymd), 4, out);
    out.append('-');
    digits(Calendar.month(ymd), 2, out);
    out.append('-');
    digits(Calendar.day(ymd), 2, out);
  }

  private static void dateTime(long local, StringBuilder out) {
    date(Math.floorDiv(local, 86400L), out);
    long second = Math.floorMod(local, 86400L);
    out.append(' ');
    digits(second / 3600, 2, out);
    out.append(':');
    digits(second / 60 % 60, 2, out);
    out.append(':');
    digits(second % 60, 2, out);
  }

  private static void time(long value, StringBuilder out) {
    if (value < 0) {
      out.append('-');
    }
    long seconds = Math.abs(value);
    digits(seconds / 3600, 2, out);
    out.append(':');
    digits(seconds / 60 % 60, 2, out);
    out.append(':');
    digits(seconds % 60, 2, out);
  }

  private static void fraction(long ticks, int scale, StringBuilder out) {
    if (scale > 0) {
      out.append('.');
      digits(ticks, scale, out);
    }
  }

  private static void digits(long value, int count, StringBuilder out) {
    String text = Long.toString(value);
    out.append("0".repeat(Math.max(0, count - text.length()))).append(text);
  }

  private static void uuid(byte[] bytes, int from, StringBuilder out) {
    for (int half = 0; half < 2; half++) {
      for (int i = 7; i >= 0; i--) {
        int b = bytes[from + half * 8 + i] & 0xff;
        out.append(Character.forDigit(b >> 4, 16)).append(Character.forDigit(b & 15, 16));
        int at = half * 8 + 7 - i;
        if (at == 3 || at == 5 || at == 7 || at == 9) {
          out.append('-');
        }
      }
    }
  }

  // Reading

  /** A reader of one type's text: whole strings, no blanks around. */
  interface Reader<T> {
    T read(String text);
  }

  static EngineException cannot(ErrorCode code, String text, DataType type) {
    String shown = text.length() > 60 ? text.substring(0, 60) + "…" : text;
    return EngineException.of(
        code, "cannot read %s as %s", Identifiers.quoteString(shown), type.text());
  }

  /** Integers of 64 bits at most, times and enums. */
  static Reader<Long> longs(DataType type, String zone) {
    if (type == PlainType.BOOL) {
      return text ->
          switch (text.toLowerCase(java.util.Locale.ROOT)) {
            case "true", "1", "yes", "on", "t", "y", "enable", "enabled" -> 1L;
            case "false", "0", "no", "off", "f", "n", "disable", "disabled" -> 0L;
            default -> throw cannot(ErrorCode.CANNOT_PARSE_BOOL, text, type);
          };
    }
    if (Types.integer(type)) {
      return text -> Types.wrap(whole(text, type), type).longValue();
    }
    if (type == PlainType.DATE || type == PlainType.DATE32) {
      return text -> day(text, type);
    }
    if (type instanceof DateTimeType time) {
      Calendar calendar = Calendar.of(time.zone().orElse(zone));
      return text -> {
        BigDecimal seconds = seconds(text, calendar, type);
        long whole = seconds.setScale(0, RoundingMode.FLOOR).longValue();
        return Math.max(0, Math.min(0xffffffffL, whole));
      };
    }
    if (type instanceof DateTime64Type time) {
      Calendar calendar = Calendar.of(time.zone().orElse(zone));
      return text -> {
        BigInteger ticks =
            seconds(text, calendar, type)
                .movePointRight(time.scale())
                .setScale(0, RoundingMode.FLOOR)
                .toBigInteger();
        if (ticks.bitLength() > 63) {
          throw cannot(ErrorCode.DECIMAL_OVERFLOW, text, type);
        }
        return ticks.longValue();
      };
    }
    if (type == PlainType.TIME || type instanceof Time64Type) {
      return text -> time(text, type);
    }
    if (type instanceof EnumType enumeration) {
      Map<String, Long> values = new HashMap<>();
      enumeration.entries().forEach(e -> values.put(e.name(), (long) e.value()));
      return text -> {
        Long value = values.get(text);
        if (value == null) {
          throw cannot(ErrorCode.UNKNOWN_ELEMENT_OF_ENUM, text, type);
        }
        return value;
      };
    }
    if (type == PlainType.IPV4) {
      return text -> {
        long value = IpText.readIpv4(text);
        if (value < 0) {
          throw cannot(ErrorCode.CANNOT_PARSE_IPV4, text, type);
        }
        return value;
      };
    }
    if (type instanceof DecimalType decimal) {
      return text -> decimal(text, decimal).longValueExact();
    }
    return text -> whole(text, type).longValue();
  }

  static BigInteger whole(String text, DataType type) {
    int start = !text.isEmpty() && (text.charAt(0) == '-' || text.charAt(0) == '+') ? 1 : 0;
    boolean digits = text.length() > start && text.length() < 120;
    for (int i = start; i < text.length() && digits; i++) {
      digits = text.charAt(i) >= '0' && text.charAt(i) <= '9';
    }
    boolean negative = text.startsWith("-") && !Types.signed(type) && type instanceof PlainType;
    if (!digits || negative) {
      boolean sign = negative || text.equals("-") || text.equals("+");
      throw cannot(
          text.isEmpty()
              ? ErrorCode.ATTEMPT_TO_READ_AFTER_EOF
              : sign ? ErrorCode.CANNOT_PARSE_NUMBER : ErrorCode.CANNOT_PARSE_TEXT,
          text,
          type);
    }
    return new BigInteger(text);
  }

  static double floating(String text, DataType type) {
    String lower = text.toLowerCase(java.util.Locale.ROOT);
    switch (lower) {
      case "nan", "+nan" -> {
        return Double.NaN;
      }
      case "-nan" -> {
        return FloatText.NEGATIVE_NAN;
      }
      case "inf", "+inf", "infinity", "+infinity" -> {
        return Double.POSITIVE_INFINITY;
      }
      case "-inf", "-infinity" -> {
        return Double.NEGATIVE_INFINITY;
      }
      default -> {}
    }
    if (!FLOAT.matcher(lower).matches()) {
      boolean begun = !text.isEmpty() && "+-.0123456789".indexOf(text.charAt(0)) >= 0;
      throw cannot(begun ? ErrorCode.CANNOT_PARSE_TEXT : ErrorCode.CANNOT_PARSE_NUMBER, text, type);
    }
    return type == PlainType.FLOAT64 ? Double.parseDouble(lower) : Float.parseFloat(lower);
  }

  static BigInteger decimal(String text, DecimalType type) {
    if (!DECIMAL.matcher(text).matches() || text.length() > 400) {
      throw cannot(
          text.isEmpty() ? ErrorCode.ATTEMPT_TO_READ_AFTER_EOF : ErrorCode.CANNOT_PARSE_TEXT,
          text,
          type);
    }
    BigInteger value =
        new BigDecimal(text).setScale(type.scale(), RoundingMode.DOWN).unscaledValue();
    if (value.abs().compareTo(Numbers.power10(type.precision())) >= 0) {
      throw cannot(ErrorCode.ARGUMENT_OUT_OF_BOUND, text, type);
    }
    return value;
  }

  private static long day(String text, DataType type) {
    int[] parts = dateParts(text);
    boolean whole = parts != null && parts[3] == text.length();
    if (!whole) {
      // A date and time is cut to its date.
      boolean timeFollows =
          parts != null && (text.charAt(parts[3]) == ' ' || text.charAt(parts[3]) == 'T');
      if (!timeFollows) {
        throw cannot(ErrorCode.CANNOT_PARSE_DATE, text, type);
      }
    }
    boolean possible = parts[1] >= 1 && parts[1] <= 12 && parts[2] >= 1 && parts[2] <= 31;
    // Days that a month lacks count on into the next.
    long day = possible ? Calendar.days(parts[0], parts[1], 1) + parts[2] - 1 : 0;
    if (type == PlainType.DATE) {
      return Math.max(0, Math.min(65535, day));
    }
    return Math.max(Calendar.MIN_DAY, Math.min(Calendar.MAX_DAY, day));
  }

  /** Year, month, day and where they end, or null: 2024-6-1, 2024/06/01 or 20240601. */
  private static int[] dateParts(String text) {
    int[] parts = new int[4];
    boolean together = text.length() > 4 && digit(text, 4);
    int at = 0;
    for (int part = 0; part < 3; part++) {
      int digits = 0;
      int most = part == 0 ? 4 : 2;
      while (digits < most && digit(text, at)) {
        parts[part] = parts[part] * 10 + text.charAt(at) - '0';
        digits++;
        at++;
      }
      if (digits == 0 || ((part == 0 || together) && digits < most)) {
        return null;
      }
      if (part < 2 && !together) {
        if (at >= text.length() || digit(text, at)) {
          return null;
        }
        at++;
      }
    }
    parts[3] = at;
    return parts;
  }

  private static boolean digit(String text, int at) {
    return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
  }

  private static BigDecimal seconds(String text, Calendar calendar, DataType type) {
    int[] date = text.length() >= 8 && text.charAt(4) == '-' ? dateParts(text) : null;
    boolean valid =
        date != null
            && date[1] >= 1
            && date[1] <= 12
            && date[2] >= 1
            && date[2] <= Calendar.daysInMonth(date[0], date[1]);
    if (!valid) {
      if (TIMESTAMP.matcher(text).matches()) {
        return new BigDecimal(text);
      }
      throw cannot(ErrorCode.CANNOT_PARSE_DATETIME, text, type);
    }
    long local = Calendar.days(date[0], date[1], date[2]) * 86400;
    BigDecimal fraction = BigDecimal.ZERO;
    String rest = text.substring(date[3]);
    if (!rest.isEmpty()) {
      Matcher time = CLOCK.matcher(rest);
      if (!time.matches()) {
        throw cannot(ErrorCode.CANNOT_PARSE_DATETIME, text, type);
      }
      local +=
          Integer.parseInt(time.group(1)) * 3600L
              + Integer.parseInt(time.group(2)) * 60L
              + Integer.parseInt(time.group(3));
      if (time.group(4) != null) {
        fraction = new BigDecimal("0" + time.group(4));
      }
    }
    return BigDecimal.valueOf(calendar.utc(local)).add(fraction);
  }

  private static long time(String text, DataType type) {
    Matcher time = DURATION.matcher(text);
    if (!time.matches()) {
      throw cannot(ErrorCode.CANNOT_PARSE_DATETIME, text, type);
    }
    long seconds =
        Integer.parseInt(time.group(2)) * 3600L
            + Integer.parseInt(time.group(3)) * 60L
            + Integer.parseInt(time.group(4));
    BigDecimal value = BigDecimal.valueOf(seconds);
    if (time.group(5) != null) {
      value = value.add(new BigDecimal("0" + time.group(5)));
    }
    long ticks = value.movePointRight(Types.scale(type)).setScale(0, RoundingMode.DOWN).longValue();
    return time.group(1).isEmpty() ? ticks : -ticks;
  }

  /** UUID, IPv6, FixedString: bytes of a fixed size. */
  static byte[] bytes(byte[] text, DataType type) {
    if (type instanceof FixedStringType fixed) {
      if (text.length > fixed.sizeBytes()) {
        throw EngineException.of(
            ErrorCode.TOO_LARGE_STRING_SIZE,
            "string of %d bytes is too long for %s",
            text.length,
            type.text());
      }
      return java.util.Arrays.copyOf(text, fixed.sizeBytes());
    }
    String string = new String(text, StandardCharsets.UTF_8);
    if (type == PlainType.IPV6) {
      byte[] address = IpText.readIpv6(string);
      if (address == null) {
        throw cannot(ErrorCode.CANNOT_PARSE_IPV6, string, type);
      }
      return address;
    }
    String hex = string.replace("-", "");
    if (hex.length() != 32
        || !(string.length() == 36 || string.length() == 32)
        || !hex.chars().allMatch(c -> Character.digit(c, 16) >= 0)) {
      throw cannot(ErrorCode.CANNOT_PARSE_UUID, string, type);
    }
    byte[] out = new byte[16];
    for (int half = 0; half < 2; half++) {
      for (int i = 0; i < 8; i++) {
        int at = half * 16 + i * 2;
        out[half * 8 + 7 - i] = (byte) Integer.parseInt(hex.substring(at, at + 2), 16);
      }
    }
    return out;
  }
}
