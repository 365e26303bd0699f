package io.coppice.parts.inspect;

import io.coppice.base.bytes.Memory;
import io.coppice.base.check.Check;
import io.coppice.base.disk.ReadableFile;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.parts.compress.Decompressor;
import io.coppice.parts.compress.FrameHeader;
import io.coppice.parts.format.MarkFile;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.stream.DirectMemory;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Bytes of each column in the one data file of a Compact part: from a column's mark to the next
 * column's, granule after granule. Only the heads of the frames are read. Where columns share a
 * frame its compressed bytes go to them by their share in what it holds.
 *
 * <p>Immutable.
 */
public final class CompactSizes {
  private static final String FILE = "data.bin";

  private final long[] uncompressed;
  private final double[] compressed;
  private final long[] firstFrames;

  private CompactSizes(int columns) {
    this.uncompressed = new long[columns];
    this.compressed = new double[columns];
    this.firstFrames = new long[columns];
    Arrays.fill(firstFrames, -1);
  }

  /**
   * Measures a part.
   *
   * @param part a Compact one
   * @param allocator for decompressing marks in passing
   * @throws EngineException of kind CORRUPTION when frames or marks are broken
   */
  public static CompactSizes of(LoadedPart part, BufferAllocator allocator) throws IOException {
    Check.argument(part.compact(), "part %s is Wide", part.name());
    MarkFile marks;
    try (Decompressor decompressor = new Decompressor(allocator)) {
      marks = part.marks("data", decompressor);
    }
    Frames frames = Frames.of(part);
    List<String> names = List.copyOf(part.columns().keySet());
    CompactSizes sizes = new CompactSizes(names.size());
    int before = -1;
    long from = 0;
    for (int granule = 0; granule < marks.granuleCount(); granule++) {
      for (int i = 0; i < names.size(); i++) {
        OptionalLong place = part.compactMark(names.get(i));
        OptionalLong next = i + 1 < names.size() ? part.compactMark(names.get(i + 1)) : place;
        boolean streams =
            place.isPresent()
                && place.getAsLong() < marks.placeCount()
                && (i + 1 == names.size()
                    || next.isEmpty()
                    || next.getAsLong() > place.getAsLong());
        if (!streams) {
          continue; // a column without any stream has no mark of its own
        }
        long offset = marks.frameOffset(granule, (int) place.getAsLong());
        long at = frames.position(offset, marks.offsetInFrame(granule, (int) place.getAsLong()));
        if (before >= 0) {
          sizes.add(before, from, at, frames);
        }
        if (granule == 0) {
          sizes.firstFrames[i] = offset;
        }
        before = i;
        from = at;
      }
    }
    if (before >= 0) {
      sizes.add(before, from, frames.total(), frames);
    }
    return sizes;
  }

  private void add(int column, long from, long to, Frames frames) {
    if (to < from) {
      throw EngineException.of(
          ErrorCode.CORRUPTED_DATA,
          "%s: the marks of a granule are not in the order of its columns",
          FILE);
    }
    uncompressed[column] += to - from;
    compressed[column] += frames.compressedIn(from, to);
  }

  /** Bytes of column {@code column}, counted as in columns.txt, before compression. */
  public long uncompressedBytes(int column) {
    return uncompressed[column];
  }

  /** Bytes of column {@code column} in the file. */
  public long compressedBytes(int column) {
    return Math.round(compressed[column]);
  }

  /**
   * Offset of the first frame with values of column {@code column}, bytes; empty if there is none.
   */
  public OptionalLong firstFrame(int column) {
    return firstFrames[column] < 0 ? OptionalLong.empty() : OptionalLong.of(firstFrames[column]);
  }

  /** The frames of the file: where each starts, in it and in what all hold together. */
  private static final class Frames {
    private long[] offsets = new long[64];
    private long[] starts = new long[64];
    private int count;

    static Frames of(LoadedPart part) throws IOException {
      Frames frames = new Frames();
      ByteBuffer head = DirectMemory.allocate(FrameHeader.SIZE_BYTES, "reading heads of frames");
      long address = Memory.address(head);
      long at = 0;
      long start = 0;
      try (ReadableFile file = part.disk().open(FILE)) {
        long size = file.sizeBytes();
        while (at < size) {
          file.read(at, head.clear());
          FrameHeader header = FrameHeader.read(address, size - at, FILE, at);
          frames.add(at, start);
          at += header.frameSizeBytes();
          start += header.uncompressedSizeBytes();
        }
      }
      Reference.reachabilityFence(head);
      frames.add(at, start);
      frames.count--; // the last entry is the end
      return frames;
    }

    private void add(long offset, long start) {
      if (count == offsets.length) {
        offsets = Arrays.copyOf(offsets, 2 * count);
        starts = Arrays.copyOf(starts, 2 * count);
      }
      offsets[count] = offset;
      starts[count++] = start;
    }

    long total() {
      return starts[count];
    }

    /** Where a mark points in what all frames hold together. */
    long position(long offset, long inFrame) {
      int frame = Arrays.binarySearch(offsets, 0, count + 1, offset);
      if (frame < 0) {
        throw EngineException.of(
            ErrorCode.CORRUPTED_DATA,
            "%s: a mark points to %d, no frame starts there",
            FILE,
            offset);
      }
      return starts[frame] + inFrame;
    }

    /** Compressed bytes of the positions [from, to). */
    double compressedIn(long from, long to) {
      int frame = Arrays.binarySearch(starts, 0, count + 1, from);
      frame = frame < 0 ? -frame - 2 : frame;
      double bytes = 0;
      for (long at = from; at < to && frame < count; frame++) {
        long end = Math.min(to, starts[frame + 1]);
        long whole = starts[frame + 1] - starts[frame];
        if (whole > 0 && end > at) {
          bytes += (double) (offsets[frame + 1] - offsets[frame]) * (end - at) / whole;
          at = end;
        }
      }
      return bytes;
    }
  }
}
