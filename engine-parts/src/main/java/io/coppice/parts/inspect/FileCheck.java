package io.coppice.parts.inspect;

import io.coppice.base.bytes.Memory;
import io.coppice.base.disk.Disk;
import io.coppice.base.disk.ReadableFile;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.base.hash.FileHash;
import io.coppice.base.hash.Hash128;
import io.coppice.parts.compress.Decompressor;
import io.coppice.parts.compress.FrameHeader;
import io.coppice.parts.format.ChecksumsFile;
import io.coppice.parts.stream.DirectMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Reads one file from its first byte to its last: its hash, and for a file of frames the checksum
 * of each, what it holds and the hash of all that together. Goes on behind a frame that is broken
 * as long as its head says where the next one starts.
 *
 * <p>Confined to one thread; keeps its buffers from file to file; the owner closes it.
 */
final class FileCheck implements AutoCloseable {
  private static final int CHUNK_BYTES = 1 << 20;
  private static final int MOST_FAULTS_PER_FILE = 20;

  private final BufferAllocator allocator;
  private final Decompressor decompressor;
  private final FileHash hash = new FileHash();
  private final FileHash contentHash = new FileHash();
  private ByteBuffer buffer = DirectMemory.allocate(CHUNK_BYTES, "reading files");
  private long bufferAddress = Memory.address(buffer);
  private long windowStart;
  private int windowBytes;
  private ArrowBuf plain;
  private long frames;
  private final Set<String> notes = new LinkedHashSet<>();

  FileCheck(BufferAllocator allocator) {
    this.allocator = allocator;
    this.decompressor = new Decompressor(allocator);
    this.plain = allocator.buffer(CHUNK_BYTES);
  }

  Decompressor decompressor() {
    return decompressor;
  }

  /** Frames checked in all files so far. */
  long frames() {
    return frames;
  }

  /** What could not be looked at, and why. */
  Set<String> notes() {
    return notes;
  }

  /** Where the frames of a file start, and how much each holds. */
  static final class Frames {
    private long[] offsets = new long[16];
    private int[] sizes = new int[16];
    private int count;
    private long fileBytes;
    private boolean whole = true;

    private void add(long offset, int size) {
      if (count == offsets.length) {
        offsets = Arrays.copyOf(offsets, 2 * count);
        sizes = Arrays.copyOf(sizes, 2 * count);
      }
      offsets[count] = offset;
      sizes[count++] = size;
      contentBytes += size;
    }

    private long contentBytes;
    private boolean contentKnown = true;

    /** Bytes of what the frames hold, when all of them could be looked into. */
    OptionalLong contentBytes() {
      return whole && contentKnown ? OptionalLong.of(contentBytes) : OptionalLong.empty();
    }

    /** Whether every frame is known, so that a place that is none is wrong. */
    boolean whole() {
      return whole;
    }

    /** Whether a value may start {@code inFrame} bytes into the frame at {@code offset}. */
    boolean holds(long offset, long inFrame) {
      if (offset == fileBytes) {
        return inFrame == 0;
      }
      int index = Arrays.binarySearch(offsets, 0, count, offset);
      return index >= 0 && inFrame <= sizes[index];
    }

    /** Whether that place is the end of all data. */
    boolean end(long offset, long inFrame) {
      if (offset == fileBytes) {
        return inFrame == 0;
      }
      return count > 0 && offset == offsets[count - 1] && inFrame == sizes[count - 1];
    }
  }

