package io.coppice.parts.inspect;

import io.coppice.language.type.DataType;
import io.coppice.parts.column.Encoding;
import io.coppice.parts.column.Encoding.Mode;
import io.coppice.parts.column.Encoding.Substream;
import io.coppice.parts.column.Encodings;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.stream.Sink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/**
 * How many bytes the values that were read of a column take in each of its streams: as many as the
 * part has, unless what they were read as is not what they were written as.
 *
 * <p>Not told where the bytes depend on more than the values: of dictionaries, whose cuts the
 * writer chooses; of the places of sparse values, which go by granules; of deleted rows, which are
 * not read.
 *
 * <p>Confined to one thread; the owner closes it.
 */
final class StreamSizes implements AutoCloseable {
  private final Encoding encoding;
  private final boolean told;
  private final boolean sparse;
  private final Map<String, Count> counts = new LinkedHashMap<>();
  private final Map<String, Substream> streams = new LinkedHashMap<>();
  private boolean started;

  /** Counts bytes and forgets them. */
  private static final class Count extends Sink {
    private long drained;

    Count() {
      super(1 << 16);
    }

    @Override
    protected void drain(ByteBuffer bytes, long address, int size) {
      drained += size;
    }

    long bytes() {
      return drained + pending();
    }
  }

  private StreamSizes(Encoding encoding, boolean told, boolean sparse) {
    this.encoding = encoding;
    this.told = told;
    this.sparse = sparse;
    for (Substream stream : encoding.streams()) {
      streams.put(stream.name(), stream);
    }
  }

  static StreamSizes of(LoadedPart part, String column, BufferAllocator allocator) {
    DataType type = part.columns().get(column);
    Mode mode = part.compact() ? Mode.COMPACT : Mode.WIDE;
    Encodings.Options options = part.options(column, mode);
    Encoding encoding = Encodings.of(column, type, options, allocator);
    boolean told =
        !type.text().contains("LowCardinality(") && !part.columns().containsKey("_row_exists");
    return new StreamSizes(encoding, told, anySparse(options.kind()));
  }

  private static boolean anySparse(Encodings.Kind kind) {
    return kind.sparse() || kind.elements().stream().anyMatch(StreamSizes::anySparse);
  }

  private Sink sink(Substream stream) {
    return counts.computeIfAbsent(stream.name(), name -> new Count());
  }

  /** Adds rows that were read. */
  void add(FieldVector vector, int rows) throws IOException {
    if (!told) {
      return;
    }
    if (!started) {
      started = true;
      encoding.writePrefix(this::sink);
    }
    encoding.write(vector, 0, rows, this::sink);
  }

  /** Bytes of each stream of which they can be told. */
  Map<Substream, Long> streams() {
    Map<Substream, Long> sizes = new LinkedHashMap<>();
    for (Map.Entry<String, Count> count : counts.entrySet()) {
      if (!count.getKey().endsWith(".sparse.idx")) {
        sizes.put(streams.get(count.getKey()), count.getValue().bytes());
      }
    }
    return sizes;
  }

  /** Bytes of all streams together, if those of each can be told. */
  OptionalLong total() {
    if (!told || sparse) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(counts.values().stream().mapToLong(Count::bytes).sum());
  }

  @Override
  public void close() {
    encoding.close(); // what the counts hold is not drained any more
  }
}
