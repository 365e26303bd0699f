package io.coppice.parts.compress;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.airlift.compress.zstd.ZstdCompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.nio.ByteBuffer;
import java.util.OptionalInt;

/**
 * ZSTD frames, with native contexts that are kept from call to call. Where the native library can't
 * be loaded, a Java implementation does it, slower and with other bytes of the same meaning.
 *
 * <p>Confined to one thread; the owner closes it.
 */
final class ZstdContexts implements AutoCloseable {
  private static final boolean NATIVE = loadNative();

  private final boolean inJava;
  private ZstdCompressCtx compressContext;
  private Codec.Zstd compressSettings;
  private ZstdDecompressCtx decompressContext;

  ZstdContexts() {
    this(true);
  }

  /** With {@code mayBeNative} false the Java implementation is used even where it need not be. */
  ZstdContexts(boolean mayBeNative) {
    this.inJava = !mayBeNative || !NATIVE;
  }

  private static boolean loadNative() {
    try {
      return Zstd.compressBound(1) > 0;
    } catch (LinkageError | RuntimeException e) {
      return false;
    }
  }

  static long bound(long size) {
    return size + (size >> 8) + (size < 131072 ? (131072 - size) >> 11 : 0) + 64;
  }

  /** Compresses all of {@code source} into {@code target}, both direct; returns the size. */
  int compress(Codec.Zstd codec, ByteBuffer source, ByteBuffer target) {
    if (inJava) {
      new ZstdCompressor().compress(source, target);
      return target.position();
    }
    if (compressContext == null) {
      compressContext = new ZstdCompressCtx();
    }
    if (!codec.equals(compressSettings)) {
      compressContext.reset();
      compressContext.setLevel(codec.level() == 0 ? Zstd.defaultCompressionLevel() : codec.level());
      OptionalInt window = codec.windowLog();
      if (window.isPresent()) {
        compressContext.setEnableLongDistanceMatching(Zstd.ParamSwitch.ENABLE);
        compressContext.setWindowLog(window.getAsInt());
      }
      compressSettings = codec;
    }
    return compressContext.compressDirectByteBuffer(
        target, 0, target.capacity(), source, 0, source.capacity());
  }

  /** Decompresses all of {@code source}; the result must fill {@code target}. */
  void decompress(ByteBuffer source, ByteBuffer target) {
    int size;
    try {
      if (!inJava) {
        if (decompressContext == null) {
          decompressContext = new ZstdDecompressCtx();
        }
        size =
            decompressContext.decompressDirectByteBuffer(
                target, 0, target.capacity(), source, 0, source.capacity());
      } else {
        new ZstdDecompressor().decompress(source, target);
        size = target.position();
      }
    } catch (ZstdException e) {
      Body.expect(false, "ZSTD: %s", e.getMessage());
      throw e;
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      Body.expect(false, "ZSTD: %s", e);
      throw e;
    } catch (io.airlift.compress.MalformedInputException e) {
      Body.expect(false, "ZSTD: %s", e.getMessage());
      throw e;
    }
    Body.expect(
        size == target.capacity(), "ZSTD: %d bytes come out, expected %d", size, target.capacity());
  }

  @Override
  public void close() {
    if (compressContext != null) {
      compressContext.close();
      compressContext = null;
      compressSettings = null;
    }
    if (decompressContext != null) {
      decompressContext.close();
      decompressContext = null;
    }
  }
}
