package io.coppice.parts.scan;

import io.coppice.base.bytes.ByteReader;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.Identifier;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.compress.Decompressor;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.format.MinMaxFile;
import io.coppice.parts.format.PartitionFile;
import io.coppice.parts.format.PrimaryIndexFile;
import io.coppice.parts.format.SingleValue;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt8Vector;

/**
 * A row for each part: how many rows it has, the least and the greatest value of the columns of the
 * partition key and of the first column of the primary key, the partition's value, and what else is
 * the same in all of a part. Only small files are read. What is not told exactly there is no column
 * here: columns that may be NULL or NaN, which are neither least nor greatest.
 *
 * @param vectors of the columns asked for, in that order; the caller closes them
 * @param parts how many there are
 */
public record PartSummaries(List<FieldVector> vectors, int parts) {
  /** The name of the column that says how many rows a part has. */
  public static final String ROWS = "count()";

  public PartSummaries {
    vectors = List.copyOf(vectors);
  }

  /** The name of the column of a column's least values. */
  public static String least(String column) {
    return "min(" + column + ")";
  }

  /** The name of the column of a column's greatest values. */
  public static String greatest(String column) {
    return "max(" + column + ")";
  }

  /** The name of the column of an element of the partition key; equal for equal expressions. */
  public static String element(Expression expression) {
    return KeyCondition.plain(expression);
  }

  /** The columns that parts of a table may have here, by name. */
  public static Map<String, DataType> types(TableDefinition table) {
    Map<String, DataType> types = new LinkedHashMap<>();
    types.put(ROWS, PlainType.UINT64);
    Set<String> columns = new LinkedHashSet<>(minMaxColumns(table));
    firstKey(table).ifPresent(columns::add);
    for (String column : columns) {
      DataType type = table.column(column).orElseThrow().type();
      if (told(type)) {
        types.put(least(column), type);
        types.put(greatest(column), type);
      }
    }
    for (Expression key : table.partitionKey()) {
      types.put(element(key), compiler(table).typeOf(key));
    }
    VirtualColumns virtual = new VirtualColumns(table, "");
    virtual
        .types()
        .forEach(
            (name, type) -> {
              if (virtual.ofPart(name)) {
                types.put(name, type);
              }
            });
    return types;
  }

  /** Whether the least and the greatest value of a type are what min and max give. */
  private static boolean told(DataType type) {
    DataType stored = type.storage();
    boolean plain =
        stored instanceof PlainType p
            && !p.floating()
            && (p.integer()
                || p == PlainType.STRING
                || p == PlainType.DATE
                || p == PlainType.DATE32
                || p == PlainType.BOOL);
    return stored.equals(type)
        && (plain
            || stored instanceof DataType.DateTimeType
            || stored instanceof DataType.DateTime64Type
            || stored instanceof DataType.DecimalType);
  }

  private static ExpressionCompiler compiler(TableDefinition table) {
    Map<String, DataType> stored = new LinkedHashMap<>();
    for (ColumnDefinition column : table.storedColumns()) {
      stored.put(column.name(), column.type());
    }
    return ExpressionCompiler.of(stored);
  }

  private static Set<String> minMaxColumns(TableDefinition table) {
    Set<String> columns = new LinkedHashSet<>();
    table.partitionKey().forEach(key -> columns.addAll(compiler(table).compile(key).columns()));
    return columns;
  }

  private static Optional<String> firstKey(TableDefinition table) {
    return table.primaryKey().stream()
        .limit(1)
        .filter(key -> key.bare() instanceof Identifier)
        .map(key -> ((Identifier) key.bare()).name())
        .filter(name -> table.column(name).isPresent())
        .findFirst();
  }

  /** Reads what parts tell; empty if one of them does not tell all that is wanted. */
  static Optional<PartSummaries> read(
      List<LoadedPart> parts,
      TableDefinition table,
      String database,
      List<String> wanted,
      MarkCache marks,
      BufferAllocator allocator)
      throws IOException {
    Reader reader = new Reader(table, database, marks, allocator);
    List<FieldVector> vectors = new ArrayList<>();
    boolean done = false;
    try {
      Map<String, DataType> types = types(table);
      for (String name : wanted) {
        vectors.add(ArrowMapping.field(name, types.get(name)).createVector(allocator));
      }
      long startingRow = 0;
      for (int row = 0; row < parts.size(); row++) {
        VirtualColumns.Place place = new VirtualColumns.Place(parts.get(row), row, startingRow);
        startingRow += parts.get(row).rowCount();
        for (int i = 0; i < wanted.size(); i++) {
          if (!reader.read(place, wanted.get(i), types.get(wanted.get(i)), vectors.get(i), row)) {
            return Optional.empty();
          }
        }
      }
      vectors.forEach(vector -> Vectors.finish(vector, parts.size()));
      done = true;
      return Optional.of(new PartSummaries(vectors, parts.size()));
    } finally {
      if (!done) {
        Vectors.close(vectors);
      }
    }
  }

