package io.coppice.merge.select;

import io.coppice.base.check.Check;
import io.coppice.parts.name.PartName;
import java.util.List;

/**
 * A table at the moment when a merge is chosen.
 *
 * @param parts the active ones, in the order of their names
 * @param predicate which of them may be merged
 * @param freeBytes of the disk, without what running merges have reserved
 * @param maxRowCount that a part may have; indexes of some types cannot tell rows beyond 2^32
 * @param schedule when partitions may be merged for a TTL again
 * @param ttlMergesStopped whether SYSTEM STOP TTL MERGES holds
 * @param nowSeconds since 1970
 */
public record MergeSituation(
    List<CandidatePart> parts,
    MergePredicate predicate,
    MergePool pool,
    long freeBytes,
    long maxRowCount,
    TtlSchedule schedule,
    boolean ttlMergesStopped,
    long nowSeconds) {
  public MergeSituation {
    parts = List.copyOf(parts);
    for (int i = 1; i < parts.size(); i++) {
      PartName left = parts.get(i - 1).name();
      PartName right = parts.get(i).name();
      Check.argument(left.compareTo(right) < 0, "active parts %s and %s in order", left, right);
      Check.argument(left.disjoint(right), "active parts %s and %s overlap", left, right);
    }
  }

  /** Whether a TTL gives work to merges. */
  boolean anyTtl() {
    return parts.stream().anyMatch(part -> part.ttl().isPresent());
  }
}
