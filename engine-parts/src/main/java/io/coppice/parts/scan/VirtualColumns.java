package io.coppice.parts.scan;

import io.coppice.base.bytes.Memory;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Literal;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.LowCardinalityType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.expression.ColumnExpression;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.format.PartitionFile;
import io.coppice.parts.format.UuidFile;
import io.coppice.parts.name.PartName;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The columns that a table has besides its own: what is known of the part that a row lies in, and
 * of its place there. A column of the table hides one of the same name. Immutable.
 */
final class VirtualColumns {
  static final String PART = "_part";
  static final String PARTITION_ID = "_partition_id";
  static final String PARTITION_VALUE = "_partition_value";
  static final String PART_OFFSET = "_part_offset";
  static final String GRANULE_OFFSET = "_part_granule_offset";
  static final String BLOCK_OFFSET = "_block_offset";

  private static final DataType NAME = new LowCardinalityType(PlainType.STRING);
  private static final Set<String> OF_ROWS = Set.of(PART_OFFSET, GRANULE_OFFSET, BLOCK_OFFSET);

  private final TableDefinition table;
  private final String database;
  private final Map<String, DataType> types = new LinkedHashMap<>();

  /**
   * @param database that the table is in, for {@code _database}
   */
  VirtualColumns(TableDefinition table, String database) {
    this.table = table;
    this.database = database;
    types.put(PART, NAME);
    types.put("_part_index", PlainType.UINT64);
    types.put("_part_starting_offset", PlainType.UINT64);
    types.put("_part_uuid", PlainType.UUID);
    types.put(PARTITION_ID, NAME);
    types.put("_sample_factor", PlainType.FLOAT64);
    types.put(PART_OFFSET, PlainType.UINT64);
    types.put(GRANULE_OFFSET, PlainType.UINT64);
    types.put("_part_data_version", PlainType.UINT64);
    types.put("_disk_name", NAME);
    types.put("_table", NAME);
    types.put("_database", NAME);
    if (!table.partitionKey().isEmpty()) {
      types.put(PARTITION_VALUE, partitionType());
    }
    types.put("_block_number", PlainType.UINT64);
    types.put(BLOCK_OFFSET, PlainType.UINT64);
    for (ColumnDefinition column : table.columns()) {
      types.remove(column.name());
    }
  }

  /** The type that ClickHouse says: with {@code modulo} for the older function of partitions. */
  private DataType partitionType() {
    List<DataType.Element> elements = new ArrayList<>();
    for (Expression key : table.partitionKey()) {
      elements.add(new DataType.Element(Optional.empty(), compiler().typeOf(withModulo(key))));
    }
    return new TupleType(elements);
  }

  private ExpressionCompiler compiler() {
    Map<String, DataType> columns = new LinkedHashMap<>();
    table.columns().forEach(column -> columns.put(column.name(), column.type()));
    return ExpressionCompiler.of(columns);
  }

  private static Expression withModulo(Expression key) {
    if (!(key instanceof FunctionCall call)) {
      return key;
    }
    return new FunctionCall(
        call.name().equals("moduloLegacy") ? "modulo" : call.name(),
        call.parameters(),
        call.arguments().stream().map(VirtualColumns::withModulo).toList(),
        call.operator());
  }

  /** Names and types. */
  Map<String, DataType> types() {
    return types;
  }

  /** Whether a column has one value in all of a part. */
  boolean ofPart(String name) {
    return types.containsKey(name) && !OF_ROWS.contains(name);
  }

  /**
   * A part among those of its table.
   *
   * @param index how many come before it
   * @param startingRow how many rows those have
   */
  record Place(LoadedPart part, int index, long startingRow) {}

