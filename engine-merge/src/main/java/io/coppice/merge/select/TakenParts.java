package io.coppice.merge.select;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** The parts that merges chosen so far have taken, by range and place in it. One thread's. */
final class TakenParts {
  private final Map<Integer, BitSet> taken = new HashMap<>();

  boolean has(int range, int place) {
    BitSet places = taken.get(range);
    return places != null && places.get(place);
  }

  boolean free(int range, int from, int to) {
    BitSet places = taken.get(range);
    if (places == null) {
      return true;
    }
    int next = places.nextSetBit(from);
    return next < 0 || next >= to;
  }

  void take(int range, int from, int to) {
    taken.computeIfAbsent(range, r -> new BitSet()).set(from, to);
  }
}
