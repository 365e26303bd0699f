package io.coppice.merge.select;

import java.util.HashMap;
import java.util.Map;

/**
 * From when on partitions may be merged for a TTL again, so that rows which expire one after the
 * other are not each a reason to write the partition anew. Immutable.
 *
 * @param nextDelete by partition, seconds since 1970, of merges that delete rows
 * @param nextRecompress the same of merges that recompress
 */
public record TtlSchedule(Map<String, Long> nextDelete, Map<String, Long> nextRecompress) {
  public TtlSchedule {
    nextDelete = Map.copyOf(nextDelete);
    nextRecompress = Map.copyOf(nextRecompress);
  }

  /** That of a table which has just been loaded: nothing has to wait. */
  public static TtlSchedule empty() {
    return new TtlSchedule(Map.of(), Map.of());
  }

  /** Whether a partition has to wait with merges of that kind. */
  boolean postponed(String partition, MergeKind kind, long nowSeconds) {
    Map<String, Long> next =
        switch (kind) {
          case TTL_DELETE -> nextDelete;
          case TTL_RECOMPRESS -> nextRecompress;
          case REGULAR, TTL_DROP -> Map.of();
        };
    return next.getOrDefault(partition, Long.MIN_VALUE) > nowSeconds;
  }

  /**
   * What holds once a merge was started, at {@code nowSeconds} since 1970. (26.7 lets a partition
   * wait as soon as its merge was chosen, even if that found no place in the pool and was not
   * done.)
   */
  public TtlSchedule after(MergeDecision.Merge merge, MergeSettings settings, long nowSeconds) {
    String partition = merge.range().partition();
    return switch (merge.kind()) {
      case REGULAR, TTL_DROP -> this;
      case TTL_DELETE ->
          new TtlSchedule(
              with(nextDelete, partition, nowSeconds + settings.ttlDelaySeconds()), nextRecompress);
      case TTL_RECOMPRESS ->
          new TtlSchedule(
              nextDelete,
              with(nextRecompress, partition, nowSeconds + settings.recompressionDelaySeconds()));
    };
  }

  private static Map<String, Long> with(Map<String, Long> map, String key, long value) {
    Map<String, Long> changed = new HashMap<>(map);
    changed.put(key, value);
    return changed;
  }
}
