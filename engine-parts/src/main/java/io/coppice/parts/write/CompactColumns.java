package io.coppice.parts.write;

import io.coppice.base.hash.CityHash;
import io.coppice.base.hash.Hash128;
import io.coppice.base.hash.Hash128Slot;
import io.coppice.parts.column.Encoding;
import io.coppice.parts.column.Encoding.Substream;
import io.coppice.parts.compress.CodecChain;
import io.coppice.parts.compress.CodecHash;
import io.coppice.parts.compress.Compressor;
import io.coppice.parts.compress.DirectBytes;
import io.coppice.parts.stream.Sink;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.arrow.vector.FieldVector;

/**
 * The data file of a Compact part: {@code data.bin}, granule after granule, in each column after
 * column, in each stream after stream; and its marks. A frame ends with each column, and where the
 * next stream has another codec. Every granule of a column is complete in itself.
 *
 * <p>The uncompressed hash in checksums.txt is made of one hash per codec chain, in the order of
 * {@link CodecHash}.
 *
 * <p>Confined to one thread.
 */
final class CompactColumns {
  /** Size of a frame here whatever max_compress_block_size says. */
  private static final int MOST_FRAME_BYTES = 1 << 20;

  private final PartFiles files;
  private final TableSettings settings;
  private final Compressor compressor;
  private final DirectBytes frame;
  private final int[] granules;

  CompactColumns(
      PartFiles files,
      TableSettings settings,
      Compressor compressor,
      DirectBytes frame,
      int[] granules) {
    this.files = files;
    this.settings = settings;
    this.compressor = compressor;
    this.frame = frame;
    this.granules = granules;
  }

  /** A column, sorted, with its encoding. */
  record Column(ColumnDefinition definition, Encoding encoding, FieldVector vector) {}

  /** By {@link CodecHash}: in this order the hash of the content goes over them. */
  private final SortedMap<Long, CompressedSink> sinks = new TreeMap<>(Long::compareUnsigned);

  private CompressedSink current;
  private CompressedSink.FrameFile file;
  private long[] marks = new long[0];
  private int markCursor;

  /** Writes all columns. Borrows vectors and encodings. */
  void write(List<Column> columns) throws IOException {
    CompressedSink.Buffering buffering =
        new CompressedSink.Buffering(MOST_FRAME_BYTES, MOST_FRAME_BYTES);
    try (CompressedSink.FrameFile opened =
        new CompressedSink.FrameFile(files.disk(), "data.bin", compressor, frame)) {
      file = opened;
      List<ColumnCursor> cursors = new ArrayList<>();
      int marksPerGranule = 0;
      for (Column column : columns) {
        ColumnCursor cursor = new ColumnCursor(column, buffering);
        cursors.add(cursor);
        marksPerGranule += cursor.markCount();
      }
      marks = new long[2 * marksPerGranule * (granules.length + 1)];
      int row = 0;
      for (int rows : granules) {
        for (ColumnCursor cursor : cursors) {
          cursor.writeGranule(row, row + rows);
        }
        flushCurrent();
        row += rows;
      }
      for (; markCursor < marks.length; markCursor += 2) {
        marks[markCursor] = file.sizeBytes();
      }
      long bytes = 0;
      Hash128 hash = Hash128.ZERO;
      for (CompressedSink sink : sinks.values()) {
        bytes += sink.uncompressedBytes();
        hash = combine(sink.uncompressedHash(), hash);
      }
      files.finish("data.bin", file, bytes, hash);
      Marks.write(files, "data", marks, marksPerGranule, granules, settings, true);
    }
  }

  /** The streams of one column: their sinks, and which have their mark in the present granule. */
  private final class ColumnCursor implements Encoding.Sinks {
    private final Column column;
    private final Map<String, Integer> indexes = new HashMap<>();
    private final List<CompressedSink> own = new ArrayList<>();
    private final boolean[] marked;
    private int firstMark;

    ColumnCursor(Column column, CompressedSink.Buffering buffering) {
      this.column = column;
      for (Substream stream : column.encoding().streams()) {
        CodecChain chain =
            ColumnStreams.chain(column.definition(), stream, settings.defaultCodec());
        indexes.put(stream.name(), own.size());
        own.add(
            sinks.computeIfAbsent(
                CodecHash.of(chain), hash -> new CompressedSink(file, chain, buffering)));
      }
      this.marked = new boolean[own.size()];
    }

    int markCount() {
      return settings.marksForSubstreams() ? own.size() : 1;
    }

    @Override
    public Sink at(Substream stream) throws IOException {
      int index = indexes.get(stream.name());
      CompressedSink sink = own.get(index);
      if (sink != current) {
        flushCurrent();
        current = sink;
      }
      if (!marked[index]) {
        marked[index] = true;
        if (index < markCount()) {
          marks[firstMark + 2 * index] = file.sizeBytes();
          marks[firstMark + 2 * index + 1] = sink.pending();
        }
      }
      return sink;
    }

    void writeGranule(int from, int to) throws IOException {
      firstMark = markCursor;
      markCursor += 2 * markCount();
      Arrays.fill(marked, false);
      column.encoding().writePrefix(this);
      column.encoding().write(column.vector(), from, to, this);
      column.encoding().writeSuffix(this);
      if (settings.framePerColumnInCompact()) {
        flushCurrent();
      }
    }
  }

  private void flushCurrent() throws IOException {
    if (current != null) {
      current.flush();
    }
  }

  /** The uncompressed hash of a file without rows, whose streams have so many codec chains. */
  static Hash128 hashOfNoRows(int chainCount) {
    Hash128 hash = Hash128.ZERO;
    for (int i = 0; i < chainCount; i++) {
      hash = combine(Hash128.ZERO, hash);
    }
    return hash;
  }

  private static Hash128 combine(Hash128 of, Hash128 seed) {
    byte[] bytes = of.toBytes();
    Hash128Slot slot = new Hash128Slot();
    CityHash.cityHash128WithSeed(bytes, 0, bytes.length, seed.low(), seed.high(), slot);
    return slot.value();
  }
}
