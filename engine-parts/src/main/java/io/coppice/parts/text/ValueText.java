package io.coppice.parts.text;

import io.coppice.base.bytes.Memory;
import io.coppice.language.text.ByteText;
import io.coppice.language.text.FloatText;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.DateTime64Type;
import io.coppice.language.type.DataType.DateTimeType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.DataType.EnumType;
import io.coppice.language.type.DataType.FixedStringType;
import io.coppice.language.type.DataType.LowCardinalityType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.Time64Type;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;

/**
 * Values as ClickHouse 26.7 prints them with its default settings.
 *
 * <p>Made once per type and style, then used for every row of vectors of that type. Immutable; any
 * thread may use it.
 */
public abstract class ValueText {
  /** How a value is dressed. */
  public enum Style {
    /** As {@code toString} gives it: nothing escaped. */
    PLAIN,
    /** A field of TSV: control characters, backslash and quote escaped. */
    TSV,
    /** Inside an array, tuple or map: strings, dates and the like in single quotes. */
    QUOTED,
    /** A field of CSV: strings, dates and the like in double quotes. */
    CSV,
    /** A value of JSON. */
    JSON,
    /** A field of TSVRaw: as TSV, with nothing escaped. */
    RAW,
    /** For a person to read: nothing escaped, NULL as small letters. */
    SHOWN
  }

  /** Appends row {@code row} of {@code vector}. */
  public abstract void append(FieldVector vector, int row, TextBuffer to);

  /** How all values of a writer look: the zone of times that name none, and the settings. */
  private record Look(ZoneId zone, FormatSettings settings, boolean pretty) {
    boolean is(FormatSetting setting) {
      return settings.is(setting);
    }
  }

  /**
   * The text of values of a type with ClickHouse's default settings.
   *
   * @param zone of DateTime and DateTime64 that name none
   */
  public static ValueText of(DataType type, Style style, ZoneId zone) {
    return of(type, style, zone, FormatSettings.DEFAULT);
  }

  /**
   * The text of values of a type.
   *
   * @param zone of DateTime and DateTime64 that name none
   */
  public static ValueText of(DataType type, Style style, ZoneId zone, FormatSettings settings) {
    return of(type, style, new Look(zone, settings, false));
  }

  /** The text of values in tables for a person: tuples with names are objects over many lines. */
  static ValueText pretty(DataType type, ZoneId zone, FormatSettings settings) {
    return of(type, Style.SHOWN, new Look(zone, settings, true));
  }

  private static ValueText of(DataType type, Style style, Look look) {
    DataType storage = type.storage();
    if (storage instanceof LowCardinalityType t) {
      return of(t.inner(), style, look);
    }
    if (storage instanceof NullableType t) {
      return new NullText(of(t.inner(), style, look), nullText(style, look));
    }
    if (storage instanceof ArrayType t) {
      return new ListText(of(t.element(), inner(style), look), style);
    }
    if (storage instanceof MapType t) {
      boolean json = style == Style.JSON;
      ValueText key =
          json ? new JsonKeyText(of(t.key(), Style.PLAIN, look)) : of(t.key(), Style.QUOTED, look);
      return new MapText(key, of(t.value(), inner(style), look), style);
    }
    if (storage instanceof TupleType t) {
      List<ValueText> elements = new ArrayList<>();
      Style elementStyle = style == Style.CSV ? Style.CSV : inner(style);
      for (DataType.Element element : t.elements()) {
        elements.add(of(element.type(), elementStyle, look));
      }
      boolean named = !t.elements().isEmpty() && t.elements().get(0).name().isPresent();
      if (named && look.pretty()) {
        return JsonValues.indented(
            t, new BatchWriter.Options(look.zone(), look.settings(), false), "  ", 0);
      }
      if (style == Style.JSON && named && look.is(FormatSetting.JSON_NAMED_TUPLES)) {
        List<byte[]> names = new ArrayList<>();
        for (int i = 0; i < t.elements().size(); i++) {
          names.add(jsonKey(t.elementName(i)));
        }
        return new JsonObjectText(names, elements);
      }
      return new TupleText(
          elements, style, (byte) look.settings().text(FormatSetting.CSV_DELIMITER).charAt(0));
    }
    return leaf(storage, style, look);
  }

