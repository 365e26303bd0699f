package io.coppice.merge.select;

import io.coppice.base.check.Check;
import io.coppice.merge.select.DueQueue.Due;
import java.util.ArrayList;
import java.util.List;

/**
 * Merges that carry out a TTL: around the part that has been due for longest, all neighbours that
 * are due as well, as far as the limits go, first to the left, then to the right. A single part may
 * be merged with itself. Immutable.
 *
 * <ul>
 *   <li>{@link MergeKind#TTL_DROP}: parts of which everything has expired; there is nothing to
 *       read, so that only {@code max_parts_to_merge_at_once} limits them;
 *   <li>{@link MergeKind#TTL_DELETE}: parts of which something has expired, in partitions where
 *       that was not done for a while;
 *   <li>{@link MergeKind#TTL_RECOMPRESS}: parts whose codec should be another by now, likewise.
 * </ul>
 */
final class TtlMergeSelector implements MergeSelector {
  private final MergeKind kind;
  private final MergeSettings settings;
  private final TtlSchedule schedule;
  private final long nowSeconds;

  TtlMergeSelector(MergeKind kind, MergeSettings settings, TtlSchedule schedule, long nowSeconds) {
    Check.argument(kind.forTtl(), "merges for TTL of kind %s", kind);
    this.kind = kind;
    this.settings = settings;
    this.schedule = schedule;
    this.nowSeconds = nowSeconds;
  }

  @Override
  public List<PartRange> select(List<PartRange> ranges, List<MergeLimits> limits) {
    List<Due> due = new ArrayList<>();
    for (int range = 0; range < ranges.size(); range++) {
      PartRange its = ranges.get(range);
      if (schedule.postponed(its.partition(), kind, nowSeconds)) {
        continue;
      }
      for (int place = 0; place < its.count(); place++) {
        if (isDue(its.parts().get(place))) {
          due.add(new Due(range, place, dueSince(its.parts().get(place))));
        }
      }
    }
    DueQueue queue = new DueQueue(due);
    TakenParts taken = new TakenParts();
    List<PartRange> chosen = new ArrayList<>();
    for (MergeLimits limit : limits) {
      int before = chosen.size();
      while (!queue.isEmpty() && chosen.size() == before) {
        Due center = queue.next();
        Growing growing = new Growing(ranges.get(center.range()), center, limit, taken);
        if (growing.fits()) {
          growing.grow();
          taken.take(center.range(), growing.from, growing.to);
          chosen.add(ranges.get(center.range()).between(growing.from, growing.to));
        }
      }
      if (chosen.size() == before) {
        break;
      }
    }
    return chosen;
  }

  /** Since when the part is due, seconds since 1970; 0 if it never will be. */
  private long dueSince(CandidatePart part) {
    return part.ttl()
        .map(
            ttl ->
                switch (kind) {
                  case TTL_DROP -> ttl.unfinished() ? ttl.maxSeconds() : 0;
                  case TTL_DELETE -> ttl.unfinished() ? ttl.minSeconds() : 0;
                  case TTL_RECOMPRESS ->
                      ttl.recompression()
                          .filter(PartTtl.Recompression::changesCodec)
                          .map(PartTtl.Recompression::dueSeconds)
                          .orElse(0L);
                  case REGULAR -> 0L;
                })
        .orElse(0L);
  }

  private boolean isDue(CandidatePart part) {
    long since = dueSince(part);
    return since > 0 && since <= nowSeconds;
  }

  /** A merge around its center. */
  private final class Growing {
    private final PartRange range;
    private final int rangeNumber;
    private final TakenParts taken;
    private final boolean unlimited = kind == MergeKind.TTL_DROP;
    private final MergeLimits limit;
    private long bytes;
    private long rows;
    private int from;
    private int to;

    Growing(PartRange range, Due center, MergeLimits limit, TakenParts taken) {
      this.range = range;
      this.rangeNumber = center.range();
      this.taken = taken;
      this.limit = unlimited ? MergeLimits.NONE : limit;
      this.from = center.place();
      this.to = center.place() + 1;
      CandidatePart part = range.parts().get(center.place());
      this.bytes = part.sizeBytes();
      this.rows = part.rowCount();
    }

    boolean fits() {
      return limit.allow(bytes, rows) && !taken.has(rangeNumber, from);
    }

    void grow() {
      while (from > 0 && joins(from - 1)) {
        from--;
      }
      while (to < range.count() && joins(to)) {
        to++;
      }
    }

    private boolean joins(int place) {
      CandidatePart part = range.parts().get(place);
      long most = settings.maxPartsAtOnce();
      boolean full = unlimited && most > 0 && to - from >= most;
      if (full
          || taken.has(rangeNumber, place)
          || !isDue(part)
          || !limit.allow(bytes + part.sizeBytes(), rows + part.rowCount())) {
        return false;
      }
      bytes += part.sizeBytes();
      rows += part.rowCount();
      return true;
    }
  }
}