  /** Fills an empty vector with the values of the rows of some granules. */
  void fill(
      String name,
      Place place,
      List<GranuleRange> ranges,
      int rows,
      FieldVector to,
      BufferAllocator allocator)
      throws IOException {
    if (!OF_ROWS.contains(name)) {
      try (FieldVector one = value(name, place, allocator)) {
        Gather.append(one, new int[rows], 0, rows, to, 0);
      }
      return;
    }
    Vectors.reserve(to, rows);
    long at = rows == 0 ? 0 : Vectors.data(to);
    for (GranuleRange range : ranges) {
      for (int granule = range.from(); granule < range.to(); granule++) {
        long first = place.part().granuleStart(granule);
        for (int row = 0; row < place.part().rowsIn(granule); row++) {
          Memory.putLong(at, name.equals(GRANULE_OFFSET) ? granule : first + row);
          at += 8;
        }
      }
    }
  }

  /** The one value of a part, in a vector that the caller closes. */
  FieldVector value(String name, Place place, BufferAllocator allocator) throws IOException {
    LoadedPart part = place.part();
    if (name.equals(PARTITION_VALUE)) {
      return partitionValue(part, allocator);
    }
    String text =
        switch (name) {
          case PART -> part.name();
          case PARTITION_ID -> PartName.parse(part.name()).partition();
          case "_part_index" -> Integer.toString(place.index());
          case "_part_starting_offset" -> Long.toString(place.startingRow());
          case "_part_uuid" -> uuid(part).toString();
          case "_sample_factor" -> "1";
          case "_disk_name" -> "default";
          case "_table" -> table.name();
          case "_database" -> database;
          case "_block_number" -> Long.toString(PartName.parse(part.name()).minBlock());
          case "_part_data_version" -> {
            PartName parsed = PartName.parse(part.name());
            yield Long.toString(parsed.mutation() > 0 ? parsed.mutation() : parsed.minBlock());
          }
          default -> throw new AssertionError("virtual column " + name);
        };
    Expression value =
        FunctionCall.of(
            "CAST",
            new Literal.StringLiteral(text),
            new Literal.StringLiteral(types.get(name).text()));
    try (VectorSchemaRoot one = new VectorSchemaRoot(List.of(), List.of(), 1)) {
      return ExpressionCompiler.of(Map.of())
          .compile(value)
          .evaluate(one, ArrowMapping.field(name, types.get(name)), allocator);
    }
  }

  private static UUID uuid(LoadedPart part) throws IOException {
    return part.files().containsKey(UuidFile.NAME)
        ? UuidFile.read(part.readAll(UuidFile.NAME, UuidFile.LIMIT_BYTES), UuidFile.NAME).uuid()
        : new UUID(0, 0);
  }

  private FieldVector partitionValue(LoadedPart part, BufferAllocator allocator)
      throws IOException {
    TupleType type = (TupleType) types.get(PARTITION_VALUE);
    FieldVector tuple = ArrowMapping.field(PARTITION_VALUE, type).createVector(allocator);
    List<DataType> elements = table.partitionKey().stream().map(compiler()::typeOf).toList();
    List<FieldVector> read = new ArrayList<>();
    boolean done = false;
    try {
      for (DataType element : elements) {
        read.add(ArrowMapping.field("value", element).createVector(allocator));
      }
      PartitionFile.read(
          part.readAll(PartitionFile.NAME, PartitionFile.LIMIT_BYTES),
          PartitionFile.NAME,
          elements,
          read);
      Vectors.reserve(tuple, 1);
      List<FieldVector> children = tuple.getChildrenFromFields();
      for (int i = 0; i < read.size(); i++) {
        DataType element = type.elements().get(i).type();
        try (VectorSchemaRoot one =
                new VectorSchemaRoot(List.of(read.get(i).getField()), List.of(read.get(i)), 1);
            FieldVector converted =
                ColumnExpression.conversion("value", elements.get(i), element)
                    .evaluate(one, ArrowMapping.field("value", element), allocator)) {
          Gather.append(converted, new int[1], 0, 1, children.get(i), 0);
        }
      }
      Vectors.finish(tuple, 1);
      done = true;
      return tuple;
    } finally {
      Vectors.close(read);
      if (!done) {
        tuple.close();
      }
    }
  }
}