  private static Style inner(Style style) {
    return style == Style.JSON ? Style.JSON : Style.QUOTED;
  }

  private static byte[] nullText(Style style, Look look) {
    return ByteText.bytes(
        switch (style) {
          case TSV, RAW -> look.settings().text(FormatSetting.TSV_NULL);
          case CSV -> look.settings().text(FormatSetting.CSV_NULL);
          case QUOTED, PLAIN -> "NULL";
          case JSON -> "null";
          case SHOWN -> "ᴺᵁᴸᴸ";
        });
  }

  private static ValueText leaf(DataType type, Style style, Look look) {
    if (type == PlainType.STRING || type instanceof FixedStringType) {
      return new StringText(style);
    }
    if (type instanceof EnumType t) {
      Map<Integer, byte[]> names = new HashMap<>();
      for (EnumType.Entry entry : t.entries()) {
        TextBuffer name = new TextBuffer();
        byte[] bytes = ByteText.bytes(entry.name());
        appendString(bytes, 0, bytes.length, style, name);
        names.put(entry.value(), name.toByteArray());
      }
      return new EnumText(names, t.widthBytes());
    }
    ValueText plain = plainLeaf(type, style, look);
    boolean dressed =
        type == PlainType.DATE
            || type == PlainType.DATE32
            || type == PlainType.TIME
            || type == PlainType.UUID
            || type == PlainType.IPV4
            || type == PlainType.IPV6
            || type instanceof Time64Type
            || type instanceof DateTimeType
            || type instanceof DateTime64Type;
    if (!dressed || !dresses(style)) {
      return plain;
    }
    return new DressedText(plain, style == Style.QUOTED ? '\'' : '"');
  }

  private static boolean dresses(Style style) {
    return style == Style.QUOTED || style == Style.CSV || style == Style.JSON;
  }

  /** In quotes if a setting of JSON says so. */
  private static ValueText quotedIf(
      ValueText number, Style style, Look look, FormatSetting setting) {
    return style == Style.JSON && look.is(setting) ? new DressedText(number, '"') : number;
  }

  private static ValueText plainLeaf(DataType type, Style style, Look look) {
    ZoneId zone = look.zone();
    if (type instanceof PlainType p) {
      switch (p) {
        case BOOL -> {
          boolean fixed = style == Style.JSON || style == Style.PLAIN || style == Style.QUOTED;
          return new BoolText(
              fixed ? "true" : look.settings().text(FormatSetting.BOOL_TRUE),
              fixed ? "false" : look.settings().text(FormatSetting.BOOL_FALSE));
        }
        case FLOAT32, FLOAT64, BFLOAT16 -> {
          boolean json = style == Style.JSON;
          boolean quoted =
              json && p == PlainType.FLOAT64 && look.is(FormatSetting.JSON_QUOTE_64BIT_FLOATS);
          return new FloatValueText(
              p, json, quoted, json && look.is(FormatSetting.JSON_QUOTE_DENORMALS));
        }
        case DATE, DATE32 -> {
          return new DateText();
        }
        case TIME -> {
          return new TimeText(0, 4);
        }
        case UUID -> {
          return new UuidText();
        }
        case IPV4 -> {
          return new Ipv4Text();
        }
        case IPV6 -> {
          return new Ipv6Text();
        }
        case NOTHING -> {
          return new NothingText();
        }
        default -> {
          ValueText number =
              p.widthBytes() > 8 ? new WideIntegerText(p) : new IntegerText(p.signed());
          return p.widthBytes() >= 8
              ? quotedIf(number, style, look, FormatSetting.JSON_QUOTE_64BIT_INTEGERS)
              : number;
        }
      }
    }
    if (type instanceof DecimalType t) {
      return quotedIf(new DecimalText(t), style, look, FormatSetting.JSON_QUOTE_DECIMALS);
    }
    if (type instanceof DateTimeType t) {
      return dateTime(0, 4, t.zone().map(ZoneId::of).orElse(zone), look);
    }
    if (type instanceof DateTime64Type t) {
      return dateTime(t.scale(), 8, t.zone().map(ZoneId::of).orElse(zone), look);
    }
    if (type instanceof Time64Type t) {
      return new TimeText(t.scale(), 8);
    }
    return new IntegerText(true); // intervals
  }

