package io.coppice.merge.select;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * ClickHouse's rule: of all ranges of neighbours that are wide enough, the one that costs the least
 * for each part that it removes. {@link SimpleRule} has the arithmetic. As in 26.7:
 *
 * <ul>
 *   <li>only the last {@code merge_selector_window_size} parts of a range are looked at;
 *   <li>a merge has at most {@code max_parts_to_merge_at_once} sources, and fewer when its
 *       partition comes near {@code parts_to_throw_insert};
 *   <li>parts at its right end that are less than a hundredth of it are left out, even if then
 *       there are fewer than {@code min_parts_to_merge_at_once};
 *   <li>a result of about the size of the part before it is worth more;
 *   <li>of equal merges the later is taken, whose parts have most likely been merged less often.
 *       (26.7 leaves open which, if they lie in two ranges; here it is that of the later range.)
 * </ul>
 *
 * <p>Immutable, but for the generator that StochasticSimple is given.
 */
public final class SimpleMergeSelector implements MergeSelector {
  private final SimpleRule rule;
  private final MergeSettings settings;
  private final Optional<RandomGenerator> chance;

  private SimpleMergeSelector(SimpleRule rule, Optional<RandomGenerator> chance) {
    this.rule = rule;
    this.settings = rule.settings();
    this.chance = chance;
  }

  /**
   * The algorithm Simple.
   *
   * @param eager whether someone asked for a merge, so that one of any width will do
   */
  public static SimpleMergeSelector of(MergeSettings settings, boolean eager) {
    return new SimpleMergeSelector(SimpleRule.of(settings, eager), Optional.empty());
  }

  /** The algorithm StochasticSimple. */
  public static SimpleMergeSelector stochastic(
      MergeSettings settings, boolean eager, RandomGenerator chance) {
    return new SimpleMergeSelector(SimpleRule.of(settings, eager), Optional.of(chance));
  }

  /** A range that could be merged: places in one of the ranges, and what it is worth. */
  private record Scored(int range, int from, int to, double score) {
    boolean betterThan(Scored other) {
      if (score != other.score) {
        return score < other.score;
      }
      return range > other.range || (range == other.range && from > other.from);
    }
  }

  @Override
  public List<PartRange> select(List<PartRange> ranges, List<MergeLimits> limits) {
    List<PartRange> chosen = new ArrayList<>();
    if (limits.isEmpty()) {
      return chosen;
    }
    Map<String, Integer> counts = partCounts(ranges);
    int[] starts = ranges.stream().mapToInt(range -> windowStart(range.count())).toArray();
    TakenParts taken = new TakenParts();
    for (MergeLimits limit : limits) {
      Scored best = null;
      for (int range = 0; range < ranges.size(); range++) {
        Scan scan = new Scan(ranges.get(range), range, counts, limits.get(0));
        Scored its = scan.best(starts[range], limit, taken);
        if (its != null && (best == null || its.betterThan(best))) {
          best = its;
        }
      }
      if (best == null) {
        break;
      }
      taken.take(best.range, best.from, best.to);
      chosen.add(ranges.get(best.range).between(best.from, best.to));
    }
    return chosen;
  }

  /**
   * Why nothing is merged, for an operator: how many merges there would be, and what each lacks.
   *
   * @param ranges for which {@link #select} found nothing
   */
  public String whyNone(List<PartRange> ranges, MergeLimits limit) {
    Map<String, Integer> counts = partCounts(ranges);
    long tooLarge = 0;
    long tooNarrow = 0;
    double widest = 0;
    double asked = 0;
    for (int range = 0; range < ranges.size(); range++) {
      Scan scan = new Scan(ranges.get(range), range, counts, limit);
      scan.best(windowStart(ranges.get(range).count()), limit, new TakenParts());
      tooLarge += scan.tooLarge;
      tooNarrow += scan.tooNarrow;
      if (scan.widest > widest) {
        widest = scan.widest;
        asked = scan.asked;
      }
    }
    if (tooLarge == 0 && tooNarrow == 0) {
      return "no two parts are neighbours that may be merged";
    }
    String narrow =
        tooNarrow == 0
            ? ""
            : "%d possible merges are too narrow: the widest has %.2f times the size of its largest part, %.2f are asked for"
                .formatted(tooNarrow, widest, asked);
    String large =
        tooLarge == 0
            ? ""
            : "%d are larger than the %d bytes and %d rows that pool, disk and settings allow"
                .formatted(tooLarge, limit.maxSizeBytes(), limit.maxRowCount());
    return narrow + (narrow.isEmpty() || large.isEmpty() ? "" : "; ") + large;
  }

