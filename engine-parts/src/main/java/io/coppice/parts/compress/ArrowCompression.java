package io.coppice.parts.compress;

import com.github.luben.zstd.Zstd;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import net.jpountz.lz4.LZ4FrameOutputStream;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.compression.AbstractCompressionCodec;
import org.apache.arrow.vector.compression.CompressionCodec;
import org.apache.arrow.vector.compression.CompressionUtil;
import org.apache.arrow.vector.compression.NoCompressionCodec;

/**
 * The compression of Arrow's IPC messages, LZ4 frames and ZSTD, which 26.7 uses in ArrowStream by
 * default. To be given to an {@code ArrowStreamReader}.
 *
 * <p>Stateless; any thread may use it.
 */
public final class ArrowCompression implements CompressionCodec.Factory {
  public static final ArrowCompression INSTANCE = new ArrowCompression();

  private ArrowCompression() {}

  @Override
  public CompressionCodec createCodec(CompressionUtil.CodecType type) {
    return switch (type) {
      case NO_COMPRESSION -> NoCompressionCodec.INSTANCE;
      case LZ4_FRAME -> new Lz4Codec();
      case ZSTD -> new ZstdFrames();
    };
  }

  @Override
  public CompressionCodec createCodec(CompressionUtil.CodecType type, int level) {
    return createCodec(type);
  }

  /** The size that stands before the compressed bytes, refused when it cannot be. */
  private static int plainSize(ArrowBuf compressed) {
    long size = compressed.getLong(0);
    if (size < 0 || size > Integer.MAX_VALUE - 16) {
      throw EngineException.of(
          ErrorCode.INCORRECT_DATA, "an Arrow buffer claims %d bytes uncompressed", size);
    }
    return (int) size;
  }

  private static byte[] body(ArrowBuf compressed) {
    byte[] bytes =
        new byte[(int) (compressed.writerIndex() - CompressionUtil.SIZE_OF_UNCOMPRESSED_LENGTH)];
    compressed.getBytes(CompressionUtil.SIZE_OF_UNCOMPRESSED_LENGTH, bytes);
    return bytes;
  }

  private static ArrowBuf withSize(BufferAllocator allocator, long plainSize, byte[] body) {
    ArrowBuf buffer =
        allocator.buffer(CompressionUtil.SIZE_OF_UNCOMPRESSED_LENGTH + (long) body.length);
    buffer.setLong(0, plainSize);
    buffer.setBytes(CompressionUtil.SIZE_OF_UNCOMPRESSED_LENGTH, body);
    buffer.writerIndex(CompressionUtil.SIZE_OF_UNCOMPRESSED_LENGTH + (long) body.length);
    return buffer;
  }

  private static EngineException broken(Exception cause) {
    return new EngineException(
        ErrorCode.CANNOT_DECOMPRESS, "a compressed Arrow buffer is damaged: " + cause, cause);
  }

  private static final class Lz4Codec extends AbstractCompressionCodec {
    @Override
    protected ArrowBuf doCompress(BufferAllocator allocator, ArrowBuf plain) {
      byte[] bytes = new byte[(int) plain.writerIndex()];
      plain.getBytes(0, bytes);
      ByteArrayOutputStream frames = new ByteArrayOutputStream();
      try (LZ4FrameOutputStream out = new LZ4FrameOutputStream(frames)) {
        out.write(bytes);
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
      return withSize(allocator, bytes.length, frames.toByteArray());
    }

    @Override
    protected ArrowBuf doDecompress(BufferAllocator allocator, ArrowBuf compressed) {
      int size = plainSize(compressed);
      try {
        byte[] bytes = Lz4Frames.decompress(body(compressed), size);
        ArrowBuf plain = allocator.buffer(size);
        plain.setBytes(0, bytes);
        plain.writerIndex(size);
        return plain;
      } catch (IOException | ArithmeticException e) {
        throw broken(e);
      }
    }

    @Override
    public CompressionUtil.CodecType getCodecType() {
      return CompressionUtil.CodecType.LZ4_FRAME;
    }
  }

  private static final class ZstdFrames extends AbstractCompressionCodec {
    @Override
    protected ArrowBuf doCompress(BufferAllocator allocator, ArrowBuf plain) {
      byte[] bytes = new byte[(int) plain.writerIndex()];
      plain.getBytes(0, bytes);
      return withSize(allocator, bytes.length, Zstd.compress(bytes));
    }

    @Override
    protected ArrowBuf doDecompress(BufferAllocator allocator, ArrowBuf compressed) {
      int size = plainSize(compressed);
      byte[] body = body(compressed);
      long said = Zstd.getFrameContentSize(body);
      if (said >= 0 && said != size) {
        throw EngineException.of(
            ErrorCode.CANNOT_DECOMPRESS,
            "an Arrow buffer holds a frame of %d bytes, expected %d",
            said,
            size);
      }
      try {
        byte[] bytes = Zstd.decompress(body, size);
        ArrowBuf plain = allocator.buffer(size);
        plain.setBytes(0, bytes);
        plain.writerIndex(size);
        return plain;
      } catch (RuntimeException e) {
        throw broken(e);
      }
    }

    @Override
    public CompressionUtil.CodecType getCodecType() {
      return CompressionUtil.CodecType.ZSTD;
    }
  }
}
