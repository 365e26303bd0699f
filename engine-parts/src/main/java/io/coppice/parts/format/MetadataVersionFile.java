package io.coppice.parts.format;

import io.coppice.base.check.Check;
import java.nio.charset.StandardCharsets;

/**
 * The version of the table's metadata that the part was written with: {@code metadata_version.txt}.
 * Always 0 in tables that are not replicated; no checksum covers it.
 *
 * <p>A decimal number without a line feed. Checked on reading: digits only, no leading zeros, at
 * most 2^31 - 1. Golden files: every part of {@code golden/26.7}.
 *
 * @param version 0 or more
 */
public record MetadataVersionFile(int version) {
  /** The file's name. */
  public static final String NAME = "metadata_version.txt";

  /** Most bytes read. */
  public static final int LIMIT_BYTES = 64;

  public MetadataVersionFile {
    Check.argument(0 <= version, "version %d", version);
  }

  /**
   * Reads the file.
   *
   * @param name for messages
   * @throws io.coppice.base.error.EngineException CANNOT_PARSE_INPUT_ASSERTION_FAILED
   */
  public static MetadataVersionFile read(byte[] bytes, String name) {
    TextReader in = new TextReader(bytes, name);
    MetadataVersionFile file = new MetadataVersionFile((int) in.number(Integer.MAX_VALUE));
    in.expectEnd();
    return file;
  }

  /** The bytes of the file. */
  public byte[] write() {
    return Integer.toString(version).getBytes(StandardCharsets.US_ASCII);
  }
}
