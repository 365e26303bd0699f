package io.coppice.parts.skip;

import io.coppice.base.bytes.ByteReader;
import io.coppice.base.bytes.ByteWriter;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.parts.format.SingleValue;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;

/**
 * {@code set(N)}: a block is the distinct values, in order of appearance, unless there are more
 * than N (0: no limit).
 *
 * <pre>
 *   8 bytes   count of distinct rows; 0 if there are more than N: the block then tells nothing
 *   …         per expression its values in bulk: numbers as they are, strings each with their size
 *             before them; Nullable: a byte per row, 1 for NULL, then what all slots hold; Array: the ends of
 *             the arrays, 8 bytes each, then all elements; Tuple: element after element
 * </pre>
 */
final class SetIndex extends SkipIndex {
  private final int limit;

  /** {@code limit} 0: none. */
  SetIndex(String name, List<DataType> types, int granularity, int limit) {
    super(name, Kind.SET, types, granularity);
    this.limit = limit;
  }

  static int limit(String name, List<String> arguments) {
    if (arguments.size() != 1 || !arguments.get(0).matches("[0-9]{1,18}")) {
      throw bad(name, "needs one number: set(max_rows)");
    }
    return (int) Math.min(Integer.MAX_VALUE, Long.parseLong(arguments.get(0)));
  }

  @Override
  public Accumulator accumulator() {
    return new SetAccumulator();
  }

  private final class SetAccumulator implements Accumulator {
    private final Set<ByteBuffer> seen = new HashSet<>();
    private final List<Integer> rows = new ArrayList<>();
    private List<FieldVector> vectors = List.of();
    private boolean overflown;

    @Override
    public void add(List<FieldVector> given, int from, int to) {
      if (from == to || overflown) {
        return;
      }
      if (!rows.isEmpty() && !given.equals(vectors)) {
        throw new IllegalArgumentException("index " + name() + ": a block in two sets of vectors");
      }
      vectors = given;
      List<SingleValue> values = new ArrayList<>();
      for (int k = 0; k < given.size(); k++) {
        values.add(SingleValue.of(types().get(k), given.get(k)));
      }
      ByteWriter key = new ByteWriter();
      for (int row = from; row < to; row++) {
        key.clear();
        for (SingleValue value : values) {
          value.write(key, row);
        }
        if (seen.add(ByteBuffer.wrap(key.toByteArray()))) {
          rows.add(row);
          if (limit > 0 && rows.size() > limit) {
            overflown = true;
            break;
          }
        }
      }
    }

    @Override
    public void finish(ByteWriter out) {
      if (overflown) {
        out.u64(0);
      } else {
        int[] selected = rows.stream().mapToInt(Integer::intValue).toArray();
        out.u64(selected.length);
        for (int k = 0; k < vectors.size() && selected.length > 0; k++) {
          writeBulk(out, types().get(k), vectors.get(k), selected);
        }
      }
      seen.clear();
      rows.clear();
      vectors = List.of();
      overflown = false;
    }
  }

  private static void writeBulk(ByteWriter out, DataType given, FieldVector vector, int[] rows) {
    DataType type = given.storage();
    if (type instanceof DataType.LowCardinalityType low) {
      writeLowCardinality(out, low, vector, rows);
    } else if (type instanceof DataType.NullableType nullable) {
      for (int row : rows) {
        out.u8(vector.isNull(row) ? 1 : 0);
      }
      writeBulk(out, nullable.inner(), vector, rows); // what the slots under NULL hold, too
    } else if (type instanceof DataType.ArrayType array) {
      ListVector list = (ListVector) vector;
      List<Integer> elements = new ArrayList<>();
      for (int row : rows) {
        for (int i = list.getElementStartIndex(row); i < list.getElementEndIndex(row); i++) {
          elements.add(i);
        }
        out.u64(elements.size());
      }
      int[] all = elements.stream().mapToInt(Integer::intValue).toArray();
      writeBulk(out, array.element(), list.getDataVector(), all);
    } else if (type instanceof DataType.TupleType tuple) {
      StructVector struct = (StructVector) vector;
      for (int i = 0; i < tuple.elements().size(); i++) {
        writeBulk(
            out, tuple.elements().get(i).type(), (FieldVector) struct.getChildByOrdinal(i), rows);
      }
    } else {
      SingleValue value = SingleValue.of(type, vector);
      for (int row : rows) {
        value.write(out, row);
      }
    }
  }