  /** The text of keys of maps in JSON. */
  static ValueText jsonMapKey(DataType key, ZoneId zone, FormatSettings settings) {
    return new JsonKeyText(of(key, Style.PLAIN, zone, settings));
  }

  private static ValueText dateTime(int scale, int width, ZoneId zone, Look look) {
    return switch (look.settings().text(FormatSetting.DATE_TIME_OUTPUT)) {
      case "iso" -> new DateTimeText(scale, width, ZoneOffset.UTC, 'T', "Z");
      case "unix_timestamp" -> new UnixTimeText(scale, width);
      default -> new DateTimeText(scale, width, zone, ' ', "");
    };
  }

  static byte[] jsonKey(String name) {
    TextBuffer buffer = new TextBuffer();
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    appendString(bytes, 0, bytes.length, Style.JSON, buffer);
    return buffer.toByteArray();
  }

  private static long data(FieldVector vector) {
    return vector.getDataBuffer().memoryAddress();
  }

  /** Appends a string in a style. */
  static void appendString(byte[] bytes, int offset, int length, Style style, TextBuffer to) {
    switch (style) {
      case PLAIN, RAW, SHOWN -> to.put(bytes, offset, length);
      case TSV -> appendEscaped(bytes, offset, length, to);
      case QUOTED -> {
        to.put('\'');
        appendEscaped(bytes, offset, length, to);
        to.put('\'');
      }
      case CSV -> {
        to.put('"');
        for (int i = offset; i < offset + length; i++) {
          if (bytes[i] == '"') {
            to.put('"');
          }
          to.put(bytes[i]);
        }
        to.put('"');
      }
      case JSON -> appendJson(bytes, offset, length, to);
    }
  }

  private static void appendEscaped(byte[] bytes, int offset, int length, TextBuffer to) {
    int start = offset;
    int end = offset + length;
    for (int i = offset; i < end; i++) {
      int escape =
          switch (bytes[i]) {
            case '\b' -> 'b';
            case '\f' -> 'f';
            case '\n' -> 'n';
            case '\r' -> 'r';
            case '\t' -> 't';
            case 0 -> '0';
            case '\\' -> '\\';
            case '\'' -> '\'';
            default -> 0;
          };
      if (escape != 0) {
        to.put(bytes, start, i - start);
        to.put('\\');
        to.put(escape);
        start = i + 1;
      }
    }
    to.put(bytes, start, end - start);
  }

  private static void appendJson(byte[] bytes, int offset, int length, TextBuffer to) {
    to.put('"');
    int end = offset + length;
    for (int i = offset; i < end; i++) {
      byte b = bytes[i];
      switch (b) {
        case '\b' -> to.put("\\b");
        case '\f' -> to.put("\\f");
        case '\n' -> to.put("\\n");
        case '\r' -> to.put("\\r");
        case '\t' -> to.put("\\t");
        case '\\' -> to.put("\\\\");
        case '/' -> to.put("\\/");
        case '"' -> to.put("\\\"");
        default -> {
          if (b >= 0 && b < 0x20) {
            to.put("\\u00");
            to.put("0123456789ABCDEF".charAt(b >> 4));
            to.put("0123456789ABCDEF".charAt(b & 15));
          } else if (b == (byte) 0xE2
              && i + 2 < end
              && bytes[i + 1] == (byte) 0x80
              && (bytes[i + 2] == (byte) 0xA8 || bytes[i + 2] == (byte) 0xA9)) {
            // Line separators of Unicode break JavaScript that reads JSON.
            to.put(bytes[i + 2] == (byte) 0xA8 ? "\\u2028" : "\\u2029");
            i += 2;
          } else {
            to.put(b);
          }
        }
      }
    }
    to.put('"');
  }

