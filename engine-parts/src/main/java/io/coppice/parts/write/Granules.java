package io.coppice.parts.write;

import io.coppice.parts.table.TableSettings;

/**
 * How the rows of a block are cut into granules.
 *
 * <p>With adaptive granularity a granule holds the rows of about index_granularity_bytes, at most
 * index_granularity and at least one; all but the last have the same number. In compact parts a
 * last granule of less than half that number is joined to the one before.
 */
final class Granules {
  private Granules() {}

  /**
   * Rows of each granule.
   *
   * @param inMemoryBytes of the block
   */
  static int[] of(int rows, long inMemoryBytes, boolean compact, TableSettings settings) {
    if (rows == 0) {
      return new int[0];
    }
    int size = (int) Math.min(Integer.MAX_VALUE, rowsPerGranule(rows, inMemoryBytes, settings));
    int whole = rows / size;
    int rest = rows % size;
    boolean joined = compact && whole > 0 && rest * 2L < size;
    int count = whole + (rest > 0 && !joined ? 1 : 0);
    int[] granules = new int[count];
    for (int i = 0; i < whole; i++) {
      granules[i] = size;
    }
    if (joined) {
      granules[whole - 1] += rest;
    } else if (rest > 0) {
      granules[whole] = rest;
    }
    return granules;
  }

  private static long rowsPerGranule(int rows, long bytes, TableSettings settings) {
    long most = settings.indexGranularity();
    if (!settings.adaptive()) {
      return most;
    }
    long target = settings.indexGranularityBytes();
    long size;
    if (bytes >= target) {
      size = rows / Math.max(1, bytes / target);
    } else {
      size = target / Math.max(1, bytes / rows);
    }
    return Math.max(1, Math.min(most, size));
  }
}
