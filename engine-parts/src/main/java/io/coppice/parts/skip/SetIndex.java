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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/**
 * {@code set(N)}: a block is the distinct values, in order of appearance, unless there are more
 * than N (0: no limit).
 *
 * <pre>
 *   8 bytes   count of distinct rows; 0 if there are more than N: the block then tells nothing
 *   …         per expression its values, as {@link BulkValues}
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
          BulkValues.write(out, types().get(k), vectors.get(k), selected);
        }
      }
      seen.clear();
      rows.clear();
      vectors = List.of();
      overflown = false;
    }
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
        BulkValues.read(in, types().get(k), vectors.get(k), (int) count);
      }
    } catch (RuntimeException e) {
      vectors.forEach(FieldVector::close);
      throw e;
    }
    return new SetBlock(vectors, (int) count);
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
