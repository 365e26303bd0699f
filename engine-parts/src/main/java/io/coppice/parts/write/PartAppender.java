package io.coppice.parts.write;

import io.coppice.base.check.Check;
import io.coppice.base.disk.Disk;
import io.coppice.language.type.DataType;
import io.coppice.parts.column.Encodings;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.InMemorySize;
import io.coppice.parts.column.SharedDictionaries;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.Surroundings;
import io.coppice.parts.format.SerializationFile;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings;
import io.coppice.parts.table.TableSettings.Profile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/**
 * Writes one part from sorted rows that come block by block, as a merge brings them. What is held
 * in memory is the frames that are being filled, the marks and the primary index, and of a Compact
 * part the rows of one granule: it does not grow with the rows of a block's columns.
 *
 * <p>The columns of {@link Form#first} come side by side; those that are left come after them, one
 * by one.
 *
 * <pre>{@code
 * try (PartAppender part = PartAppender.open(disk.within(directory), table, form, surroundings, allocator)) {
 *   part.add(vectors, rows);                  // as often as liked; borrowed for the call
 *   part.endRows();
 *   for (String name : part.left()) {         // of the columns that did not come yet
 *     try (PartAppender.Column column = part.column(name)) {
 *       column.add(vector, rows);
 *       column.finish();
 *     }
 *   }
 *   part.finish(smallFiles);
 * }
 * }</pre>
 *
 * <p>Confined to one thread; the owner closes it, and deletes what was written if it was not
 * finished.
 */
public final class PartAppender implements AutoCloseable {
  private final List<ColumnDefinition> definitions;
  private final Form form;
  private final boolean counting;
  private final BufferAllocator allocator;
  private final PartTools tools;
  private final OpenPart part;
  private final Granules granules;
  private final TableKeys keys;
  private final List<TableKeys.Key> primary;
  private final SkipIndexes indexes;
  private final List<Integer> first = new ArrayList<>();
  private final List<Integer> left = new ArrayList<>();
  private final List<Optional<WrittenInfo>> infos = new ArrayList<>();
  private final List<FieldVector> waiting = new ArrayList<>();
  private int waitingRows;
  private boolean ended;
  private long rowCount;

  /**
   * What the part is to be like.
   *
   * @param compact whether it is a Compact part
   * @param first names of the columns that come side by side: of a Compact part all, of a Wide part
   *     at least those of the sorting key and of skip indexes over several columns
   * @param blocksAreGranules whether each block is a granule
   * @param granuleRows rows of each granule, where blocks have no say in it
   * @param infos what is known of columns' defaults, by which they are written sparse or in full
   * @param sync whether files are made durable
   */
  public record Form(
      boolean compact,
      Set<String> first,
      boolean blocksAreGranules,
      OptionalInt granuleRows,
      Map<String, SerializationFile.Info> infos,
      boolean sync) {
    public Form {
      first = Set.copyOf(first);
      infos = Map.copyOf(infos);
    }
  }

  /**
   * Begins a part.
   *
   * @param directory of the part, which exists and is empty
   * @param surroundings for expressions of keys
   * @param allocator which outlives this
   */
  public static PartAppender open(
      Disk directory,
      TableDefinition table,
      Form form,
      Surroundings surroundings,
      BufferAllocator allocator) {
    PartTools tools = PartTools.of(allocator);
    try {
      return new PartAppender(directory, table, form, surroundings, tools, allocator);
    } catch (Throwable e) {
      tools.close();
      throw e;
    }
  }

