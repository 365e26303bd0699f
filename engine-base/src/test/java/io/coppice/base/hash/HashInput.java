package io.coppice.base.hash;

import io.coppice.base.bytes.ByteWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/** The bytes in memory of the plain values of {@code hash_golden.tsv}. */
final class HashInput {
  private static final Map<String, String> OTHERS =
      Map.ofEntries(
          Map.entry("toBFloat16(1.5)", "c03f"),
          Map.entry("toDate('2024-02-29')", "464d"),
          Map.entry("toDate32('1900-01-01')", "219cffff"),
          Map.entry("toDateTime('2024-02-29 12:34:56')", "f079e065"),
          Map.entry("toTime('12:34:56')", "f0b00000"),
          Map.entry(
              "toUUID('01020304-0506-0708-090a-0b0c0d0e0f10')", "0807060504030201100f0e0d0c0b0a09"),
          Map.entry("toIPv4('1.2.3.4')", "04030201"),
          Map.entry("toIPv6('::1')", "00000000000000000000000000000001"),
          Map.entry("toIPv6('2001:db8::1')", "20010db8000000000000000000000001"),
          Map.entry("toFixedString('ab',4)", "61620000"),
          Map.entry("unhex('00ff00')", "00ff00"),
          Map.entry("CAST('b','Enum8(\\'a\\'=-1,\\'b\\'=2)')", "02"),
          Map.entry("CAST('b','Enum16(\\'a\\'=-1,\\'b\\'=300)')", "2c01"),
          Map.entry("true", "01"),
          Map.entry("toDateTime64('2024-02-29 12:34:56.789',3)", "9554dcf48d010000"),
          Map.entry("toIntervalDay(3)", "0300000000000000"));

  private HashInput() {}

  /** The value's bytes, or empty when it is not of fixed width or a string. */
  static Optional<byte[]> of(HashGolden.Row row) {
    String value = row.value();
    String type = row.type();
    if (OTHERS.containsKey(value)) {
      return Optional.of(HexFormat.of().parseHex(OTHERS.get(value)));
    }
    if (type.equals("String")) {
      return Optional.of(text(value).getBytes(StandardCharsets.UTF_8));
    }
    if (type.matches("U?Int[0-9]+")) {
      int bits = Integer.parseInt(type.replaceAll("\\D+", ""));
      return Optional.of(littleEndian(new BigInteger(argument(value)), bits / 8));
    }
    if (type.equals("Float32")) {
      int raw = Float.floatToRawIntBits(Float.parseFloat(argument(value)));
      return Optional.of(new ByteWriter().u32(raw).toByteArray());
    }
    if (type.equals("Float64")) {
      double number =
          switch (value) {
            case "nan" -> Double.NaN;
            case "inf" -> Double.POSITIVE_INFINITY;
            default -> Double.parseDouble(argument(value));
          };
      return Optional.of(new ByteWriter().u64(Double.doubleToRawLongBits(number)).toByteArray());
    }
    if (type.startsWith("Decimal(")) {
      int size =
          switch (type) {
            case "Decimal(9, 2)" -> 4;
            case "Decimal(18, 2)" -> 8;
            case "Decimal(38, 2)" -> 16;
            default -> 32;
          };
      String digits = argument(value.replace(",2)", ")"));
      return Optional.of(littleEndian(new BigDecimal(digits).unscaledValue(), size));
    }
    return Optional.empty();
  }

  private static String argument(String call) {
    return call.substring(call.indexOf('(') + 1, call.lastIndexOf(')')).replace("'", "");
  }

  private static String text(String literal) {
    if (literal.startsWith("repeat(")) {
      String count = literal.substring(literal.indexOf(',') + 1, literal.length() - 1);
      return literal.substring(8, 9).repeat(Integer.parseInt(count));
    }
    return literal.substring(1, literal.length() - 1);
  }

  private static byte[] littleEndian(BigInteger number, int size) {
    byte[] bytes = new byte[size];
    for (int i = 0; i < size; i++) {
      bytes[i] = number.shiftRight(8 * i).byteValue();
    }
    return bytes;
  }
}
