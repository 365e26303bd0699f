package io.coppice.parts.text;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.parts.column.Defaults;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.expression.ColumnExpression;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * A batch that is being filled row by row: a vector per column of the input, and per column the
 * rows that lack a value. At the end those get the column's default: of its type, or what its
 * DEFAULT expression gives for that row.
 *
 * <p>Confined to one thread. Until {@link #finish} it owns its vectors.
 */
final class RowBatch {
  private final TableDefinition table;
  private final List<ColumnDefinition> columns;
  private final BatchReader.Options options;
  private final BufferAllocator allocator;
  private final FieldVector[] vectors;
  private final Defaults[] defaults;
  private final BitSet[] missing;
  private int rows;
  private int reserved;

  RowBatch(
      TableDefinition table,
      List<ColumnDefinition> columns,
      BatchReader.Options options,
      int rowsAtFirst,
      BufferAllocator allocator) {
    this.table = table;
    this.columns = columns;
    this.options = options;
    this.allocator = allocator;
    this.vectors = new FieldVector[columns.size()];
    this.defaults = new Defaults[columns.size()];
    this.missing = new BitSet[columns.size()];
    boolean done = false;
    try {
      for (int i = 0; i < vectors.length; i++) {
        DataType type = columns.get(i).type();
        vectors[i] = ArrowMapping.field(columns.get(i).name(), type).createVector(allocator);
        defaults[i] = Defaults.of(type);
        missing[i] = new BitSet();
      }
      reserve(rowsAtFirst);
      done = true;
    } finally {
      if (!done) {
        close();
      }
    }
  }

  private void reserve(int count) {
    for (FieldVector vector : vectors) {
      Vectors.reserve(vector, count);
    }
    reserved = count;
  }

  /** Number of the row to fill next; there is room for it. */
  int row() {
    if (rows == reserved) {
      reserve(reserved * 2);
    }
    return rows;
  }

  int rows() {
    return rows;
  }

  FieldVector vector(int column) {
    return vectors[column];
  }

  /** Notes that the row being filled has no value in a column. */
  void missing(int column) {
    missing[column].set(rows);
    defaults[column].appendMissing(vectors[column], rows, 1);
  }

  /** Ends the row being filled. */
  void endRow() {
    rows++;
  }

  /** The batch, with missing values filled; the caller closes it. */
  VectorSchemaRoot finish() {
    for (FieldVector vector : vectors) {
      Vectors.finish(vector, rows);
    }
    Map<String, FieldVector> given = new LinkedHashMap<>();
    boolean expressions = options.settings().is(FormatSetting.DEFAULTS_FOR_OMITTED_FIELDS);
    for (int i = 0; i < vectors.length; i++) {
      boolean allMissing = expressions && missing[i].cardinality() == rows;
      if (allMissing) {
        vectors[i].close();
      } else {
        given.put(columns.get(i).name(), vectors[i]);
      }
      vectors[i] = null;
    }
    boolean done = false;
    try {
      if (expressions) {
        fillMissing(given);
      }
      List<FieldVector> all = new ArrayList<>(given.values());
      VectorSchemaRoot root =
          new VectorSchemaRoot(all.stream().map(FieldVector::getField).toList(), all, rows);
      done = true;
      return root;
    } finally {
      if (!done) {
        Vectors.close(List.copyOf(given.values()));
      }
    }
  }

  private void fillMissing(Map<String, FieldVector> given) {
    for (int i = 0; i < columns.size(); i++) {
      ColumnDefinition column = columns.get(i);
      FieldVector vector = given.get(column.name());
      if (vector == null || missing[i].isEmpty() || column.expression().isEmpty()) {
        continue;
      }
      FieldVector merged = vector.getField().createVector(allocator);
      List<FieldVector> made = new ArrayList<>();
      boolean done = false;
      try {
        FieldVector computed = compute(column, given, made, new TreeSet<>());
        merge(vector, computed, missing[i], merged);
        given.put(column.name(), merged);
        vector.close();
        missing[i].clear();
        done = true;
      } finally {
        Vectors.close(made);
        if (!done) {
          merged.close();
        }
      }
    }
  }

  private void merge(FieldVector given, FieldVector computed, BitSet lacking, FieldVector to) {
    int row = 0;
    while (row < rows) {
      boolean lacks = lacking.get(row);
      int end = lacks ? lacking.nextClearBit(row) : lacking.nextSetBit(row);
      end = end < 0 ? rows : Math.min(end, rows);
      Gather.appendRange(lacks ? computed : given, row, end - row, to, row);
      row = end;
    }
    Vectors.finish(to, rows);
  }

  /** What the expression of a column gives for every row. */
  private FieldVector compute(
      ColumnDefinition column,
      Map<String, FieldVector> given,
      List<FieldVector> made,
      Set<String> computing) {
    if (!computing.add(column.name())) {
      throw EngineException.of(
          ErrorCode.CYCLIC_ALIASES,
          "the default of column %s of table %s needs the column itself; break the cycle",
          column.name(),
          table.name());
    }
    Map<String, DataType> types = new HashMap<>();
    for (ColumnDefinition other : table.columns()) {
      types.put(other.name(), other.type());
    }
    ColumnExpression compiled =
        ColumnExpression.of(
            column.name(),
            column.defaultKind().name(),
            column.type(),
            column.expression().orElseThrow(),
            ExpressionCompiler.of(types).in(options.surroundings()));
    List<FieldVector> inputs = new ArrayList<>();
    for (String name : compiled.columns()) {
      inputs.add(input(name, given, made, computing));
    }
    FieldVector computed;
    try {
      computed =
          compiled.evaluate(
              new VectorSchemaRoot(
                  inputs.stream().map(FieldVector::getField).toList(), inputs, rows),
              ArrowMapping.field(column.name(), column.type()),
              allocator);
    } catch (EngineException e) {
      throw e.within("the default of column " + column.name());
    }
    made.add(computed);
    computing.remove(column.name());
    return computed;
  }

  private FieldVector input(
      String name, Map<String, FieldVector> given, List<FieldVector> made, Set<String> computing) {
    ColumnDefinition column = table.column(name).orElseThrow();
    FieldVector vector = given.get(name);
    int index = columns.indexOf(column);
    if (vector != null && (missing[index].isEmpty() || column.expression().isEmpty())) {
      return vector;
    }
    if (column.expression().isEmpty()) {
      FieldVector plain = ArrowMapping.field(column.name(), column.type()).createVector(allocator);
      made.add(plain);
      Defaults.of(column.type()).appendAbsent(plain, 0, rows);
      Vectors.finish(plain, rows);
      return plain;
    }
    FieldVector computed = compute(column, given, made, computing);
    if (vector == null) {
      return computed;
    }
    FieldVector merged = vector.getField().createVector(allocator);
    made.add(merged);
    merge(vector, computed, missing[index], merged);
    return merged;
  }

  /** Gives back the vectors of a batch that is not finished. */
  void close() {
    for (int i = 0; i < vectors.length; i++) {
      if (vectors[i] != null) {
        vectors[i].close();
        vectors[i] = null;
      }
    }
  }
}
