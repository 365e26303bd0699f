package io.coppice.parts.scan;

import java.io.IOException;
import java.util.List;

/** Chooses the granules of a part that may hold rows of interest. Thread-safe. */
@FunctionalInterface
interface Pruning {
  /** No choice at all. */
  Pruning NONE =
      part -> {
        int all = part.granuleCount();
        List<GranuleRange> ranges = all == 0 ? List.of() : List.of(new GranuleRange(0, all));
        return new Choice(ranges, all, all, List.of(), List.of());
      };

  /**
   * The granules chosen.
   *
   * @param ranges in order, apart from each other, those to read
   * @param afterPartition granules left when only partition and minmax were looked at
   * @param afterKey granules left when the primary key was looked at as well
   * @param certain those of the ranges of which every row passes, as far as the primary key tells;
   *     none unless asked for
   * @param steps what each index left, in the order in which they were looked at
   */
  record Choice(
      List<GranuleRange> ranges,
      int afterPartition,
      int afterKey,
      List<GranuleRange> certain,
      List<IndexReport> steps) {}

  Choice choose(LoadedPart part) throws IOException;
}
