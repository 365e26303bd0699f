package io.coppice.parts.inspect;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.compress.Decompressor;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.TypedExpression;
import io.coppice.parts.format.MinMaxFile;
import io.coppice.parts.format.PartitionFile;
import io.coppice.parts.format.PrimaryIndexFile;
import io.coppice.parts.name.DetachedName;
import io.coppice.parts.name.PartName;
import io.coppice.parts.name.PartitionId;
import io.coppice.parts.scan.BatchStream;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.scan.Scan;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import io.coppice.parts.text.TextBuffer;
import io.coppice.parts.text.ValueText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Compares a part's rows with what its files and name say of its keys: the primary index, the order
 * of the rows, the partition, the least and greatest values. One pass over the columns concerned.
 *
 * <p>Confined to one thread; the owner closes it.
 */
final class KeyCheck implements AutoCloseable {
  private final LoadedPart part;
  private final String name;
  private final TableDefinition table;
  private final ZoneId zone;
  private final Decompressor decompressor;
  private final BufferAllocator allocator;
  private final Consumer<Fault> faults;
  private final List<String> notes = new ArrayList<>();
  private final List<FieldVector> owned = new ArrayList<>();

  private final boolean masked;
  private final List<TypedExpression> sorting;
  private final List<TypedExpression> partition;
  private Optional<Index> index = Optional.empty();
  private final List<Range> ranges = new ArrayList<>();
  private List<FieldVector> before = List.of();
  private List<FieldVector> firstPartition = List.of();
  private final Many indexFaults = new Many("keys are wrong");
  private final Many orderFaults = new Many("rows come too late");
  private final Many partitionFaults = new Many("values are of another partition");

  /**
   * What is wrong in the same way at many places: one fault, that of the first, which says how
   * many.
   */
  private static final class Many {
    private final String what;
    private Optional<Fault> first = Optional.empty();
    private long count;

    Many(String what) {
      this.what = what;
    }

    void add(Supplier<Fault> fault) {
      if (count++ == 0) {
        first = Optional.of(fault.get());
      }
    }

    void tell(Consumer<Fault> faults) {
      first.ifPresent(
          f ->
              faults.accept(
                  count == 1
                      ? f
                      : Fault.of(
                          f.file(), f.code(), f.message() + "; " + count + " such " + what)));
    }
  }

  /** The primary index as it is stored: a vector per column of the key, a row per mark. */
  private record Index(String file, List<FieldVector> vectors, int keyCount) {}

  /** A minmax file: rows 0 and 1 of the vector. */
  private static final class Range {
    final String column;
    final String file;
    final DataType type;
    final FieldVector vector;
    final Many faults = new Many("values lie outside");

    Range(String column, String file, DataType type, FieldVector vector) {
      this.column = column;
      this.file = file;
      this.type = type;
      this.vector = vector;
    }
  }

  KeyCheck(
      LoadedPart part,
      String name,
      TableDefinition table,
      ZoneId zone,
      Decompressor decompressor,
      BufferAllocator allocator,
      Consumer<Fault> faults) {
    this.part = part;
    this.name = name;
    this.table = table;
    this.zone = zone;
    this.decompressor = decompressor;
    this.allocator = allocator;
    this.faults = faults;
    this.masked = part.columns().containsKey("_row_exists");
    this.sorting = compile(table.sortingKey(), "sorting key");
    this.partition = compile(table.partitionKey(), "partition key");
  }

  List<String> notes() {
    return notes;
  }

  /** The expressions of a key over the part's columns; none when they need what it lacks. */
  private List<TypedExpression> compile(List<Expression> elements, String what) {
    Map<String, DataType> types = new LinkedHashMap<>(part.columns());
    ExpressionCompiler compiler = ExpressionCompiler.of(types).withZone(zone.getId()).forKeys();
    List<TypedExpression> compiled = new ArrayList<>();
    try {
      for (Expression element : elements) {
        compiled.add(compiler.compile(element));
      }
    } catch (EngineException e) {
      notes.add("the " + what + " was not compared with the rows: " + e.getMessage());
      return List.of();
    }
    return compiled;
  }

  private String shown(FieldVector vector, int row, DataType type) {
    TextBuffer text = new TextBuffer();
    ValueText.of(type, ValueText.Style.TSV, zone).append(vector, row, text);
    String whole = new String(text.toByteArray(), StandardCharsets.UTF_8);
    return whole.length() > 60 ? whole.substring(0, 60) + "…" : whole;
  }

