package io.coppice.parts.scan;

import io.coppice.parts.column.Codes;
import io.coppice.parts.column.Encoding;
import io.coppice.parts.column.Encoding.Mode;
import io.coppice.parts.column.Encoding.Substream;
import io.coppice.parts.column.SharedDictionaries;
import io.coppice.parts.stream.Source;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.FieldVector;

/**
 * Reads one column of one part, from any granule on, into a vector that is being filled.
 *
 * <p>Confined to one thread; the owner closes it.
 */
abstract class ColumnReader implements AutoCloseable {
  /** Makes the next row that at the start of granule {@code granule}. */
  abstract void seek(int granule) throws IOException;

  /** Reads rows to rows [at, at + rows) of {@code vector}; in Compact parts within one granule. */
  abstract void read(int rows, FieldVector vector, int at) throws IOException;

  /** Whether {@link #readCodes} is served. */
  abstract boolean coded();

  /** Reads rows as places in dictionaries; in Compact parts within one granule. */
  abstract void readCodes(int rows, Codes to) throws IOException;

  /** The dictionaries of the rows read last. */
  abstract SharedDictionaries shared();

  /** Whether reading goes on over the end of a granule without {@link #seek}. */
  abstract boolean crossesGranules();

  @Override
  public abstract void close() throws IOException;

  /** Opens the source of a stream and knows its marks. */
  interface Streams {
    /** The source of a stream's file; the reader owns it. */
    FrameSource open(Substream stream) throws IOException;

    /** Where granule {@code granule} of the stream starts. */
    void seek(FrameSource source, Substream stream, int granule) throws IOException;
  }

  /** Streams in files of their own: sequential over granules. */
  static final class Wide extends ColumnReader {
    private final Encoding encoding;
    private final Streams streams;
    private final List<Substream> substreams;
    private final Map<String, FrameSource> sources = new HashMap<>();
    private boolean prefixRead;

    Wide(Encoding encoding, Streams streams) throws IOException {
      this.encoding = encoding;
      this.streams = streams;
      this.substreams = encoding.streams();
      try {
        for (Substream stream : substreams) {
          sources.put(stream.name(), streams.open(stream));
        }
      } catch (Throwable e) {
        close();
        throw e;
      }
    }

    private Source source(Substream stream) {
      return sources.get(stream.name());
    }

    @Override
    void seek(int granule) throws IOException {
      if (!prefixRead) {
        encoding.readPrefix(this::source);
        prefixRead = true;
      }
      for (Substream stream : substreams) {
        streams.seek(sources.get(stream.name()), stream, granule);
      }
      encoding.sought();
    }

    @Override
    void read(int rows, FieldVector vector, int at) throws IOException {
      encoding.read(this::source, rows, vector, at);
    }

    @Override
    boolean coded() {
      return encoding.coded();
    }

    @Override
    void readCodes(int rows, Codes to) throws IOException {
      encoding.readCodes(this::source, rows, to);
    }

    @Override
    SharedDictionaries shared() {
      return SharedDictionaries.of(encoding);
    }

    @Override
    boolean crossesGranules() {
      return true;
    }

    @Override
    public void close() throws IOException {
      encoding.close();
      for (FrameSource source : sources.values()) {
        source.close();
      }
    }
  }

  /** All streams in one file, each granule on its own. */
  static final class Compact extends ColumnReader {
    private final Encoding encoding;
    private final Streams streams;
    private final FrameSource source;
    private final Substream first;

    /**
     * @param source of data.bin, shared by the columns of one reader, borrowed
     */
    Compact(Encoding encoding, Streams streams, FrameSource source) {
      this.encoding = encoding;
      this.streams = streams;
      this.source = source;
      this.first = encoding.streams().get(0);
    }

    @Override
    void seek(int granule) throws IOException {
      streams.seek(source, first, granule);
      encoding.sought();
      encoding.readPrefix(s -> source);
    }

    @Override
    void read(int rows, FieldVector vector, int at) throws IOException {
      encoding.read(s -> source, rows, vector, at);
    }

    @Override
    boolean coded() {
      return encoding.coded();
    }

    @Override
    void readCodes(int rows, Codes to) throws IOException {
      encoding.readCodes(s -> source, rows, to);
    }

    @Override
    SharedDictionaries shared() {
      return SharedDictionaries.of(encoding);
    }

    @Override
    boolean crossesGranules() {
      return false;
    }

    @Override
    public void close() {
      encoding.close();
    }
  }

  /** The mode of a part's columns. */
  static Mode mode(boolean compact) {
    return compact ? Mode.COMPACT : Mode.WIDE;
  }
}
