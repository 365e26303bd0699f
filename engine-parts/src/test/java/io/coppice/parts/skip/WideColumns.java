package io.coppice.parts.skip;

import io.coppice.base.bytes.ByteReader;
import io.coppice.base.bytes.ByteWriter;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.compress.Decompressor;
import io.coppice.parts.format.SingleValue;
import io.coppice.parts.format.TestVectors;
import io.coppice.parts.name.FileNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;

/**
 * Reads columns of Wide parts the slow way: every value is turned into the form of single values.
 * Independent of the readers of the engine.
 */
final class WideColumns {
  private final Path part;
  private final Decompressor decompressor;
  private final int rowCount;

  WideColumns(Path part, Decompressor decompressor, int rowCount) {
    this.part = part;
    this.decompressor = decompressor;
    this.rowCount = rowCount;
  }

  /** The vector of a column; the caller closes it. */
  FieldVector read(String column, DataType type, BufferAllocator allocator) {
    FieldVector vector = TestVectors.of(type, allocator);
    if (type instanceof DataType.NullableType nullable) {
      // Keeps what lies under NULL: indexes are made of it, too.
      String stream = FileNames.escape(column);
      List<byte[]> hidden = values(stream, nullable.inner(), rowCount);
      SingleValue single = SingleValue.of(nullable.inner(), vector);
      ByteReader nulls = stream(stream + ".null");
      for (int row = 0; row < rowCount; row++) {
        single.read(new ByteReader(hidden.get(row), column), row);
        if (nulls.u8() == 1) {
          BitVectorHelper.unsetBit(vector.getValidityBuffer(), row);
        }
      }
      vector.setValueCount(rowCount);
      return vector;
    }
    List<byte[]> values = values(FileNames.escape(column), type, rowCount);
    SingleValue single = SingleValue.of(type, vector);
    for (int row = 0; row < rowCount; row++) {
      single.read(new ByteReader(values.get(row), column), row);
    }
    vector.setValueCount(rowCount);
    return vector;
  }

  private ByteReader stream(String name) {
    Path path = part.resolve(name + ".bin");
    try {
      return new ByteReader(
          decompressor.decompressAll(Files.readAllBytes(path), 0, name, 1 << 30), name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean has(String name) {
    return Files.exists(part.resolve(name + ".bin"));
  }

  private List<byte[]> values(String stream, DataType given, int count) {
    DataType type = given.storage();
    if (type instanceof DataType.LowCardinalityType low) {
      return lowCardinality(stream, low, count);
    }
    List<byte[]> values = new ArrayList<>();
    if (type instanceof DataType.NullableType nullable) {
      ByteReader nulls = stream(stream + ".null");
      for (byte[] value : values(stream, nullable.inner(), count)) {
        boolean isNull = nulls.u8() == 1;
        ByteWriter out = new ByteWriter().u8(isNull ? 1 : 0);
        values.add(isNull ? out.toByteArray() : out.bytes(value).toByteArray());
      }
    } else if (type instanceof DataType.ArrayType array) {
      ByteReader sizes = stream(stream + ".size0");
      List<Integer> counts = new ArrayList<>();
      int total = 0;
      for (int row = 0; row < count; row++) {
        counts.add((int) sizes.u64());
        total += counts.get(row);
      }
      List<byte[]> elements = total == 0 ? List.of() : values(stream, array.element(), total);
      int at = 0;
      for (int size : counts) {
        ByteWriter out = new ByteWriter().varUInt(size);
        for (int i = 0; i < size; i++) {
          out.bytes(elements.get(at++));
        }
        values.add(out.toByteArray());
      }
    } else if (type instanceof DataType.TupleType tuple) {
      List<ByteWriter> rows = new ArrayList<>();
      for (int row = 0; row < count; row++) {
        rows.add(new ByteWriter());
      }
      for (int i = 0; i < tuple.elements().size(); i++) {
        String element = stream + "%2E" + FileNames.escape(tuple.elementName(i));
        List<byte[]> of = values(element, tuple.elements().get(i).type(), count);
        for (int row = 0; row < count; row++) {
          rows.get(row).bytes(of.get(row));
        }
      }
      rows.forEach(row -> values.add(row.toByteArray()));
    } else if (type == PlainType.STRING && has(stream + ".size")) {
      ByteReader sizes = stream(stream + ".size");
      ByteReader bytes = stream(stream);
      for (int row = 0; row < count; row++) {
        values.add(new ByteWriter().string(bytes.bytes((int) sizes.u64())).toByteArray());
      }
    } else {
      bulk(stream(stream), type, count, values);
    }
    return values;
  }

  private static void bulk(ByteReader in, DataType type, int count, List<byte[]> values) {
    for (int row = 0; row < count; row++) {
      values.add(
          type == PlainType.STRING
              ? new ByteWriter().string(in.stringBytes(in.remaining())).toByteArray()
              : in.bytes(type.widthBytes()));
    }
  }

  private List<byte[]> lowCardinality(String stream, DataType.LowCardinalityType low, int count) {
    boolean nullable = low.inner() instanceof DataType.NullableType;
    DataType type =
        low.inner() instanceof DataType.NullableType inner ? inner.inner() : low.inner();
    ByteReader keys = stream(stream + ".dict");
    keys.skip(8);
    List<byte[]> dictionary = new ArrayList<>();
    bulk(keys, type, (int) keys.u64(), dictionary);
    ByteReader in = stream(stream);
    List<byte[]> values = new ArrayList<>();
    while (values.size() < count) {
      int width = 1 << (in.u64() & 0xff);
      for (long left = in.u64(); left > 0; left--) {
        int index = width == 1 ? in.u8() : width == 2 ? in.u16() : in.u32();
        if (nullable) {
          ByteWriter out = new ByteWriter().u8(index == 0 ? 1 : 0);
          values.add(
              index == 0 ? out.toByteArray() : out.bytes(dictionary.get(index)).toByteArray());
        } else {
          values.add(dictionary.get(index));
        }
      }
    }
    return values;
  }
}
