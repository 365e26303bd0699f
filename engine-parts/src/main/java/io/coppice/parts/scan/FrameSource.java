package io.coppice.parts.scan;

import io.coppice.base.bytes.Memory;
import io.coppice.base.disk.ReadableFile;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.base.hash.FileHash;
import io.coppice.parts.compress.Decompressor;
import io.coppice.parts.compress.FrameHeader;
import io.coppice.parts.stream.DirectMemory;
import io.coppice.parts.stream.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.arrow.memory.ArrowBuf;

/**
 * The uncompressed bytes of a file of frames, from any mark on. The checksum of every frame is
 * verified. A read that takes a whole frame has it decompressed straight into the target.
 *
 * <p>Confined to one thread; owns the file it is given.
 */
final class FrameSource extends Source {
  /** The first read after a seek; each one that follows it is twice as long as the one before. */
  private static final int FIRST_READ_BYTES = 32 << 10;

  private static final ByteBuffer NONE = ByteBuffer.allocateDirect(0);

  private final ReadableFile file;
  private final String name;
  private final Decompressor decompressor;
  private final long fileBytes;
  private final Counters counters;
  private final LoadedPart part;
  private final Optional<FileHash> hash;
  private long hashedBytes;

  private ByteBuffer raw;
  private long rawAddress;
  private long rawOffset;
  private int rawBytes;
  private int readBytes = FIRST_READ_BYTES;
  private boolean closed;

  private ByteBuffer decoded = NONE;
  private long decodedStart;
  private long frameOffset = -1;
  private long nextFrame;
  private long skipInNext;
  private long verifiedFrame = -1;

  /** What a scan read, added up by the sources of one thread. */
  static final class Counters {
    long compressedBytes;
    long uncompressedBytes;
  }

  /**
   * @param part whose file it is; a file read from its first frame to its last is compared with the
   *     hash in the part's checksums.txt, once
   */
  FrameSource(
      LoadedPart part, ReadableFile file, String name, Decompressor decompressor, Counters counters)
      throws IOException {
    this.part = part;
    this.hash = part.hashIsToBeChecked(name) ? Optional.of(new FileHash()) : Optional.empty();
    this.file = file;
    this.name = name;
    this.decompressor = decompressor;
    this.counters = counters;
    this.fileBytes = file.sizeBytes();
    this.raw = allocate(Math.max(1, Math.min(RawBuffers.SIZE_BYTES, fileBytes)));
    this.rawAddress = Memory.address(raw);
  }

  /**
   * A buffer of at least so many bytes: a kept one if the file is not small. Of small files there
   * may be thousands open at once, one for each column; they get what they need.
   */
  private ByteBuffer allocate(long bytes) {
    return bytes <= RawBuffers.MOST_BYTES && fileBytes >= RawBuffers.SIZE_BYTES
        ? RawBuffers.take(bytes, name)
        : DirectMemory.allocate(Math.toIntExact(bytes), name);
  }

  /**
   * Makes the next byte that at {@code inFrame} of the frame at {@code offset}, as a mark says.
   *
   * @throws EngineException CORRUPTED_DATA when the file is not that long
   */
  void seek(long offset, long inFrame) {
    if (offset < 0 || offset > fileBytes || inFrame < 0) {
      throw EngineException.of(
          ErrorCode.CORRUPTED_DATA,
          "%s: a mark points to %d+%d, the file has %d bytes",
          name,
          offset,
          inFrame,
          fileBytes);
    }
    if (offset == frameOffset) {
      long size = limit - decodedStart;
      if (inFrame <= size) {
        position = decodedStart + inFrame;
        skipInNext = 0;
        return;
      }
    }
    boolean onward = offset == nextFrame;
    frameOffset = -1;
    verifiedFrame = -1;
    position = limit;
    nextFrame = offset;
    skipInNext = inFrame;
    if (!onward) {
      readBytes = FIRST_READ_BYTES;
    }
  }

  @Override
  protected boolean refill() throws IOException {
    while (nextFrame < fileBytes) {
      FrameHeader header = loadFrame();
      int size = header.uncompressedSizeBytes();
      if (decoded.capacity() < size) {
        int atLeast = Math.max(size, Math.min(1 << 20, decoded.capacity() * 2));
        RawBuffers.give(decoded);
        decoded = NONE;
        decoded = allocate(atLeast);
      }
      decodedStart = Memory.address(decoded);
      position = decodedStart;
      limit = decodedStart;
      decompressor.decompress(header, frameAddress(), decodedStart, name, nextFrame);
      counters.uncompressedBytes += size;
      limit = decodedStart + size;
      frameOffset = nextFrame;
      nextFrame += header.frameSizeBytes();
      if (skipInNext > 0) {
        if (skipInNext > size) {
          throw EngineException.of(
              ErrorCode.CORRUPTED_DATA,
              "%s: a mark points to byte %d of the frame at %d, which has %d",
              name,
              skipInNext,
              frameOffset,
              size);
        }
        position += skipInNext;
        skipInNext = 0;
      }
      if (position < limit) {
        return true;
      }
    }
    if (skipInNext > 0) {
      throw EngineException.of(
          ErrorCode.CORRUPTED_DATA,
          "%s: a mark points to byte %d behind the end of the file at %d",
          name,
          skipInNext,
          fileBytes);
    }
    return false;
  }

