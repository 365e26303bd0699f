package io.coppice.merge.select;

/**
 * The arithmetic of {@link SimpleMergeSelector}: what a merge is worth, and which merges are wide
 * enough. Immutable.
 *
 * @param settings of the table
 * @param base how many times as large as its largest source a merge of few young parts must be
 */
record SimpleRule(MergeSettings settings, double base) {
  /*
   * The numbers are those of 26.7, where they are constants as well.
   *
   * A merge costs the time to write its sources again, and it is worth the parts that it removes, so
   * the best is that with the least bytes per part removed. Merging unlike parts writes a large one
   * again for the sake of small ones; a lower bound on (all sources / largest source), the base,
   * keeps the work within log_base(table / insert) times the data. The base falls to 2 as parts
   * get older and as there are more of them, so that a quiet table melts down and a crowded one is
   * relieved. Each source counts some bytes more than it has, for a merge of tiny parts costs, too.
   */
  static final long FIXED_COST_BYTES = 5L << 20;

  private static final double LEAST_BASE = 2;
  private static final double SMALL_BYTES = 1L << 20;
  private static final double LARGE_BYTES = 100L << 30;
  private static final double SMALL_LOG = StrictMath.log(1 + SMALL_BYTES);
  private static final double LARGE_LOG = StrictMath.log(1 + LARGE_BYTES);

  /** Up to this age, parts are young whatever their size. */
  private static final double YOUNG_SECONDS = 10;

  private static final double OLD_SECONDS_WHEN_SMALL = 3600;
  private static final double OLD_SECONDS_WHEN_LARGE = 30 * 86400;

  private static final double FEW_PARTS = 10;
  private static final double MANY_PARTS = 50;

  private static final double ALIGNED_FROM_RATIO = 0.9;
  private static final double ALIGNED_WITHIN_POWER = 0.5;
  private static final double ALIGNED_SCORE = 0.75;

  /** Parts at the right below this share of the whole are left out. */
  static final double SMALL_AT_RIGHT = 0.01;

  static SimpleRule of(MergeSettings settings, boolean eager) {
    return new SimpleRule(settings, eager ? 1 : settings.base());
  }

  /** Bytes to write for each part that is removed, about; less is better. */
  static double score(int count, long sumBytes) {
    // 1.9 instead of 1: longer merges are preferred to many short ones.
    return (sumBytes + (double) FIXED_COST_BYTES * count) / (count - 1.9);
  }

  /**
   * The score of a merge whose result is like the part before it, which makes the next merge of
   * both a good one.
   *
   * @param leftBytes of the part before the first source in its range, 0 if there is none
   */
  static double aligned(double score, long sumBytes, long leftBytes) {
    if (!(leftBytes > sumBytes * ALIGNED_FROM_RATIO)) {
      return score;
    }
    double power = Math.abs(StrictMath.log((double) sumBytes / leftBytes) / StrictMath.log(2));
    return power < ALIGNED_WITHIN_POWER
        ? score * between(ALIGNED_SCORE, 1, power / ALIGNED_WITHIN_POWER)
        : score;
  }

  /**
   * The base as age and number of parts have it.
   *
   * @param partCount of the range that the merge lies in
   */
  double loweredBase(long sumBytes, long minAgeSeconds, int partCount) {
    double age = 0;
    if (minAgeSeconds > YOUNG_SECONDS) {
      double size = unit(StrictMath.log(1 + (double) sumBytes), SMALL_LOG, LARGE_LOG);
      double old = between(OLD_SECONDS_WHEN_SMALL, OLD_SECONDS_WHEN_LARGE, size);
      age = unit(minAgeSeconds, YOUNG_SECONDS, old);
    }
    double crowd = unit(partCount, FEW_PARTS, MANY_PARTS);
    return between(base, LEAST_BASE, Math.min(1, age + crowd));
  }

  /** How many times as large as its largest source a merge is. */
  static double width(int count, long sumBytes, long maxBytes) {
    return (sumBytes + (double) count * FIXED_COST_BYTES) / (double) (maxBytes + FIXED_COST_BYTES);
  }

  /**
   * The most sources of a merge in a partition; 0 for any number.
   *
   * @param partCount of the partition, of those that may be merged
   */
  long maxParts(long partCount) {
    long most = settings.maxPartsAtOnce();
    long throwing = settings.partsToThrow();
    if (!settings.lowerMaxParts() || partCount < base) {
      return most;
    }
    if (partCount >= throwing) {
      return Math.max(2, (long) base);
    }
    double fullness =
        StrictMath.pow((partCount - base) / (throwing - base), settings.lowerMaxPartsExponent());
    return Math.max(0, (long) (base + (most - base) * (1 - fullness)));
  }

  /** Where a value lies between two others, 0 to 1. */
  private static double unit(double value, double low, double high) {
    return value <= low ? 0 : value >= high ? 1 : (value - low) / (high - low);
  }

  /** What lies between two values; exact at both ends. */
  static double between(double from, double to, double share) {
    if (share == 1) {
      return to;
    }
    double value = from + share * (to - from);
    return to > from ? Math.min(value, to) : Math.max(value, to);
  }
}
