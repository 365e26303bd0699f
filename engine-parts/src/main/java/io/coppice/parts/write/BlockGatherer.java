package io.coppice.parts.write;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/**
 * Gathers the blocks that rows come in to those that parts are made of, as {@link BlockLimits} say.
 * With several workers a block is written while the next is gathered.
 *
 * <p>Confined to one thread; the owner closes it.
 */
final class BlockGatherer implements AutoCloseable {
  /** Blocks for which there must be memory left, so that one is written while the next comes. */
  private static final int ROOM_FOR_NEXT = 4;

  private final Supplier<BlockAccumulator> accumulators;
  private final BufferAllocator allocator;
  private final Taking taking;
  private BlockLimits limits = BlockLimits.DEFAULT;
  private Workers workers = Workers.NONE;
  private BlockAccumulator gathered;
  private long gatheredBytes;
  private BlockAccumulator apart;
  private long apartBytes;
  private Place place = Place.BETWEEN_BLOCKS;
  private Optional<BlockAccumulator> spare = Optional.empty();
  private Optional<FutureTask<Void>> writing = Optional.empty();

  /** Where the pieces of a block go. */
  private enum Place {
    /** No block has been begun. */
    BETWEEN_BLOCKS,
    /** Behind what is gathered. */
    GATHERED,
    /** Aside: the block may turn out to be large enough not to go behind smaller ones. */
    APART
  }

  /** Takes gathered blocks. */
  interface Taking {
    /** Takes a block, whose vectors are borrowed for the call. */
    void take(List<FieldVector> block, int rows) throws IOException;
  }

  /**
   * @param accumulators make empty ones
   * @param allocator of all memory
   */
  BlockGatherer(Supplier<BlockAccumulator> accumulators, BufferAllocator allocator, Taking taking) {
    this.accumulators = accumulators;
    this.allocator = allocator;
    this.taking = taking;
    this.gathered = accumulators.get();
    this.apart = accumulators.get();
  }

  void limits(BlockLimits given) {
    limits = given;
  }

  void on(Workers given) {
    workers = given;
  }

  /**
   * Adds rows, whose vectors are borrowed.
   *
   * @param bytes of them in memory that count
   * @param ends whether the block that they are of ends with them
   */
  void add(List<FieldVector> stored, int rows, long bytes, boolean ends) throws IOException {
    if (limits.strict()) {
      cut(stored, rows, bytes, ends);
      return;
    }
    if (place == Place.BETWEEN_BLOCKS) {
      if (ends && limits.enough(rows, bytes)) {
        flush();
        endWriting();
        taking.take(stored, rows); // without a copy
        return;
      }
      place = ends || gathered.rows() == 0 ? Place.GATHERED : Place.APART;
    }
    if (place == Place.APART) {
      addApart(stored, rows, bytes, ends);
    } else {
      gathered.append(stored, 0, rows);
      gatheredBytes += bytes;
    }
    if (ends) {
      place = Place.BETWEEN_BLOCKS;
      if (limits.enough(gathered.rows(), gatheredBytes)) {
        flush();
      }
    }
  }

  private void addApart(List<FieldVector> stored, int rows, long bytes, boolean ends)
      throws IOException {
    apart.append(stored, 0, rows);
    apartBytes += bytes;
    if (limits.enough(apart.rows(), apartBytes)) {
      flush();
      BlockAccumulator empty = gathered;
      gathered = apart;
      gatheredBytes = apartBytes;
      apart = empty;
      place = Place.GATHERED;
    } else if (ends) {
      gathered.append(apart.finish(), 0, apart.rows());
      gatheredBytes += apartBytes;
      apart.reset();
    } else {
      return;
    }
    apartBytes = 0;
  }

  /** Adds rows where no block may be larger than its maximum. */
  private void cut(List<FieldVector> stored, int rows, long bytes, boolean ends)
      throws IOException {
    double rowBytes = (double) bytes / rows;
    for (int from = 0; from < rows; ) {
      int count = (int) Math.min(rows - from, room(rowBytes));
      gathered.append(stored, from, count);
      gatheredBytes += (long) Math.ceil(rowBytes * count);
      from += count;
      if (limits.full(gathered.rows(), gatheredBytes)) {
        flush();
      }
    }
    if (ends && gathered.rows() > 0 && limits.enough(gathered.rows(), gatheredBytes)) {
      flush();
    }
  }

  /** Rows of such a size that may still come, at least 1. */
  private long room(double rowBytes) {
    long rows = limits.maxRows() - gathered.rows();
    if (limits.maxBytes() > 0 && rowBytes > 0) {
      rows = Math.min(rows, (long) Math.ceil((limits.maxBytes() - gatheredBytes) / rowBytes));
    }
    return Math.max(1, rows);
  }

  private void flush() throws IOException {
    endWriting();
    if (gathered.rows() == 0) {
      return;
    }
    if (!workers.several() || allocator.getHeadroom() < ROOM_FOR_NEXT * gatheredBytes) {
      hand(gathered);
    } else {
      BlockAccumulator full = gathered;
      gathered = spare.orElseGet(accumulators);
      spare = Optional.of(full);
      writing =
          Optional.of(
              workers.begin(
                  () -> {
                    hand(full);
                    return null;
                  }));
    }
    gatheredBytes = 0;
  }

  private void hand(BlockAccumulator full) throws IOException {
    taking.take(full.finish(), full.rows());
    full.reset();
  }

  /** Waits for the block that is being written; what went wrong is thrown, by later calls too. */
  private void endWriting() throws IOException {
    if (writing.isPresent()) {
      Workers.end(writing.get());
      writing = Optional.empty();
    }
  }

  /** Hands over what is left, and returns when all is taken. */
  void finish() throws IOException {
    if (place == Place.APART) {
      gathered.append(apart.finish(), 0, apart.rows());
      apart.reset();
      place = Place.BETWEEN_BLOCKS;
    }
    flush();
    endWriting();
  }

  @Override
  public void close() {
    writing.ifPresent(Workers::settle);
    gathered.close();
    apart.close();
    spare.ifPresent(BlockAccumulator::close);
  }
}
