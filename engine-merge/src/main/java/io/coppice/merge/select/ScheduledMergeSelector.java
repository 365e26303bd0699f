package io.coppice.merge.select;

import io.coppice.parts.name.PartName;
import java.util.ArrayList;
import java.util.List;

/**
 * The algorithm Manual: what {@code SYSTEM SCHEDULE MERGE} asked for, in that order, and nothing
 * else. It waits for the first that cannot be done yet, for its parts may be the result of a merge
 * that still runs. Immutable: who owns the queue removes what was chosen.
 */
public final class ScheduledMergeSelector implements MergeSelector {
  private final List<List<PartName>> scheduled;

  /**
   * A rule for a queue of merges.
   *
   * @param scheduled the sources of each, in the order of their blocks
   */
  public ScheduledMergeSelector(List<List<PartName>> scheduled) {
    this.scheduled = scheduled.stream().map(List::copyOf).toList();
  }

  @Override
  public List<PartRange> select(List<PartRange> ranges, List<MergeLimits> limits) {
    List<PartRange> chosen = new ArrayList<>();
    for (int i = 0; i < Math.min(limits.size(), scheduled.size()); i++) {
      PartRange found = find(ranges, scheduled.get(i));
      if (found == null || !limits.get(i).allow(found.sizeBytes(), found.rowCount())) {
        break;
      }
      chosen.add(found);
    }
    return chosen;
  }

  private static PartRange find(List<PartRange> ranges, List<PartName> wanted) {
    for (PartRange range : ranges) {
      List<PartName> names = range.parts().stream().map(CandidatePart::name).toList();
      int at = names.indexOf(wanted.get(0));
      int end = at + wanted.size();
      if (at >= 0 && end <= names.size() && names.subList(at, end).equals(wanted)) {
        return range.between(at, end);
      }
    }
    return null;
  }
}
