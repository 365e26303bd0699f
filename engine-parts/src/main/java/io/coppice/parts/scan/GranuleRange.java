package io.coppice.parts.scan;

import io.coppice.base.check.Check;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

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

  /** The granules of ranges that are in none of others; both in order, apart from each other. */
  static List<GranuleRange> without(List<GranuleRange> ranges, List<GranuleRange> others) {
    if (others.isEmpty()) {
      return ranges;
    }
    BitSet left = new BitSet();
    ranges.forEach(range -> left.set(range.from, range.to));
    others.forEach(range -> left.clear(range.from, range.to));
    List<GranuleRange> found = new ArrayList<>();
    for (int from = left.nextSetBit(0); from >= 0; ) {
      int to = left.nextClearBit(from);
      found.add(new GranuleRange(from, to));
      from = left.nextSetBit(to);
    }
    return found;
  }

  public int size() {
    return to - from;
  }
}
