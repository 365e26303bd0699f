package io.coppice.merge.select;

import java.util.List;

/**
 * A rule for what to merge. Pure: the same arguments (and the same state of a generator that an
 * implementation was given) have the same answer.
 */
public interface MergeSelector {
  /**
   * The best merges, at most one for each of the limits, best first; none shares a part with
   * another. Fewer, or none, if there are no more.
   *
   * @param ranges parts that may be merged with each other, in the order of partitions and blocks;
   *     what is chosen lies in one of them
   * @param limits of the first merge, the second and so on, none larger than that before it
   */
  List<PartRange> select(List<PartRange> ranges, List<MergeLimits> limits);
}
