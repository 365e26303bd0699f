package io.coppice.merge.select;

import java.util.ArrayList;
import java.util.List;

/**
 * Parts in the order in which they became due. Of those that are due since the same second, the
 * order is that of 26.7, whose queue is the binary heap of its C++ library. One thread's.
 */
final class DueQueue {
  /*
   * An array heap whose root is the part that was due first. Two habits of that library decide among
   * equals: making the heap moves a child up unless it is really later than its parent, and of two
   * equal children the left moves. So it is not the first of the equals that comes out first, but
   * that furthest down the left edge. The peer test has this from many equal parts.
   */
  private final List<Due> heap;

  /**
   * A part that is due.
   *
   * @param range number of its range
   * @param place in the range
   * @param since seconds since 1970
   */
  record Due(int range, int place, long since) {
    boolean laterThan(Due other) {
      return since > other.since;
    }
  }

  DueQueue(List<Due> parts) {
    this.heap = new ArrayList<>(parts);
    for (int parent = heap.size() / 2 - 1; parent >= 0; parent--) {
      sink(parent);
    }
  }

  boolean isEmpty() {
    return heap.isEmpty();
  }

  Due next() {
    Due top = heap.get(0);
    int hole = 0;
    while (2 * hole + 1 < heap.size()) {
      int child = earlierChild(hole);
      heap.set(hole, heap.get(child));
      hole = child;
    }
    Due last = heap.remove(heap.size() - 1);
    if (hole < heap.size()) {
      heap.set(hole, last);
      rise(hole);
    }
    return top;
  }

  private int earlierChild(int parent) {
    int left = 2 * parent + 1;
    int right = left + 1;
    return right < heap.size() && heap.get(left).laterThan(heap.get(right)) ? right : left;
  }

  private void sink(int from) {
    Due sinking = heap.get(from);
    int at = from;
    while (2 * at + 1 < heap.size()) {
      int child = earlierChild(at);
      if (heap.get(child).laterThan(sinking)) {
        break;
      }
      heap.set(at, heap.get(child));
      at = child;
    }
    heap.set(at, sinking);
  }

  private void rise(int from) {
    Due rising = heap.get(from);
    int at = from;
    while (at > 0 && heap.get((at - 1) / 2).laterThan(rising)) {
      heap.set(at, heap.get((at - 1) / 2));
      at = (at - 1) / 2;
    }
    heap.set(at, rising);
  }
}