  private static final class NullText extends ValueText {
    private final ValueText inner;
    private final byte[] text;

    NullText(ValueText inner, byte[] text) {
      this.inner = inner;
      this.text = text;
    }

    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {
      if (vector.isNull(row)) {
        to.put(text, 0, text.length);
      } else {
        inner.append(vector, row, to);
      }
    }
  }

  private static final class NothingText extends ValueText {
    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {}
  }

  private static final class StringText extends ValueText {
    private final Style style;

    StringText(Style style) {
      this.style = style;
    }

    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {
      long at;
      int size;
      if (vector instanceof BaseFixedWidthVector fixed) {
        size = fixed.getTypeWidth();
        at = data(vector) + (long) row * size;
      } else {
        long offsets = vector.getOffsetBuffer().memoryAddress() + row * 4L;
        int start = Memory.getInt(offsets);
        size = Memory.getInt(offsets + 4) - start;
        at = data(vector) + start;
      }
      if (style == Style.PLAIN || style == Style.RAW || style == Style.SHOWN) {
        to.put(at, size);
        return;
      }
      byte[] bytes = new byte[size];
      Memory.copy(at, bytes, 0, size);
      appendString(bytes, 0, size, style, to);
    }
  }

  private static final class EnumText extends ValueText {
    private final Map<Integer, byte[]> names;
    private final int width;

    EnumText(Map<Integer, byte[]> names, int width) {
      this.names = names;
      this.width = width;
    }

    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {
      int value =
          width == 1
              ? Memory.getByte(data(vector) + row)
              : Memory.getShort(data(vector) + row * 2L);
      byte[] name = names.get(value);
      if (name == null) {
        to.putLong(value); // a number that has no name, as a damaged part may hold
      } else {
        to.put(name, 0, name.length);
      }
    }
  }

  private static final class DressedText extends ValueText {
    private final ValueText plain;
    private final int quote;

    DressedText(ValueText plain, int quote) {
      this.plain = plain;
      this.quote = quote;
    }

    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {
      to.put(quote);
      plain.append(vector, row, to);
      to.put(quote);
    }
  }

  private static final class BoolText extends ValueText {
    private final byte[] yes;
    private final byte[] no;

    BoolText(String yes, String no) {
      this.yes = ByteText.bytes(yes);
      this.no = ByteText.bytes(no);
    }

    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {
      boolean set =
          vector instanceof BitVector bits
              ? bits.get(row) != 0
              : Memory.getByte(data(vector) + row) != 0;
      byte[] text = set ? yes : no;
      to.put(text, 0, text.length);
    }
  }

  private static final class IntegerText extends ValueText {
    private final boolean signed;

    IntegerText(boolean signed) {
      this.signed = signed;
    }

    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {
      int width = ((BaseFixedWidthVector) vector).getTypeWidth();
      long at = data(vector) + (long) row * width;
      switch (width) {
        case 1 -> to.putLong(signed ? Memory.getByte(at) : Memory.getByte(at) & 0xFF);
        case 2 -> to.putLong(signed ? Memory.getShort(at) : Memory.getShort(at) & 0xFFFF);
        case 4 -> to.putLong(signed ? Memory.getInt(at) : Memory.getInt(at) & 0xFFFFFFFFL);
        default -> {
          long value = Memory.getLong(at);
          if (signed || value >= 0) {
            to.putLong(value);
          } else {
            to.put(Long.toUnsignedString(value));
          }
        }
      }
    }
  }

  /** A little-endian integer of any width at an address. */
  static BigInteger wide(long at, int width, boolean signed) {
    byte[] bytes = new byte[width];
    for (int i = 0; i < width; i++) {
      bytes[width - 1 - i] = Memory.getByte(at + i);
    }
    return signed ? new BigInteger(bytes) : new BigInteger(1, bytes);
  }

