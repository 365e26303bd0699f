package io.coppice.merge.run;

import io.coppice.base.check.Check;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.InMemorySize;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/**
 * One column of the sources in the order that the merge of the keys has found, block by block.
 * Blocks end where ClickHouse's do: when they are full, when a granule passes as a whole, and where
 * a buffer of row sources ends.
 *
 * <p>Confined to one thread; the owner closes it. Sources are borrowed.
 */
final class ColumnGatherer implements AutoCloseable {
  private final List<MergeSource> sources;
  private final ColumnDefinition column;
  private final MergeOptions options;
  private final BufferAllocator allocator;
  private final RowSources.Reader rows;
  private ByteBuffer buffer = ByteBuffer.allocate(0);
  private final Place[] places;
  private Optional<Place> passing = Optional.empty();

  private static final class Place {
    final MergeSource source;
    int nextGranule;
    FieldVector vector;
    int row;
    int size;
    long bytes;

    Place(MergeSource source) {
      this.source = source;
    }

    void forget() {
      if (vector != null) {
        vector.close();
        vector = null;
      }
    }
  }

  ColumnGatherer(
      List<MergeSource> sources,
      ColumnDefinition column,
      RowSources rowSources,
      MergeOptions options,
      BufferAllocator allocator)
      throws IOException {
    this.sources = List.copyOf(sources);
    this.column = column;
    this.options = options;
    this.allocator = allocator;
    this.places = sources.stream().map(Place::new).toArray(Place[]::new);
    this.rows = rowSources.read();
  }

  /** The next block of one column, which the caller closes; empty at the end. */
  Optional<MergedBlock> next() throws IOException {
    if (passing.isPresent()) {
      Place place = passing.get();
      passing = Optional.empty();
      MergedBlock block = new MergedBlock(List.of(place.vector), place.size);
      place.vector = null;
      place.row = place.size;
      return Optional.of(block);
    }
    if (!buffer.hasRemaining()) {
      buffer = rows.next();
      if (!buffer.hasRemaining()) {
        return Optional.empty();
      }
    }
    FieldVector to = ArrowMapping.field(column.name(), column.type()).createVector(allocator);
    boolean done = false;
    try {
      int count = gather(to);
      if (count == 0) {
        return next();
      }
      Vectors.finish(to, count);
      done = true;
      return Optional.of(new MergedBlock(List.of(to), count));
    } finally {
      if (!done) {
        to.close();
      }
    }
  }

  private int gather(FieldVector to) throws IOException {
    int count = 0;
    long bytes = 0;
    while (buffer.hasRemaining()) {
      byte value = buffer.get();
      Place place = places[value & ~RowSources.SKIPPED & 0xFF];
      if (place.row == place.size) {
        load(place);
      }
      int length = 1;
      // The run ends one row before the buffer does, as ClickHouse's.
      int most = Math.min(buffer.remaining(), place.size - place.row);
      while (length < most && buffer.get(buffer.position()) == value) {
        buffer.get();
        length++;
      }
      if ((value & RowSources.SKIPPED) == 0) {
        if (place.row == 0 && place.size == length) {
          passing = Optional.of(place);
          return count;
        }
        Gather.appendRange(place.vector, place.row, length, to, count);
        count += length;
        bytes += place.bytes * length / place.size;
      }
      place.row += length;
      boolean full = count >= options.maxBlockRows() || bytes >= options.maxBlockBytes();
      if (full) {
        break;
      }
    }
    return count;
  }

  private void load(Place place) throws IOException {
    place.forget();
    place.row = 0;
    place.size = 0;
    while (place.size == 0) {
      Check.invariant(
          place.nextGranule < place.source.granuleCount(),
          "column %s: more rows in the key than in the column",
          column.name());
      place.forget();
      place.vector = place.source.read(List.of(column), place.nextGranule++).get(0);
      place.size = place.vector.getValueCount();
    }
    place.bytes = InMemorySize.of(place.vector, column.type(), place.size);
  }

  @Override
  public void close() throws IOException {
    try {
      rows.close();
    } finally {
      for (Place place : places) {
        place.forget();
      }
      for (MergeSource source : sources) {
        source.forget(column);
      }
    }
  }
}
