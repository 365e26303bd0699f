package io.coppice.parts.format;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.nio.charset.StandardCharsets;

/**
 * How the parts of a table are named: {@code format_version.txt} in the table's directory.
 *
 * <p>One digit without a line feed (one is accepted): {@code 0} for tables whose engine took the
 * date column as argument, {@code 1} for all others. Anything else is refused by name.
 */
public enum FormatVersionFile {
  /** Part names begin with the first and the last day; partitions are months. */
  MONTHLY('0'),
  /** Part names begin with the partition id. */
  CUSTOM_PARTITIONING('1');

  /** The file's name. */
  public static final String NAME = "format_version.txt";

  /** Most bytes read. */
  public static final int LIMIT_BYTES = 64;

  private final char digit;

  FormatVersionFile(char digit) {
    this.digit = digit;
  }

  /**
   * Reads the file.
   *
   * @param name for messages
   * @throws EngineException UNKNOWN_FORMAT
   */
  public static FormatVersionFile read(byte[] bytes, String name) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    for (FormatVersionFile version : values()) {
      if (text.equals(version.text()) || text.equals(version.text() + "\n")) {
        return version;
      }
    }
    throw EngineException.of(
        ErrorCode.UNKNOWN_FORMAT,
        "%s: expected version 0 or 1, found '%s'",
        name,
        text.substring(0, Math.min(20, text.length())));
  }

  private String text() {
    return String.valueOf(digit);
  }

  /** The bytes of the file. */
  public byte[] write() {
    return text().getBytes(StandardCharsets.US_ASCII);
  }
}