  private static final class WideIntegerText extends ValueText {
    private final PlainType type;

    WideIntegerText(PlainType type) {
      this.type = type;
    }

    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {
      int width = type.widthBytes();
      to.put(wide(data(vector) + (long) row * width, width, type.signed()).toString());
    }
  }

  private static final class FloatValueText extends ValueText {
    private final PlainType type;
    private final boolean json;
    private final boolean quoted;
    private final boolean quotedDenormals;

    FloatValueText(PlainType type, boolean json, boolean quoted, boolean quotedDenormals) {
      this.type = type;
      this.json = json;
      this.quoted = quoted;
      this.quotedDenormals = quotedDenormals;
    }

    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {
      String text;
      boolean finite;
      if (type == PlainType.FLOAT64) {
        double value = Double.longBitsToDouble(Memory.getLong(data(vector) + row * 8L));
        text = FloatText.of(value);
        finite = Double.isFinite(value);
      } else {
        int bits =
            type == PlainType.FLOAT32
                ? Memory.getInt(data(vector) + row * 4L)
                : Memory.getShort(data(vector) + row * 2L) << 16;
        float value = Float.intBitsToFloat(bits);
        text = FloatText.of(value);
        finite = Float.isFinite(value);
      }
      if (json && !finite && !quotedDenormals) {
        to.put("null");
      } else if (quoted || json && !finite) {
        to.put('"');
        to.put(text);
        to.put('"');
      } else {
        to.put(text);
      }
    }
  }

  private static final class DecimalText extends ValueText {
    private final DecimalType type;

    DecimalText(DecimalType type) {
      this.type = type;
    }

    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {
      int width = ((BaseFixedWidthVector) vector).getTypeWidth();
      BigInteger value = wide(data(vector) + (long) row * width, width, true);
      if (value.signum() == 0) {
        to.put('0');
        return;
      }
      to.put(new BigDecimal(value, type.scale()).stripTrailingZeros().toPlainString());
    }
  }

  // ClickHouse prints what lies outside the years 0 to 9999 as their first or last day.
  private static final long FIRST_DAY = -719_528;
  private static final long LAST_DAY = 2_932_896;
  private static final long DAY_SECONDS = 86_400;
  private static final long MOST_TIME_SECONDS = 3_599_999; // 999:59:59

  private static void appendDate(long given, TextBuffer to) {
    long day = Math.max(FIRST_DAY, Math.min(LAST_DAY, given));
    LocalDate date = LocalDate.ofEpochDay(day);
    to.putPadded(date.getYear(), 4);
    to.put('-');
    to.putPadded(date.getMonthValue(), 2);
    to.put('-');
    to.putPadded(date.getDayOfMonth(), 2);
  }

  private static final class DateText extends ValueText {
    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {
      appendDate(Memory.getInt(data(vector) + row * 4L), to);
    }
  }

  private static void appendTimeOfDay(long seconds, TextBuffer to) {
    to.putPadded(seconds / 3600, 2);
    to.put(':');
    to.putPadded(seconds / 60 % 60, 2);
    to.put(':');
    to.putPadded(seconds % 60, 2);
  }

  private static long tenTo(int scale) {
    long power = 1;
    for (int i = 0; i < scale; i++) {
      power *= 10;
    }
    return power;
  }

  private static final class DateTimeText extends ValueText {
    private final int scale;
    private final long ticks;
    private final int width;
    private final ZoneId zone;
    private final char between;
    private final String behind;