  private static void writeLowCardinality(
      ByteWriter out, DataType.LowCardinalityType low, FieldVector vector, int[] rows) {
    boolean nullable = low.inner() instanceof DataType.NullableType;
    DataType type = ValueOrder.bare(low);
    SingleValue value = SingleValue.of(type, vector);
    byte[] zero = type.widthBytes() > 0 ? new byte[type.widthBytes()] : new byte[] {0};
    Map<ByteBuffer, Integer> indexes = new LinkedHashMap<>();
    indexes.put(ByteBuffer.wrap(zero), nullable ? 1 : 0);
    int[] index = new int[rows.length];
    ByteWriter key = new ByteWriter();
    for (int i = 0; i < rows.length; i++) {
      if (vector.isNull(rows[i])) {
        continue; // index 0
      }
      key.clear();
      value.write(key, rows[i]);
      int next = indexes.size() + (nullable ? 1 : 0);
      Integer known = indexes.putIfAbsent(ByteBuffer.wrap(key.toByteArray()), next);
      index[i] = known == null ? next : known;
    }
    int keyCount = indexes.size() + (nullable ? 1 : 0);
    int log = keyCount <= 1 << 8 ? 0 : keyCount <= 1 << 16 ? 1 : 2;
    out.u64(1).u64(0x600 + log).u64(keyCount);
    if (nullable) {
      out.bytes(zero);
    }
    indexes.keySet().forEach(each -> out.bytes(each.array()));
    out.u64(rows.length);
    for (int each : index) {
      switch (log) {
        case 0 -> out.u8(each);
        case 1 -> out.u16(each);
        default -> out.u32(each);
      }
    }
  }

  /** Reads keys and indexes into a vector of values. */
  private static void readLowCardinality(
      ByteReader in, DataType.LowCardinalityType low, FieldVector vector, int count) {
    boolean nullable = low.inner() instanceof DataType.NullableType;
    DataType type = ValueOrder.bare(low);
    long version = in.u64();
    long flags = in.u64();
    long keyCount = in.u64();
    boolean known = version == 1 && (flags & ~0xffL) == 0x600 && (flags & 0xff) <= 2;
    if (!known || keyCount <= 0 || keyCount > in.remaining()) {
      throw EngineException.of(
          ErrorCode.INCORRECT_DATA,
          "%s: a dictionary of version %d with flags %x and %s keys before offset %d",
          in.name(),
          version,
          flags,
          Long.toUnsignedString(keyCount),
          in.offset());
    }
    List<byte[]> keys = new ArrayList<>((int) keyCount);
    for (long i = 0; i < keyCount; i++) {
      keys.add(
          type.widthBytes() > 0
              ? in.bytes(type.widthBytes())
              : new ByteWriter().string(in.stringBytes(in.remaining())).toByteArray());
    }
    long rowCount = in.u64();
    SingleValue value = SingleValue.of(type, vector);
    for (int row = 0; row < count; row++) {
      int index = (flags & 0xff) == 0 ? in.u8() : (flags & 0xff) == 1 ? in.u16() : in.u32();
      if (rowCount != count || index < 0 || index >= keyCount) {
        throw EngineException.of(
            ErrorCode.INCORRECT_DATA,
            "%s: index %d of %d keys in row %d of %d",
            in.name(),
            index,
            keyCount,
            row,
            rowCount);
      }
      value.read(new ByteReader(keys.get(index), in.name()), row);
      if (nullable && index == 0) {
        BitVectorHelper.unsetBit(vector.getValidityBuffer(), row);
      }
    }
    vector.setValueCount(count);
  }

