package io.coppice.parts.skip;

import io.coppice.base.bytes.ByteReader;
import io.coppice.base.bytes.ByteWriter;
import io.coppice.language.type.DataType;
import io.coppice.parts.format.Extremes;
import io.coppice.parts.format.SingleValue;
import io.coppice.parts.format.ValueOrder;
import io.coppice.parts.skip.IndexCondition.Bound;
import io.coppice.parts.skip.IndexCondition.Constant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/**
 * {@code minmax}: a block is, per expression, its least and its greatest value in the form of
 * {@link SingleValue}.
 *
 * <p>What is least and greatest among the rows of a granule, and then among granules, is told by
 * {@link Extremes}.
 */
final class MinMaxIndex extends SkipIndex {
  private final List<ValueOrder> orders;
  private final List<Extremes> extremes;

  MinMaxIndex(String name, List<DataType> types, int granularity) {
    super(name, Kind.MINMAX, types, granularity);
    this.orders = types.stream().map(ValueOrder::of).toList();
    this.extremes = types.stream().map(Extremes::of).toList();
  }

  @Override
  public Accumulator accumulator() {
    return new MinMaxAccumulator();
  }

  /** Holds no copies, only rows of the vectors; all rows of a block are in the same vectors. */
  private final class MinMaxAccumulator implements Accumulator {
    private List<FieldVector> vectors = List.of();
    private final List<Extremes.Range> ranges = new ArrayList<>();

    @Override
    public void add(List<FieldVector> given, int from, int to) {
      if (from == to) {
        return;
      }
      boolean first = ranges.isEmpty();
      if (!first && !given.equals(vectors)) {
        throw new IllegalArgumentException("index " + name() + ": a block in two sets of vectors");
      }
      vectors = given;
      for (int k = 0; k < extremes.size(); k++) {
        Extremes.Range range = extremes.get(k).over(given.get(k), from, to);
        if (first) {
          ranges.add(range);
        } else {
          ranges.set(k, extremes.get(k).join(ranges.get(k), range));
        }
      }
    }

    @Override
    public void finish(ByteWriter out) {
      for (int k = 0; k < ranges.size(); k++) {
        extremes.get(k).write(out, ranges.get(k));
      }
      vectors = List.of();
      ranges.clear();
    }
  }

  @Override
  public OpenBlock read(ByteReader in, BufferAllocator allocator) {
    List<FieldVector> vectors = Vectors.of(types(), allocator);
    try {
      for (int k = 0; k < vectors.size(); k++) {
        SingleValue value = SingleValue.of(types().get(k), vectors.get(k));
        value.read(in, 0);
        value.read(in, 1);
        vectors.get(k).setValueCount(2);
      }
    } catch (RuntimeException e) {
      vectors.forEach(FieldVector::close);
      throw e;
    }
    return new MinMaxBlock(new ArrayList<>(vectors));
  }

  private final class MinMaxBlock implements OpenBlock {
    private final List<FieldVector> vectors;

    MinMaxBlock(List<FieldVector> vectors) {
      this.vectors = vectors;
    }

    @Override
    public IndexAnswer ask(IndexCondition condition) {
      int k = condition.column();
      if (k < 0 || k >= vectors.size() || !bounds(k)) {
        return IndexAnswer.UNKNOWN;
      }
      FieldVector vector = vectors.get(k);
      boolean someNull = vector.isNull(1);
      boolean allNull = vector.isNull(0);
      if (condition instanceof IndexCondition.IsNull) {
        return allNull ? IndexAnswer.ALWAYS : someNull ? IndexAnswer.UNKNOWN : IndexAnswer.NEVER;
      }
      if (allNull) {
        return rangeLike(condition) ? IndexAnswer.NEVER : IndexAnswer.UNKNOWN;
      }
      if (condition instanceof IndexCondition.Equal equal) {
        return range(k, Optional.of(end(equal.value())), Optional.of(end(equal.value())));
      } else if (condition instanceof IndexCondition.Range range) {
        return range(k, range.lower(), range.upper());
      } else if (condition instanceof IndexCondition.In in) {
        IndexAnswer answer = IndexAnswer.NEVER;
        for (Constant value : in.values()) {
          answer = answer.or(range(k, Optional.of(end(value)), Optional.of(end(value))));
        }
        return answer;
      } else if (condition instanceof IndexCondition.StartsWith prefix) {
        return startsWith(k, prefix.text().array());
      } else if (condition instanceof IndexCondition.Like like) {
        LikePattern pattern = LikePattern.of(like.pattern().array());
        return pattern.prefix().length == 0
            ? IndexAnswer.UNKNOWN
            : new IndexAnswer(startsWith(k, pattern.prefix()).mayBeTrue(), true);
      }
      return IndexAnswer.UNKNOWN;
    }

    /** Not where arrays with NULL or NaN in them may lie outside. */
    private boolean bounds(int k) {
      ValueOrder order = orders.get(k);
      return !order.lists() || !order.floating() && !order.nullable();
    }

    private static boolean rangeLike(IndexCondition condition) {
      return condition instanceof IndexCondition.Equal
          || condition instanceof IndexCondition.Range
          || condition instanceof IndexCondition.In;
    }

    private static Bound end(Constant value) {
      return new Bound(value, true);
    }

    private IndexAnswer range(int k, Optional<Bound> lower, Optional<Bound> upper) {
      FieldVector vector = vectors.get(k);
      ValueOrder order = orders.get(k);
      // A NaN among the rows, or as the constant, is in no range; NaN as an extreme means all are.
      boolean nan = order.floating();
      if (order.isNaN(vector, 0)) {
        return IndexAnswer.NEVER;
      }
      boolean mayBeTrue = true;
      boolean mayBeFalse = nan || vector.isNull(1);
      if (lower.isPresent()) {
        Constant value = lower.get().value();
        int greatest = order.compare(vector, 1, value.vector(), value.row());
        int least = order.compare(vector, 0, value.vector(), value.row());
        boolean included = lower.get().included();
        mayBeTrue &= included ? greatest >= 0 : greatest > 0;
        mayBeFalse |= included ? least < 0 : least <= 0;
      }
      if (upper.isPresent()) {
        Constant value = upper.get().value();
        int least = order.compare(vector, 0, value.vector(), value.row());
        int greatest = order.compare(vector, 1, value.vector(), value.row());
        boolean included = upper.get().included();
        mayBeTrue &= included ? least <= 0 : least < 0;
        mayBeFalse |= included ? greatest > 0 : greatest >= 0;
      }
      return new IndexAnswer(mayBeTrue, mayBeFalse);
    }

    private IndexAnswer startsWith(int k, byte[] prefix) {
      Optional<byte[]> least = Text.at(types().get(k), vectors.get(k), 0);
      Optional<byte[]> greatest = Text.at(types().get(k), vectors.get(k), 1);
      if (least.isEmpty()) {
        return IndexAnswer.UNKNOWN;
      }
      boolean lowEnough = Text.comparePrefix(least.get(), prefix) <= 0;
      boolean highEnough = greatest.isEmpty() || Text.comparePrefix(greatest.get(), prefix) >= 0;
      return new IndexAnswer(lowEnough && highEnough, true);
    }

    @Override
    public void close() {
      vectors.forEach(FieldVector::close);
    }
  }
}