    DateTimeText(int scale, int width, ZoneId zone, char between, String behind) {
      this.scale = scale;
      this.ticks = tenTo(scale);
      this.width = width;
      this.zone = zone;
      this.between = between;
      this.behind = behind;
    }

    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {
      long value =
          width == 4
              ? Memory.getInt(data(vector) + row * 4L) & 0xFFFFFFFFL
              : Memory.getLong(data(vector) + row * 8L);
      long seconds = Math.floorDiv(value, ticks);
      long fraction = Math.floorMod(value, ticks);
      long within =
          Math.max((FIRST_DAY - 2) * DAY_SECONDS, Math.min((LAST_DAY + 2) * DAY_SECONDS, seconds));
      int offset = zone.getRules().getOffset(Instant.ofEpochSecond(within)).getTotalSeconds();
      long local =
          Math.max(
              FIRST_DAY * DAY_SECONDS, Math.min((LAST_DAY + 1) * DAY_SECONDS - 1, within + offset));
      appendDate(Math.floorDiv(local, DAY_SECONDS), to);
      to.put(between);
      appendTimeOfDay(Math.floorMod(local, DAY_SECONDS), to);
      if (scale > 0) {
        to.put('.');
        to.putPadded(fraction, scale);
      }
      to.put(behind);
    }
  }

  /** A time as seconds since 1970. */
  private static final class UnixTimeText extends ValueText {
    private final int scale;
    private final long ticks;
    private final int width;

    UnixTimeText(int scale, int width) {
      this.scale = scale;
      this.ticks = tenTo(scale);
      this.width = width;
    }

    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {
      long value =
          width == 4
              ? Memory.getInt(data(vector) + row * 4L) & 0xFFFFFFFFL
              : Memory.getLong(data(vector) + row * 8L);
      if (value < 0) {
        to.put('-');
      }
      to.putLong(Math.abs(value / ticks));
      if (scale > 0) {
        to.put('.');
        to.putPadded(Math.abs(value % ticks), scale);
      }
    }
  }

  private static final class TimeText extends ValueText {
    private final int scale;
    private final long ticks;
    private final int width;

    TimeText(int scale, int width) {
      this.scale = scale;
      this.ticks = tenTo(scale);
      this.width = width;
    }

    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {
      long value =
          width == 4
              ? Memory.getInt(data(vector) + row * 4L)
              : Memory.getLong(data(vector) + row * 8L);
      if (value < 0) {
        to.put('-');
      }
      long seconds = Math.max(-MOST_TIME_SECONDS, Math.min(MOST_TIME_SECONDS, value / ticks));
      appendTimeOfDay(Math.abs(seconds), to);
      if (scale > 0) {
        to.put('.');
        to.putPadded(Math.abs(value % ticks), scale);
      }
    }
  }

  private static final class UuidText extends ValueText {
    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {
      long at = data(vector) + row * 16L;
      to.put(new java.util.UUID(Memory.getLong(at), Memory.getLong(at + 8)).toString());
    }
  }

  private static final class Ipv4Text extends ValueText {
    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {
      int value = Memory.getInt(data(vector) + row * 4L);
      for (int shift = 24; shift >= 0; shift -= 8) {
        to.putLong(value >>> shift & 0xFF);
        if (shift > 0) {
          to.put('.');
        }
      }
    }
  }

  private static final class Ipv6Text extends ValueText {
    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {
      long at = data(vector) + row * 16L;
      int[] words = new int[8];
      for (int i = 0; i < 8; i++) {
        words[i] =
            (Memory.getByte(at + 2L * i) & 0xFF) << 8 | Memory.getByte(at + 2L * i + 1) & 0xFF;
      }
      int bestStart = -1;
      int bestLength = 1;
      for (int i = 0; i < 8; i++) {
        int j = i;
        while (j < 8 && words[j] == 0) {
          j++;
        }
        if (j - i > bestLength) {
          bestStart = i;
          bestLength = j - i;
        }
        i = Math.max(i, j);
      }
      for (int i = 0; i < 8; i++) {
        if (bestStart >= 0 && i >= bestStart && i < bestStart + bestLength) {
          if (i == bestStart) {
            to.put(':');
          }
          continue;
        }
        if (i > 0) {
          to.put(':');
        }
        boolean mapped = bestLength == 5 && words[5] == 0xFFFF;
        if (i == 6 && bestStart == 0 && (bestLength == 6 || mapped)) {
          to.putLong(words[6] >> 8);
          to.put('.');
          to.putLong(words[6] & 0xFF);
          to.put('.');
          to.putLong(words[7] >> 8);
          to.put('.');
          to.putLong(words[7] & 0xFF);
          return;
        }
        to.put(Integer.toHexString(words[i]));
      }
      if (bestStart >= 0 && bestStart + bestLength == 8) {
        to.put(':');
      }
    }
  }