  private PartAppender(
      Disk directory,
      TableDefinition table,
      Form form,
      Surroundings surroundings,
      PartTools tools,
      BufferAllocator allocator) {
    this.form = form;
    this.tools = tools;
    this.allocator = allocator;
    this.definitions = table.storedColumns();
    Map<String, DataType> schema = new LinkedHashMap<>();
    definitions.forEach(c -> schema.put(c.name(), c.type()));
    ExpressionCompiler compiler = ExpressionCompiler.of(schema).in(surroundings).forKeys();
    this.keys = new TableKeys(table, compiler);
    this.primary = keys.sorting().subList(0, table.primaryKeySize());
    this.indexes = new SkipIndexes(table, compiler);
    this.granules = new Granules(table.settings(), form.compact(), form.granuleRows());
    this.counting =
        table.settings().sparseRatio() < 1 && table.settings().profile() == Profile.MODERN;
    List<Encodings.Kind> kinds = new ArrayList<>();
    for (int i = 0; i < definitions.size(); i++) {
      ColumnDefinition column = definitions.get(i);
      (form.compact() || form.first().contains(column.name()) ? first : left).add(i);
      Optional<WrittenInfo> info =
          counting
              ? WrittenInfo.of(
                  column.type(),
                  column.type(),
                  Optional.ofNullable(form.infos().get(column.name())),
                  table.settings().exactDefaultCounts(),
                  table.settings().sparseNullable())
              : Optional.empty();
      infos.add(info);
      kinds.add(info.map(WrittenInfo::kind).orElse(Encodings.Kind.DEFAULT));
    }
    this.part =
        new OpenPart(
            new PartFiles(directory, tools.compressor(), form.sync()),
            table,
            form.compact(),
            granules,
            kinds,
            indexes.indexes(),
            tools,
            allocator);
  }

  /**
   * Rows of each granule where all have as many, as use_const_adaptive_granularity wants it.
   *
   * @param rows of the part
   * @param bytes of those rows
   */
  public static int granuleRows(long rows, long bytes, TableSettings settings) {
    return (int) Math.min(Integer.MAX_VALUE, Granules.rowsPerGranule(rows, bytes, settings));
  }

  /** The columns that come side by side, in the order of the table. */
  public List<ColumnDefinition> first() {
    return first.stream().map(definitions::get).toList();
  }

  /** The columns that come one by one, in the order of the table. */
  public List<ColumnDefinition> left() {
    return left.stream().map(definitions::get).toList();
  }

  /** Rows added so far. */
  public long rowCount() {
    return rowCount;
  }

  /**
   * Adds the next rows.
   *
   * @param block vectors of {@link #first}, borrowed for the call
   * @param bytes of all columns in memory, as granules are sized by; {@link #bytes} says it
   */
  public void add(List<FieldVector> block, int rows, long bytes) throws IOException {
    Check.argument(!ended, "rows behind the end");
    if (rows == 0) {
      return;
    }
    rowCount += rows;
    for (int i = 0; i < first.size(); i++) {
      FieldVector vector = block.get(i);
      infos.get(first.get(i)).ifPresent(info -> info.add(vector, 0, rows));
    }
    if (!form.compact()) {
      write(
          block, rows, form.blocksAreGranules() ? granules.whole(rows) : granules.cut(rows, bytes));
      return;
    }
    boolean waits = granules.waits(rows, bytes, waitingRows);
    if (!waits && waitingRows == 0) {
      write(block, rows, granules.waited(rows));
      return;
    }
    for (int i = 0; i < block.size(); i++) {
      if (waitingRows == 0) {
        waiting.add(Vectors.emptyLike(block.get(i), allocator));
      }
      Gather.appendRange(block.get(i), 0, rows, waiting.get(i), waitingRows);
    }
    waitingRows += rows;
    if (!waits) {
      writeWaiting();
    }
  }

  /**
   * Bytes of a block's columns in memory as ClickHouse counts them.
   *
   * @param shared for each column, of a block that is a granule of a part as it is, the
   *     dictionaries it has in common with the rest of that part; empty for other blocks
   */
  public long bytes(List<FieldVector> block, int rows, List<SharedDictionaries> shared) {
    long bytes = 0;
    for (int i = 0; i < first.size() && rows > 0; i++) {
      bytes +=
          InMemorySize.of(
              block.get(i),
              definitions.get(first.get(i)).type(),
              rows,
              shared.isEmpty() ? SharedDictionaries.NONE : shared.get(i));
    }
    return bytes;
  }

