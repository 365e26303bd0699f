package io.coppice.merge.select;

import io.coppice.merge.select.MergeDecision.Merge;
import io.coppice.merge.select.MergeDecision.MergedAlready;
import io.coppice.merge.select.MergeDecision.Nothing;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Chooses the merges of a table as ClickHouse 26.7 does: those for a TTL first (parts that have
 * expired, then rows, then codecs), then the rule of {@code merge_selector_algorithm} over all
 * partitions, then a whole partition that has become old.
 *
 * <p>It changes nothing and remembers nothing: who starts a merge that was chosen adds its sources
 * to the predicate's parts in use, and takes {@link TtlSchedule#after}. Thread-safe, unless the
 * generator that was given is not.
 */
public final class MergeChooser {
  private final MergeSettings settings;
  private final MergeSelector rule;
  private final MergeSelector eagerRule;

  private MergeChooser(MergeSettings settings, MergeSelector rule, MergeSelector eagerRule) {
    this.settings = settings;
    this.rule = rule;
    this.eagerRule = eagerRule;
  }

  /**
   * The chooser of a table.
   *
   * @param chance for the algorithms StochasticSimple and Trivial
   * @param scheduled for the algorithm Manual, what is to be merged
   */
  public static MergeChooser of(
      MergeSettings settings, RandomGenerator chance, ScheduledMergeSelector scheduled) {
    return switch (settings.algorithm()) {
      case SIMPLE ->
          new MergeChooser(
              settings,
              SimpleMergeSelector.of(settings, false),
              SimpleMergeSelector.of(settings, true));
      case STOCHASTIC_SIMPLE ->
          new MergeChooser(
              settings,
              SimpleMergeSelector.stochastic(settings, false, chance),
              SimpleMergeSelector.stochastic(settings, true, chance));
      case TRIVIAL -> {
        MergeSelector trivial = new TrivialMergeSelector(chance);
        yield new MergeChooser(settings, trivial, trivial);
      }
      case MANUAL -> new MergeChooser(settings, scheduled, scheduled);
    };
  }

  /** What to merge in the background. */
  public MergeDecision next(MergeSituation now) {
    return choose(now, rule);
  }

  /** What OPTIMIZE merges that names no partition and is not FINAL: one merge, of any width. */
  public MergeDecision optimize(MergeSituation now) {
    return choose(now, eagerRule);
  }

  private MergeDecision choose(MergeSituation now, MergeSelector regular) {
    MergeLimits limits = MergeLimits.of(settings, now.pool(), now.freeBytes(), now.maxRowCount());
    if (limits.maxSizeBytes() == 0) {
      return new Nothing(
          settings.maxBytesAtMaxSpace() == 0
              ? "merges are switched off by max_bytes_to_merge_at_max_space_in_pool = 0"
              : "the disk has no space for a merge: %d bytes are free".formatted(now.freeBytes()));
    }
    List<PartRange> ranges = now.predicate().ranges(now.parts());
    if (ranges.isEmpty()) {
      return new Nothing(
          now.parts().isEmpty()
              ? "the table has no parts"
              : "none of %d parts may be merged: %s"
                  .formatted(
                      now.parts().size(),
                      now.predicate().against(now.parts().get(0)).orElse("it is alone")));
    }
    return ttlMerge(now, ranges, limits)
        .or(() -> first(regular, ranges, limits, MergeKind.REGULAR))
        .map(merge -> (MergeDecision) merge)
        .or(() -> oldPartition(now, ranges, limits).map(old -> forced(now, old)))
        .orElseGet(() -> nothing(now, regular, ranges, limits));
  }

  private Optional<Merge> ttlMerge(MergeSituation now, List<PartRange> ranges, MergeLimits limits) {
    if (now.ttlMergesStopped()
        || !now.anyTtl()
        || now.pool().ttlMerges() >= settings.maxTtlMerges()) {
      return Optional.empty();
    }
    return first(ttl(MergeKind.TTL_DROP, now), ranges, limits, MergeKind.TTL_DROP)
        .or(
            () ->
                settings.ttlOnlyDropParts()
                    ? Optional.empty()
                    : first(ttl(MergeKind.TTL_DELETE, now), ranges, limits, MergeKind.TTL_DELETE))
        .or(
            () ->
                first(
                    ttl(MergeKind.TTL_RECOMPRESS, now), ranges, limits, MergeKind.TTL_RECOMPRESS));
  }

  private MergeSelector ttl(MergeKind kind, MergeSituation now) {
    return new TtlMergeSelector(kind, settings, now.schedule(), now.nowSeconds());
  }

