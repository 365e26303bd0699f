package io.coppice.parts.text;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.InflaterInputStream;

/** How a whole file of rows is compressed, by ClickHouse's names and endings of file names. */
public enum FileCompression {
  NONE("none", ""),
  GZIP("gzip", ".gz"),
  DEFLATE("deflate", ".deflate"),
  ZSTD("zstd", ".zst");

  private static final int BUFFER_BYTES = 1 << 16;

  private final String text;
  private final String ending;

  FileCompression(String text, String ending) {
    this.text = text;
    this.ending = ending;
  }

  /** ClickHouse's name. */
  public String text() {
    return text;
  }

  /**
   * The compression of that name; {@code auto} and an empty name mean that the file's name tells.
   *
   * @throws EngineException NOT_IMPLEMENTED for one that ClickHouse has and this has not
   */
  public static FileCompression of(String name, String fileName) {
    String wanted = name.toLowerCase(Locale.ROOT);
    return switch (wanted) {
      case "", "auto" -> {
        FileCompression found = NONE;
        for (FileCompression compression : values()) {
          if (compression != NONE
              && fileName.toLowerCase(Locale.ROOT).endsWith(compression.ending)) {
            found = compression;
          }
        }
        yield found;
      }
      case "none" -> NONE;
      case "gz", "gzip" -> GZIP;
      case "deflate" -> DEFLATE;
      case "zst", "zstd" -> ZSTD;
      default ->
          throw EngineException.of(
              ErrorCode.NOT_IMPLEMENTED,
              "compression %s is not served; there are none, gzip, deflate and zstd",
              name);
    };
  }

  /** A file's name without the ending that tells a compression. */
  static String withoutEnding(String fileName) {
    FileCompression compression = of("", fileName);
    return fileName.substring(0, fileName.length() - compression.ending.length());
  }

  /** What a compressed stream holds; closing closes both. */
  public InputStream open(InputStream in) throws IOException {
    return switch (this) {
      case NONE -> in;
      case GZIP -> new GZIPInputStream(in, BUFFER_BYTES);
      case DEFLATE -> new InflaterInputStream(in);
      case ZSTD -> io.coppice.parts.compress.ZstdStreams.input(in);
    };
  }

  /**
   * A stream whose bytes go compressed to another; closing closes both.
   *
   * @param level of the compression; 0 for the usual one
   */
  public OutputStream open(OutputStream out, int level) throws IOException {
    return switch (this) {
      case NONE -> out;
      case GZIP -> new Gzip(out, level);
      case DEFLATE ->
          new DeflaterOutputStream(
              out, new Deflater(level == 0 ? Deflater.DEFAULT_COMPRESSION : level), BUFFER_BYTES);
      case ZSTD -> io.coppice.parts.compress.ZstdStreams.output(out, level);
    };
  }

  /** Gzip at a level. */
  private static final class Gzip extends GZIPOutputStream {
    Gzip(OutputStream out, int level) throws IOException {
      super(out, BUFFER_BYTES);
      def.setLevel(level == 0 ? Deflater.DEFAULT_COMPRESSION : level);
    }
  }
}
