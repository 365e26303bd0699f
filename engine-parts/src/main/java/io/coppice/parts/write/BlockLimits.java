package io.coppice.parts.write;

import io.coppice.base.check.Check;

/**
 * How large the blocks are that an INSERT makes parts of, by ClickHouse's settings. 0 as a limit
 * means that it does not count.
 *
 * <p>Blocks come as a format or a query gives them, and are gathered until there is {@code minRows}
 * or {@code minBytes}; one that is large enough by itself is not put behind smaller ones. When
 * {@code strict}, blocks are gathered until there is {@code minRows} and {@code minBytes}, and what
 * is more than {@code maxRows} or {@code maxBytes} is cut off; otherwise the maximum counts for
 * readers of formats alone.
 *
 * @param minRows {@code min_insert_block_size_rows}
 * @param minBytes {@code min_insert_block_size_bytes}, in memory, of the columns that are given
 * @param maxRows {@code max_insert_block_size}, at least 1
 * @param maxBytes {@code max_insert_block_size_bytes}
 * @param strict {@code use_strict_insert_block_limits}
 */
public record BlockLimits(
    long minRows, long minBytes, long maxRows, long maxBytes, boolean strict) {
  /** Those that an INSERT has unless settings say otherwise. */
  public static final BlockLimits DEFAULT =
      new BlockLimits(1_048_449, 268_402_944, 1_048_449, 0, false);

  public BlockLimits {
    Check.argument(
        minRows >= 0 && minBytes >= 0 && maxRows > 0 && maxBytes >= 0,
        "blocks of %d to %d rows, %d to %d bytes",
        minRows,
        maxRows,
        minBytes,
        maxBytes);
  }

  /** Blocks of so many rows exactly, or fewer where there are so many bytes. */
  public static BlockLimits exactly(long rows, long bytes) {
    return new BlockLimits(rows, bytes, rows, bytes, true);
  }

  /** Whether so much is a block of its own. */
  boolean enough(long rows, long bytes) {
    return strict ? both(rows, bytes) : either(rows, bytes);
  }

  private boolean either(long rows, long bytes) {
    return minRows == 0 && minBytes == 0
        || minRows > 0 && rows >= minRows
        || minBytes > 0 && bytes >= minBytes;
  }

  private boolean both(long rows, long bytes) {
    return rows >= minRows && bytes >= minBytes;
  }

  /** Whether nothing more may be put to so much. */
  boolean full(long rows, long bytes) {
    return rows >= maxRows || maxBytes > 0 && bytes >= maxBytes;
  }

  /** Whether a reader of rows in a format ends a block behind so much. */
  public boolean ends(long rows, long bytes) {
    return full(rows, bytes) || (minRows > 0 || minBytes > 0) && both(rows, bytes);
  }
}