  private long frameAddress() {
    return rawAddress + (nextFrame - rawOffset);
  }

  /** Brings the next frame whole into memory and verifies it. */
  private FrameHeader loadFrame() throws IOException {
    require(Math.min(FrameHeader.SIZE_BYTES, fileBytes - nextFrame));
    FrameHeader header = FrameHeader.read(frameAddress(), fileBytes - nextFrame, name, nextFrame);
    require(header.frameSizeBytes());
    if (verifiedFrame != nextFrame) {
      decompressor.verify(header, frameAddress(), name, nextFrame);
      counters.compressedBytes += header.frameSizeBytes();
      verifiedFrame = nextFrame;
      if (hash.isPresent() && hashedBytes == nextFrame) {
        addToHash(hash.get(), header.frameSizeBytes());
      }
    }
    return header;
  }

  private void addToHash(FileHash of, int frameSizeBytes) {
    of.update(frameAddress(), frameSizeBytes);
    hashedBytes += frameSizeBytes;
    if (hashedBytes == fileBytes) {
      part.checkHash(name, of.value());
    }
  }

  /**
   * Compares the hash of the whole file, when it is small enough for that to cost next to nothing.
   * What was read of larger ones is compared when it came to the end.
   */
  void checkSmall(long limitBytes) throws IOException {
    if (hash.isEmpty() || fileBytes > limitBytes) {
      return;
    }
    FileHash whole = new FileHash();
    for (long at = 0; at < fileBytes; ) {
      raw.clear();
      int n = file.read(at, raw);
      if (n <= 0) {
        throw EngineException.of(
            ErrorCode.CANNOT_READ_ALL_DATA, "%s ends at %d, expected %d", name, at, fileBytes);
      }
      whole.update(rawAddress, n);
      at += n;
    }
    rawBytes = 0;
    part.checkHash(name, whole.value());
    hashedBytes = -1; // done
  }

  /** Makes {@code bytes} bytes from the next frame's start lie in the raw buffer. */
  private void require(long bytes) throws IOException {
    long have = rawOffset + rawBytes - nextFrame;
    if (nextFrame >= rawOffset && have >= bytes) {
      return;
    }
    int keep = nextFrame >= rawOffset && have > 0 ? (int) have : 0;
    if (raw.capacity() < bytes) {
      ByteBuffer larger =
          allocate(Math.max(bytes, Math.min(fileBytes - nextFrame, raw.capacity() * 2L)));
      Memory.copy(frameAddress(), Memory.address(larger), keep);
      RawBuffers.give(raw);
      raw = larger;
      rawAddress = Memory.address(raw);
    } else if (keep > 0) {
      Memory.copy(frameAddress(), rawAddress, keep);
    }
    rawOffset = nextFrame;
    int most = (int) Math.min(raw.capacity(), Math.max(bytes, keep + (long) readBytes));
    readBytes = Math.min(RawBuffers.SIZE_BYTES, readBytes * 2);
    raw.clear().limit(most).position(keep);
    rawBytes = keep + Math.max(0, file.read(nextFrame + keep, raw));
    if (rawBytes < bytes) {
      throw EngineException.of(
          ErrorCode.CANNOT_READ_ALL_DATA,
          "%s: read %d bytes at %d, expected %d",
          name,
          rawBytes,
          nextFrame,
          bytes);
    }
  }

  @Override
  public void read(ArrowBuf to, long offset, long sizeBytes) throws IOException {
    to.checkBytes(offset, offset + sizeBytes);
    long at = to.memoryAddress() + offset;
    long left = sizeBytes;
    while (left > 0) {
      long n = Math.min(left, limit - position);
      if (n > 0) {
        Memory.copy(position, at, n);
        position += n;
      } else if (skipInNext == 0 && nextFrame < fileBytes) {
        FrameHeader header = loadFrame();
        n = header.uncompressedSizeBytes();
        if (n > left) {
          super.read(at, left);
          return;
        }
        decompressor.decompress(header, frameAddress(), at, name, nextFrame);
        counters.uncompressedBytes += n;
        frameOffset = -1;
        nextFrame += header.frameSizeBytes();
      } else {
        super.read(at, left);
        return;
      }
      at += n;
      left -= n;
    }
  }

  @Override
  public String place() {
    return frameOffset >= 0
        ? name + " at " + frameOffset + "+" + (position - decodedStart)
        : name + " at " + nextFrame;
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    position = limit;
    RawBuffers.give(raw);
    RawBuffers.give(decoded);
    raw = NONE;
    decoded = NONE;
    file.close();
  }
}