  private static Map<String, Integer> partCounts(List<PartRange> ranges) {
    Map<String, Integer> counts = new HashMap<>();
    ranges.forEach(range -> counts.merge(range.partition(), range.count(), Integer::sum));
    return counts;
  }

  /** The first part that is looked at. */
  private int windowStart(int count) {
    long window = settings.windowSize();
    if (count < window) {
      return 0;
    }
    long end = count;
    if (chance.isPresent()) {
      long drawn = (long) (count + chance.get().nextGaussian() * count / 4);
      end = Math.max(drawn > count ? 2L * count - drawn : drawn, window);
    }
    return (int) (end - window);
  }

  /** One range looked through. */
  private final class Scan {
    private final List<CandidatePart> parts;
    private final int range;
    private final long maxParts;
    private final MergeLimits widestLimit;
    long tooLarge;
    long tooNarrow;
    double widest;
    double asked;

    Scan(PartRange parts, int range, Map<String, Integer> counts, MergeLimits widestLimit) {
      this.parts = parts.parts();
      this.range = range;
      this.maxParts = rule.maxParts(counts.get(parts.partition()));
      this.widestLimit = widestLimit;
    }

    /** The best merge within {@code limit} whose parts are free; null if there is none. */
    Scored best(int start, MergeLimits limit, TakenParts taken) {
      Scored best = null;
      for (int from = start; from < parts.size(); from++) {
        CandidatePart first = parts.get(from);
        long sumBytes = first.sizeBytes();
        long sumRows = first.rowCount();
        long maxBytes = sumBytes;
        long minAge = first.ageSeconds();
        for (int to = from + 2; to <= parts.size(); to++) {
          int count = to - from;
          if (maxParts != 0 && count > maxParts) {
            break;
          }
          CandidatePart last = parts.get(to - 1);
          sumBytes += last.sizeBytes();
          sumRows += last.rowCount();
          maxBytes = Math.max(maxBytes, last.sizeBytes());
          minAge = Math.min(minAge, last.ageSeconds());
          if (!widestLimit.allow(sumBytes, sumRows)) {
            tooLarge++;
            break;
          }
          if (!wideEnough(count, sumBytes, maxBytes, minAge)) {
            tooNarrow++;
            continue;
          }
          Scored one = scored(from, to, sumBytes, sumRows, limit, taken);
          if (one != null && (best == null || one.betterThan(best))) {
            best = one;
          }
        }
      }
      return best;
    }

    private boolean wideEnough(int count, long sumBytes, long maxBytes, long minAge) {
      var force = settings.ageToForceRanges();
      if (force.isPresent() && minAge >= force.getAsLong()) {
        return true;
      }
      if (count < settings.minPartsAtOnce()) {
        return false;
      }
      double base = blurred(rule.loweredBase(sumBytes, minAge, parts.size()));
      double width = SimpleRule.width(count, sumBytes, maxBytes);
      if (width > widest) {
        widest = width;
        asked = base;
      }
      return width >= base;
    }

    private double blurred(double base) {
      if (chance.isEmpty() || settings.blurryBaseScale() == 0) {
        return base;
      }
      double free = Math.max(0, 1 - parts.size() / (double) settings.partsToThrow());
      double deviation = (base - 1) * StrictMath.pow(free, settings.blurryBaseScale()) / 2;
      return Math.min(base + chance.get().nextGaussian() * deviation, Math.max(1.01, base));
    }

    private Scored scored(
        int from, int to, long sumBytes, long sumRows, MergeLimits limit, TakenParts taken) {
      int end = to;
      long bytes = sumBytes;
      long rows = sumRows;
      if (settings.dropSmallAtRight()) {
        while (end >= from + 3
            && parts.get(end - 1).sizeBytes() < SimpleRule.SMALL_AT_RIGHT * sumBytes) {
          end--;
          bytes -= parts.get(end).sizeBytes();
          rows -= parts.get(end).rowCount();
        }
      }
      if (!limit.allow(bytes, rows) || !taken.free(range, from, end)) {
        return null;
      }
      long left = from == 0 ? 0 : parts.get(from - 1).sizeBytes();
      double score = SimpleRule.aligned(SimpleRule.score(end - from, bytes), bytes, left);
      return new Scored(range, from, end, score);
    }
  }
}
