package io.coppice.language.text;

import io.coppice.base.check.Check;
import java.io.ByteArrayOutputStream;

/**
 * Quoted strings and names: {@code 'a'}, {@code `a`}, {@code "a"}, with the mark doubled or after a
 * backslash, and ClickHouse's escapes {@code \b \f \n \r \t \0 \a \v \e \xHH}. A backslash before
 * any other character stays, but for quotes and the backslash itself.
 */
public final class Quoted {
  private Quoted() {}

  /** Where the quoted text that starts at {@code start} ends, exclusive; -1 if it never does. */
  public static int end(String text, int start) {
    char mark = text.charAt(start);
    int i = start + 1;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c == '\\') {
        i += 2;
      } else if (c == mark) {
        if (i + 1 < text.length() && text.charAt(i + 1) == mark) {
          i += 2;
        } else {
          return i + 1;
        }
      } else {
        i++;
      }
    }
    return -1;
  }

  /** What the quoted {@code literal}, marks included, stands for, as {@link ByteText}. */
  public static String value(String literal) {
    Check.argument(literal.length() >= 2, "quoted text '%s'", literal);
    char mark = literal.charAt(0);
    int end = literal.length() - 1;
    StringBuilder out = new StringBuilder(end);
    boolean bytes = false;
    for (int i = 1; i < end; i++) {
      char c = literal.charAt(i);
      if (c == mark) {
        i++; // doubled
        out.append(mark);
      } else if (c == '\\' && i + 1 < end) {
        i++;
        char escaped = literal.charAt(i);
        switch (escaped) {
          case 'b' -> out.append('\b');
          case 'f' -> out.append('\f');
          case 'n' -> out.append('\n');
          case 'r' -> out.append('\r');
          case 't' -> out.append('\t');
          case '0' -> out.append('\0');
          case 'a' -> out.append('\u0007');
          case 'v' -> out.append('\u000B');
          case 'e' -> out.append('\u001B');
          case 'N' -> {} // NULL in TSV, nothing here
          case 'x' -> {
            int value = i + 2 < end ? hex(literal, i + 1) : -1;
            if (value < 0) {
              out.append("\\x");
            } else {
              i += 2;
              bytes |= value >= 0x80;
              out.append((char) (value < 0x80 ? value : 0xDC00 + value));
            }
          }
          case '\\', '\'', '"', '`', '/', '=' -> out.append(escaped);
          default -> out.append('\\').append(escaped);
        }
      } else {
        out.append(c);
      }
    }
    // Bytes written one by one may form characters together.
    return bytes ? ByteText.of(ByteText.bytes(out.toString())) : out.toString();
  }

  /** The text of {@code x'…'}, of an even number of hexadecimal digits or one digit first. */
  public static String hexValue(String digits) {
    String even = digits.length() % 2 == 0 ? digits : "0" + digits;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < even.length(); i += 2) {
      out.write(hex(even, i));
    }
    return ByteText.of(out.toByteArray());
  }

  /** The text of {@code b'…'}: bits, filled up with zeros in front to whole bytes. */
  public static String binValue(String bits) {
    String whole = "0".repeat((8 - bits.length() % 8) % 8) + bits;
    byte[] out = new byte[whole.length() / 8];
    for (int i = 0; i < whole.length(); i++) {
      out[i / 8] = (byte) (out[i / 8] << 1 | (whole.charAt(i) - '0'));
    }
    return ByteText.of(out);
  }

  private static int hex(String text, int at) {
    int high = Character.digit(text.charAt(at), 16);
    int low = at + 1 < text.length() ? Character.digit(text.charAt(at + 1), 16) : -1;
    return high < 0 || low < 0 ? -1 : high << 4 | low;
  }
}
