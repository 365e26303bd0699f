package io.coppice.parts.format;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * The identity of a part beyond its name: {@code uuid.txt}, written with assign_part_uuids = 1.
 *
 * <p>36 characters, digits of {@code 0-9a-f} in groups of 8, 4, 4, 4, 12, without a line feed;
 * anything else is refused.
 */
public record UuidFile(UUID uuid) {
  /** The file's name. */
  public static final String NAME = "uuid.txt";

  /** Most bytes read. */
  public static final int LIMIT_BYTES = 64;

  /**
   * Reads the file.
   *
   * @param name for messages
   * @throws EngineException CANNOT_PARSE_UUID
   */
  public static UuidFile read(byte[] bytes, String name) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    if (!text.matches("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")) {
      throw EngineException.of(
          ErrorCode.CANNOT_PARSE_UUID,
          "%s: expected a UUID of 36 characters, found %d bytes that are none",
          name,
          bytes.length);
    }
    return new UuidFile(UUID.fromString(text));
  }

  /** The bytes of the file. */
  public byte[] write() {
    return uuid.toString().getBytes(StandardCharsets.US_ASCII);
  }
}
