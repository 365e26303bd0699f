package io.coppice.merge.select;

import io.coppice.base.check.Check;

/**
 * How busy the pool is that merges and mutates.
 *
 * @param places tasks that it takes at once, running and waiting
 * @param busy tasks that it has
 * @param ttlMerges how many of them are merges for a TTL
 */
public record MergePool(int places, int busy, int ttlMerges) {
  public MergePool {
    Check.argument(places > 0, "a pool of %d places", places);
    Check.argument(0 <= busy && busy <= places, "%d of %d places are busy", busy, places);
    Check.argument(0 <= ttlMerges && ttlMerges <= busy, "%d merges for TTL of %d", ttlMerges, busy);
  }

  /** Tasks that may still come. */
  public int free() {
    return places - busy;
  }
}