  /** Reads single values. Confined to one thread. */
  private static final class Reader {
    private final TableDefinition table;
    private final VirtualColumns virtual;
    private final MarkCache marks;
    private final BufferAllocator allocator;
    private final Set<String> ofPartition;

    Reader(TableDefinition table, String database, MarkCache marks, BufferAllocator allocator) {
      this.table = table;
      this.virtual = new VirtualColumns(table, database);
      this.marks = marks;
      this.allocator = allocator;
      this.ofPartition = minMaxColumns(table);
    }

    /** Puts a value into a row; false if the part does not tell it. */
    boolean read(VirtualColumns.Place place, String name, DataType type, FieldVector to, int row)
        throws IOException {
      LoadedPart part = place.part();
      if (part.holds(GranuleReader.ROW_EXISTS)) {
        return false; // some of the rows are deleted
      }
      if (name.equals(ROWS)) {
        ((UInt8Vector) to).setSafe(row, part.rowCount());
        return true;
      }
      if (virtual.types().containsKey(name)) {
        try (FieldVector value = virtual.value(name, place, allocator)) {
          Gather.append(value, new int[1], 0, 1, to, row);
        }
        return true;
      }
      for (String column : ofPartition) {
        if (name.equals(least(column)) || name.equals(greatest(column))) {
          return extreme(part, column, type, name.equals(greatest(column)), to, row);
        }
      }
      Optional<String> first = firstKey(table);
      if (first.isPresent()
          && (name.equals(least(first.get())) || name.equals(greatest(first.get())))) {
        boolean last = name.equals(greatest(first.get())) != table.descending().get(0);
        return end(part, first.get(), type, last, to, row);
      }
      return partition(part, name, to, row);
    }

    private boolean extreme(
        LoadedPart part, String column, DataType type, boolean greatest, FieldVector to, int row)
        throws IOException {
      String file = MinMaxFile.name(column);
      if (!part.files().containsKey(file) || !type.equals(part.columns().get(column))) {
        return false;
      }
      ByteReader in = new ByteReader(part.readAll(file, MinMaxFile.LIMIT_BYTES), file);
      try (FieldVector both = ArrowMapping.field(column, type).createVector(allocator)) {
        SingleValue value = SingleValue.of(type, both);
        value.read(in, 0);
        value.read(in, 1);
        Vectors.finish(both, 2);
        Gather.append(both, new int[] {greatest ? 1 : 0}, 0, 1, to, row);
      }
      return true;
    }

    /** The first or the last key of the primary index, which the final mark has. */
    private boolean end(
        LoadedPart part, String column, DataType type, boolean last, FieldVector to, int row)
        throws IOException {
      String file =
          part.files().containsKey(PrimaryIndexFile.COMPRESSED_NAME)
              ? PrimaryIndexFile.COMPRESSED_NAME
              : PrimaryIndexFile.NAME;
      if (!part.files().containsKey(file) || !type.equals(part.columns().get(column))) {
        return false;
      }
      List<DataType> types = new ArrayList<>();
      table.primaryKey().forEach(key -> types.add(compiler(table).typeOf(key)));
      List<FieldVector> keys = new ArrayList<>();
      try (Decompressor decompressor = new Decompressor(allocator)) {
        for (DataType each : types) {
          keys.add(ArrowMapping.field("key", each).createVector(allocator));
        }
        ByteReader in = new ByteReader(marks.primaryIndex(part, file, decompressor), file);
        List<SingleValue> values = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
          values.add(SingleValue.of(types.get(i), keys.get(i)));
        }
        int rows = 0;
        while (!in.atEnd() && (last || rows == 0)) {
          for (SingleValue value : values) {
            value.read(in, rows);
          }
          rows++;
        }
        if (last && rows != part.granuleCount() + 1) {
          return false;
        }
        Vectors.finish(keys.get(0), rows);
        Gather.append(keys.get(0), new int[] {last ? rows - 1 : 0}, 0, 1, to, row);
        return true;
      } finally {
        Vectors.close(keys);
      }
    }

    private boolean partition(LoadedPart part, String name, FieldVector to, int row)
        throws IOException {
      if (!part.files().containsKey(PartitionFile.NAME)) {
        return false;
      }
      List<DataType> types = new ArrayList<>();
      List<FieldVector> values = new ArrayList<>();
      try {
        for (Expression key : table.partitionKey()) {
          DataType type = compiler(table).typeOf(key);
          types.add(type);
          values.add(ArrowMapping.field("value", type).createVector(allocator));
        }
        PartitionFile.read(
            part.readAll(PartitionFile.NAME, PartitionFile.LIMIT_BYTES),
            PartitionFile.NAME,
            types,
            values);
        for (int i = 0; i < values.size(); i++) {
          if (element(table.partitionKey().get(i)).equals(name)) {
            Gather.append(values.get(i), new int[1], 0, 1, to, row);
            return true;
          }
        }
        return false;
      } finally {
        Vectors.close(values);
      }
    }
  }
}
