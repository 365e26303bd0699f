package io.coppice.parts.write;

import io.coppice.parts.column.Encoding;
import io.coppice.parts.column.Encoding.Substream;
import io.coppice.parts.compress.Compressor;
import io.coppice.parts.compress.DirectBytes;
import io.coppice.parts.name.FileNames;
import io.coppice.parts.stream.Sink;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.vector.FieldVector;

/**
 * The data files of a Wide part: a {@code .bin} and a file of marks per stream, column after
 * column.
 *
 * <p>Before each granule a frame is cut if at least min_compress_block_size bytes wait for it, then
 * every stream of the column gets a mark: the offset of the frame to come and of the bytes in it.
 * With adaptive granularity a last mark of no rows says where each stream ends.
 *
 * <p>Confined to one thread.
 */
final class WideColumns {
  private final PartFiles files;
  private final TableSettings settings;
  private final Compressor compressor;
  private final DirectBytes frame;
  private final Granules granules;
  private final int columnCount;
  private final Set<String> sharedSizesWritten = new HashSet<>();

  WideColumns(
      PartFiles files,
      TableSettings settings,
      Compressor compressor,
      DirectBytes frame,
      Granules granules,
      int columnCount) {
    this.files = files;
    this.settings = settings;
    this.compressor = compressor;
    this.frame = frame;
    this.granules = granules;
    this.columnCount = columnCount;
  }

  private static final class Stream {
    final String name;
    final CompressedSink.FrameFile file;
    final CompressedSink sink;
    final Marks.Places marks = new Marks.Places();

    Stream(String name, CompressedSink.FrameFile file, CompressedSink sink) {
      this.name = name;
      this.file = file;
      this.sink = sink;
    }
  }

  /** Takes bytes and forgets them: the sizes of a Nested that another column has written. */
  private static final class NoSink extends Sink {
    NoSink() {
      super(1 << 16);
    }

    @Override
    protected void drain(ByteBuffer bytes, long address, int size) {}
  }

  /** The sizes of a Nested are there already: no column writes them. */
  void sizesAreThere(String stream) {
    sharedSizesWritten.add(stream);
  }

  /** For another thread: the same part, with that thread's compressor and memory for frames. */
  WideColumns with(Compressor other, DirectBytes otherFrame) {
    return new WideColumns(files.with(other), settings, other, otherFrame, granules, columnCount);
  }

  /**
   * Streams of a column that another one writes, namely the first that this is asked for; for
   * {@link #write}.
   */
  Set<String> writtenByOthers(Encoding encoding) {
    Set<String> others = new HashSet<>();
    for (Substream stream : encoding.streams()) {
      if (stream.sharedSizes() && !sharedSizesWritten.add(stream.name())) {
        others.add(stream.name());
      }
    }
    return others;
  }

  /**
   * Writes one column, sorted, whole. Borrows the vector; closes the encoding.
   *
   * @param pieces all granules
   * @param others streams that are not written
   */
  void write(
      ColumnDefinition column,
      Encoding encoding,
      FieldVector vector,
      List<Granules.Piece> pieces,
      Set<String> others)
      throws IOException {
    try (Open open = new Open(column, encoding, others)) {
      open.add(vector, pieces);
      open.finish();
    }
  }

  /** Begins a column, which the caller closes; that closes the encoding. */
  Open open(ColumnDefinition column, Encoding encoding) {
    return new Open(column, encoding, writtenByOthers(encoding));
  }

  /** A column that comes in pieces. */
  final class Open implements AutoCloseable {
    private final Encoding encoding;
    private final List<Stream> streams = new ArrayList<>();
    private final Map<String, Sink> sinks = new HashMap<>();
    private final Encoding.Sinks at = s -> sinks.get(s.name());

    private Open(ColumnDefinition column, Encoding encoding, Set<String> others) {
      this.encoding = encoding;
      CompressedSink.Buffering buffering = buffering();
      for (Substream stream : encoding.streams()) {
        if (others.contains(stream.name())) {
          sinks.put(stream.name(), new NoSink());
          continue;
        }
        String name = FileNames.ofStream(stream.name(), settings.fileNameLimit());
        CompressedSink.FrameFile file =
            new CompressedSink.FrameFile(files.disk(), name + ".bin", compressor, frame);
        CompressedSink sink =
            new CompressedSink(
                file, ColumnStreams.chain(column, stream, settings.defaultCodec()), buffering);
        streams.add(new Stream(name, file, sink));
        sinks.put(stream.name(), sink);
      }
    }

    /** Adds the next rows, which are cut into these pieces. Borrows the vector. */
    void add(FieldVector vector, List<Granules.Piece> pieces) throws IOException {
      for (Granules.Piece piece : pieces) {
        if (piece.starts()) {
          if (piece.granule() == 0) {
            encoding.writePrefix(at);
          }
          mark(streams);
        }
        encoding.write(vector, piece.from(), piece.to(), at);
      }
    }

    /** Ends the column's files. */
    void finish() throws IOException {
      if (granules.count() > 0) {
        encoding.writeSuffix(at);
      }
      if (settings.adaptive()) {
        mark(streams);
      }
      for (Stream stream : streams) {
        stream.sink.flush();
        files.finish(
            stream.name + ".bin",
            stream.file,
            stream.sink.uncompressedBytes(),
            stream.sink.uncompressedHash());
        Marks.write(files, stream.name, stream.marks, 1, granules, settings, false);
      }
    }

    @Override
    public void close() throws IOException {
      encoding.close();
      for (Stream stream : streams) {
        stream.file.close();
      }
    }
  }

  private CompressedSink.Buffering buffering() {
    int most = (int) Math.min(1 << 30, settings.maxCompressBlockSize());
    long many = settings.adaptiveWriteBufferFromColumns();
    boolean growing = many > 0 && columnCount >= many;
    return new CompressedSink.Buffering(
        most, growing ? settings.adaptiveWriteBufferInitialBytes() : most);
  }

  private void mark(List<Stream> streams) throws IOException {
    for (Stream stream : streams) {
      if (stream.sink.full() || stream.sink.pending() >= settings.minCompressBlockSize()) {
        stream.sink.flush();
      }
      stream.marks.add(stream.sink.fileOffset(), stream.sink.pending());
    }
  }
}
