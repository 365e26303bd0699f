package io.coppice.parts.name;

import io.coppice.base.check.Check;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.util.Comparator;
import java.util.Optional;

/**
 * The identity of a part: its partition and the span of inserted blocks it holds. It is the name of
 * the part's directory:
 *
 * <pre>
 *   PARTITION_MINBLOCK_MAXBLOCK_LEVEL[_MUTATION]                  all_1_5_2, 202610_3_3_0_7
 *   YYYYMMDD_YYYYMMDD_MINBLOCK_MAXBLOCK_LEVEL[_MUTATION]          tables of format version 0
 *   patch-HASH-PARTITION_MINBLOCK_MAXBLOCK_LEVEL[_MUTATION]       rows that update a partition's
 * </pre>
 *
 * <p>Numbers are decimal, without sign and without leading zeros, so that a name that parses is
 * also what is printed.
 *
 * @param partition partition id; never empty, made of letters, digits and {@code -}
 * @param minBlock first block number held, inclusive, 0 or more
 * @param maxBlock last block number held, inclusive
 * @param level generations of merging behind this part; 0 after an insert
 * @param mutation number of the last mutation applied; 0 if there was none
 * @param days for format version 0 the first and the last day of the rows; the partition is then
 *     the month
 */
public record PartName(
    String partition,
    long minBlock,
    long maxBlock,
    long level,
    long mutation,
    Optional<DayRange> days)
    implements Comparable<PartName> {

  /** What levels of covering parts of dropped ranges were in old versions. */
  public static final long LEGACY_MAX_LEVEL = 999_999_999;

  /** The level that covers every other. */
  public static final long MAX_LEVEL = 0xffffffffL;

  private static final int LENGTH_LIMIT = 255;

  private static final Comparator<PartName> ORDER =
      Comparator.comparing(PartName::partition)
          .thenComparingLong(PartName::minBlock)
          .thenComparingLong(PartName::maxBlock)
          .thenComparingLong(PartName::level)
          .thenComparingLong(PartName::mutation)
          .thenComparing(name -> name.days().map(DayRange::text).orElse(""));

  /**
   * First and last day of the rows of a part, in tables of format version 0.
   *
   * @param first as the number YYYYMMDD
   * @param last as the number YYYYMMDD, in the same month
   */
  public record DayRange(int first, int last) {
    public DayRange {
      Check.argument(10_000_000 <= first && first <= 99_999_999, "day %d", first);
      Check.argument(first <= last && last <= 99_999_999, "days %d to %d", first, last);
    }

    String text() {
      return first + "_" + last;
    }
  }

  public PartName {
    Check.argument(partitionFits(partition), "partition id '%s'", partition);
    Check.argument(0 <= minBlock && minBlock <= maxBlock, "blocks [%d, %d]", minBlock, maxBlock);
    Check.argument(0 <= level && level <= MAX_LEVEL, "level %d", level);
    Check.argument(0 <= mutation, "mutation %d", mutation);
    Check.argument(
        days.isEmpty() || partition.equals(Integer.toString(days.get().first() / 100)),
        "partition %s of days %s",
        partition,
        days);
  }

  /** The name of a part that no mutation went through. */
  public PartName(String partition, long minBlock, long maxBlock, long level) {
    this(partition, minBlock, maxBlock, level, 0, Optional.empty());
  }

  /** The name of a part in a table of format version 1. */
  public PartName(String partition, long minBlock, long maxBlock, long level, long mutation) {
    this(partition, minBlock, maxBlock, level, mutation, Optional.empty());
  }

  /**
   * The name in a table of format version 1, which all tables with PARTITION BY and ORDER BY have.
   *
   * @throws EngineException BAD_DATA_PART_NAME
   */
  public static PartName parse(String text) {
    return tryParse(text).orElseThrow(() -> bad(text, "PARTITION_MINBLOCK_MAXBLOCK_LEVEL"));
  }

  /**
   * The name in a table of format version 0, whose engine had the date column as argument.
   *
   * @throws EngineException BAD_DATA_PART_NAME
   */
  public static PartName parseWithDays(String text) {
    return tryParseWithDays(text)
        .orElseThrow(() -> bad(text, "YYYYMMDD_YYYYMMDD_MINBLOCK_MAXBLOCK_LEVEL"));
  }

  private static EngineException bad(String text, String expected) {
    return EngineException.of(
        ErrorCode.BAD_DATA_PART_NAME,
        "'%s' is not the name of a part, expected %s",
        text,
        expected);
  }

  /** As {@link #parse}, empty if {@code text} is not such a name. */
  public static Optional<PartName> tryParse(String text) {
    if (text.length() > LENGTH_LIMIT) {
      return Optional.empty();
    }
    String[] pieces = text.split("_", 6);
    if ((pieces.length != 4 && pieces.length != 5) || !partitionFits(pieces[0])) {
      return Optional.empty();
    }
    return ofNumbers(pieces[0], pieces, 1, Optional.empty());
  }

  /** As {@link #parseWithDays}, empty if {@code text} is not such a name. */
  public static Optional<PartName> tryParseWithDays(String text) {
    if (text.length() > LENGTH_LIMIT) {
      return Optional.empty();
    }
    String[] pieces = text.split("_", 7);
    if (pieces.length != 5 && pieces.length != 6) {
      return Optional.empty();
    }
    int first = day(pieces[0]);
    int last = day(pieces[1]);
    if (first < 0 || last < first || first / 100 != last / 100) {
      return Optional.empty();
    }
    return ofNumbers(
        Integer.toString(first / 100), pieces, 2, Optional.of(new DayRange(first, last)));
  }

  private static int day(String text) {
    return text.length() == 8 && number(text) >= 10_000_000 ? Integer.parseInt(text) : -1;
  }

  private static Optional<PartName> ofNumbers(
      String partition, String[] pieces, int from, Optional<DayRange> days) {
    long minBlock = number(pieces[from]);
    long maxBlock = number(pieces[from + 1]);
    long level = number(pieces[from + 2]);
    boolean mutated = pieces.length > from + 3;
    long mutation = mutated ? number(pieces[from + 3]) : 0;
    if (minBlock < 0
        || maxBlock < minBlock
        || level < 0
        || level > MAX_LEVEL
        || mutation < 0
        || (mutated && mutation == 0)) {
      return Optional.empty();
    }
    return Optional.of(new PartName(partition, minBlock, maxBlock, level, mutation, days));
  }

  /** A decimal number as it would be printed, -1 for anything else. */
  private static long number(String text) {
    if (text.isEmpty() || text.length() > 19 || (text.length() > 1 && text.charAt(0) == '0')) {
      return -1;
    }
    long value = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      value = value * 10 + (c - '0'); // 19 digits overflow to a negative number at most
    }
    return value < 0 ? -1 : value;
  }

  private static boolean partitionFits(String partition) {
    if (partition.isEmpty() || partition.length() > 200) {
      return false;
    }
    for (int i = 0; i < partition.length(); i++) {
      char c = partition.charAt(i);
      boolean fits =
          (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
      if (!fits) {
        return false;
      }
    }
    return true;
  }

  /** The name of the part's directory. */
  public String text() {
    String blocks = minBlock + "_" + maxBlock + "_" + level;
    String prefix = days.map(DayRange::text).orElse(partition);
    return prefix + "_" + blocks + (mutation == 0 ? "" : "_" + mutation);
  }

  /**
   * Whether this part holds everything that {@code other} held, so that the two never serve reads
   * together. A part covers itself.
   */
  public boolean covers(PartName other) {
    boolean sameBlocks = minBlock == other.minBlock && maxBlock == other.maxBlock;
    // With equal levels a longer span is no merge of the shorter one: they would overlap by
    // accident.
    boolean grown =
        sameBlocks || level > other.level || level == MAX_LEVEL || level == LEGACY_MAX_LEVEL;
    return partition.equals(other.partition)
        && minBlock <= other.minBlock
        && other.maxBlock <= maxBlock
        && level >= other.level
        && mutation >= other.mutation
        && grown;
  }

  /** Whether the two have no block in common. */
  public boolean disjoint(PartName other) {
    return !partition.equals(other.partition)
        || maxBlock < other.minBlock
        || other.maxBlock < minBlock;
  }

  /** The version of the data: the last mutation applied, or the block of the insert. */
  public long dataVersion() {
    return mutation == 0 ? minBlock : mutation;
  }

  /** Whether the part holds updates of rows in other parts. */
  public boolean patch() {
    return patchedPartition().isPresent();
  }

  /** The partition whose rows a patch part updates; empty if this is no patch part. */
  public Optional<String> patchedPartition() {
    // "patch-", 32 hex digits, "-"
    boolean patch =
        partition.length() > 39 && partition.startsWith("patch-") && partition.charAt(38) == '-';
    return patch ? Optional.of(partition.substring(39)) : Optional.empty();
  }

  /** By partition, then blocks, then level and mutation: the order of a list of parts. */
  @Override
  public int compareTo(PartName other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return text();
  }
}
