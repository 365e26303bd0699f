package io.coppice.parts.write;

import io.coppice.base.check.Check;
import io.coppice.base.disk.Disk;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.base.hash.Hash128;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Encoding;
import io.coppice.parts.column.Encodings;
import io.coppice.parts.column.InMemorySize;
import io.coppice.parts.create.CreateCheck;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.Surroundings;
import io.coppice.parts.stream.ArrowFlags;
import io.coppice.parts.stream.DirectMemory;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.util.OversizedAllocationException;

/**
 * Builds parts from Arrow batches, as an INSERT does: batches are gathered to blocks, a block is
 * split by partition (numbers go by first appearance), each piece sorted by the sorting key and
 * written.
 *
 * <pre>{@code
 * try (PartBuilder builder = PartBuilder.open(table, disk, allocator)) {
 *   builder.add(batch);                       // borrowed for the call
 *   List<WrittenPart> parts = builder.finish();
 * }
 * }</pre>
 *
 * <p>A part is written to {@code tmp_insert_…} and renamed when it is whole. Rows of the merging
 * engines (Replacing and the like) are kept as they are, at level 0; ClickHouse folds them when it
 * merges.
 *
 * <p>With an executor ({@link #on}) a block is written while the next is gathered, and its parts
 * and columns on several threads; the parts are the same, byte for byte.
 *
 * <p>Confined to one thread; the owner closes it. Closing without {@link #finish} drops the rows
 * that no part was written of yet.
 */
public final class PartBuilder implements AutoCloseable {
  private final TableDefinition table;
  private final Disk disk;
  private final BufferAllocator allocator;
  private final InputColumns input;
  private final List<ColumnDefinition> columns;
  private final List<DataType> types;
  private final ExpressionCompiler forKeys;
  private final RowChecks checks;
  private final List<WrittenPart> written = new ArrayList<>();
  private final BlockGatherer gatherer;
  private BlockWriter writer;
  private Workers workers = Workers.NONE;
  private PartitionLimit partitions = PartitionLimit.NONE;
  private long rowsAdded;
  private long nextBlock = 1;
  private boolean hashing;
  private List<String> hashed = List.of();
  private long blockCount;
  private Optional<Hash128> blockHash = Optional.empty();
  private final List<Block> blocks = new ArrayList<>();

  /**
   * The block that a part's rows came in.
   *
   * @param number from 0
   * @param hash of all its rows
   */
  public record Block(long number, Hash128 hash) {}

  /**
   * Starts building.
   *
   * @param disk in whose root parts are put
   * @param allocator for blocks; a child of it is used
   * @throws EngineException as ClickHouse would refuse to create the table ({@link CreateCheck});
   *     when it has what cannot be built: projections, types whose data is not written, key
   *     expressions that do not compile; SUPPORT_IS_DISABLED in a JVM that was started without the
   *     flag that Arrow needs
   */
  public static PartBuilder open(TableDefinition table, Disk disk, BufferAllocator allocator) {
    return open(table, disk, Surroundings.system(), allocator);
  }

  /**
   * As {@link #open(TableDefinition, Disk, BufferAllocator)}, with the time and the random numbers
   * that DEFAULT, MATERIALIZED and CHECK expressions get, and the zone of times that name none, for
   * keys too: a clock that stands still and a seeded generator make the same parts of the same
   * rows. The time is that of this call for all rows.
   */
  public static PartBuilder open(
      TableDefinition table, Disk disk, Surroundings surroundings, BufferAllocator allocator) {
    ArrowFlags.require();
    CreateCheck.check(table);
    BufferAllocator child = allocator.newChildAllocator("build", 0, Long.MAX_VALUE);
    try {
      return new PartBuilder(table, disk, surroundings.atThisMoment(), child);
    } catch (Throwable e) {
      child.close();
      throw e;
    }
  }

  private PartBuilder(
      TableDefinition table, Disk disk, Surroundings surroundings, BufferAllocator allocator) {
    this.table = table;
    this.disk = disk;
    this.allocator = allocator;
    this.columns = table.storedColumns();
    this.types = columns.stream().map(ColumnDefinition::type).toList();
    refuseWhatCannotBeBuilt();
    Map<String, DataType> schema = new LinkedHashMap<>();
    columns.forEach(c -> schema.put(c.name(), c.type()));
    ExpressionCompiler compiler = ExpressionCompiler.of(schema).in(surroundings);
    this.forKeys = compiler.forKeys();
    this.writer = new BlockWriter(table, disk, forKeys, allocator, workers);
    this.input = new InputColumns(table, surroundings, allocator);
    this.checks = new RowChecks(table, compiler);
    this.gatherer = new BlockGatherer(this::accumulator, allocator, this::writeBlock);
  }

  private BlockAccumulator accumulator() {
    return new BlockAccumulator(
        columns.stream().map(c -> ArrowMapping.field(c.name(), c.type())).toList(), allocator);
  }

