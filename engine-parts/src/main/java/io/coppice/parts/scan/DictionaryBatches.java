package io.coppice.parts.scan;

import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.LowCardinalityType;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.KeyTable;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.table.ArrowMapping;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The batches of a scan with LowCardinality columns as indexes into dictionaries. A column has one
 * dictionary for the whole scan: values are numbered by first appearance and only ever added, so
 * that an index once given out keeps its meaning. NULL is a NULL index, never a value.
 *
 * <p>Confined to one thread.
 */
final class DictionaryBatches implements BatchStream {
  private static final ArrowType.Int INDEX = new ArrowType.Int(32, true);

  private final BatchStream plain;
  private final BufferAllocator allocator;
  private final List<Optional<Coded>> coded = new ArrayList<>();
  private final VectorSchemaRoot root;
  private final DictionaryProvider.MapDictionaryProvider provider =
      new DictionaryProvider.MapDictionaryProvider();
  private boolean closed;

  /** A column's dictionary as it grows. */
  private static final class Coded {
    final FieldVector values;
    final KeyTable keys = new KeyTable();

    Coded(FieldVector values) {
      this.values = values;
    }
  }

  /**
   * @param plain owned by this stream
   * @param allocator for indexes and dictionaries; owned by this stream
   */
  DictionaryBatches(BatchStream plain, BufferAllocator allocator) {
    this.plain = plain;
    this.allocator = allocator;
    List<Field> fields = new ArrayList<>();
    for (Field field : plain.schema().getFields()) {
      Optional<Coded> column = coded(field);
      coded.add(column);
      if (column.isEmpty()) {
        fields.add(field);
        continue;
      }
      DictionaryEncoding encoding = new DictionaryEncoding(coded.size(), false, INDEX);
      provider.put(new Dictionary(column.get().values, encoding));
      fields.add(
          new Field(
              field.getName(),
              new FieldType(field.isNullable(), INDEX, encoding, field.getMetadata()),
              List.of()));
    }
    Schema schema = new Schema(fields);
    this.root =
        new VectorSchemaRoot(
            schema, fields.stream().map(f -> f.createVector(allocator)).toList(), 0);
  }

  private Optional<Coded> coded(Field field) {
    DataType type = ArrowMapping.typeOf(field).storage();
    if (!(type instanceof LowCardinalityType low)) {
      return Optional.empty();
    }
    // Of the type with its Nullable, so that decoding has a place for NULL; it holds none itself.
    FieldVector values = ArrowMapping.field(field.getName(), low.inner()).createVector(allocator);
    boolean bytes =
        values instanceof BaseVariableWidthVector
            || values instanceof BaseFixedWidthVector && !(values instanceof BitVector);
    if (!bytes) {
      values.close();
      return Optional.empty();
    }
    Vectors.finish(values, 0);
    return Optional.of(new Coded(values));
  }

  @Override
  public Schema schema() {
    return root.getSchema();
  }

  @Override
  public DictionaryProvider dictionaries() {
    return provider;
  }

  @Override
  public boolean next() throws IOException {
    if (!plain.next()) {
      return false;
    }
    VectorSchemaRoot batch = plain.batch();
    int rows = batch.getRowCount();
    for (int i = 0; i < coded.size(); i++) {
      FieldVector from = batch.getVector(i);
      FieldVector to = root.getVector(i);
      if (coded.get(i).isPresent()) {
        encode(from, rows, coded.get(i).get(), (IntVector) to);
      } else {
        from.makeTransferPair(to).transfer();
      }
    }
    root.setRowCount(rows);
    return true;
  }

  /** Puts the indexes of the values of {@code from} into {@code to}; new values are added. */
  private void encode(FieldVector from, int rows, Coded column, IntVector to) {
    Vectors.reserve(to, rows);
    int known = column.keys.count();
    int[] added = new int[16];
    for (int row = 0; row < rows; row++) {
      if (from.isNull(row)) {
        to.setNull(row);
        continue;
      }
      long at;
      int size;
      if (from instanceof BaseFixedWidthVector fixed) {
        size = fixed.getTypeWidth();
        at = Vectors.data(from) + (long) row * size;
      } else {
        int start = ((BaseVariableWidthVector) from).getStartOffset(row);
        size = ((BaseVariableWidthVector) from).getEndOffset(row) - start;
        at = Vectors.data(from) + start;
      }
      long hash = KeyTable.hash(at, size);
      int index = column.keys.find(at, size, hash);
      if (index < 0) {
        index = column.keys.add(at, size, hash);
        if (index - known == added.length) {
          added = java.util.Arrays.copyOf(added, added.length * 2);
        }
        added[index - known] = row;
      }
      to.set(row, index);
    }
    Vectors.finish(to, rows);
    int count = column.keys.count();
    if (count > known) {
      Gather.append(from, added, 0, count - known, column.values, known);
      Vectors.finish(column.values, count);
    }
  }

  @Override
  public VectorSchemaRoot batch() {
    return root;
  }

  @Override
  public ScanReport report() {
    return plain.report();
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    AutoCloseable dictionaries =
        () -> Vectors.close(coded.stream().flatMap(Optional::stream).map(c -> c.values).toList());
    Limits.closeAll(root, dictionaries, allocator, plain);
  }
}