  private static Optional<Merge> first(
      MergeSelector selector, List<PartRange> ranges, MergeLimits limits, MergeKind kind) {
    return selector.select(ranges, List.of(limits)).stream()
        .findFirst()
        .map(range -> new Merge(range, kind, false, false));
  }

  private record Partition(String id, long parts, long sizeBytes, long minAgeSeconds) {
    Partition with(PartRange range) {
      return new Partition(
          id,
          parts + range.count(),
          sizeBytes + range.sizeBytes(),
          Math.min(minAgeSeconds, range.minAgeSeconds()));
    }
  }

  /** The partition whose youngest part is the oldest, if that is old enough to be merged whole. */
  private Optional<String> oldPartition(
      MergeSituation now, List<PartRange> ranges, MergeLimits limits) {
    boolean crowded =
        now.pool().busy() > 1 && now.pool().free() < settings.freeEntriesForWholePartition();
    if (!settings.forceWholePartitionOnly() || settings.ageToForceSeconds() == 0 || crowded) {
      return Optional.empty();
    }
    Map<String, Partition> partitions = new LinkedHashMap<>();
    for (PartRange range : ranges) {
      String id = range.partition();
      Partition before = partitions.getOrDefault(id, new Partition(id, 0, 0, Long.MAX_VALUE));
      partitions.put(id, before.with(range));
    }
    return partitions.values().stream()
        .filter(one -> one.parts > 1)
        .filter(one -> !settings.limitForced() || one.sizeBytes <= limits.maxSizeBytes())
        .max(Comparator.comparingLong(Partition::minAgeSeconds))
        .filter(one -> one.minAgeSeconds >= settings.ageToForceSeconds())
        .map(Partition::id);
  }

  private MergeDecision forced(MergeSituation now, String partition) {
    MergeDecision whole = wholePartition(now, partition, true, true);
    return whole
        .merge()
        .map(merge -> new Merge(merge.range(), merge.kind(), true, settings.cleanupWhenForced()))
        .map(merge -> (MergeDecision) merge)
        .orElse(whole);
  }

  /**
   * What OPTIMIZE merges that names a partition or is FINAL: all parts of a partition, however
   * large.
   *
   * @param last whether FINAL was asked for, so that a single part is merged with itself
   * @param skipMerged {@code optimize_skip_merged_partitions}: whether a single part stays that
   *     came of a merge and whose TTLs are all known
   */
  public MergeDecision wholePartition(
      MergeSituation now, String partition, boolean last, boolean skipMerged) {
    List<CandidatePart> parts =
        now.parts().stream().filter(part -> part.name().partition().equals(partition)).toList();
    if (parts.isEmpty()) {
      return new Nothing("partition " + partition + " has no parts");
    }
    // A part in use is told before anything else: it may soon be another.
    for (CandidatePart part : parts) {
      Optional<String> reason = now.predicate().against(part);
      if (reason.isPresent()) {
        return new Nothing(reason.get());
      }
    }
    if (parts.size() == 1 && !last) {
      return new Nothing("partition " + partition + " is one part");
    }
    if (parts.size() == 1 && skipMerged && merged(parts.get(0))) {
      return new MergedAlready(partition);
    }
    Optional<String> reason = now.predicate().againstAll(parts);
    if (reason.isPresent()) {
      return new Nothing(reason.get());
    }
    PartRange range = new PartRange(parts);
    long needed = (long) (range.sizeBytes() * MergeLimits.FREE_TO_CHOOSE);
    if (now.freeBytes() <= needed) {
      return new Nothing(
          "merging %s needs more than %d bytes of free space, the disk has %d"
              .formatted(range, needed, now.freeBytes()));
    }
    return new Merge(range, MergeKind.REGULAR, last, false);
  }

  private static boolean merged(CandidatePart part) {
    return part.name().level() > 0 && part.ttl().map(PartTtl::calculated).orElse(true);
  }

  private static Nothing nothing(
      MergeSituation now, MergeSelector regular, List<PartRange> ranges, MergeLimits limits) {
    int usable = ranges.stream().mapToInt(PartRange::count).sum();
    String why =
        regular instanceof SimpleMergeSelector simple
            ? simple.whyNone(ranges, limits)
            : "the algorithm of merge_selector_algorithm finds nothing among them";
    return new Nothing(
        "%d of %d parts may be merged, in %d ranges: %s"
            .formatted(usable, now.parts().size(), ranges.size(), why));
  }
}
