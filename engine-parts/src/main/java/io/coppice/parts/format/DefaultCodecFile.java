package io.coppice.parts.format;

import io.coppice.parts.compress.CodecChain;
import java.nio.charset.StandardCharsets;

/**
 * The codec of columns that name none, when the part was written: {@code
 * default_compression_codec.txt}.
 *
 * <p>{@code CODEC(LZ4)}, {@code CODEC(ZSTD(2))}: without a line feed. Each frame says itself how it
 * was made, so that reading does not need the file; no checksum covers it. Golden files: every part
 * of {@code golden/26.7}.
 */
public record DefaultCodecFile(CodecChain chain) {
  /** The file's name. */
  public static final String NAME = "default_compression_codec.txt";

  /** Most bytes read. */
  public static final int LIMIT_BYTES = 4096;

  /**
   * Reads the file.
   *
   * @param name for messages
   * @throws io.coppice.base.error.EngineException CANNOT_PARSE_INPUT_ASSERTION_FAILED, or as {@link
   *     CodecChain#parse(String)}
   */
  public static DefaultCodecFile read(byte[] bytes, String name) {
    TextReader in = new TextReader(bytes, name);
    in.expect("CODEC(");
    try {
      return new DefaultCodecFile(CodecChain.parse("CODEC(" + in.rest()));
    } catch (io.coppice.base.error.EngineException e) {
      throw e.within(name);
    }
  }

  /** The bytes of the file. */
  public byte[] write() {
    return chain.text().getBytes(StandardCharsets.US_ASCII);
  }
}
