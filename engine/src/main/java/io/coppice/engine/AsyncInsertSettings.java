package io.coppice.engine;

import io.coppice.base.check.Check;
import java.time.Duration;

/**
 * When inserts that were gathered are written. Immutable.
 *
 * @param maxBytes with so many bytes of data, {@code async_insert_max_data_size}
 * @param maxInserts with so many inserts, {@code async_insert_max_query_number}
 * @param minWait the least that the first of them waits, {@code async_insert_busy_timeout_min_ms}
 * @param maxWait the most, {@code async_insert_busy_timeout_max_ms}
 * @param adaptive whether it waits longer where inserts come often, and {@code maxWait} otherwise
 * @param deduplicate whether rows are known again, in tables that do so; each insert then has parts
 *     of its own
 */
public record AsyncInsertSettings(
    long maxBytes,
    long maxInserts,
    Duration minWait,
    Duration maxWait,
    boolean adaptive,
    boolean deduplicate) {
  /** Those of ClickHouse 26.7. */
  public static final AsyncInsertSettings DEFAULT =
      new AsyncInsertSettings(
          10_485_760, 450, Duration.ofMillis(50), Duration.ofMillis(200), true, false);

  public AsyncInsertSettings {
    Check.argument(
        maxBytes > 0 && maxInserts > 0 && !minWait.isNegative() && !maxWait.isNegative(),
        "gathering %d bytes, %d inserts, %s to %s",
        maxBytes,
        maxInserts,
        minWait,
        maxWait);
  }

  /** Written when the first insert has waited so long. */
  public AsyncInsertSettings withWait(Duration wait) {
    return new AsyncInsertSettings(maxBytes, maxInserts, wait, wait, false, deduplicate);
  }

  /** Written with so many bytes or inserts. */
  public AsyncInsertSettings withLimits(long bytes, long inserts) {
    return new AsyncInsertSettings(bytes, inserts, minWait, maxWait, adaptive, deduplicate);
  }

  /** Whether rows are known again. */
  public AsyncInsertSettings withDeduplication(boolean other) {
    return new AsyncInsertSettings(maxBytes, maxInserts, minWait, maxWait, adaptive, other);
  }
}
