package io.coppice.parts.write;

import io.coppice.base.check.Check;
import io.coppice.base.disk.Disk;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.base.hash.Hash128;
import io.coppice.language.expression.Expression;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Encoding;
import io.coppice.parts.column.Encodings;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.InMemorySize;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.create.CreateCheck;
import io.coppice.parts.expression.ColumnExpression;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.Surroundings;
import io.coppice.parts.expression.TypedExpression;
import io.coppice.parts.format.MinMaxFile;
import io.coppice.parts.format.PartitionFile;
import io.coppice.parts.format.TtlFile;
import io.coppice.parts.name.PartName;
import io.coppice.parts.name.PartitionId;
import io.coppice.parts.stream.ArrowFlags;
import io.coppice.parts.stream.DirectMemory;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
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
  /** Rows from which on a block is full, as ClickHouse squashes the blocks of an INSERT. */
  public static final int DEFAULT_BLOCK_ROWS = 1_048_449;

  /** Bytes in memory from which on a block is full. */
  public static final long DEFAULT_BLOCK_BYTES = 268_402_944;

  /** Blocks for which there must be memory left, so that one is written while the next comes. */
  private static final int ROOM_FOR_NEXT = 4;

  private final TableDefinition table;
  private final Disk disk;
  private final BufferAllocator allocator;
  private final InputColumns input;
  private final List<ColumnDefinition> columns;
  private final List<DataType> types;
  private final List<Key> sortingKey;
  private final List<Key> partitionKey;
  private final List<String> minMaxColumns;
  private final SkipIndexes skipIndexes;
  private final TtlTimes ttl;
  private final RowChecks checks;
  private final List<WrittenPart> written = new ArrayList<>();
  private PartWriter writer;
  private Workers workers = Workers.NONE;
  private BlockAccumulator gathered;
  private Optional<BlockAccumulator> spare = Optional.empty();
  private Optional<FutureTask<Void>> writing = Optional.empty();
  private long gatheredBytes;
  private long rowsAdded;
  private long nextBlock = 1;
  private int blockRows = DEFAULT_BLOCK_ROWS;
  private long blockBytes = DEFAULT_BLOCK_BYTES;
  private boolean splitting;
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

  /** An element of a key: a column as it is, or an expression. */
  private record Key(TypedExpression expression, Optional<Integer> column) {}

  /** Vectors of key elements; those that are no columns are owned. */
  private record KeyVectors(List<FieldVector> vectors, List<FieldVector> owned)
      implements AutoCloseable {
    @Override
    public void close() {
      Vectors.close(owned);
    }
  }

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
    ExpressionCompiler compiler = ExpressionCompiler.of(schema).in(surroundings).forKeys();
    this.sortingKey = compile(compiler, table.sortingKey());
    this.partitionKey = compile(compiler, table.partitionKey());
    checkKeyTypes();
    TreeSet<String> used = new TreeSet<>();
    partitionKey.forEach(k -> used.addAll(k.expression().columns()));
    this.minMaxColumns = List.copyOf(used);
    this.skipIndexes = new SkipIndexes(table, compiler);
    this.ttl = new TtlTimes(table, compiler);
    this.input = new InputColumns(table, surroundings, allocator);
    this.checks = new RowChecks(table, ExpressionCompiler.of(schema).in(surroundings));
    this.gathered = accumulator();
    this.writer = new PartWriter(allocator);
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

  private List<Key> compile(ExpressionCompiler compiler, List<Expression> elements) {
    List<Key> keys = new ArrayList<>();
    for (Expression element : elements) {
      TypedExpression compiled = compiler.compile(element);
      Optional<Integer> column = Optional.empty();
      if (element.bare() instanceof Expression.Identifier identifier) {
        for (int i = 0; i < columns.size(); i++) {
          if (columns.get(i).name().equals(identifier.name())) {
            column = Optional.of(i);
          }
        }
      }
      keys.add(new Key(compiled, column));
    }
    return keys;
  }

  private void checkKeyTypes() {
    for (Key key : sortingKey) {
      if (key.expression().type().nullable() && !table.settings().allowNullableKey()) {
        throw EngineException.of(
            ErrorCode.ILLEGAL_COLUMN,
            "table %s: the sorting key has a Nullable element %s; set allow_nullable_key = 1 to"
                + " have it",
            table.name(),
            key.expression().text());
      }
    }
    for (Key key : partitionKey) {
      DataType type = key.expression().type();
      if (type instanceof PlainType p
          && p.floating()
          && !table.settings().allowFloatPartitionKey()
          && table.settings().profile() == Profile.MODERN) {
        throw EngineException.of(
            ErrorCode.BAD_ARGUMENTS,
            "table %s: partition key %s is a floating point number; set"
                + " allow_floating_point_partition_key = 1 to have it",
            table.name(),
            key.expression().text());
      }
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
    writer = new PartWriter(allocator, workers);
    return this;
  }

  /** Number of the first block; 1 unless said. */
  public PartBuilder firstBlock(long number) {
    Check.argument(number >= 0, "block number %d", number);
    nextBlock = number;
    return this;
  }

  /** Rows and bytes in memory from which on a block is full and written. */
  public PartBuilder blockLimits(int rows, long bytes) {
    Check.argument(rows > 0 && bytes > 0, "blocks of %d rows, %d bytes", rows, bytes);
    blockRows = rows;
    blockBytes = bytes;
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
   * Makes the rows of a block a limit: a batch is split where a block is full, where otherwise it
   * goes into the block whole, as the blocks of an INSERT do.
   */
  public PartBuilder splittingBatches() {
    splitting = true;
    return this;
  }

  /**
   * Adds the rows of a batch, which is borrowed for the call; writes parts when a block is full.
   *
   * @throws EngineException when the batch does not fit the table; VIOLATED_CONSTRAINT or
   *     INCORRECT_DATA naming the row that a CHECK or the Collapsing engines refuse. No row of a
   *     refused batch is in any part
   */
  public void add(VectorSchemaRoot batch) throws IOException {
    add(batch, new DictionaryProvider.MapDictionaryProvider());
  }

  /**
   * As {@link #add(VectorSchemaRoot)}, for batches with dictionary-encoded columns.
   *
   * @param dictionaries of those columns, borrowed for the call; an Arrow reader is one
   */
  public void add(VectorSchemaRoot batch, DictionaryProvider dictionaries) throws IOException {
    if (batch.getRowCount() == 0) {
      return;
    }
    try {
      gather(batch, dictionaries);
    } catch (OutOfMemoryException | OversizedAllocationException e) {
      throw DirectMemory.lacking(e, "building parts of table " + table.name());
    }
  }

  private void gather(VectorSchemaRoot batch, DictionaryProvider dictionaries) throws IOException {
    try (InputColumns.Rows rows = input.of(batch, dictionaries)) {
      checkNested(rows.stored(), batch.getRowCount());
      checks.check(rows.stored(), batch.getRowCount(), rowsAdded);
      rowsAdded += batch.getRowCount();
      long bytes = 0;
      for (int i = 0; i < columns.size(); i++) {
        bytes += InMemorySize.of(rows.stored().get(i), types.get(i), batch.getRowCount());
      }
      if (splitting && gathered.rows() + (long) batch.getRowCount() > blockRows) {
        split(rows.stored(), batch.getRowCount(), bytes);
        return;
      }
      if (gathered.rows() == 0 && (batch.getRowCount() >= blockRows || bytes >= blockBytes)) {
        endWriting();
        writeBlock(rows.stored(), batch.getRowCount());
        return;
      }
      gathered.append(rows.stored(), 0, batch.getRowCount());
      gatheredBytes += bytes;
    }
    if (gathered.rows() >= blockRows || gatheredBytes >= blockBytes) {
      flush();
    }
  }

  private void split(List<FieldVector> stored, int rows, long bytes) throws IOException {
    for (int from = 0; from < rows; ) {
      int count = Math.min(rows - from, blockRows - gathered.rows());
      gathered.append(stored, from, count);
      gatheredBytes += bytes / rows * count;
      from += count;
      if (gathered.rows() >= blockRows || gatheredBytes >= blockBytes) {
        flush();
      }
    }
  }

  /**
   * Columns of one Nested share their sizes: a row with arrays of unequal length has no form in a
   * part.
   */
  private void checkNested(List<FieldVector> stored, int rows) {
    Map<String, Integer> first = new LinkedHashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      int at = i;
      if (!(stored.get(i) instanceof ListVector list) || !(types.get(i) instanceof ArrayType)) {
        continue;
      }
      Optional<String> nested = Encodings.nestedTable(columns.get(i).name());
      Integer other = nested.map(n -> first.putIfAbsent(n, at)).orElse(null);
      for (int row = 0; other != null && row < rows; row++) {
        ListVector sibling = (ListVector) stored.get(other);
        int size = list.getElementEndIndex(row) - list.getElementStartIndex(row);
        int expected = sibling.getElementEndIndex(row) - sibling.getElementStartIndex(row);
        if (size != expected) {
          throw EngineException.of(
              ErrorCode.SIZES_OF_ARRAYS_DONT_MATCH,
              "row %d of %d: column %s has %d elements, expected %d as %s of the same Nested",
              row + 1,
              rows,
              columns.get(i).name(),
              size,
              expected,
              columns.get(other).name());
        }
      }
    }
  }

  private void flush() throws IOException {
    endWriting();
    if (gathered.rows() == 0) {
      return;
    }
    if (!workers.several() || allocator.getHeadroom() < ROOM_FOR_NEXT * gatheredBytes) {
      writeGathered(gathered);
    } else {
      BlockAccumulator full = gathered;
      gathered = spare.orElseGet(this::accumulator);
      spare = Optional.of(full);
      writing =
          Optional.of(
              workers.begin(
                  () -> {
                    writeGathered(full);
                    return null;
                  }));
    }
    gatheredBytes = 0;
  }

  private void writeGathered(BlockAccumulator full) throws IOException {
    writeBlock(full.finish(), full.rows());
    full.reset();
  }

  /** Waits for the block that is being written; what went wrong is thrown, by later calls too. */
  private void endWriting() throws IOException {
    if (writing.isPresent()) {
      Workers.end(writing.get());
      writing = Optional.empty();
    }
  }

  /** Writes what is left and says which parts were written, in the order of their numbers. */
  public List<WrittenPart> finish() throws IOException {
    try {
      flush();
      endWriting();
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

  private KeyVectors evaluate(List<Key> keys, List<FieldVector> block, int rows) {
    List<FieldVector> vectors = new ArrayList<>();
    List<FieldVector> owned = new ArrayList<>();
    try {
      VectorSchemaRoot view =
          new VectorSchemaRoot(block.stream().map(FieldVector::getField).toList(), block, rows);
      for (Key key : keys) {
        if (key.column().isPresent()) {
          vectors.add(block.get(key.column().get()));
        } else {
          TypedExpression expression = key.expression();
          FieldVector vector =
              ColumnExpression.labelled(
                      "table " + table.name() + ", key " + expression.text(), expression)
                  .evaluate(
                      view, ArrowMapping.field(expression.text(), expression.type()), allocator);
          owned.add(vector);
          vectors.add(vector);
        }
      }
      return new KeyVectors(vectors, owned);
    } catch (Throwable e) {
      Vectors.close(owned);
      throw e;
    }
  }

  private void writeBlock(List<FieldVector> block, int rows) throws IOException {
    blockHash = hashing ? Optional.of(hash(block, rows)) : Optional.empty();
    writeParts(block, rows);
    blockCount++;
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

  private void writeParts(List<FieldVector> block, int rows) throws IOException {
    try (KeyVectors partition = evaluate(partitionKey, block, rows);
        KeyVectors sorting = evaluate(sortingKey, block, rows);
        SkipIndexes.Inputs indexInputs = skipIndexes.evaluate(block, rows, allocator)) {
      List<DataType> partitionTypes =
          partitionKey.stream().map(k -> k.expression().type()).toList();
      PartitionId ids =
          new PartitionId(
              partitionTypes, partition.vectors(), table.settings().profile() == Profile.CLASSIC);
      TtlTimes.Evaluated times = ttl.over(block, rows, allocator);
      List<int[]> selections = PartitionSplitter.split(partition.vectors(), rows);
      WrittenPart[] made = new WrittenPart[selections.size()];
      long first = nextBlock;
      Map<FieldVector, Long> dictionaries = new ConcurrentHashMap<>();
      Workers spread = workers.forValues((long) rows * columns.size());
      try {
        spread.each(
            made.length,
            i -> {
              int[] selection = selections.get(i);
              PartName name = name(ids.of(selection[0]), block, selection, first + i);
              Map<String, byte[]> small =
                  keyFiles(block, partition.vectors(), partitionTypes, selection);
              ttl.file(times, selection).ifPresent(f -> small.put(TtlFile.NAME, f));
              made[i] =
                  writePart(
                      name,
                      small,
                      block,
                      rows,
                      sorting.vectors(),
                      indexInputs,
                      selection,
                      dictionaries);
            });
      } finally {
        keep(made);
      }
    }
  }

  /** Counts the parts of a block that were written, none left out if all went well. */
  private void keep(WrittenPart[] made) {
    for (WrittenPart part : made) {
      if (part != null) {
        nextBlock = part.name().maxBlock() + 1;
        blockHash.ifPresent(hash -> blocks.add(new Block(blockCount, hash)));
        synchronized (written) {
          written.add(part);
        }
      }
    }
  }

  private Map<String, byte[]> keyFiles(
      List<FieldVector> block,
      List<FieldVector> partition,
      List<DataType> partitionTypes,
      int[] selection) {
    Map<String, byte[]> small = new TreeMap<>();
    if (!partition.isEmpty() && !table.oldSyntax()) {
      small.put(PartitionFile.NAME, PartitionFile.write(partitionTypes, partition, selection[0]));
    }
    for (String name : minMaxColumns) {
      for (int i = 0; i < columns.size(); i++) {
        if (columns.get(i).name().equals(name) && !table.oldSyntax()) {
          MinMax range = MinMax.of(block.get(i), types.get(i), selection);
          small.put(
              MinMaxFile.name(name),
              MinMaxFile.write(types.get(i), block.get(i), range.minRow(), range.maxRow()));
        }
      }
    }
    return small;
  }

  private PartName name(String partition, List<FieldVector> block, int[] selection, long number) {
    if (!table.oldSyntax()) {
      return new PartName(partition, number, number, 0);
    }
    String date = partitionKey.get(0).expression().columns().iterator().next();
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(date)) {
        MinMax range = MinMax.of(block.get(i), types.get(i), selection);
        DateDayVector days = (DateDayVector) block.get(i);
        PartName.DayRange named =
            new PartName.DayRange(
                dayNumber(days.get(range.minRow())), dayNumber(days.get(range.maxRow())));
        return new PartName(partition, number, number, 0, 0, Optional.of(named));
      }
    }
    throw new AssertionError("no date column " + date);
  }

  private static int dayNumber(int epochDay) {
    LocalDate day = LocalDate.ofEpochDay(epochDay);
    return day.getYear() * 10_000 + day.getMonthValue() * 100 + day.getDayOfMonth();
  }

  private WrittenPart writePart(
      PartName name,
      Map<String, byte[]> small,
      List<FieldVector> block,
      int rows,
      List<FieldVector> sorting,
      SkipIndexes.Inputs indexInputs,
      int[] selection,
      Map<FieldVector, Long> dictionaries)
      throws IOException {
    boolean whole = selection.length == rows;
    Optional<int[]> order = order(sorting, rows, whole ? Optional.empty() : Optional.of(selection));
    List<FieldVector> owned = new ArrayList<>();
    try {
      List<FieldVector> sorted = new ArrayList<>();
      if (order.isPresent()) {
        gatherAll(block, order.get(), owned);
        sorted.addAll(owned);
      } else {
        sorted.addAll(block);
      }
      List<PartWriter.KeyColumn> primary = new ArrayList<>();
      for (int i = 0; i < table.primaryKeySize(); i++) {
        Key key = sortingKey.get(i);
        FieldVector vector =
            key.column().isPresent()
                ? sorted.get(key.column().get())
                : taken(sorting.get(i), order, owned);
        primary.add(new PartWriter.KeyColumn(vector, key.expression().type()));
      }
      List<SkipIndexes.Values> indexValues =
          indexInputs.ordered(vector -> taken(vector, order, owned));
      return writeTemporary(
          name,
          new PartWriter.Block(
              selection.length,
              sorted,
              primary,
              small,
              indexValues,
              new PartWriter.Origin(block, rows, selection, dictionaries)));
    } finally {
      Vectors.close(owned);
    }
  }

  /** Takes rows of every vector; what was taken is in {@code owned}, also after a failure. */
  private void gatherAll(List<FieldVector> block, int[] order, List<FieldVector> owned)
      throws IOException {
    FieldVector[] taken = new FieldVector[block.size()];
    try {
      workers
          .forValues((long) order.length * taken.length)
          .each(
              taken.length,
              i -> taken[i] = Gather.take(block.get(i), order, order.length, allocator));
    } finally {
      for (FieldVector vector : taken) {
        if (vector != null) {
          owned.add(vector);
        }
      }
    }
  }

  private FieldVector taken(FieldVector vector, Optional<int[]> order, List<FieldVector> owned) {
    if (order.isEmpty()) {
      return vector;
    }
    FieldVector taken = Gather.take(vector, order.get(), order.get().length, allocator);
    owned.add(taken);
    return taken;
  }

  /** The rows of a part in the order of the key; empty when that is the block as it is. */
  private Optional<int[]> order(List<FieldVector> sorting, int rows, Optional<int[]> selection) {
    List<FieldVector> owned = new ArrayList<>();
    try {
      List<SortOrder.Key> keys = new ArrayList<>();
      for (int i = 0; i < sorting.size(); i++) {
        keys.add(
            new SortOrder.Key(
                taken(sorting.get(i), selection, owned),
                sortingKey.get(i).expression().type(),
                table.descending().get(i)));
      }
      Optional<int[]> permutation =
          SortOrder.permutation(keys, selection.map(s -> s.length).orElse(rows));
      if (selection.isEmpty() || permutation.isEmpty()) {
        return permutation.or(() -> selection);
      }
      int[] composed = permutation.get();
      int[] selected = selection.get();
      for (int i = 0; i < composed.length; i++) {
        composed[i] = selected[composed[i]];
      }
      return Optional.of(composed);
    } finally {
      Vectors.close(owned);
    }
  }

  private WrittenPart writeTemporary(PartName name, PartWriter.Block block) throws IOException {
    String temporary = "tmp_insert_" + name.text();
    if (disk.exists(name.text())) {
      throw EngineException.of(
          ErrorCode.DUPLICATE_DATA_PART,
          "part %s is there already; build into an empty directory or from another first block",
          name.text());
    }
    disk.deleteRecursively(temporary);
    disk.createDirectories(temporary);
    PartWriter.Result result;
    try {
      result = writer.write(disk.within(temporary), table, block);
      if (table.settings().fsyncPartDirectory()) {
        disk.syncDirectory(temporary);
      }
      disk.rename(temporary, name.text());
    } catch (Throwable e) {
      try {
        disk.deleteRecursively(temporary);
      } catch (IOException left) {
        e.addSuppressed(left);
      }
      throw e;
    }
    if (table.settings().fsyncPartDirectory()) {
      disk.syncDirectory("");
    }
    return new WrittenPart(
        name, block.rows(), result.compact(), result.markCount(), result.sizeBytes());
  }

  @Override
  public void close() {
    writing.ifPresent(Workers::settle);
    gathered.close();
    spare.ifPresent(BlockAccumulator::close);
    writer.close();
    allocator.close();
  }
}
