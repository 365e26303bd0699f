package io.coppice.query;

import io.coppice.parts.scan.Runs;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Supplier;

/**
 * The states of groups over the runs of a scan, put together in the order of the rows. What was put
 * together is cleared and serves another run, so that tables do not grow anew in each. Where no
 * order matters, a run adds to the states of one that is done.
 */
final class RunStates implements GroupRows.States {
  /** Opens the runs of a scan, whose sinks it is given. */
  interface Source {
    /** Empty when the source has no runs. */
    Optional<Runs<GroupStates>> open(Supplier<GroupStates> sinks) throws IOException;
  }

  private final Supplier<GroupStates> make;
  private final ReadCounter counter;
  private final ConcurrentLinkedDeque<GroupStates> idle = new ConcurrentLinkedDeque<>();
  private Runs<GroupStates> runs;
  private long rowsCounted;
  private long bytesCounted;

  private RunStates(Supplier<GroupStates> make, ReadCounter counter) {
    this.make = make;
    this.counter = counter;
  }

  /** The states over a source that has runs; empty when it has none. */
  static Optional<RunStates> of(Source source, Supplier<GroupStates> make, ReadCounter counter)
      throws IOException {
    RunStates states = new RunStates(make, counter);
    Optional<Runs<GroupStates>> runs = source.open(states::sink);
    states.runs = runs.orElse(null);
    return runs.map(opened -> states);
  }

  /** Rows that pass and are in no run, as only their number is wanted. */
  long countedUnread() {
    return runs.report().rowsCounted();
  }

  /** Called by the threads that work off runs. */
  private GroupStates sink() {
    GroupStates states = idle.pollFirst();
    return states == null ? make.get() : states;
  }

  private Optional<GroupStates> next() throws IOException {
    Optional<GroupStates> next = runs.next();
    long rows = runs.report().rowsRead();
    long bytes = runs.report().uncompressedBytes();
    counter.add(rows - rowsCounted, bytes - bytesCounted);
    rowsCounted = rows;
    bytesCounted = bytes;
    return next;
  }

  @Override
  public GroupStates take() throws IOException {
    Optional<GroupStates> first = next();
    if (first.isEmpty()) {
      return make.get();
    }
    GroupStates states = first.get();
    boolean done = false;
    try {
      boolean ordered = states.ordered();
      for (Optional<GroupStates> more = next(); more.isPresent(); more = next()) {
        if (ordered) {
          merge(states, more.get());
        } else {
          idle.addFirst(more.get());
        }
      }
      // With an order, what is idle is cleared and of no more use.
      while (!ordered && !idle.isEmpty()) {
        merge(states, idle.removeFirst());
      }
      done = true;
      return states;
    } finally {
      if (!done) {
        states.close();
      }
    }
  }

  private void merge(GroupStates states, GroupStates later) {
    boolean kept = false;
    try {
      states.add(later);
      kept = later.ordered() && later.clear();
    } finally {
      if (kept) {
        idle.addFirst(later);
      } else {
        later.close();
      }
    }
  }

  @Override
  public void close() throws IOException {
    try {
      runs.close();
    } finally {
      idle.forEach(GroupStates::close);
      idle.clear();
    }
  }
}
