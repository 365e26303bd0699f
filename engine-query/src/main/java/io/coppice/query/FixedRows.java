package io.coppice.query;

import io.coppice.language.text.ByteText;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Vectors;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Rows that are there already, in one batch. */
final class FixedRows implements Rows {
  private final List<ResultColumn> columns;
  private final List<FieldVector> vectors;
  private final VectorSchemaRoot batch;
  private boolean given;

  /** Vectors of {@code rows} rows, which are taken over. */
  FixedRows(List<ResultColumn> columns, List<FieldVector> vectors, int rows) {
    this.columns = List.copyOf(columns);
    this.vectors = List.copyOf(vectors);
    this.batch = Batches.of(Batches.schema(columns), vectors, rows);
    this.given = rows == 0;
  }

  /** Columns of no rows. */
  static FixedRows empty(List<ResultColumn> columns, BufferAllocator allocator) {
    List<FieldVector> vectors = Batches.vectors(columns, allocator);
    vectors.forEach(vector -> Vectors.finish(vector, 0));
    return new FixedRows(columns, vectors, 0);
  }

  /** One row with one small number: what a SELECT without FROM reads. */
  static FixedRows number(String name, int value, BufferAllocator allocator) {
    List<ResultColumn> columns = List.of(new ResultColumn(name, PlainType.UINT8));
    List<FieldVector> vectors = Batches.vectors(columns, allocator);
    UInt1Vector vector = (UInt1Vector) vectors.get(0);
    vector.setSafe(0, value);
    vector.setValueCount(1);
    return new FixedRows(columns, vectors, 1);
  }

  /** Rows of texts. */
  static FixedRows texts(List<String> names, List<List<String>> rows, BufferAllocator allocator) {
    List<ResultColumn> columns =
        names.stream().map(name -> new ResultColumn(name, PlainType.STRING)).toList();
    List<FieldVector> vectors = Batches.vectors(columns, allocator);
    for (int i = 0; i < names.size(); i++) {
      VarCharVector vector = (VarCharVector) vectors.get(i);
      for (int row = 0; row < rows.size(); row++) {
        vector.setSafe(row, ByteText.bytes(rows.get(row).get(i)));
      }
      vector.setValueCount(rows.size());
    }
    return new FixedRows(columns, vectors, rows.size());
  }

  /** Rows of so many texts and then numbers of UInt64, given as text. */
  static FixedRows counts(
      List<String> names, int texts, List<List<String>> rows, BufferAllocator allocator) {
    List<ResultColumn> columns = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      columns.add(new ResultColumn(names.get(i), i < texts ? PlainType.STRING : PlainType.UINT64));
    }
    List<FieldVector> vectors = Batches.vectors(columns, allocator);
    for (int i = 0; i < names.size(); i++) {
      for (int row = 0; row < rows.size(); row++) {
        String value = rows.get(row).get(i);
        if (vectors.get(i) instanceof VarCharVector vector) {
          vector.setSafe(row, ByteText.bytes(value));
        } else {
          ((UInt8Vector) vectors.get(i)).setSafe(row, Long.parseUnsignedLong(value));
        }
      }
      vectors.get(i).setValueCount(rows.size());
    }
    return new FixedRows(columns, vectors, rows.size());
  }

  @Override
  public List<ResultColumn> columns() {
    return columns;
  }

  @Override
  public boolean next() {
    boolean first = !given;
    given = true;
    return first;
  }

  @Override
  public VectorSchemaRoot batch() {
    return batch;
  }

  @Override
  public void close() {
    Vectors.close(vectors);
  }
}
