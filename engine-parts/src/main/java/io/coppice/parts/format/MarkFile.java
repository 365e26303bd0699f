package io.coppice.parts.format;

import io.coppice.base.bytes.Memory;
import io.coppice.base.check.Check;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.parts.compress.CodecChain;
import io.coppice.parts.compress.Compressor;
import io.coppice.parts.compress.Decompressor;
import io.coppice.parts.compress.FrameHeader;
import java.util.Arrays;

/**
 * Where each granule starts: {@code <stream>.mrk} and its kind beside {@code <stream>.bin} in Wide
 * parts, {@code data.mrk3} and its kind beside {@code data.bin} in Compact parts, {@code
 * skp_idx_<name>.mrk2} beside the data of a skip index.
 *
 * <p>No header; one entry per granule, of little-endian numbers of 8 bytes. An entry has one place
 * for its stream, or in Compact parts one per column or stream in order:
 *
 * <pre>
 *   offset of the frame in the data file, bytes
 *   offset of the granule's first value in what that frame holds, bytes
 * </pre>
 *
 * <p>and behind them, unless the format is {@code .mrk} or {@code .cmrk}, how many rows the granule
 * has. A last entry with 0 rows, the final mark, says where a further granule would start: in Wide
 * parts that is inside the last frame, unless it was just cut; in Compact parts the length of the
 * data file. Marks of skip indexes have the extension of the part's, one place, 1 as rows, and no
 * final mark. In the formats that begin with {@code c} all this is in frames, ZSTD(3) by default,
 * cut every 64 KiB.
 *
 * <p>Checked on reading: whole entries; per place offsets never go down; no offset in a frame above
 * what a frame can hold; 0 rows in the last entry only; no granule of 2^31 rows. {@link
 * #checkWithin} compares with the data file. Golden files: every part of {@code golden/18.16.1} and
 * {@code golden/26.7}.
 *
 * <p>Immutable; the entries are one array of longs, 16 bytes per place.
 */
public final class MarkFile {
  /** Most bytes of marks that are read, uncompressed. */
  public static final int LIMIT_BYTES = 1 << 30;

  /** Where frames of marks are cut. */
  public static final int BLOCK_BYTES = 65536;

  private final MarkFormat format;
  private final int placeCount;
  private final int stride;
  private final int markCount;
  private final long[] entries;

  private MarkFile(MarkFormat format, int placeCount, long[] entries) {
    this.format = format;
    this.placeCount = placeCount;
    this.stride = stride(format, placeCount);
    this.entries = entries;
    this.markCount = entries.length / stride;
  }

  private static int stride(MarkFormat format, int placeCount) {
    return 2 * placeCount + (format.rows() ? 1 : 0);
  }