  @Override
  public OpenBlock read(ByteReader in, BufferAllocator allocator) {
    long count = in.u64();
    if (count < 0 || count > in.remaining()) {
      throw EngineException.of(
          ErrorCode.INCORRECT_DATA,
          "%s: a set of %s values in %d bytes",
          in.name(),
          Long.toUnsignedString(count),
          in.remaining());
    }
    List<FieldVector> vectors = Vectors.of(types(), allocator);
    try {
      for (int k = 0; k < vectors.size() && count > 0; k++) {
        readBulk(in, types().get(k), vectors.get(k), (int) count);
      }
    } catch (RuntimeException e) {
      vectors.forEach(FieldVector::close);
      throw e;
    }
    return new SetBlock(vectors, (int) count);
  }

  private static void readBulk(ByteReader in, DataType given, FieldVector vector, int count) {
    DataType type = given.storage();
    if (type instanceof DataType.LowCardinalityType low) {
      readLowCardinality(in, low, vector, count);
      return;
    } else if (type instanceof DataType.NullableType nullable) {
      byte[] nulls = in.bytes(count);
      readBulk(in, nullable.inner(), vector, count);
      for (int row = 0; row < count; row++) {
        if (nulls[row] != 0) {
          BitVectorHelper.unsetBit(vector.getValidityBuffer(), row);
        }
      }
      return;
    } else if (type instanceof DataType.ArrayType array) {
      ListVector list = (ListVector) vector;
      long before = 0;
      for (int row = 0; row < count; row++) {
        long end = in.u64();
        if (end < before || end > in.remaining()) {
          throw EngineException.of(
              ErrorCode.INCORRECT_DATA,
              "%s: an array that ends at element %s after %d",
              in.name(),
              Long.toUnsignedString(end),
              before);
        }
        list.startNewValue(row);
        list.endValue(row, (int) (end - before));
        before = end;
      }
      readBulk(in, array.element(), list.getDataVector(), (int) before);
    } else if (type instanceof DataType.TupleType tuple) {
      StructVector struct = (StructVector) vector;
      for (int i = 0; i < tuple.elements().size(); i++) {
        readBulk(
            in, tuple.elements().get(i).type(), (FieldVector) struct.getChildByOrdinal(i), count);
      }
      while (count > struct.getValueCapacity()) {
        struct.reAlloc();
      }
      for (int row = 0; row < count; row++) {
        struct.setIndexDefined(row);
      }
    } else {
      SingleValue value = SingleValue.of(type, vector);
      for (int row = 0; row < count; row++) {
        value.read(in, row);
      }
    }
    vector.setValueCount(count);
  }

  private final class SetBlock implements OpenBlock {
    private final List<FieldVector> vectors;
    private final int count;

    SetBlock(List<FieldVector> vectors, int count) {
      this.vectors = vectors;
      this.count = count;
    }

    @Override
    public IndexAnswer ask(IndexCondition condition) {
      int k = condition.column();
      if (count == 0 || k < 0 || k >= vectors.size()) {
        return IndexAnswer.UNKNOWN;
      }
      boolean someTrue = false;
      boolean someFalse = false;
      for (int row = 0; row < count; row++) {
        Optional<Boolean> holds = Condition.holds(condition, types().get(k), vectors.get(k), row);
        if (holds.isEmpty()) {
          return IndexAnswer.UNKNOWN;
        }
        someTrue |= holds.get();
        someFalse |= !holds.get();
      }
      return new IndexAnswer(someTrue, someFalse);
    }

    @Override
    public Optional<List<FieldVector>> distinctRows() {
      return count == 0 ? Optional.empty() : Optional.of(List.copyOf(vectors));
    }

    @Override
    public void close() {
      vectors.forEach(FieldVector::close);
    }
  }
}
