package io.coppice.merge.select;

import io.coppice.base.check.Check;

/**
 * How large a merge may be.
 *
 * @param maxSizeBytes of its sources together
 * @param maxRowCount of its sources together
 */
public record MergeLimits(long maxSizeBytes, long maxRowCount) {
  /** No limits. */
  public static final MergeLimits NONE = new MergeLimits(Long.MAX_VALUE, Long.MAX_VALUE);

  /** A merge is chosen only if this many times its sources are free on disk. */
  public static final double FREE_TO_CHOOSE = 2;

  /** A merge that starts takes this many times its sources of the disk for itself. */
  public static final double FREE_TO_RUN = 1.1;

  public MergeLimits {
    Check.argument(maxSizeBytes >= 0, "merges of at most %d bytes", maxSizeBytes);
    Check.argument(maxRowCount >= 0, "merges of at most %d rows", maxRowCount);
  }

  /** Whether a merge of that size is within them. */
  public boolean allow(long sizeBytes, long rowCount) {
    return sizeBytes <= maxSizeBytes && rowCount <= maxRowCount;
  }

  /**
   * What settings, pool and disk leave to the next merge. While a pool fills up, merges that are
   * still let in are smaller and smaller, so that small ones find room beside long ones.
   *
   * @param freeBytes of the disk, without what running merges have reserved
   * @param maxRowCount that a part may have
   */
  public static MergeLimits of(
      MergeSettings settings, MergePool pool, long freeBytes, long maxRowCount) {
    Check.argument(freeBytes >= 0, "%d bytes are free on disk", freeBytes);
    long most = settings.maxBytesAtMaxSpace();
    long lowerFrom = settings.freeEntriesToLowerMaxSize();
    // With one task or none there is no pool to keep free: the one may be that which asks.
    if (most > 0 && pool.busy() > 1 && pool.free() < lowerFrom) {
      double least = Math.max(1, Math.min(settings.maxBytesAtMinSpace(), most));
      most = (long) (least * Math.pow(most / least, (double) pool.free() / lowerFrom));
    }
    return new MergeLimits(Math.min(most, (long) (freeBytes / FREE_TO_CHOOSE)), maxRowCount);
  }

  /**
   * What a merge of these parts reserves on disk. Parts that have expired as a whole leave nothing.
   *
   * @param nowSeconds since 1970
   */
  public static long reservedBytes(PartRange range, long nowSeconds) {
    long bytes = 0;
    for (CandidatePart part : range.parts()) {
      long expires = part.ttl().map(PartTtl::maxSeconds).orElse(0L);
      bytes += expires > 0 && expires <= nowSeconds ? 0 : part.sizeBytes();
    }
    return (long) (bytes * FREE_TO_RUN);
  }
}
