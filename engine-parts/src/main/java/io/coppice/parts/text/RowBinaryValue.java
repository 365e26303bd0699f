package io.coppice.parts.text;

import io.coppice.base.bytes.Memory;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.LowCardinalityType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Defaults;
import io.coppice.parts.column.Encoding;
import io.coppice.parts.column.Encodings;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.stream.Sink;
import io.coppice.parts.stream.Source;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;

/**
 * Single values as RowBinary has them: what Native has for one row, but arrays and maps begin with
 * their size, and values that may be NULL with a byte that says so. Confined to one thread.
 */
abstract class RowBinaryValue implements AutoCloseable {
  /** Most elements of one array that are believed. */
  private static final int MOST_ELEMENTS = 1 << 28;

  /** Writes row {@code row} of a vector. */
  abstract void write(FieldVector vector, int row, Sink to) throws IOException;

  /** Reads a value to row {@code row} of a vector being filled. */
  abstract void read(Source from, FieldVector vector, int row) throws IOException;

  @Override
  public void close() {}

  /** The form of values of a type. */
  static RowBinaryValue of(String column, DataType type, BufferAllocator allocator) {
    DataType storage = type.storage();
    if (storage instanceof LowCardinalityType low) {
      return of(column, low.inner(), allocator);
    }
    if (storage instanceof NullableType nullable) {
      return new OfNullable(nullable, of(column, nullable.inner(), allocator));
    }
    if (storage instanceof ArrayType array) {
      return new OfList(List.of(of(column, array.element(), allocator)), false);
    }
    if (storage instanceof MapType map) {
      return new OfList(
          List.of(of(column, map.key(), allocator), of(column, map.value(), allocator)), true);
    }
    if (storage instanceof TupleType tuple) {
      List<RowBinaryValue> elements = new ArrayList<>();
      tuple.elements().forEach(element -> elements.add(of(column, element.type(), allocator)));
      return new OfTuple(elements);
    }
    if (storage == PlainType.NOTHING) {
      return new OfNothing();
    }
    return new OfLeaf(
        Encodings.of(
            column, storage, Encodings.Options.of(Encoding.Mode.NATIVE, false), allocator));
  }

  private static final class OfNothing extends RowBinaryValue {
    @Override
    void write(FieldVector vector, int row, Sink to) {}

    @Override
    void read(Source from, FieldVector vector, int row) {}
  }

  private static final class OfLeaf extends RowBinaryValue {
    private final Encoding encoding;

    OfLeaf(Encoding encoding) {
      this.encoding = encoding;
    }

    @Override
    void write(FieldVector vector, int row, Sink to) throws IOException {
      encoding.write(vector, row, row + 1, stream -> to);
    }

    @Override
    void read(Source from, FieldVector vector, int row) throws IOException {
      encoding.read(stream -> from, 1, vector, row);
    }

    @Override
    public void close() {
      encoding.close();
    }
  }

  private static final class OfNullable extends RowBinaryValue {
    private final RowBinaryValue inner;
    private final Defaults defaults;

    OfNullable(NullableType type, RowBinaryValue inner) {
      this.inner = inner;
      this.defaults = Defaults.of(type);
    }

    @Override
    void write(FieldVector vector, int row, Sink to) throws IOException {
      boolean isNull = vector.isNull(row);
      to.putByte(isNull ? 1 : 0);
      if (!isNull) {
        inner.write(vector, row, to);
      }
    }

    @Override
    void read(Source from, FieldVector vector, int row) throws IOException {
      byte[] isNull = new byte[1];
      from.read(isNull, 0, 1);
      if (isNull[0] != 0) {
        defaults.append(vector, row);
        return;
      }
      inner.read(from, vector, row);
      if (vector.getValidityBuffer() != null) {
        BitVectorHelper.setBit(vector.getValidityBuffer(), row);
      }
    }

    @Override
    public void close() {
      inner.close();
    }
  }

  private static final class OfList extends RowBinaryValue {
    private final List<RowBinaryValue> parts;
    private final boolean map;

    OfList(List<RowBinaryValue> parts, boolean map) {
      this.parts = parts;
      this.map = map;
    }

    private List<FieldVector> vectors(FieldVector vector) {
      FieldVector data = ((ListVector) vector).getDataVector();
      return map ? data.getChildrenFromFields() : List.of(data);
    }

    @Override
    void write(FieldVector vector, int row, Sink to) throws IOException {
      long offsets = Vectors.offsets(vector) + row * 4L;
      int start = Memory.getInt(offsets);
      int end = Memory.getInt(offsets + 4);
      to.putVarUInt(end - start);
      List<FieldVector> elements = vectors(vector);
      for (int i = start; i < end; i++) {
        for (int part = 0; part < parts.size(); part++) {
          parts.get(part).write(elements.get(part), i, to);
        }
      }
    }

    @Override
    void read(Source from, FieldVector vector, int row) throws IOException {
      int count = from.readCount(MOST_ELEMENTS, "elements of an array");
      long offsets = Vectors.offsets(vector) + row * 4L;
      int start = row == 0 ? 0 : Memory.getInt(offsets);
      FieldVector data = ((ListVector) vector).getDataVector();
      List<FieldVector> elements = vectors(vector);
      for (int i = start; i < start + count; i++) {
        Vectors.reserve(data, i + 1);
        for (int part = 0; part < parts.size(); part++) {
          parts.get(part).read(from, elements.get(part), i);
        }
      }
      long place = Vectors.offsets(vector) + row * 4L;
      Memory.putInt(place, start);
      Memory.putInt(place + 4, start + count);
    }

    @Override
    public void close() {
      parts.forEach(RowBinaryValue::close);
    }
  }

  private static final class OfTuple extends RowBinaryValue {
    private final List<RowBinaryValue> elements;

    OfTuple(List<RowBinaryValue> elements) {
      this.elements = elements;
    }

    @Override
    void write(FieldVector vector, int row, Sink to) throws IOException {
      List<FieldVector> children = vector.getChildrenFromFields();
      for (int i = 0; i < elements.size(); i++) {
        elements.get(i).write(children.get(i), row, to);
      }
    }

    @Override
    void read(Source from, FieldVector vector, int row) throws IOException {
      List<FieldVector> children = vector.getChildrenFromFields();
      for (int i = 0; i < elements.size(); i++) {
        elements.get(i).read(from, children.get(i), row);
      }
    }

    @Override
    public void close() {
      elements.forEach(RowBinaryValue::close);
    }
  }
}
