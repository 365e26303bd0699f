package io.coppice.merge.select;

import io.coppice.base.check.Check;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.base.setting.Setting;
import io.coppice.base.setting.Setting.Unit;
import io.coppice.language.expression.Literal;
import io.coppice.parts.table.SettingValue;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The settings of a table that say what is merged when, under ClickHouse's names and with 26.7's
 * defaults. Immutable.
 *
 * @param maxBytesAtMaxSpace {@link #MAX_BYTES_AT_MAX_SPACE}
 * @param maxBytesAtMinSpace {@link #MAX_BYTES_AT_MIN_SPACE}
 * @param freeEntriesToLowerMaxSize {@link #FREE_ENTRIES_TO_LOWER_MAX_SIZE}
 * @param freeEntriesForWholePartition {@link #FREE_ENTRIES_FOR_WHOLE_PARTITION}
 * @param maxPartsAtOnce {@link #MAX_PARTS_AT_ONCE}
 * @param minPartsAtOnce {@link #MIN_PARTS_AT_ONCE}
 * @param algorithm {@code merge_selector_algorithm}
 * @param base {@code merge_selector_base}: a merge must be about that many times as large as its
 *     largest source. More: less is written again and again, but there are more parts
 * @param windowSize {@link #WINDOW_SIZE}
 * @param blurryBaseScale {@link #BLURRY_BASE_SCALE}
 * @param dropSmallAtRight {@link #DROP_SMALL_AT_RIGHT}
 * @param lowerMaxParts {@link #LOWER_MAX_PARTS}
 * @param lowerMaxPartsExponent {@link #LOWER_MAX_PARTS_EXPONENT}
 * @param partsToThrow {@link #PARTS_TO_THROW}
 * @param ageToForceSeconds {@link #AGE_TO_FORCE}
 * @param forceWholePartitionOnly {@link #FORCE_WHOLE_PARTITION_ONLY}
 * @param limitForced {@link #LIMIT_FORCED}
 * @param cleanupWhenForced whether both settings are on that let a merge which was forced by age
 *     remove deleted rows of a ReplacingMergeTree
 * @param ttlOnlyDropParts {@link #TTL_ONLY_DROP_PARTS}
 * @param ttlDelaySeconds {@code merge_with_ttl_timeout}: least time between two merges of a
 *     partition that delete expired rows
 * @param recompressionDelaySeconds {@code merge_with_recompression_ttl_timeout}: the same of merges
 *     that recompress
 * @param maxTtlMerges {@link #MAX_TTL_MERGES}
 */
public record MergeSettings(
    long maxBytesAtMaxSpace,
    long maxBytesAtMinSpace,
    long freeEntriesToLowerMaxSize,
    long freeEntriesForWholePartition,
    long maxPartsAtOnce,
    long minPartsAtOnce,
    Algorithm algorithm,
    double base,
    long windowSize,
    long blurryBaseScale,
    boolean dropSmallAtRight,
    boolean lowerMaxParts,
    long lowerMaxPartsExponent,
    long partsToThrow,
    long ageToForceSeconds,
    boolean forceWholePartitionOnly,
    boolean limitForced,
    boolean cleanupWhenForced,
    boolean ttlOnlyDropParts,
    long ttlDelaySeconds,
    long recompressionDelaySeconds,
    long maxTtlMerges) {

  /** Rules of {@code merge_selector_algorithm}. */
  public enum Algorithm {
    /** {@link SimpleMergeSelector}. */
    SIMPLE("Simple"),
    /** {@link SimpleMergeSelector} with a window and a base that chance moves. */
    STOCHASTIC_SIMPLE("StochasticSimple"),
    /** {@link TrivialMergeSelector}. */
    TRIVIAL("Trivial"),
    /** {@link ScheduledMergeSelector}. */
    MANUAL("Manual");

    private final String text;

    Algorithm(String text) {
      this.text = text;
    }

    /** The value of the setting. */
    public String text() {
      return text;
    }
  }

  public static final Setting MAX_BYTES_AT_MAX_SPACE =
      bytes(
          "max_bytes_to_merge_at_max_space_in_pool",
          150L << 30,
          "Sources of one merge together, while the pool is free enough: about the size that parts"
              + " grow to. More: fewer parts, longer merges; 0: no merges.");

  public static final Setting MAX_BYTES_AT_MIN_SPACE =
      bytes(
          "max_bytes_to_merge_at_min_space_in_pool",
          1L << 20,
          "Sources of one merge together, when no place of the pool is free. More: large merges may"
              + " fill the pool, and small parts wait.");

  public static final Setting FREE_ENTRIES_TO_LOWER_MAX_SIZE =
      count(
          "number_of_free_entries_in_pool_to_lower_max_size_of_merge",
          8,
          "With fewer free places in the pool, merges are limited to less than the most. More: room"
              + " is kept for small merges earlier.");

  public static final Setting FREE_ENTRIES_FOR_WHOLE_PARTITION =
      count(
          "number_of_free_entries_in_pool_to_execute_optimize_entire_partition",
          25,
          "With fewer free places in the pool, no whole partition is merged because of its age.");

  public static final Setting MAX_PARTS_AT_ONCE =
      count(
          "max_parts_to_merge_at_once",
          100,
          "Sources of one merge; 0: any number. More: fewer rewrites, longer merges, more open"
              + " files.");

  public static final Setting MIN_PARTS_AT_ONCE =
      count(
          "min_parts_to_merge_at_once",
          0,
          "Least sources of one merge. More: less is written again, more parts wait.");

  public static final Setting WINDOW_SIZE =
      count(
          "merge_selector_window_size",
          1000,
          "Parts of a range that are looked at, the newest. More: choosing takes longer.");

  public static final Setting BLURRY_BASE_SCALE =
      count(
          "merge_selector_blurry_base_scale_factor",
          0,
          "StochasticSimple varies the base by chance, the more parts the less; more: from fewer"
              + " parts on it hardly does. 0: not at all.");

  public static final Setting DROP_SMALL_AT_RIGHT =
      Setting.flag(
          "merge_selector_enable_heuristic_to_remove_small_parts_at_right",
          true,
          "Parts at the end of a merge that are less than a hundredth of it are left for another.");

  public static final Setting LOWER_MAX_PARTS =
      Setting.flag(
          "merge_selector_enable_heuristic_to_lower_max_parts_to_merge_at_once",
          true,
          "The nearer a partition comes to parts_to_throw_insert, the fewer sources a merge has, so"
              + " that more merges run beside each other; more is written again.");

  public static final Setting LOWER_MAX_PARTS_EXPONENT =
      count(
          "merge_selector_heuristic_to_lower_max_parts_to_merge_at_once_exponent",
          5,
          "How late merges get fewer sources. Less: earlier.");

  public static final Setting PARTS_TO_THROW =
      count(
          "parts_to_throw_insert",
          3000,
          "Parts of a partition at which inserts are refused; merges hurry before.");

  public static final Setting AGE_TO_FORCE =
      seconds(
          "min_age_to_force_merge_seconds",
          0,
          "Parts of that age are merged even if they are few or unlike in size; 0: never.");

  public static final Setting FORCE_WHOLE_PARTITION_ONLY =
      Setting.flag(
          "min_age_to_force_merge_on_partition_only",
          false,
          "Age forces only merges of whole partitions, when all of their parts are old enough.");

  public static final Setting LIMIT_FORCED =
      Setting.flag(
          "enable_max_bytes_limit_for_min_age_to_force_merge",
          true,
          "Whole partitions are merged because of their age only within the size of merges.");

  public static final Setting TTL_ONLY_DROP_PARTS =
      Setting.flag(
          "ttl_only_drop_parts",
          false,
          "Rows expire with their part, when all of its rows have expired.");

  public static final Setting MAX_TTL_MERGES =
      count(
          "max_number_of_merges_with_ttl_in_pool",
          2,
          "Merges for TTLs at a time. More: rows expire sooner, other merges may wait.");

  private static final String TTL_DELAY = "merge_with_ttl_timeout";
  private static final String RECOMPRESSION_DELAY = "merge_with_recompression_ttl_timeout";
  private static final long DEFAULT_TTL_DELAY_SECONDS = 4 * 3600;
  private static final double DEFAULT_BASE = 5;
  private static final List<String> CLEANUP =
      List.of(
          "allow_experimental_replacing_merge_with_cleanup",
          "enable_replacing_merge_with_cleanup_for_min_age_to_force_merge");

  public MergeSettings {
    Check.argument(Double.isFinite(base), "base %s", base);
  }

  private static Setting count(String name, long value, String text) {
    return new Setting(name, value, Unit.COUNT, 0, Long.MAX_VALUE, text);
  }

  private static Setting bytes(String name, long value, String text) {
    return new Setting(name, value, Unit.BYTES, 0, Long.MAX_VALUE, text);
  }

  private static Setting seconds(String name, long value, String text) {
    return new Setting(name, value, Unit.SECONDS, 0, Long.MAX_VALUE, text);
  }

  /** What holds when nothing is set. */
  public static MergeSettings defaults() {
    return of(Map.of());
  }

  /**
   * The settings of a CREATE TABLE over the defaults; those that do not steer merges are passed
   * over.
   *
   * @throws EngineException for a value that ClickHouse would refuse, with its code
   */
  public static MergeSettings of(Map<String, Literal> given) {
    Reader in = new Reader(given);
    return new MergeSettings(
        in.number(MAX_BYTES_AT_MAX_SPACE),
        in.number(MAX_BYTES_AT_MIN_SPACE),
        in.number(FREE_ENTRIES_TO_LOWER_MAX_SIZE),
        in.number(FREE_ENTRIES_FOR_WHOLE_PARTITION),
        in.number(MAX_PARTS_AT_ONCE),
        in.number(MIN_PARTS_AT_ONCE),
        in.algorithm(),
        in.base(),
        in.number(WINDOW_SIZE),
        in.number(BLURRY_BASE_SCALE),
        in.flag(DROP_SMALL_AT_RIGHT),
        in.flag(LOWER_MAX_PARTS),
        in.number(LOWER_MAX_PARTS_EXPONENT),
        in.number(PARTS_TO_THROW),
        in.number(AGE_TO_FORCE),
        in.flag(FORCE_WHOLE_PARTITION_ONLY),
        in.flag(LIMIT_FORCED),
        CLEANUP.stream().allMatch(in::on),
        in.flag(TTL_ONLY_DROP_PARTS),
        in.delay(TTL_DELAY),
        in.delay(RECOMPRESSION_DELAY),
        in.number(MAX_TTL_MERGES));
  }

  /** From which age on a range is merged whatever its parts are; empty if age forces no ranges. */
  OptionalLong ageToForceRanges() {
    return ageToForceSeconds > 0 && !forceWholePartitionOnly
        ? OptionalLong.of(ageToForceSeconds)
        : OptionalLong.empty();
  }

  private record Reader(Map<String, Literal> given) {
    private SettingValue value(String name) {
      return new SettingValue(name, given.get(name));
    }

    long number(Setting setting) {
      String name = setting.name();
      return given.containsKey(name) ? value(name).whole() : setting.defaultValue();
    }

    boolean flag(Setting setting) {
      String name = setting.name();
      return given.containsKey(name) ? value(name).flag() : setting.defaultValue() == 1;
    }

    boolean on(String name) {
      return given.containsKey(name) && value(name).flag();
    }

    long delay(String name) {
      return given.containsKey(name) ? value(name).signed() : DEFAULT_TTL_DELAY_SECONDS;
    }

    double base() {
      String name = "merge_selector_base";
      // ClickHouse keeps it in 32 bits.
      return given.containsKey(name) ? (float) value(name).decimal() : DEFAULT_BASE;
    }

    Algorithm algorithm() {
      String name = "merge_selector_algorithm";
      if (!given.containsKey(name)) {
        return Algorithm.SIMPLE;
      }
      String text = value(name).text();
      for (Algorithm one : Algorithm.values()) {
        if (one.text().equals(text)) {
          return one;
        }
      }
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS,
          "setting %s = %s, expected Simple, StochasticSimple, Trivial or Manual",
          name,
          text);
    }
  }
}