  private void refuseWhatCannotBeBuilt() {
    for (ColumnDefinition column : columns) {
      if (!ArrowMapping.readable(column.type())) {
        throw ArrowMapping.unwritable(column.name(), column.type());
      }
      if (column.type() == PlainType.NOTHING) {
        throw EngineException.of(
            ErrorCode.DATA_TYPE_CANNOT_BE_USED_IN_TABLES,
            "column %s has type Nothing, which is not stored",
            column.name());
      }
      for (Encoding.Substream stream :
          Encodings.streams(
              column.name(), column.type(), Encodings.Options.of(Encoding.Mode.WIDE, true))) {
        ColumnStreams.chain(column, stream, table.settings().defaultCodec());
      }
    }
    if (!table.projections().isEmpty()) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED,
          "table %s has projections (%s), which are not built; drop them from the CREATE TABLE, the"
              + " engine can MATERIALIZE them after attaching",
          table.name(),
          String.join(", ", table.projections()));
    }
  }

  /**
   * Writes on threads of an executor as well, before the first batch. What is written is the same;
   * where the allocator has room for it, one block more is held in memory, and {@link #add} may
   * throw what went wrong with an earlier block.
   *
   * @param threads that work on one block at once
   */
  public PartBuilder on(Executor executor, int threads) {
    Check.argument(threads > 0, "%d threads", threads);
    writer.close();
    workers = threads > 1 ? new Workers(executor, threads) : Workers.NONE;
    writer = new BlockWriter(table, disk, forKeys, allocator, workers);
    gatherer.on(workers);
    return this;
  }

  /** Number of the first block; 1 unless said. */
  public PartBuilder firstBlock(long number) {
    Check.argument(number >= 0, "block number %d", number);
    nextBlock = number;
    return this;
  }

  /** How large blocks are; as those of an INSERT without settings unless said. */
  public PartBuilder blockLimits(BlockLimits limits) {
    gatherer.limits(limits);
    return this;
  }

  /** What becomes of blocks with rows of many partitions; they are written unless said. */
  public PartBuilder partitionLimit(PartitionLimit limit) {
    partitions = limit;
    return this;
  }

  /**
   * Finds out the hashes of blocks, by which ClickHouse knows them again.
   *
   * @param given names of the columns that the rows come with, in the order they come
   */
  public PartBuilder hashingBlocks(List<String> given) {
    hashing = true;
    hashed = List.copyOf(given);
    return this;
  }

  /** For each part that was written, the block that it is of; none unless asked for before. */
  public List<Block> blocks() {
    return List.copyOf(blocks);
  }

  /**
   * Adds the rows of a batch, which is borrowed for the call, as a block of the input; writes parts
   * when enough is gathered.
   *
   * @throws EngineException when the batch does not fit the table; VIOLATED_CONSTRAINT or
   *     INCORRECT_DATA naming the row that a CHECK or the Collapsing engines refuse. No row of a
   *     refused batch is in any part
   */
  public void add(VectorSchemaRoot batch) throws IOException {
    add(batch, true);
  }

  /**
   * As {@link #add(VectorSchemaRoot)}, for a batch that may be a piece of a block.
   *
   * @param ends whether the block of the input ends behind this batch
   */
  public void add(VectorSchemaRoot batch, boolean ends) throws IOException {
    add(batch, new DictionaryProvider.MapDictionaryProvider(), ends);
  }

  /**
   * As {@link #add(VectorSchemaRoot)}, for batches with dictionary-encoded columns.
   *
   * @param dictionaries of those columns, borrowed for the call; an Arrow reader is one
   */
  public void add(VectorSchemaRoot batch, DictionaryProvider dictionaries) throws IOException {
    add(batch, dictionaries, true);
  }

  private void add(VectorSchemaRoot batch, DictionaryProvider dictionaries, boolean ends)
      throws IOException {
    if (batch.getRowCount() == 0) {
      return;
    }
    try (InputColumns.Rows rows = input.of(batch, dictionaries)) {
      NestedSizes.check(columns, rows.stored(), batch.getRowCount());
      checks.check(rows.stored(), batch.getRowCount(), rowsAdded);
      rowsAdded += batch.getRowCount();
      long bytes = 0;
      for (int i = 0; i < columns.size(); i++) {
        if (rows.isGiven(columns.get(i))) {
          bytes += InMemorySize.of(rows.stored().get(i), types.get(i), batch.getRowCount());
        }
      }
      gatherer.add(rows.stored(), batch.getRowCount(), bytes, ends);
    } catch (OutOfMemoryException | OversizedAllocationException e) {
      throw DirectMemory.lacking(e, "building parts of table " + table.name());
    }
  }

  /** Writes what is left and says which parts were written, in the order of their numbers. */
  public List<WrittenPart> finish() throws IOException {
    try {
      gatherer.finish();
    } catch (OutOfMemoryException | OversizedAllocationException e) {
      throw DirectMemory.lacking(e, "building parts of table " + table.name());
    }
    return written();
  }

  /**
   * The parts written so far; all those of the blocks that were full, unless writing one failed.
   */
  public List<WrittenPart> written() {
    synchronized (written) {
      return List.copyOf(written);
    }
  }

  private void writeBlock(List<FieldVector> block, int rows) throws IOException {
    blockHash = hashing ? Optional.of(hash(block, rows)) : Optional.empty();
    writer.write(block, rows, nextBlock, partitions, this::keep);
    blockCount++;
  }

  private void keep(WrittenPart part) {
    nextBlock = part.name().maxBlock() + 1;
    blockHash.ifPresent(hash -> blocks.add(new Block(blockCount, hash)));
    synchronized (written) {
      written.add(part);
    }
  }

  private Hash128 hash(List<FieldVector> block, int rows) throws IOException {
    List<FieldVector> given = new ArrayList<>();
    List<DataType> givenTypes = new ArrayList<>();
    for (String name : hashed) {
      for (int i = 0; i < columns.size(); i++) {
        if (columns.get(i).name().equals(name)) {
          given.add(block.get(i));
          givenTypes.add(types.get(i));
        }
      }
    }
    return BlockHash.of(given, givenTypes, rows, allocator);
  }

  @Override
  public void close() {
    gatherer.close();
    writer.close();
    allocator.close();
  }
}