  private interface Step {
    void run() throws IOException;
  }

  private void attempt(String file, Step step) throws IOException {
    try {
      step.run();
    } catch (EngineException e) {
      faults.accept(Fault.of(file, e.code(), e.getMessage()));
    }
  }

  void run() throws IOException {
    String file =
        part.files().containsKey(PrimaryIndexFile.COMPRESSED_NAME)
            ? PrimaryIndexFile.COMPRESSED_NAME
            : PrimaryIndexFile.NAME;
    boolean keyKnown = sorting.size() == table.sortingKey().size();
    if (keyKnown && table.primaryKeySize() > 0) {
      if (part.files().containsKey(file)) {
        attempt(file, () -> readIndex(file));
      } else {
        faults.accept(
            Fault.of(
                file, ErrorCode.NO_FILE_IN_DATA_PART, "not there, though the table has a key"));
      }
    }
    boolean partitionKnown = partition.size() == table.partitionKey().size();
    for (Map.Entry<String, DataType> column : part.columns().entrySet()) {
      String minMax = MinMaxFile.name(column.getKey());
      if (part.files().containsKey(minMax) && ArrowMapping.readable(column.getValue())) {
        attempt(minMax, () -> readRange(column.getKey(), minMax, column.getValue()));
      }
    }
    if (partitionKnown) {
      checkPartitionFiles();
    }
    Set<String> columns = new LinkedHashSet<>();
    sorting.forEach(e -> columns.addAll(e.columns()));
    partition.forEach(e -> columns.addAll(e.columns()));
    ranges.forEach(r -> columns.add(r.column));
    if (columns.isEmpty() || part.rowCount() == 0) {
      return;
    }
    if (masked && index.isPresent()) {
      notes.add("some rows are deleted: the primary index was not compared with the rows");
    }
    long row = 0;
    try (BatchStream batches = Scan.of(part).columns(List.copyOf(columns)).open(allocator)) {
      while (batches.next()) {
        row = batch(batches.batch(), row);
      }
    } finally {
      indexFaults.tell(faults);
      orderFaults.tell(faults);
      partitionFaults.tell(faults);
      ranges.forEach(range -> range.faults.tell(faults));
    }
  }

  private void readIndex(String file) throws IOException {
    int keys = table.primaryKeySize();
    byte[] content =
        PrimaryIndexFile.content(
            part.disk().readAll(file, PrimaryIndexFile.LIMIT_BYTES), file, decompressor);
    List<DataType> types = new ArrayList<>();
    List<FieldVector> vectors = new ArrayList<>();
    for (int i = 0; i < keys; i++) {
      DataType type = sorting.get(i).type();
      types.add(type);
      FieldVector vector = ArrowMapping.field("key" + i, type).createVector(allocator);
      owned.add(vector);
      vectors.add(vector);
    }
    // A part without rows has no granule; its index is empty or has one key.
    int granules = part.granuleCount();
    EngineException failed = null;
    for (int extra = part.markFormat().rows() ? 1 : 0; extra >= 0; extra--) {
      try {
        PrimaryIndexFile.read(content, file, types, vectors, granules + extra);
        index = Optional.of(new Index(file, vectors, granules + extra));
        return;
      } catch (EngineException e) {
        failed = failed == null ? e : failed;
        vectors.forEach(FieldVector::reset);
      }
    }
    if (part.rowCount() > 0 || content.length > 0) {
      throw failed;
    }
  }

  private void readRange(String column, String file, DataType type) throws IOException {
    FieldVector vector = ArrowMapping.field(column, type).createVector(allocator);
    owned.add(vector);
    MinMaxFile.read(part.disk().readAll(file, MinMaxFile.LIMIT_BYTES), file, type, vector);
    ranges.add(new Range(column, file, type, vector));
  }

  private Optional<String> partitionOfName() {
    Optional<PartName> parsed =
        table.oldSyntax() ? PartName.tryParseWithDays(name) : PartName.tryParse(name);
    if (parsed.isEmpty()) {
      parsed =
          (table.oldSyntax() ? DetachedName.tryParseWithDays(name) : DetachedName.tryParse(name))
              .map(DetachedName::part);
    }
    if (parsed.isEmpty()) {
      notes.add("the name " + name + " is no part's: the partition in it was not compared");
    }
    return parsed.map(PartName::partition);
  }

