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
  private final int[] granules;
  private final int columnCount;
  private final Set<String> sharedSizesWritten = new HashSet<>();

  WideColumns(
      PartFiles files,
      TableSettings settings,
      Compressor compressor,
      DirectBytes frame,
      int[] granules,
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
    final long[] marks;

    Stream(String name, CompressedSink.FrameFile file, CompressedSink sink, int markCount) {
      this.name = name;
      this.file = file;
      this.sink = sink;
      this.marks = new long[2 * markCount];
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

  /** Writes one column, sorted, whole. Borrows the vector; closes the encoding. */
  void write(ColumnDefinition column, Encoding encoding, FieldVector vector) throws IOException {
    int markCount = granules.length + (settings.adaptive() ? 1 : 0);
    List<Stream> streams = new ArrayList<>();
    Map<String, Sink> sinks = new HashMap<>();
    CompressedSink.Buffering buffering = buffering();
    for (Substream stream : encoding.streams()) {
      if (stream.sharedSizes() && !sharedSizesWritten.add(stream.name())) {
        sinks.put(stream.name(), new NoSink());
        continue;
      }
      String name = FileNames.ofStream(stream.name(), settings.fileNameLimit());
      CompressedSink.FrameFile file =
          new CompressedSink.FrameFile(files.disk(), name + ".bin", compressor, frame);
      CompressedSink sink =
          new CompressedSink(
              file, ColumnStreams.chain(column, stream, settings.defaultCodec()), buffering);
      streams.add(new Stream(name, file, sink, markCount));
      sinks.put(stream.name(), sink);
    }
    try (encoding) {
      Encoding.Sinks at = s -> sinks.get(s.name());
      if (granules.length > 0) {
        encoding.writePrefix(at);
      }
      int row = 0;
      for (int granule = 0; granule < granules.length; granule++) {
        mark(streams, granule);
        encoding.write(vector, row, row + granules[granule], at);
        row += granules[granule];
      }
      if (granules.length > 0) {
        encoding.writeSuffix(at);
      }
      if (settings.adaptive()) {
        mark(streams, granules.length);
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
    } finally {
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

  private void mark(List<Stream> streams, int granule) throws IOException {
    for (Stream stream : streams) {
      if (stream.sink.full() || stream.sink.pending() >= settings.minCompressBlockSize()) {
        stream.sink.flush();
      }
      stream.marks[2 * granule] = stream.sink.fileOffset();
      stream.marks[2 * granule + 1] = stream.sink.pending();
    }
  }
}
