package io.coppice.parts.write;

import static org.apache.arrow.vector.types.pojo.ArrowType.ExtensionType.EXTENSION_METADATA_KEY_NAME;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.parse.Parser;
import io.coppice.language.statement.Column.DefaultKind;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.parts.column.Defaults;
import io.coppice.parts.column.Encodings;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.expression.ColumnExpression;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.Surroundings;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * Makes the stored columns of a table from batches: columns are found by name, converted where
 * their Arrow type is not the table's, and filled from DEFAULT and MATERIALIZED expressions where
 * they are absent.
 *
 * <p>Confined to one thread.
 */
final class InputColumns {
  private final TableDefinition table;
  private final BufferAllocator allocator;
  private final Surroundings surroundings;
  private final Map<String, DataType> types = new LinkedHashMap<>();
  private final Map<String, ColumnExpression> expressions = new HashMap<>();

  /**
   * @param surroundings time and chance for the expressions of columns
   */
  InputColumns(TableDefinition table, Surroundings surroundings, BufferAllocator allocator) {
    this.table = table;
    this.surroundings = surroundings;
    this.allocator = allocator;
    for (ColumnDefinition column : table.columns()) {
      types.put(column.name(), column.type());
    }
  }

  /** The stored columns of one batch: some borrowed from it, some made for it. */
  static final class Rows implements AutoCloseable {
    private final List<FieldVector> stored = new ArrayList<>();
    private final List<FieldVector> made = new ArrayList<>();
    private final Set<String> given = new HashSet<>();

    /** In the order of the table's stored columns; valid until closed. */
    List<FieldVector> stored() {
      return stored;
    }

    /** Whether the input has a column, which otherwise was made. */
    boolean isGiven(ColumnDefinition column) {
      return given.contains(column.name());
    }

    @Override
    public void close() {
      Vectors.close(made);
      made.clear();
    }
  }

  /**
   * The stored columns for the rows of {@code batch}, which is borrowed until the result is closed.
   */
  Rows of(VectorSchemaRoot batch, DictionaryProvider dictionaries) {
    Rows rows = new Rows();
    boolean done = false;
    try {
      Map<String, FieldVector> present = new HashMap<>();
      for (FieldVector vector : batch.getFieldVectors()) {
        FieldVector plain = decoded(vector, dictionaries, rows);
        FieldVector converted = converted(vector.getName(), plain, batch.getRowCount(), rows);
        if (present.put(vector.getName(), converted) != null) {
          throw EngineException.of(
              ErrorCode.DUPLICATE_COLUMN, "column %s is in the input twice", vector.getName());
        }
      }
      rows.given.addAll(present.keySet());
      for (ColumnDefinition column : table.storedColumns()) {
        rows.stored.add(value(column, present, batch.getRowCount(), rows, new TreeSet<>()));
      }
      done = true;
      return rows;
    } finally {
      if (!done) {
        rows.close();
      }
    }
  }

