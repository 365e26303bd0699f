package io.coppice.parts.write;

import io.coppice.base.disk.Disk;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.format.MinMaxFile;
import io.coppice.parts.format.PartitionFile;
import io.coppice.parts.format.TtlFile;
import io.coppice.parts.name.PartName;
import io.coppice.parts.name.PartitionId;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.FieldVector;

/**
 * Writes the parts of one block after the other: a block is split by partition, numbers going by
 * first appearance, each piece sorted by the sorting key and written to {@code tmp_insert_…}, which
 * is renamed when it is whole.
 *
 * <p>One block is written at a time, by workers. The owner closes it.
 */
final class BlockWriter implements AutoCloseable {
  private final TableDefinition table;
  private final Disk disk;
  private final BufferAllocator allocator;
  private final List<ColumnDefinition> columns;
  private final List<DataType> types;
  private final TableKeys keys;
  private final List<String> minMaxColumns;
  private final SkipIndexes skipIndexes;
  private final TtlTimes ttl;
  private final PartWriter writer;
  private final Workers workers;

  /**
   * @param disk in whose root parts are put
   * @param compiler over the stored columns, for keys
   */
  BlockWriter(
      TableDefinition table,
      Disk disk,
      ExpressionCompiler compiler,
      BufferAllocator allocator,
      Workers workers) {
    this.table = table;
    this.disk = disk;
    this.allocator = allocator;
    this.workers = workers;
    this.columns = table.storedColumns();
    this.types = columns.stream().map(ColumnDefinition::type).toList();
    this.keys = new TableKeys(table, compiler);
    TreeSet<String> used = new TreeSet<>();
    keys.partition().forEach(k -> used.addAll(k.expression().columns()));
    this.minMaxColumns = List.copyOf(used);
    this.skipIndexes = new SkipIndexes(table, compiler);
    this.ttl = new TtlTimes(table, compiler);
    this.writer = new PartWriter(allocator, workers);
  }

  /**
   * Writes the parts of a block, whose vectors are borrowed, with numbers from {@code first} on.
   *
   * @param limit of its partitions, asked before anything is written
   * @param taking gets the parts that were written, in the order of their numbers, also when
   *     another failed
   */
  void write(
      List<FieldVector> block,
      int rows,
      long first,
      PartitionLimit limit,
      Consumer<WrittenPart> taking)
      throws IOException {
    try (TableKeys.Evaluated partition = keys.evaluate(keys.partition(), block, rows, allocator);
        TableKeys.Evaluated sorting = keys.evaluate(keys.sorting(), block, rows, allocator);
        SkipIndexes.Inputs indexInputs = skipIndexes.evaluate(block, rows, allocator)) {
      List<DataType> partitionTypes =
          keys.partition().stream().map(k -> k.expression().type()).toList();
      PartitionId ids =
          new PartitionId(
              partitionTypes, partition.vectors(), table.settings().profile() == Profile.CLASSIC);
      TtlTimes.Evaluated times = ttl.over(block, rows, allocator);
      List<int[]> selections = PartitionSplitter.split(partition.vectors(), rows);
      limit.check(table.name(), rows, selections.size());
      WrittenPart[] made = new WrittenPart[selections.size()];
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
        Arrays.stream(made).filter(Objects::nonNull).forEach(taking);
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
          small.put(MinMaxFile.name(name), MinMaxFile.write(types.get(i), block.get(i), selection));
        }
      }
    }
    return small;
  }

  private PartName name(String partition, List<FieldVector> block, int[] selection, long number) {
    if (!table.oldSyntax()) {
      return new PartName(partition, number, number, 0);
    }
    String date = keys.partition().get(0).expression().columns().iterator().next();
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(date)) {
        DateDayVector days = (DateDayVector) block.get(i);
        IntSummaryStatistics range = Arrays.stream(selection).map(days::get).summaryStatistics();
        PartName.DayRange named =
            new PartName.DayRange(dayNumber(range.getMin()), dayNumber(range.getMax()));
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
        TableKeys.Key key = keys.sorting().get(i);
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
      List<SortOrder.Key> elements = new ArrayList<>();
      for (int i = 0; i < sorting.size(); i++) {
        elements.add(
            new SortOrder.Key(
                taken(sorting.get(i), selection, owned),
                keys.sorting().get(i).expression().type(),
                table.descending().get(i)));
      }
      Optional<int[]> permutation =
          SortOrder.permutation(elements, selection.map(s -> s.length).orElse(rows));
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
    writer.close();
  }
}
