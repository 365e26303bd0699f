package io.coppice.parts.scan;

import io.coppice.base.check.Check;

/**
 * Neighbouring granules [from, to) of a part.
 *
 * @param from first granule, 0 or more
 * @param to behind the last
 */
public record GranuleRange(int from, int to) {
  public GranuleRange {
    Check.argument(0 <= from && from <= to, "granules [%d, %d)", from, to);
  }

  public int size() {
    return to - from;
  }
}
