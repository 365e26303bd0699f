package io.coppice.parts.compress;

import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * The LZ4 block format. With the native library its output equals ClickHouse's; where that can't be
 * loaded, a Java implementation gives other bytes of the same meaning.
 *
 * <p>Confined to one thread.
 */
final class Lz4 {
  /*
   * Only the native instance of the first library is used: its Java classes are several times slower
   * than the other library's.
   */
  private static final LZ4Factory NATIVE = loadNative();

  private final LZ4SafeDecompressor decompressor;
  private final LZ4Compressor compressor;
  private LZ4Compressor highCompressor;
  private int highLevel = -1;
  private Lz4Compressor javaCompressor;
  private Lz4Decompressor javaDecompressor;

  Lz4() {
    this(true);
  }

  /** With {@code mayBeNative} false the Java implementation is used even where it need not be. */
  Lz4(boolean mayBeNative) {
    boolean inJava = !mayBeNative || NATIVE == null;
    this.decompressor = inJava ? null : NATIVE.safeDecompressor();
    this.compressor = inJava ? null : NATIVE.fastCompressor();
  }

  private static LZ4Factory loadNative() {
    try {
      LZ4Factory fastest = LZ4Factory.fastestInstance();
      return fastest == LZ4Factory.nativeInstance() ? fastest : null;
    } catch (LinkageError | RuntimeException e) {
      return null;
    }
  }

  static long bound(long size) {
    return size + size / 255 + 16;
  }

  /** Compresses all of {@code source} into {@code target}, both direct; returns the size. */
  int compress(ByteBuffer source, ByteBuffer target) {
    if (compressor == null) {
      return compressInJava(source, target);
    }
    return compressor.compress(source, 0, source.capacity(), target, 0, target.capacity());
  }

  /** The same, searching harder; level 0 is the library's default. */
  int compressHigh(int level, ByteBuffer source, ByteBuffer target) {
    if (compressor == null) {
      return compressInJava(source, target);
    }
    if (highLevel != level) {
      highCompressor = level == 0 ? NATIVE.highCompressor() : NATIVE.highCompressor(level);
      highLevel = level;
    }
    return highCompressor.compress(source, 0, source.capacity(), target, 0, target.capacity());
  }

  private int compressInJava(ByteBuffer source, ByteBuffer target) {
    if (javaCompressor == null) {
      javaCompressor = new Lz4Compressor();
    }
    javaCompressor.compress(source, target);
    return target.position();
  }

  /** Decompresses all of {@code source}; the result must fill {@code target}. */
  void decompress(ByteBuffer source, ByteBuffer target) {
    int size;
    try {
      if (decompressor != null) {
        size = decompressor.decompress(source, 0, source.capacity(), target, 0, target.capacity());
      } else {
        if (javaDecompressor == null) {
          javaDecompressor = new Lz4Decompressor();
        }
        javaDecompressor.decompress(source, target);
        size = target.position();
      }
    } catch (LZ4Exception e) {
      Body.expect(false, "LZ4: %s", e.getMessage());
      throw e;
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      Body.expect(false, "LZ4: %s", e);
      throw e;
    } catch (io.airlift.compress.MalformedInputException e) {
      Body.expect(false, "LZ4: %s", e.getMessage());
      throw e;
    }
    Body.expect(
        size == target.capacity(), "LZ4: %d bytes come out, expected %d", size, target.capacity());
  }
}
