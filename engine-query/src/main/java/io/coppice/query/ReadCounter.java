package io.coppice.query;

import java.util.concurrent.atomic.LongAdder;

/** What a statement has read so far. The statement counts; any thread may ask. */
public final class ReadCounter {
  private final LongAdder rows = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  void add(long moreRows, long moreBytes) {
    rows.add(moreRows);
    bytes.add(moreBytes);
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
