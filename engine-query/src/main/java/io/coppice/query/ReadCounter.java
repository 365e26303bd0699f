package io.coppice.query;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a statement has read so far. The statement counts, batch by batch, and ends where it does so
 * once it was cancelled or the thread interrupted; any thread may ask.
 */
public final class ReadCounter {
  private final LongAdder rows = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private volatile boolean cancelled;

  /**
   * Counts what was read.
   *
   * @throws EngineException QUERY_WAS_CANCELLED
   */
  void add(long moreRows, long moreBytes) {
    refuseIfCancelled();
    rows.add(moreRows);
    bytes.add(moreBytes);
  }

  /** Lets the statement end when it reads or gives its next batch; any thread may call it. */
  void cancel() {
    cancelled = true;
  }

  /**
   * Ends the statement if it was cancelled, or the thread that asks was interrupted.
   *
   * @throws EngineException QUERY_WAS_CANCELLED
   */
  void refuseIfCancelled() {
    if (cancelled || Thread.currentThread().isInterrupted()) {
      throw new EngineException(
          ErrorCode.QUERY_WAS_CANCELLED, "the query was cancelled before its end");
    }
  }

  /** Rows of tables, files and table functions. */
  public long rows() {
    return rows.sum();
  }

  /** Their bytes, as they are held in memory. */
  public long bytes() {
    return bytes.sum();
  }
}