  /**
   * Checks a file of frames. What follows from another fault is none: where a frame is broken the
   * file cannot have its hash, and one of another size cannot hold what was expected.
   *
   * @param expected what checksums.txt says of it
   */
  Frames frames(
      Disk disk,
      String file,
      String label,
      Optional<ChecksumsFile.Entry> expected,
      Consumer<Fault> faults)
      throws IOException {
    hash.reset();
    contentHash.reset();
    Frames found = new Frames();
    try (ReadableFile in = disk.open(file)) {
      long size = in.sizeBytes();
      boolean sizeRight = expected.map(e -> e.sizeBytes() == size).orElse(true);
      windowBytes = 0;
      found.fileBytes = size;
      long at = 0;
      int wrong = 0;
      boolean known = true;
      while (at < size) {
        int have = read(in, at, (int) Math.min(FrameHeader.SIZE_BYTES, size - at));
        FrameHeader header;
        try {
          header =
              FrameHeader.read(
                  address(at), have < FrameHeader.SIZE_BYTES ? have : size - at, label, at);
        } catch (EngineException e) {
          if (sizeRight) {
            faults.accept(Fault.at(label, at, e.code(), e.getMessage()));
          }
          found.whole = false;
          break;
        }
        if (have < header.frameSizeBytes()) {
          have = read(in, at, header.frameSizeBytes());
        }
        if (have < header.frameSizeBytes()) {
          faults.accept(
              Fault.at(
                  label,
                  at,
                  ErrorCode.CANNOT_READ_ALL_DATA,
                  "the frame has "
                      + header.frameSizeBytes()
                      + " bytes, only "
                      + have
                      + " could be read"));
          found.whole = false;
          break;
        }
        hash.update(address(at), header.frameSizeBytes());
        frames++;
        try {
          decompressor.verify(header, address(at), label, at);
          long target = room(header.uncompressedSizeBytes());
          decompressor.decompress(header, address(at), target, label, at);
          contentHash.update(target, header.uncompressedSizeBytes());
        } catch (EngineException e) {
          known = false;
          if (e.code() == ErrorCode.UNKNOWN_COMPRESSION_METHOD) {
            notes.add(
                label
                    + ": "
                    + e.getMessage().replaceFirst("^.*: ", "")
                    + "; checksums were compared");
          } else if (++wrong <= MOST_FAULTS_PER_FILE) {
            faults.accept(Fault.at(label, at, e.code(), e.getMessage()));
          }
        }
        found.add(at, header.uncompressedSizeBytes());
        at += header.frameSizeBytes();
      }
      if (wrong > MOST_FAULTS_PER_FILE) {
        faults.accept(
            Fault.of(
                label,
                ErrorCode.CORRUPTED_DATA,
                (wrong - MOST_FAULTS_PER_FILE) + " more frames are broken"));
      }
      found.contentKnown = known;
      if (expected.isPresent() && sizeRight && wrong == 0 && found.whole) {
        compare(label, expected.get(), known, faults);
      }
    }
    return found;
  }

  /** Checks a file that is not made of frames. */
  void bytes(
      Disk disk,
      String file,
      String label,
      Optional<ChecksumsFile.Entry> expected,
      Consumer<Fault> faults)
      throws IOException {
    hash.reset();
    try (ReadableFile in = disk.open(file)) {
      windowBytes = 0;
      hashRest(in, 0, in.sizeBytes());
    }
    if (expected.isPresent()) {
      compare(label, expected.get(), false, faults);
    }
  }

  private void hashRest(ReadableFile in, long from, long size) throws IOException {
    long at = from;
    while (at < size) {
      int have = read(in, at, 1);
      if (have == 0) {
        return;
      }
      int n = (int) Math.min(have, size - at);
      hash.update(address(at), n);
      at += n;
    }
  }

  private void compare(
      String label, ChecksumsFile.Entry expected, boolean contentKnown, Consumer<Fault> faults) {
    Hash128 found = hash.value();
    if (hash.sizeBytes() == expected.sizeBytes() && !found.equals(expected.hash())) {
      faults.accept(
          Fault.of(
              label,
              ErrorCode.CHECKSUM_DOESNT_MATCH,
              "the file has hash "
                  + found.numberHex()
                  + ", expected "
                  + expected.hash().numberHex()
                  + " by checksums.txt"));
      return;
    }
    if (!contentKnown || expected.content().isEmpty()) {
      return;
    }
    ChecksumsFile.Content content = expected.content().get();
    // What the frames of data.bin hold is hashed per codec, in an order that the file does not
    // tell.
    boolean hashed = !label.equals("data.bin") && !label.endsWith("/data.bin");
    if (contentHash.sizeBytes() != content.sizeBytes()
        || hashed && !contentHash.value().equals(content.hash())) {
      faults.accept(
          Fault.of(
              label,
              ErrorCode.CHECKSUM_DOESNT_MATCH,
              String.format(
                  "its frames hold %d bytes of hash %s, expected %d of hash %s by checksums.txt",
                  contentHash.sizeBytes(),
                  contentHash.value().numberHex(),
                  content.sizeBytes(),
                  content.hash().numberHex())));
    }
  }

  /**
   * Makes {@code atLeast} bytes from {@code offset} on lie in the buffer, as far as the file has
   * them; returns how many do.
   */
  private int read(ReadableFile in, long offset, int atLeast) throws IOException {
    long have = windowStart + windowBytes - offset;
    if (offset >= windowStart && have >= atLeast) {
      return (int) have;
    }
    if (buffer.capacity() < atLeast) {
      buffer = DirectMemory.allocate(atLeast, "reading a frame");
      bufferAddress = Memory.address(buffer);
    }
    buffer.clear();
    windowStart = offset;
    windowBytes = in.read(offset, buffer);
    return windowBytes;
  }

  private long address(long offset) {
    return bufferAddress + (offset - windowStart);
  }

  private long room(int sizeBytes) {
    if (plain.capacity() < sizeBytes) {
      plain.close();
      plain = allocator.buffer(sizeBytes);
    }
    return plain.memoryAddress();
  }

  @Override
  public void close() {
    plain.close();
    decompressor.close();
  }
}