  private static FieldVector decoded(
      FieldVector vector, DictionaryProvider dictionaries, Rows rows) {
    DictionaryEncoding encoding = vector.getField().getDictionary();
    if (encoding == null) {
      return vector;
    }
    Dictionary dictionary = dictionaries.lookup(encoding.getId());
    if (dictionary == null) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS,
          "column %s is encoded by dictionary %d, which was not given",
          vector.getName(),
          encoding.getId());
    }
    FieldVector plain = (FieldVector) DictionaryEncoder.decode(vector, dictionary);
    rows.made.add(plain);
    if (plain.getField().isNullable() || vector.getNullCount() == 0) {
      return plain;
    }
    // A dictionary without NULL, indexed by NULL: rows that the values' own field has no place for.
    Field field = plain.getField();
    Map<String, String> metadata = new HashMap<>(field.getMetadata());
    metadata.computeIfPresent(
        ArrowMapping.TYPE_KEY, (key, type) -> new NullableType(Parser.type(type)).text());
    FieldVector nullable =
        new Field(
                field.getName(),
                new FieldType(true, field.getType(), null, metadata),
                field.getChildren())
            .createVector(plain.getAllocator());
    rows.made.add(nullable);
    plain.makeTransferPair(nullable).transfer();
    return nullable;
  }

  private FieldVector converted(String name, FieldVector vector, int rowCount, Rows rows) {
    ColumnDefinition column =
        table
            .column(name)
            .orElseThrow(
                () ->
                    EngineException.of(
                        ErrorCode.NO_SUCH_COLUMN_IN_TABLE,
                        "the input has a column %s, table %s has none; it has %s",
                        name,
                        table.name(),
                        String.join(", ", types.keySet())));
    if (column.defaultKind() == DefaultKind.MATERIALIZED
        || column.defaultKind() == DefaultKind.ALIAS) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_COLUMN,
          "column %s is %s: it is computed and cannot be given",
          name,
          column.defaultKind());
    }
    if (!ArrowMapping.readable(column.type())) {
      throw ArrowMapping.unwritable(name, column.type());
    }
    Field wanted = ArrowMapping.field(name, column.type());
    boolean uuid =
        "arrow.uuid".equals(vector.getField().getMetadata().get(EXTENSION_METADATA_KEY_NAME));
    if (!uuid && sameLayout(vector.getField(), wanted)) {
      refuseNulls(vector, wanted, rowCount);
      boolean foreign = !vector.getField().getMetadata().containsKey(ArrowMapping.TYPE_KEY);
      if (!foreign || !NullSlots.any(vector)) {
        return vector;
      }
      FieldVector clean = NullSlots.cleared(vector, rowCount, allocator);
      rows.made.add(clean);
      return clean;
    }
    boolean labelled = vector.getField().getMetadata().containsKey(ArrowMapping.TYPE_KEY);
    if (!labelled && RawValues.fits(vector, column.type())) {
      FieldVector read = RawValues.read(vector, column.type(), wanted, rowCount, allocator);
      rows.made.add(read);
      return read;
    }
    DataType from = ArrowMapping.typeOf(vector.getField());
    if (from instanceof NullableType nullable && !wanted.isNullable()) {
      refuseNulls(vector, wanted, rowCount);
      from = nullable.inner();
    }
    FieldVector made =
        ColumnExpression.conversion(name, from, column.type())
            .evaluate(
                new VectorSchemaRoot(
                    List.of(
                        new Field(
                            name,
                            vector.getField().getFieldType(),
                            vector.getField().getChildren())),
                    List.of(vector),
                    rowCount),
                wanted,
                allocator);
    rows.made.add(made);
    return made;
  }

  /** Whether two fields have the same buffers, so that one vector may stand for the other. */
  private static boolean sameLayout(Field given, Field wanted) {
    if (given.getDictionary() != null
        || !given.getType().equals(wanted.getType())
        || given.getChildren().size() != wanted.getChildren().size()) {
      return false;
    }
    String label = given.getMetadata().get(ArrowMapping.TYPE_KEY);
    if (label != null && !label.equals(wanted.getMetadata().get(ArrowMapping.TYPE_KEY))) {
      return false;
    }
    for (int i = 0; i < given.getChildren().size(); i++) {
      if (!sameLayout(given.getChildren().get(i), wanted.getChildren().get(i))) {
        return false;
      }
    }
    return true;
  }

  private void refuseNulls(FieldVector vector, Field wanted, int rowCount) {
    if (!wanted.isNullable() && vector.getField().isNullable() && vector.getNullCount() > 0) {
      throw EngineException.of(
          ErrorCode.CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN,
          "column %s of table %s has NULL in %d of %d rows and is not Nullable",
          vector.getName(),
          table.name(),
          vector.getNullCount(),
          rowCount);
    }
  }

  private FieldVector value(
      ColumnDefinition column,
      Map<String, FieldVector> present,
      int rowCount,
      Rows rows,
      Set<String> computing) {
    FieldVector given = present.get(column.name());
    if (given != null) {
      return given;
    }
    FieldVector made;
    if (column.expression().isEmpty()) {
      made = ArrowMapping.field(column.name(), column.type()).createVector(allocator);
      rows.made.add(made);
      Optional<ListVector> sibling = sibling(column, present, rows.given);
      if (sibling.isPresent()) {
        Vectors.fillArrays(made, ((ArrayType) column.type()).element(), sibling.get(), rowCount);
      } else {
        Defaults.of(column.type()).appendAbsent(made, 0, rowCount);
        Vectors.finish(made, rowCount);
      }
    } else {
      if (!computing.add(column.name())) {
        throw EngineException.of(
            ErrorCode.CYCLIC_ALIASES,
            "the default of column %s of table %s needs the column itself; break the cycle",
            column.name(),
            table.name());
      }
      ColumnExpression compiled = expression(column);
      List<FieldVector> inputs = new ArrayList<>();
      for (String name : compiled.columns()) {
        ColumnDefinition input = table.column(name).orElseThrow();
        inputs.add(value(input, present, rowCount, rows, computing));
      }
      try {
        made =
            compiled.evaluate(
                new VectorSchemaRoot(
                    inputs.stream().map(FieldVector::getField).toList(), inputs, rowCount),
                ArrowMapping.field(column.name(), column.type()),
                allocator);
      } catch (EngineException e) {
        throw e.within("the default of column " + column.name());
      }
      rows.made.add(made);
      computing.remove(column.name());
    }
    present.put(column.name(), made);
    return made;
  }

  private ColumnExpression expression(ColumnDefinition column) {
    return expressions.computeIfAbsent(
        column.name(),
        name ->
            ColumnExpression.of(
                name,
                column.defaultKind().name(),
                column.type(),
                column.expression().orElseThrow(),
                ExpressionCompiler.of(types).in(surroundings)));
  }

  /**
   * An array of the same Nested that the input has: one that it has not gets arrays of the same
   * lengths, as ClickHouse fills it.
   */
  private Optional<ListVector> sibling(
      ColumnDefinition column, Map<String, FieldVector> present, Set<String> given) {
    Optional<String> nested = Encodings.nestedTable(column.name());
    if (nested.isEmpty() || !(column.type() instanceof ArrayType)) {
      return Optional.empty();
    }
    for (ColumnDefinition other : table.columns()) {
      if (other.type() instanceof ArrayType
          && Encodings.nestedTable(other.name()).equals(nested)
          && given.contains(other.name())
          && present.get(other.name()) instanceof ListVector list) {
        return Optional.of(list);
      }
    }
    return Optional.empty();
  }
}
