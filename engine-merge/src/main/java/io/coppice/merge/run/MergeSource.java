package io.coppice.merge.run;

import io.coppice.base.check.Check;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.SharedDictionaries;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.expression.ColumnExpression;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.Surroundings;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.scan.StoredColumns;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * A part that is merged, read granule by granule as the table is now: columns that it lacks have
 * their DEFAULT or the default of their type, others are converted, and rows that a lightweight
 * DELETE has taken out are left out.
 *
 * <p>Confined to one thread; the owner closes it. The part is borrowed.
 */
final class MergeSource implements AutoCloseable {
  private static final String ROW_EXISTS = "_row_exists";

  private final LoadedPart part;
  private final TableDefinition table;
  private final Surroundings surroundings;
  private final BufferAllocator allocator;
  private final StoredColumns stored;
  private final Map<String, ColumnExpression> defaults = new HashMap<>();
  private final boolean masked;

  MergeSource(
      LoadedPart part,
      TableDefinition table,
      Surroundings surroundings,
      BufferAllocator allocator) {
    this.part = part;
    this.table = table;
    this.surroundings = surroundings;
    this.allocator = allocator;
    this.stored = new StoredColumns(part, allocator);
    this.masked = part.holds(ROW_EXISTS);
  }

  int granuleCount() {
    return part.granuleCount();
  }

  /** The rows of a granule that are left, in columns; the caller closes them. */
  List<FieldVector> read(List<ColumnDefinition> columns, int granule) throws IOException {
    Optional<int[]> kept = kept(granule);
    List<FieldVector> vectors = new ArrayList<>();
    boolean done = false;
    try {
      for (ColumnDefinition column : columns) {
        vectors.add(read(column, granule, kept));
      }
      done = true;
      return vectors;
    } finally {
      if (!done) {
        Vectors.close(vectors);
      }
    }
  }

  private FieldVector read(ColumnDefinition column, int granule, Optional<int[]> kept)
      throws IOException {
    FieldVector all = readAll(column, granule);
    if (kept.isEmpty()) {
      return all;
    }
    try (all) {
      return Gather.take(all, kept.get(), kept.get().length, allocator);
    }
  }

  private Optional<int[]> kept(int granule) throws IOException {
    if (!masked) {
      return Optional.empty();
    }
    try (FieldVector mask = stored.read(ROW_EXISTS, PlainType.UINT8, granule, granule + 1)) {
      UInt1Vector exists = (UInt1Vector) mask;
      int[] kept = new int[exists.getValueCount()];
      int count = 0;
      for (int row = 0; row < kept.length; row++) {
        if (exists.get(row) != 0) {
          kept[count++] = row;
        }
      }
      return count == kept.length
          ? Optional.empty()
          : Optional.of(java.util.Arrays.copyOf(kept, count));
    }
  }

  private FieldVector readAll(ColumnDefinition column, int granule) throws IOException {
    if (part.holds(column.name()) || column.expression().isEmpty()) {
      return stored.read(column.name(), column.type(), granule, granule + 1);
    }
    ColumnExpression expression = defaults.computeIfAbsent(column.name(), name -> compiled(column));
    List<FieldVector> inputs = new ArrayList<>();
    try {
      for (String name : expression.columns()) {
        Optional<ColumnDefinition> input = table.column(name);
        Check.invariant(input.isPresent(), "column %s has no column %s", column.name(), name);
        inputs.add(readAll(input.get(), granule));
      }
      int rows = part.rowsIn(granule);
      VectorSchemaRoot batch =
          new VectorSchemaRoot(inputs.stream().map(FieldVector::getField).toList(), inputs, rows);
      return expression.evaluate(
          batch, ArrowMapping.field(column.name(), column.type()), allocator);
    } finally {
      Vectors.close(inputs);
    }
  }

  private ColumnExpression compiled(ColumnDefinition column) {
    Map<String, DataType> schema = new LinkedHashMap<>();
    table.columns().forEach(c -> schema.put(c.name(), c.type()));
    return ColumnExpression.of(
        column.name(),
        column.defaultKind().name(),
        column.type(),
        column.expression().orElseThrow(),
        ExpressionCompiler.of(schema).in(surroundings));
  }

  /** The dictionaries that values of columns read last have in common with their part. */
  List<SharedDictionaries> shared(List<ColumnDefinition> columns) {
    return columns.stream().map(c -> stored.shared(c.name())).toList();
  }

  /** Closes the files of a column. */
  void forget(ColumnDefinition column) throws IOException {
    stored.forget(column.name());
  }

  @Override
  public void close() throws IOException {
    stored.close();
  }
}