  private void writeWaiting() throws IOException {
    int rows = waitingRows;
    waiting.forEach(vector -> Vectors.finish(vector, rows));
    waitingRows = 0;
    try {
      write(waiting, rows, granules.waited(rows));
    } finally {
      Vectors.close(waiting);
      waiting.clear();
    }
  }

  private void write(List<FieldVector> block, int rows, List<Granules.Piece> pieces)
      throws IOException {
    part.add(first, block, pieces);
    try (TableKeys.Evaluated key = keys.evaluate(primary, block, rows, allocator);
        SkipIndexes.Inputs inputs = indexes.evaluate(block, rows, allocator)) {
      List<PartWriter.KeyColumn> columns = new ArrayList<>();
      for (int i = 0; i < primary.size(); i++) {
        columns.add(
            new PartWriter.KeyColumn(key.vectors().get(i), primary.get(i).expression().type()));
      }
      part.addKeys(rows, columns, pieces);
      part.addIndexes(inputs.values(), pieces);
    }
  }

  /** No more rows come; the columns that are left may follow. */
  public void endRows() throws IOException {
    if (ended) {
      return;
    }
    if (waitingRows > 0) {
      writeWaiting();
    }
    granules.end();
    ended = true;
    part.endColumns();
  }

  /** Begins a column that is left; the caller finishes and closes it before the next. */
  public Column column(ColumnDefinition column) {
    Check.argument(ended, "rows of the first columns are to come");
    return new Column(definitions.indexOf(column));
  }

  /** A column that comes by itself, in the rows of the others. */
  public final class Column implements AutoCloseable {
    private final int index;
    private final WideColumns.Open open;
    private final Granules.Cursor cursor = granules.cursor();

    private Column(int index) {
      this.index = index;
      this.open = part.begin(index);
    }

    /** Adds the next rows; the vector is borrowed for the call. */
    public void add(FieldVector vector, int rows) throws IOException {
      if (rows == 0) {
        return;
      }
      List<Granules.Piece> pieces = cursor.next(rows);
      infos.get(index).ifPresent(info -> info.addColumn(vector, rows));
      open.add(vector, pieces);
      try (SkipIndexes.Inputs inputs = indexes.evaluate(List.of(vector), rows, allocator)) {
        part.addIndexes(inputs.values(), pieces);
      }
    }

    /** Ends the column's files. */
    public void finish() throws IOException {
      open.finish();
    }

    @Override
    public void close() throws IOException {
      open.close();
    }
  }

  /**
   * Writes what is left, checksums.txt last.
   *
   * @param smallFiles those that depend on keys and times only, by name
   */
  public WrittenFiles finish(Map<String, byte[]> smallFiles) throws IOException {
    Check.argument(ended, "rows have not ended");
    List<SerializationFile.Column> known = new ArrayList<>();
    for (int i = 0; i < definitions.size(); i++) {
      String name = definitions.get(i).name();
      infos.get(i).ifPresent(info -> known.add(new SerializationFile.Column(name, info.info())));
    }
    PartWriter.Result result = part.finish(smallFiles, known, alone());
    return new WrittenFiles(rowCount, result.compact(), result.markCount(), result.sizeBytes());
  }

  /** Indexes that have files of their own however small: those that came before other columns. */
  private Set<String> alone() {
    Set<String> columns = new HashSet<>();
    first().forEach(c -> columns.add(c.name()));
    return left.isEmpty() ? Set.of() : indexes.over(columns);
  }

  /**
   * What was written.
   *
   * @param markCount marks, final one included
   * @param sizeBytes bytes of all files
   */
  public record WrittenFiles(long rowCount, boolean compact, int markCount, long sizeBytes) {}

  @Override
  public void close() throws IOException {
    Vectors.close(waiting);
    waiting.clear();
    try {
      part.close();
    } finally {
      tools.close();
    }
  }
}
