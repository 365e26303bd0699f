package io.coppice.parts.write;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.WritableFile;
import io.coppice.base.hash.FileHash;
import io.coppice.base.hash.Hash128;
import io.coppice.parts.compress.CodecChain;
import io.coppice.parts.compress.Compressor;
import io.coppice.parts.compress.DirectBytes;
import io.coppice.parts.stream.Sink;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One stream of a part: bytes gathered to frames, frames appended to a file, and the hashes of
 * both. The file is opened with its first frame, so that many small streams need one open file at a
 * time.
 */
final class CompressedSink extends Sink {
  private final FrameFile file;
  private final CodecChain chain;
  private final FileHash uncompressed = new FileHash();
  private long uncompressedBytes;

  CompressedSink(FrameFile file, CodecChain chain, Buffering buffering) {
    super(buffering.maxBytes(), buffering.firstFrameBytes());
    this.file = file;
    this.chain = chain;
  }

  /**
   * When a frame is full.
   *
   * @param maxBytes ClickHouse's max_compress_block_size
   * @param firstFrameBytes size of the first frame, doubled with each up to the most: what
   *     ClickHouse does for tables of many columns; {@code maxBytes} where it does not
   */
  record Buffering(int maxBytes, int firstFrameBytes) {}

  @Override
  protected void drain(ByteBuffer bytes, long address, int size) throws IOException {
    uncompressed.update(address, size);
    uncompressedBytes += size;
    file.append(chain, address, size);
  }

  CodecChain chain() {
    return chain;
  }

  /** Where a mark set now points to: the next frame's offset in the file. */
  long fileOffset() {
    return file.sizeBytes();
  }

  long uncompressedBytes() {
    return uncompressedBytes;
  }

  Hash128 uncompressedHash() {
    return uncompressed.value();
  }

  /** A file of frames, perhaps of several streams. */
  static final class FrameFile implements AutoCloseable {
    private final Disk disk;
    private final String path;
    private final Compressor compressor;
    private final DirectBytes frame;
    private final FileHash hash = new FileHash();
    private WritableFile file;
    private long sizeBytes;

    /**
     * @param frame where frames are made; shared by the files of one writer
     */
    FrameFile(Disk disk, String path, Compressor compressor, DirectBytes frame) {
      this.disk = disk;
      this.path = path;
      this.compressor = compressor;
      this.frame = frame;
    }

    void append(CodecChain chain, long address, int size) throws IOException {
      frame.clear();
      compressor.compress(chain, address, size, frame);
      appendRaw(frame.view());
    }

    private void appendRaw(ByteBuffer bytes) throws IOException {
      if (file == null) {
        file = disk.create(path);
      }
      hash.update(frame.address(), frame.sizeBytes());
      sizeBytes += bytes.remaining();
      file.write(bytes);
    }

    long sizeBytes() {
      return sizeBytes;
    }

    Hash128 hash() {
      return hash.value();
    }

    /** Ends the file, which exists from then on even if nothing was written. */
    void finish(boolean sync) throws IOException {
      if (file == null) {
        file = disk.create(path);
      }
      if (sync) {
        file.sync();
      }
      file.close();
    }

    @Override
    public void close() throws IOException {
      if (file != null) {
        file.close();
      }
    }
  }
}
