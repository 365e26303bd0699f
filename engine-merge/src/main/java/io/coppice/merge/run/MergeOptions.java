package io.coppice.merge.run;

import io.coppice.base.check.Check;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Literal;
import java.math.BigInteger;
import java.util.Map;

/**
 * The settings of a table that say how parts are merged, under ClickHouse's names and with 26.7's
 * defaults. Immutable.
 *
 * @param maxBlockRows {@code merge_max_block_size}: rows that are merged at once. More: larger
 *     steps, more memory
 * @param maxBlockBytes {@code merge_max_block_size_bytes}: the same in bytes, 0 for no limit
 * @param vertical {@code enable_vertical_merge_algorithm}: whether columns besides the key may be
 *     merged one by one, with less memory and more reading
 * @param verticalMinRows {@code vertical_merge_algorithm_min_rows_to_activate}
 * @param verticalMinBytes {@code vertical_merge_algorithm_min_bytes_to_activate}
 * @param verticalMinColumns {@code vertical_merge_algorithm_min_columns_to_activate}: columns
 *     besides the key
 * @param verticalFromCompact {@code allow_vertical_merges_from_compact_to_wide_parts}
 * @param minRowsToSync {@code min_rows_to_fsync_after_merge}, 0 for never
 * @param minBytesToSync {@code min_compressed_bytes_to_fsync_after_merge}, 0 for never
 * @param blockNumbers {@code enable_block_number_column} or {@code enable_block_offset_column}:
 *     whether merged parts keep the block that each row came in, or its place there
 */
public record MergeOptions(
    int maxBlockRows,
    long maxBlockBytes,
    boolean vertical,
    long verticalMinRows,
    long verticalMinBytes,
    long verticalMinColumns,
    boolean verticalFromCompact,
    long minRowsToSync,
    long minBytesToSync,
    boolean blockNumbers) {
  public static final MergeOptions DEFAULTS = of(Map.of());

  public MergeOptions {
    Check.argument(maxBlockRows > 0, "merge_max_block_size %d", maxBlockRows);
  }

  /**
   * Those among the settings of a CREATE TABLE; others are left alone.
   *
   * @throws EngineException BAD_ARGUMENTS naming the setting whose value is no number
   */
  public static MergeOptions of(Map<String, Literal> settings) {
    return new MergeOptions(
        (int) Math.min(Integer.MAX_VALUE, number(settings, "merge_max_block_size", 8192)),
        number(settings, "merge_max_block_size_bytes", 10L << 20),
        number(settings, "enable_vertical_merge_algorithm", 1) != 0,
        number(settings, "vertical_merge_algorithm_min_rows_to_activate", 16 * 8192),
        number(settings, "vertical_merge_algorithm_min_bytes_to_activate", 0),
        number(settings, "vertical_merge_algorithm_min_columns_to_activate", 11),
        number(settings, "allow_vertical_merges_from_compact_to_wide_parts", 1) != 0,
        number(settings, "min_rows_to_fsync_after_merge", 0),
        number(settings, "min_compressed_bytes_to_fsync_after_merge", 0),
        number(settings, "enable_block_number_column", 0) != 0
            || number(settings, "enable_block_offset_column", 0) != 0);
  }

  private static long number(Map<String, Literal> settings, String name, long otherwise) {
    Literal value = settings.get(name);
    if (value == null) {
      return otherwise;
    }
    if (value instanceof Literal.BoolLiteral flag) {
      return flag.value() ? 1 : 0;
    }
    String text = value instanceof Literal.StringLiteral s ? s.value() : value.text();
    if (text.matches("[0-9]{1,20}")) {
      return new BigInteger(text).min(BigInteger.valueOf(Long.MAX_VALUE)).longValue();
    }
    throw EngineException.of(
        ErrorCode.BAD_ARGUMENTS, "setting %s = %s, expected a whole number", name, text);
  }
}
