package io.coppice.parts.name;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.base.hash.SipHash;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * How names of columns, indexes, tables and databases become names of files, and back.
 *
 * <p>ASCII letters, digits and {@code _} stay; every other byte of the UTF-8 form becomes {@code
 * %XX} in capitals. So a name never contains a separator and never leaves its directory.
 */
public final class FileNames {
  /** Longest name, without extension, that is not replaced by its hash; max_file_name_length. */
  public static final int LENGTH_LIMIT = 127;

  private static final String HEX = "0123456789ABCDEF";

  private FileNames() {}

  /** {@code name} as part of a file name. */
  public static String escape(String name) {
    StringBuilder out = null;
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bytes.length; i++) {
      int b = bytes[i] & 0xff;
      if (plain(b)) {
        if (out != null) {
          out.append((char) b);
        }
      } else {
        if (out == null) {
          // All before was ASCII, so that bytes and characters agree.
          out = new StringBuilder(bytes.length * 2).append(name, 0, i);
        }
        out.append('%').append(HEX.charAt(b >> 4)).append(HEX.charAt(b & 15));
      }
    }
    return out == null ? name : out.toString();
  }

  private static boolean plain(int b) {
    return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9') || b == '_';
  }

  /**
   * The name that {@link #escape} made {@code escaped} of.
   *
   * @throws EngineException INCORRECT_FILE_NAME if it made it of none
   */
  public static String unescape(String escaped) {
    return tryUnescape(escaped)
        .orElseThrow(
            () ->
                EngineException.of(
                    ErrorCode.INCORRECT_FILE_NAME, "'%s' is not an escaped name", escaped));
  }

  /** As {@link #unescape}, empty if {@code escaped} is not an escaped name. */
  public static Optional<String> tryUnescape(String escaped) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(escaped.length());
    for (int i = 0; i < escaped.length(); i++) {
      char c = escaped.charAt(i);
      if (c == '%') {
        int high = i + 2 < escaped.length() ? HEX.indexOf(escaped.charAt(i + 1)) : -1;
        int low = i + 2 < escaped.length() ? HEX.indexOf(escaped.charAt(i + 2)) : -1;
        if (high < 0 || low < 0 || plain(high << 4 | low)) {
          return Optional.empty();
        }
        out.write(high << 4 | low);
        i += 2;
      } else if (c < 0x80 && plain(c)) {
        out.write(c);
      } else {
        return Optional.empty();
      }
    }
    try {
      return Optional.of(
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(out.toByteArray()))
              .toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  /**
   * What the files of a stream are called, without extension: the stream's name, or its hash where
   * that name is too long for a file system.
   *
   * @param stream escaped, with suffix, such as {@code arr.size0}
   * @param lengthLimit max_file_name_length, bytes
   */
  public static String ofStream(String stream, int lengthLimit) {
    return stream.length() > lengthLimit ? hashed(stream) : stream;
  }

  /** The hash that stands for a name that is too long. */
  public static String hashed(String stream) {
    return SipHash.hash128(stream.getBytes(StandardCharsets.UTF_8)).numberHex();
  }

  /**
   * Whether {@code name}, read from a file, names something directly inside a directory: not empty,
   * no separator, not {@code .} or {@code ..}, no zero byte, at most 255 bytes.
   */
  public static boolean staysInside(String name) {
    return !name.isEmpty()
        && !name.equals(".")
        && !name.equals("..")
        && name.indexOf('/') < 0
        && name.indexOf('\\') < 0
        && name.indexOf('\0') < 0
        && name.getBytes(StandardCharsets.UTF_8).length <= 255;
  }

  /**
   * Refuses a name that does not {@link #staysInside}.
   *
   * @param from the file that holds the name, for the message
   * @throws EngineException INCORRECT_FILE_NAME
   */
  public static String checkStaysInside(String name, String from) {
    if (!staysInside(name)) {
      throw EngineException.of(
          ErrorCode.INCORRECT_FILE_NAME,
          "%s: '%s' is not the name of a file in a part",
          from,
          name.length() > 300 ? name.substring(0, 300) + "…" : name);
    }
    return name;
  }
}
