package io.coppice.engine;

import java.util.List;

/**
 * Inserts that wait to be written together, as {@code system.asynchronous_inserts} tells of them.
 *
 * @param query the text of their statement without data
 * @param firstMillis when the first of them came, since 1970
 * @param sizes bytes of data of each
 */
public record WaitingInserts(
    Table table, String query, String format, long firstMillis, List<Long> sizes) {
  public WaitingInserts {
    sizes = List.copyOf(sizes);
  }

  /** Bytes of data of all. */
  public long totalBytes() {
    return sizes.stream().mapToLong(Long::longValue).sum();
  }
}
