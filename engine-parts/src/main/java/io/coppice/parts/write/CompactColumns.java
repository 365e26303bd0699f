package io.coppice.parts.write;

import io.coppice.base.check.Check;
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
final class CompactColumns implements AutoCloseable {
  /** Size of a frame here whatever max_compress_block_size says. */
  private static final int MOST_FRAME_BYTES = 1 << 20;

  private final PartFiles files;
  private final TableSettings settings;
  private final Granules granules;
  private final CompressedSink.FrameFile file;
  private final List<ColumnCursor> cursors = new ArrayList<>();
  private final int marksPerGranule;

  /** By {@link CodecHash}: in this order the hash of the content goes over them. */
  private final SortedMap<Long, CompressedSink> sinks = new TreeMap<>(Long::compareUnsigned);

  private CompressedSink current;
  private final Marks.Places marks = new Marks.Places();
  private int nextMark;

  /** Begins the file with all columns; their encodings are borrowed. */
  CompactColumns(
      PartFiles files,
      TableSettings settings,
      Compressor compressor,
      DirectBytes frame,
      Granules granules,
      List<Column> columns) {
    this.files = files;
    this.settings = settings;
    this.granules = granules;
    this.file = new CompressedSink.FrameFile(files.disk(), "data.bin", compressor, frame);
    CompressedSink.Buffering buffering =
        new CompressedSink.Buffering(MOST_FRAME_BYTES, MOST_FRAME_BYTES);
    int count = 0;
    for (Column column : columns) {
      ColumnCursor cursor = new ColumnCursor(column, buffering);
      cursors.add(cursor);
      count += cursor.markCount();
    }
    this.marksPerGranule = count;
  }

  /** A column with its encoding. */
  record Column(ColumnDefinition definition, Encoding encoding) {}

  /**
   * Adds the next granules, each of them whole.
   *
   * @param vectors of all columns, borrowed
   */
  void add(List<FieldVector> vectors, List<Granules.Piece> pieces) throws IOException {
    for (Granules.Piece piece : pieces) {
      Check.invariant(piece.starts(), "granule %d goes on", piece.granule());
      for (int i = 0; i < cursors.size(); i++) {
        cursors.get(i).writeGranule(vectors.get(i), piece.from(), piece.to());
      }
      flushCurrent();
    }
  }

  /** Ends the file and writes its marks. */
  void finish() throws IOException {
    for (int i = 0; i < marksPerGranule; i++) {
      marks.set(nextMark++, file.sizeBytes(), 0);
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

  @Override
  public void close() throws IOException {
    file.close();
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
          marks.set(firstMark + index, file.sizeBytes(), sink.pending());
        }
      }
      return sink;
    }

    void writeGranule(FieldVector vector, int from, int to) throws IOException {
      firstMark = nextMark;
      nextMark += markCount();
      Arrays.fill(marked, false);
      column.encoding().writePrefix(this);
      column.encoding().write(vector, from, to, this);
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