  /**
   * Reads the file.
   *
   * @param name for messages
   * @param placeCount places in an entry: 1 in Wide parts; in Compact parts the count of columns or
   *     streams
   * @throws EngineException CANNOT_READ_ALL_DATA, CORRUPTED_DATA and those of frames
   */
  public static MarkFile read(
      byte[] bytes, String name, MarkFormat format, int placeCount, Decompressor decompressor) {
    Check.argument(placeCount > 0, "%d places in a mark", placeCount);
    Check.argument(format.compact() || placeCount == 1, "%d places in a Wide mark", placeCount);
    byte[] plain =
        format.compressed() ? decompressor.decompressAll(bytes, 0, name, LIMIT_BYTES) : bytes;
    long entryBytes = 8L * stride(format, placeCount);
    if (plain.length % entryBytes != 0) {
      throw EngineException.of(
          ErrorCode.CANNOT_READ_ALL_DATA,
          "%s: %d bytes are not whole marks of %d bytes",
          name,
          plain.length,
          entryBytes);
    }
    long[] entries = new long[plain.length / 8];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = Memory.getLong(plain, 8 * i);
    }
    MarkFile marks = new MarkFile(format, placeCount, entries);
    marks.check(name);
    return marks;
  }

  private void check(String name) {
    for (int mark = 0; mark < markCount; mark++) {
      int at = mark * stride;
      for (int place = 0; place < placeCount; place++) {
        long frame = entries[at + 2 * place];
        long inFrame = entries[at + 2 * place + 1];
        if (frame < 0 || inFrame < 0 || inFrame > FrameHeader.LIMIT_BYTES) {
          throw broken(name, mark, place, "is impossible");
        }
        if (mark > 0) {
          long before = entries[at - stride + 2 * place];
          boolean goesDown =
              frame < before || (frame == before && inFrame < entries[at - stride + 2 * place + 1]);
          if (goesDown) {
            throw broken(name, mark, place, "lies before the mark before it");
          }
        }
      }
      if (format.rows()) {
        long rows = entries[at + stride - 1];
        if (rows < 0 || rows > Integer.MAX_VALUE || (rows == 0 && mark + 1 < markCount)) {
          throw EngineException.of(
              ErrorCode.CORRUPTED_DATA,
              "%s: mark %d of %d says that its granule has %s rows",
              name,
              mark,
              markCount,
              Long.toUnsignedString(rows));
        }
      }
    }
  }

  private EngineException broken(String name, int mark, int place, String what) {
    int at = mark * stride + 2 * place;
    return EngineException.of(
        ErrorCode.CORRUPTED_DATA,
        "%s: mark %d of %d, place %d: offset %s, %s in the frame, %s",
        name,
        mark,
        markCount,
        place,
        Long.toUnsignedString(entries[at]),
        Long.toUnsignedString(entries[at + 1]),
        what);
  }

  /**
   * Refuses marks that point outside a data file.
   *
   * @param dataSizeBytes size of that file
   * @throws EngineException CORRUPTED_DATA naming the first such mark
   */
  public void checkWithin(long dataSizeBytes, String name) {
    if (markCount == 0) {
      return;
    }
    // Offsets never go down, so that the last mark of each place is the greatest.
    for (int place = 0; place < placeCount; place++) {
      if (frameOffset(markCount - 1, place) > dataSizeBytes) {
        int mark = 0;
        while (frameOffset(mark, place) <= dataSizeBytes) {
          mark++;
        }
        throw broken(name, mark, place, "the data ends at " + dataSizeBytes);
      }
    }
  }

  /** What the extension was. */
  public MarkFormat format() {
    return format;
  }

  /** Entries, the final mark included. */
  public int markCount() {
    return markCount;
  }

  /** Places in each entry. */
  public int placeCount() {
    return placeCount;
  }

  /** Whether the last entry stands for the end, not for a granule. */
  public boolean hasFinalMark() {
    return format.rows() && markCount > 0 && entries[entries.length - 1] == 0;
  }

  /** Granules: entries without the final mark. */
  public int granuleCount() {
    return hasFinalMark() ? markCount - 1 : markCount;
  }

  /** Offset in the data file of the frame in which the granule starts, bytes. */
  public long frameOffset(int mark, int place) {
    return entries[index(mark, place)];
  }

  /** Offset of the granule's first value in what that frame holds, bytes. */
  public int offsetInFrame(int mark, int place) {
    return (int) entries[index(mark, place) + 1];
  }

  /** Rows of the granule; 0 for the final mark. Only for formats that have {@code rows}. */
  public int rowCount(int mark) {
    Check.argument(format.rows(), "%s has no row counts", format);
    return (int) entries[index(mark, 0) + stride - 1];
  }

  private int index(int mark, int place) {
    Check.argument(0 <= mark && mark < markCount, "mark %d of %d", mark, markCount);
    Check.argument(0 <= place && place < placeCount, "place %d of %d", place, placeCount);
    return mark * stride + 2 * place;
  }

  /** Rows of all granules together. Only for formats that have {@code rows}. */
  public long totalRowCount() {
    Check.argument(format.rows(), "%s has no row counts", format);
    long sum = 0;
    for (int at = stride - 1; at < entries.length; at += stride) {
      sum += entries[at];
    }
    return sum;
  }

  /** Memory held, for caches. */
  public long weightBytes() {
    return 64 + 8L * entries.length;
  }

  /** The bytes of the marks before they are put into frames. */
  public byte[] content() {
    byte[] plain = new byte[8 * entries.length];
    for (int i = 0; i < entries.length; i++) {
      for (int b = 0; b < 8; b++) {
        plain[8 * i + b] = (byte) (entries[i] >>> (8 * b));
      }
    }
    return plain;
  }

  /** The bytes of the file; {@code chain} is used by the compressed formats. */
  public byte[] write(Compressor compressor, CodecChain chain) {
    byte[] plain = content();
    return format.compressed() ? compressor.compressAll(chain, plain, BLOCK_BYTES) : plain;
  }

  /** Starts an empty file with that many places in an entry. */
  public static Builder builder(MarkFormat format, int placeCount) {
    return new Builder(format, placeCount);
  }

  /** Collects marks as granules are written. Confined to one thread. */
  public static final class Builder {
    private final MarkFormat format;
    private final int placeCount;
    private final int stride;
    private long[] entries;
    private int size;

    private Builder(MarkFormat format, int placeCount) {
      Check.argument(placeCount > 0, "%d places in a mark", placeCount);
      this.format = format;
      this.placeCount = placeCount;
      this.stride = stride(format, placeCount);
      this.entries = new long[16 * stride];
    }

    /** Adds the next place of the entry that is being built. */
    public Builder place(long frameOffset, long offsetInFrame) {
      Check.argument(size % stride < 2 * placeCount, "a mark has %d places", placeCount);
      room(2);
      entries[size++] = frameOffset;
      entries[size++] = offsetInFrame;
      return this;
    }

    /** Ends the entry; {@code rowCount} is left out by formats without row counts. */
    public Builder end(long rowCount) {
      Check.argument(
          size % stride == 2 * placeCount % stride, "a mark needs %d places", placeCount);
      if (format.rows()) {
        room(1);
        entries[size++] = rowCount;
      }
      return this;
    }

    private void room(int more) {
      if (size + more > entries.length) {
        entries = Arrays.copyOf(entries, 2 * entries.length);
      }
    }

    /** Sets the row count of the last entry, when rows join a granule afterwards. */
    public Builder lastRowCount(long rowCount) {
      Check.argument(format.rows() && size > 0 && size % stride == 0, "no whole entry");
      entries[size - 1] = rowCount;
      return this;
    }

    /** Whole entries added. */
    public int markCount() {
      return size / stride;
    }

    /** The file; this builder may go on. */
    public MarkFile build() {
      Check.argument(size % stride == 0, "the last mark is not complete");
      return new MarkFile(format, placeCount, Arrays.copyOf(entries, size));
    }
  }
}