  private void checkPartitionFiles() throws IOException {
    boolean present = part.files().containsKey(PartitionFile.NAME);
    if (table.partitionKey().isEmpty() || table.oldSyntax()) {
      if (present) {
        faults.accept(
            Fault.of(
                PartitionFile.NAME,
                ErrorCode.UNEXPECTED_FILE_IN_DATA_PART,
                "there, though the table has no partition key"));
      }
      return;
    }
    if (!present) {
      faults.accept(
          Fault.of(
              PartitionFile.NAME,
              ErrorCode.NO_FILE_IN_DATA_PART,
              "not there, though the table has a partition key"));
      return;
    }
    attempt(PartitionFile.NAME, this::readPartition);
  }

  private void readPartition() throws IOException {
    List<DataType> types = partition.stream().map(TypedExpression::type).toList();
    List<FieldVector> vectors = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      FieldVector vector =
          ArrowMapping.field("partition" + i, types.get(i)).createVector(allocator);
      owned.add(vector);
      vectors.add(vector);
    }
    PartitionFile.read(
        part.disk().readAll(PartitionFile.NAME, PartitionFile.LIMIT_BYTES),
        PartitionFile.NAME,
        types,
        vectors);
    firstPartition = vectors;
    String id = partitionId(types, vectors, 0);
    Optional<String> named = partitionOfName();
    if (named.isPresent() && !named.get().equals(id)) {
      faults.accept(
          Fault.of(
              PartitionFile.NAME,
              ErrorCode.CORRUPTED_DATA,
              "it means partition " + id + ", expected " + named.get() + " by the part's name"));
    }
  }

  private String partitionId(List<DataType> types, List<FieldVector> vectors, int row) {
    boolean classic = table.settings().profile() == Profile.CLASSIC;
    return new PartitionId(types, vectors, classic).of(row);
  }

  /** Checks a batch whose first row is row {@code from} of the part; returns the row behind it. */
  private long batch(VectorSchemaRoot batch, long from) {
    int rows = batch.getRowCount();
    if (rows == 0) {
      return from;
    }
    List<FieldVector> made = new ArrayList<>();
    try {
      List<FieldVector> keys = evaluate(sorting, batch, made);
      if (!masked && index.isPresent()) {
        compareIndex(keys, from, rows);
      }
      if (!keys.isEmpty()) {
        compareOrder(keys, from, rows);
      }
      List<FieldVector> values = evaluate(partition, batch, made);
      comparePartition(values, from, rows);
      for (Range range : ranges) {
        compareRange(range, batch.getVector(range.column), from, rows);
      }
    } finally {
      Vectors.close(made);
    }
    return from + rows;
  }

  private List<FieldVector> evaluate(
      List<TypedExpression> expressions, VectorSchemaRoot batch, List<FieldVector> made) {
    List<FieldVector> vectors = new ArrayList<>();
    for (TypedExpression expression : expressions) {
      if (expression instanceof TypedExpression.ColumnReference column) {
        vectors.add(batch.getVector(column.name()));
      } else {
        FieldVector vector = expression.evaluate(batch, allocator);
        made.add(vector);
        vectors.add(vector);
      }
    }
    return vectors;
  }

  private static int compare(FieldVector x, int a, FieldVector y, int b, DataType type) {
    return io.coppice.parts.write.SortOrder.compareValues(x, a, y, b, type);
  }

  private void compareIndex(List<FieldVector> keys, long from, int rows) {
    Index stored = index.orElseThrow();
    for (int granule = 0; granule < stored.keyCount(); granule++) {
      boolean last = granule >= part.granuleCount();
      long row = last ? part.rowCount() - 1 : part.granuleStart(granule);
      if (row < from || row >= from + rows) {
        continue;
      }
      for (int i = 0; i < stored.vectors().size(); i++) {
        DataType type = sorting.get(i).type();
        int at = (int) (row - from);
        if (compare(keys.get(i), at, stored.vectors().get(i), granule, type) != 0) {
          int key = granule;
          TypedExpression element = sorting.get(i);
          FieldVector inIndex = stored.vectors().get(i);
          FieldVector inRow = keys.get(i);
          indexFaults.add(
              () ->
                  Fault.of(
                      stored.file(),
                      ErrorCode.CORRUPTED_DATA,
                      String.format(
                          "key %d has %s = %s, row %d has %s",
                          key,
                          element.text(),
                          shown(inIndex, key, type),
                          row,
                          shown(inRow, at, type))));
        }
      }
    }
  }

  private int compareKeys(List<FieldVector> x, int a, List<FieldVector> y, int b) {
    for (int i = 0; i < x.size(); i++) {
      int c = compare(x.get(i), a, y.get(i), b, sorting.get(i).type());
      if (c != 0) {
        return table.descending().get(i) ? -c : c;
      }
    }
    return 0;
  }

  private void compareOrder(List<FieldVector> keys, long from, int rows) {
    if (!before.isEmpty() && compareKeys(before, 0, keys, 0) > 0) {
      outOfOrder(from);
    }
    for (int row = 1; row < rows; row++) {
      if (compareKeys(keys, row - 1, keys, row) > 0) {
        outOfOrder(from + row);
      }
    }
    Vectors.close(before);
    owned.removeAll(before);
    List<FieldVector> last = new ArrayList<>();
    for (FieldVector key : keys) {
      FieldVector one = Gather.take(key, new int[] {rows - 1}, 1, allocator);
      last.add(one);
      owned.add(one);
    }
    before = last;
  }

  private void outOfOrder(long row) {
    orderFaults.add(
        () ->
            Fault.of(
                "",
                ErrorCode.CORRUPTED_DATA,
                "row " + row + " comes before row " + (row - 1) + " by the sorting key"));
  }

  private void comparePartition(List<FieldVector> values, long from, int rows) {
    if (values.isEmpty()) {
      return;
    }
    List<DataType> types = partition.stream().map(TypedExpression::type).toList();
    if (firstPartition.isEmpty()) { // tables of old form have no partition.dat
      Optional<String> named = partitionOfName();
      String id = partitionId(types, values, 0);
      if (named.isPresent() && !named.get().equals(id)) {
        faults.accept(
            Fault.of(
                "",
                ErrorCode.CORRUPTED_DATA,
                "its rows are of partition " + id + ", expected " + named.get() + " by its name"));
      }
      List<FieldVector> first = new ArrayList<>();
      for (FieldVector value : values) {
        FieldVector one = Gather.take(value, new int[] {0}, 1, allocator);
        first.add(one);
        owned.add(one);
      }
      firstPartition = first;
    }
    for (int row = 0; row < rows; row++) {
      for (int i = 0; i < values.size(); i++) {
        DataType type = types.get(i);
        if (compare(values.get(i), row, firstPartition.get(i), 0, type) != 0) {
          int at = row;
          int element = i;
          partitionFaults.add(
              () ->
                  Fault.of(
                      part.files().containsKey(PartitionFile.NAME) ? PartitionFile.NAME : "",
                      ErrorCode.CORRUPTED_DATA,
                      String.format(
                          "row %d has %s = %s, the partition has %s",
                          from + at,
                          partition.get(element).text(),
                          shown(values.get(element), at, type),
                          shown(firstPartition.get(element), 0, type))));
        }
      }
    }
  }

  private static boolean floating(DataType given) {
    DataType type = given.storage();
    if (type instanceof DataType.NullableType n) {
      return floating(n.inner());
    }
    return type instanceof PlainType p && p.floating();
  }

  private void compareRange(Range range, FieldVector vector, long from, int rows) {
    if (floating(range.type)) {
      return; // NaN lies outside any range
    }
    boolean nullable = range.type.nullable();
    for (int row = 0; row < rows; row++) {
      if (nullable && vector.isNull(row)) {
        continue;
      }
      boolean below = compare(vector, row, range.vector, 0, range.type) < 0;
      boolean above =
          !(nullable && range.vector.isNull(1))
              && compare(vector, row, range.vector, 1, range.type) > 0;
      if (below || above) {
        int at = row;
        range.faults.add(
            () ->
                Fault.of(
                    range.file,
                    ErrorCode.CORRUPTED_DATA,
                    String.format(
                        "row %d has %s = %s, expected %s to %s",
                        from + at,
                        range.column,
                        shown(vector, at, range.type),
                        shown(range.vector, 0, range.type),
                        shown(range.vector, 1, range.type))));
      }
    }
  }

  @Override
  public void close() {
    Vectors.close(owned);
  }
}
