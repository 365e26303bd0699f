package io.coppice.parts.write;

import io.coppice.base.bytes.Memory;
import io.coppice.base.hash.Hash128;
import io.coppice.base.hash.SipHash;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.Element;
import io.coppice.language.type.DataType.LowCardinalityType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Encoding;
import io.coppice.parts.column.Encodings;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.stream.Sink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;

/**
 * The hash by which ClickHouse 26.7 knows the rows of an INSERT again: SipHash over the columns of
 * a block, before it is split by partition. Numbers are hashed as they lie in memory; strings as
 * all bytes and then the ends of each, as 8 bytes; arrays as their elements and then the ends;
 * Nullable as values and then a byte each. So the order of rows matters, names of columns do not.
 * Witnessed with 26.7.
 *
 * <p>Confined to one thread.
 */
final class BlockHash {
  private final SipHash hash = new SipHash();
  private final BufferAllocator allocator;

  private BlockHash(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /** The hash of a block, whose vectors are borrowed. */
  static Hash128 of(
      List<FieldVector> columns, List<DataType> types, int rows, BufferAllocator allocator)
      throws IOException {
    BlockHash block = new BlockHash(allocator);
    for (int i = 0; i < columns.size(); i++) {
      block.add(columns.get(i), types.get(i), 0, rows);
    }
    return block.hash.hash128();
  }

  private void add(FieldVector vector, DataType given, int from, int to) throws IOException {
    DataType type = given.storage();
    if (type instanceof NullableType nullable) {
      add(vector, nullable.inner(), from, to);
      for (int row = from; row < to; row++) {
        hash.updateU8(vector.isNull(row) ? 1 : 0);
      }
    } else if (type instanceof LowCardinalityType low) {
      addLowCardinality(vector, low.inner(), from, to);
    } else if (type instanceof MapType map) {
      ListVector list = (ListVector) vector;
      StructVector entries = (StructVector) list.getDataVector();
      List<FieldVector> both = entries.getChildrenFromFields();
      int start = from == to ? 0 : list.getElementStartIndex(from);
      int end = from == to ? 0 : list.getElementEndIndex(to - 1);
      add(both.get(0), map.key(), start, end);
      add(both.get(1), map.value(), start, end);
      addEnds(list, from, to);
    } else if (type instanceof ArrayType array) {
      ListVector list = (ListVector) vector;
      int start = from == to ? 0 : list.getElementStartIndex(from);
      int end = from == to ? 0 : list.getElementEndIndex(to - 1);
      add(list.getDataVector(), array.element(), start, end);
      addEnds(list, from, to);
    } else if (type instanceof TupleType tuple) {
      List<FieldVector> children = ((StructVector) vector).getChildrenFromFields();
      int i = 0;
      for (Element element : tuple.elements()) {
        add(children.get(i++), element.type(), from, to);
      }
    } else if (type == PlainType.STRING) {
      addStrings(vector, from, to);
    } else {
      addPlain(vector, type, from, to);
    }
  }

  private void addEnds(ListVector list, int from, int to) {
    long end = 0;
    for (int row = from; row < to; row++) {
      end += list.getElementEndIndex(row) - list.getElementStartIndex(row);
      hash.updateU64(end);
    }
  }

  private void addStrings(FieldVector vector, int from, int to) {
    long offsets = Vectors.offsets(vector);
    int start = Memory.getInt(offsets + from * 4L);
    int end = Memory.getInt(offsets + to * 4L);
    if (end > start) {
      hash.update(Vectors.data(vector) + start, end - start);
    }
    for (int row = from; row < to; row++) {
      hash.updateU64(Memory.getInt(offsets + (row + 1) * 4L) - start);
    }
  }

  private void addLowCardinality(FieldVector vector, DataType inner, int from, int to)
      throws IOException {
    DataType plain = inner instanceof NullableType nullable ? nullable.inner() : inner;
    for (int row = from; row < to; row++) {
      if (inner instanceof NullableType) {
        hash.updateU8(vector.isNull(row) ? 1 : 0);
        if (vector.isNull(row)) {
          continue;
        }
      }
      if (plain.storage() == PlainType.STRING) {
        byte[] bytes = ((VarCharVector) vector).get(row);
        hash.updateU64(bytes.length + 1L).update(bytes).updateU8(0);
      } else {
        addPlain(vector, plain, row, row + 1);
      }
    }
  }

  private void addPlain(FieldVector vector, DataType type, int from, int to) throws IOException {
    try (Encoding encoding =
            Encodings.of("c", type, Encodings.Options.of(Encoding.Mode.WIDE, false), allocator);
        Hashing sink = new Hashing()) {
      encoding.write(vector, from, to, stream -> sink);
      sink.flush();
    }
  }

  /** Puts what is written into the hash. */
  private final class Hashing extends Sink {
    Hashing() {
      super(1 << 16);
    }

    @Override
    protected void drain(ByteBuffer bytes, long address, int size) {
      hash.update(address, size);
    }
  }
}