  private static final class ListText extends ValueText {
    private final ValueText element;
    private final Style style;

    ListText(ValueText element, Style style) {
      this.element = element;
      this.style = style;
    }

    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {
      TextBuffer out = style == Style.CSV ? new TextBuffer() : to;
      long offsets = vector.getOffsetBuffer().memoryAddress() + row * 4L;
      FieldVector elements = ((ListVector) vector).getDataVector();
      int end = Memory.getInt(offsets + 4);
      out.put('[');
      for (int i = Memory.getInt(offsets); i < end; i++) {
        element.append(elements, i, out);
        if (i + 1 < end) {
          out.put(',');
        }
      }
      out.put(']');
      quoteIfCsv(style, out, to);
    }
  }

  private static void quoteIfCsv(Style style, TextBuffer text, TextBuffer to) {
    if (style == Style.CSV) {
      appendString(text.array(), 0, text.size(), Style.CSV, to);
    }
  }

  private static final class MapText extends ValueText {
    private final ValueText key;
    private final ValueText value;
    private final Style style;

    MapText(ValueText key, ValueText value, Style style) {
      this.key = key;
      this.value = value;
      this.style = style;
    }

    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {
      TextBuffer out = style == Style.CSV ? new TextBuffer() : to;
      long offsets = vector.getOffsetBuffer().memoryAddress() + row * 4L;
      List<FieldVector> pair = ((ListVector) vector).getDataVector().getChildrenFromFields();
      int end = Memory.getInt(offsets + 4);
      out.put('{');
      for (int i = Memory.getInt(offsets); i < end; i++) {
        key.append(pair.get(0), i, out);
        out.put(':');
        value.append(pair.get(1), i, out);
        if (i + 1 < end) {
          out.put(',');
        }
      }
      out.put('}');
      quoteIfCsv(style, out, to);
    }
  }

  private static final class JsonKeyText extends ValueText {
    private final ValueText plain;

    JsonKeyText(ValueText plain) {
      this.plain = plain;
    }

    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {
      TextBuffer text = new TextBuffer();
      plain.append(vector, row, text);
      appendString(text.array(), 0, text.size(), Style.JSON, to);
    }
  }

  private static final class TupleText extends ValueText {
    private final List<ValueText> elements;
    private final Style style;
    private final int separator;

    TupleText(List<ValueText> elements, Style style, int csvDelimiter) {
      this.elements = elements;
      this.style = style;
      this.separator = style == Style.CSV ? csvDelimiter : ',';
    }

    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {
      List<FieldVector> children = vector.getChildrenFromFields();
      // In CSV the elements of a tuple are fields of their own.
      boolean bare = style == Style.CSV;
      if (!bare) {
        to.put(style == Style.JSON ? '[' : '(');
      }
      for (int i = 0; i < elements.size(); i++) {
        if (i > 0) {
          to.put(separator);
        }
        elements.get(i).append(children.get(i), row, to);
      }
      if (!bare) {
        to.put(style == Style.JSON ? ']' : ')');
      }
    }
  }

  private static final class JsonObjectText extends ValueText {
    private final List<byte[]> names;
    private final List<ValueText> elements;

    JsonObjectText(List<byte[]> names, List<ValueText> elements) {
      this.names = names;
      this.elements = elements;
    }

    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {
      List<FieldVector> children = vector.getChildrenFromFields();
      to.put('{');
      for (int i = 0; i < elements.size(); i++) {
        if (i > 0) {
          to.put(',');
        }
        to.put(names.get(i), 0, names.get(i).length);
        to.put(':');
        elements.get(i).append(children.get(i), row, to);
      }
      to.put('}');
    }
  }
}
