package io.coppice.parts.compress;

import com.github.luben.zstd.Zstd;
import io.airlift.compress.snappy.SnappyCompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4Factory;

/** The compression of whole pages of columnar files. Stateless; any thread may use it. */
public enum PageCompression {
  /** As they are. */
  NONE(1),
  /** Snappy's raw form. */
  SNAPPY(32),
  /** Zstandard frames. */
  ZSTD(1 << 20),
  /** LZ4 blocks without a frame. */
  LZ4_RAW(256),
  /** Gzip members. */
  GZIP(1100);

  private static final int ZSTD_LEVEL = 3;

  private final long mostRatio;

  PageCompression(long mostRatio) {
    this.mostRatio = mostRatio;
  }

  /** Compresses. */
  public byte[] compress(byte[] plain) throws IOException {
    return switch (this) {
      case NONE -> plain;
      case SNAPPY -> {
        SnappyCompressor snappy = new SnappyCompressor();
        byte[] to = new byte[snappy.maxCompressedLength(plain.length)];
        int size = snappy.compress(plain, 0, plain.length, to, 0, to.length);
        yield Arrays.copyOf(to, size);
      }
      case ZSTD -> Zstd.compress(plain, ZSTD_LEVEL);
      case LZ4_RAW -> LZ4Factory.fastestInstance().fastCompressor().compress(plain);
      case GZIP -> {
        ByteArrayOutputStream to = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(to)) {
          gzip.write(plain);
        }
        yield to.toByteArray();
      }
    };
  }

  /**
   * Decompresses.
   *
   * @param size that the bytes have when they are decompressed
   * @throws IOException when they are damaged, or have another size
   */
  public byte[] decompress(byte[] compressed, int size) throws IOException {
    if (size > compressed.length * mostRatio) {
      throw new IOException(compressed.length + " bytes of " + this + " cannot hold " + size);
    }
    byte[] plain;
    try {
      plain =
          switch (this) {
            case NONE -> compressed;
            case SNAPPY -> {
              if (SnappyDecompressor.getUncompressedLength(compressed, 0) != size) {
                throw new IOException("a page of Snappy of another size than " + size);
              }
              byte[] to = new byte[size];
              int made =
                  new SnappyDecompressor()
                      .decompress(compressed, 0, compressed.length, to, 0, size);
              yield made == size ? to : Arrays.copyOf(to, made);
            }
            case ZSTD -> {
              long said = Zstd.getFrameContentSize(compressed);
              if (said > 0 && said != size) {
                throw new IOException("a frame of " + said + " bytes, expected " + size);
              }
              yield Zstd.decompress(compressed, size);
            }
            case LZ4_RAW ->
                LZ4Factory.fastestInstance()
                    .safeDecompressor()
                    .decompress(compressed, 0, compressed.length, size);
            case GZIP -> {
              try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
                yield in.readNBytes(size);
              }
            }
          };
    } catch (RuntimeException e) {
      throw new IOException("a page of " + this + " is damaged: " + e.getMessage(), e);
    }
    if (plain.length != size) {
      throw new IOException("a page of " + plain.length + " bytes, expected " + size);
    }
    return plain;
  }
}
