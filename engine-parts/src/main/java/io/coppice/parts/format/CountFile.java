package io.coppice.parts.format;

import io.coppice.base.check.Check;
import java.nio.charset.StandardCharsets;

/**
 * How many rows the part has: {@code count.txt}. Tables of format version 0 have none.
 *
 * <p>A decimal number without a line feed. Checked on reading: digits only, no leading zeros, at
 * most 2^63 - 1. Golden files: every part of {@code golden/18.16.1} and {@code golden/26.7} but the
 * old-syntax ones.
 *
 * @param rowCount 0 or more
 */
public record CountFile(long rowCount) {
  /** The file's name. */
  public static final String NAME = "count.txt";

  /** Most bytes read. */
  public static final int LIMIT_BYTES = 64;

  public CountFile {
    Check.argument(0 <= rowCount, "rowCount %d", rowCount);
  }

  /**
   * Reads the file.
   *
   * @param name for messages
   * @throws io.coppice.base.error.EngineException CANNOT_PARSE_INPUT_ASSERTION_FAILED
   */
  public static CountFile read(byte[] bytes, String name) {
    TextReader in = new TextReader(bytes, name);
    CountFile file = new CountFile(in.number(Long.MAX_VALUE));
    in.expectEnd();
    return file;
  }

  /** The bytes of the file. */
  public byte[] write() {
    return Long.toString(rowCount).getBytes(StandardCharsets.US_ASCII);
  }
}
