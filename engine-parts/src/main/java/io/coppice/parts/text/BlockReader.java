package io.coppice.parts.text;

import io.coppice.language.type.DataType;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.InMemorySize;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.write.BlockLimits;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Reads rows as {@link BatchReader} does, and tells where the blocks end that ClickHouse 26.7 would
 * read them in: by {@link BlockLimits} and segments in the formats of rows, while Native and Arrow
 * have blocks of their own. Blocks come in pieces, so that they need not be in memory whole.
 *
 * <p>Confined to one thread. Borrows the stream; what {@link #next} gives belongs to the caller.
 */
public final class BlockReader implements AutoCloseable {
  private final BatchReader reader;
  private final BlockLimits limits;
  private final boolean rows;
  private final boolean countsBytes;
  private final BufferAllocator allocator;
  private Optional<VectorSchemaRoot> batch = Optional.empty();
  private int given;
  private long blockRows;
  private long blockBytes;

  /**
   * Rows of a block.
   *
   * @param batch of them, which the caller closes
   * @param ends whether the block ends behind them
   */
  public record Piece(VectorSchemaRoot batch, boolean ends) {}

  private BlockReader(
      BatchReader reader, BlockLimits limits, boolean rows, BufferAllocator allocator) {
    this.reader = reader;
    this.limits = limits;
    this.rows = rows;
    this.countsBytes =
        limits.maxBytes() > 0 || limits.minBytes() > 0 && limits.minRows() < limits.maxRows();
    this.allocator = allocator;
  }

  /**
   * Opens a reader.
   *
   * @param options of reading; segments have no more rows than blocks
   * @param limits of blocks
   */
  public static BlockReader open(
      DataFormat format,
      InputStream in,
      String name,
      TableDefinition table,
      BatchReader.Options options,
      BlockLimits limits,
      BufferAllocator allocator) {
    boolean segmented = format.segmented() && options.segment() != BatchReader.Segment.NONE;
    BatchReader.Segment segment =
        segmented
            ? new BatchReader.Segment(limits.maxRows(), options.segment().bytes())
            : BatchReader.Segment.NONE;
    int batchRows = (int) Math.min(options.batchRows(), limits.maxRows());
    // 26.7 asks of VALUES only how many rows there are.
    BlockLimits own =
        format == DataFormat.VALUES ? new BlockLimits(0, 0, limits.maxRows(), 0, false) : limits;
    return new BlockReader(
        BatchReader.open(format, in, name, table, options.within(batchRows, segment), allocator),
        own,
        format.rows(),
        allocator);
  }

  /** The next rows, never none; empty at the end of the input, which ends a block too. */
  public Optional<Piece> next() throws IOException {
    if (batch.isEmpty()) {
      batch = reader.next();
      given = 0;
      if (batch.isEmpty()) {
        return Optional.empty();
      }
    }
    VectorSchemaRoot root = batch.get();
    int most = root.getRowCount();
    int end = rows ? endOfBlock(root) : most;
    boolean ends = rows && endsAt(root, end) || end == most && reader.blockEnds();
    blockRows = ends ? 0 : blockRows + end - given;
    blockBytes = ends ? 0 : blockBytes + bytes(root, end) - bytes(root, given);
    VectorSchemaRoot piece = given == 0 && end == most ? root : copy(root, given, end);
    given = end;
    if (end == most) {
      batch = Optional.empty();
      if (piece != root) {
        root.close();
      }
    }
    return Optional.of(new Piece(piece, ends));
  }

  /** The first row behind those of the batch that are still of the block. */
  private int endOfBlock(VectorSchemaRoot root) {
    int most = root.getRowCount();
    if (!endsAt(root, most)) {
      return most;
    }
    int low = given + 1; // what ends it, ends it all the more with more rows
    int high = most;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (endsAt(root, middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return high;
  }

  private boolean endsAt(VectorSchemaRoot root, int row) {
    return limits.ends(blockRows + row - given, blockBytes + bytes(root, row) - bytes(root, given));
  }

  /** Bytes in memory of the rows before one, where they matter. */
  private long bytes(VectorSchemaRoot root, int row) {
    long bytes = 0;
    if (countsBytes && row > 0) {
      for (FieldVector vector : root.getFieldVectors()) {
        DataType type = ArrowMapping.typeOf(vector.getField());
        bytes += InMemorySize.of(vector, type, row);
      }
    }
    return bytes;
  }

  private VectorSchemaRoot copy(VectorSchemaRoot root, int from, int to) {
    List<FieldVector> vectors = new ArrayList<>();
    boolean done = false;
    try {
      for (FieldVector vector : root.getFieldVectors()) {
        FieldVector copy = vector.getField().createVector(allocator);
        vectors.add(copy);
        Gather.appendRange(vector, from, to - from, copy, 0);
        Vectors.finish(copy, to - from);
      }
      done = true;
    } finally {
      if (!done) {
        Vectors.close(vectors);
      }
    }
    return new VectorSchemaRoot(
        vectors.stream().map(FieldVector::getField).toList(), vectors, to - from);
  }

  @Override
  public void close() throws IOException {
    batch.ifPresent(VectorSchemaRoot::close);
    batch = Optional.empty();
    reader.close();
  }
}
