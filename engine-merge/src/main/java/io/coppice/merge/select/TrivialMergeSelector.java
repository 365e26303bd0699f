package io.coppice.merge.select;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * The algorithm Trivial: ten neighbours whose levels do not go down, one such range of up to a
 * hundred by chance; partitions with most parts come first. It is a yardstick for other rules.
 *
 * <p>26.7 sorts the ranges by their parts and then walks through them unsorted, so that a table
 * whose first partition is small may not be merged at all; here the order is as meant.
 */
public final class TrivialMergeSelector implements MergeSelector {
  private static final int PARTS_AT_ONCE = 10;
  private static final int RANGES_TO_CHOOSE_FROM = 100;

  private final RandomGenerator chance;

  /** A rule that takes its chance from a generator. */
  public TrivialMergeSelector(RandomGenerator chance) {
    this.chance = chance;
  }

  @Override
  public List<PartRange> select(List<PartRange> ranges, List<MergeLimits> limits) {
    int[] order =
        IntStream.range(0, ranges.size())
            .filter(i -> ranges.get(i).count() >= PARTS_AT_ONCE)
            .boxed()
            .sorted(Comparator.comparing(i -> -ranges.get(i).count()))
            .mapToInt(i -> i)
            .toArray();
    TakenParts taken = new TakenParts();
    List<PartRange> chosen = new ArrayList<>();
    for (MergeLimits limit : limits) {
      Optional<PartRange> one = one(ranges, order, limit, taken);
      if (one.isEmpty()) {
        break;
      }
      chosen.add(one.get());
    }
    return chosen;
  }

  private Optional<PartRange> one(
      List<PartRange> ranges, int[] order, MergeLimits limit, TakenParts taken) {
    List<int[]> found = new ArrayList<>();
    for (int range : order) {
      List<CandidatePart> parts = ranges.get(range).parts();
      int from = 0;
      for (int place = 0; place < parts.size() && found.size() < RANGES_TO_CHOOSE_FROM; place++) {
        if (parts.get(place).name().level() < parts.get(from).name().level()) {
          from = place;
        }
        if (place + 1 - from == PARTS_AT_ONCE) {
          PartRange its = ranges.get(range).between(from, place + 1);
          if (limit.allow(its.sizeBytes(), its.rowCount()) && taken.free(range, from, place + 1)) {
            found.add(new int[] {range, from});
          }
          from = place + 1;
        }
      }
    }
    if (found.isEmpty()) {
      return Optional.empty();
    }
    int[] one = found.get(found.size() == 1 ? 0 : chance.nextInt(found.size()));
    taken.take(one[0], one[1], one[1] + PARTS_AT_ONCE);
    return Optional.of(ranges.get(one[0]).between(one[1], one[1] + PARTS_AT_ONCE));
  }
}
