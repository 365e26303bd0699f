package io.coppice.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.base.time.TimeSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * What an engine has counted and noted since it was opened: events, errors, and what became of
 * parts. Of the last only the newest {@value #MOST_PART_EVENTS} are kept. Thread-safe.
 */
public final class EngineStatistics {
  private static final int MOST_PART_EVENTS = 10_000;

  private final TimeSource time;
  private final Map<Event, LongAdder> events = new EnumMap<>(Event.class);

  @GuardedBy("this")
  private final Map<ErrorCode, ErrorCount> errors = new EnumMap<>(ErrorCode.class);

  @GuardedBy("this")
  private final ArrayDeque<PartEvent> parts = new ArrayDeque<>();

  /**
   * How often an error happened.
   *
   * @param lastMillis when it last did, since 1970
   */
  public record ErrorCount(ErrorCode code, long count, long lastMillis, String lastMessage) {}

  EngineStatistics(TimeSource time) {
    this.time = time;
    for (Event event : Event.values()) {
      events.put(event, new LongAdder());
    }
  }

  /** Counts something. */
  public void count(Event event, long times) {
    events.get(event).add(times);
  }

  /** How often it happened. */
  public long count(Event event) {
    return events.get(event).sum();
  }

  /** Notes an error that ended a statement. */
  public synchronized void failed(EngineException error) {
    errors.merge(
        error.code(),
        new ErrorCount(error.code(), 1, time.wallMillis(), String.valueOf(error.getMessage())),
        (before, now) ->
            new ErrorCount(now.code, before.count + 1, now.lastMillis, now.lastMessage));
  }

  /** The errors that happened, in the order of their codes in {@link ErrorCode}. */
  public synchronized List<ErrorCount> errors() {
    return List.copyOf(errors.values());
  }

  synchronized void note(PartEvent event) {
    if (parts.size() == MOST_PART_EVENTS) {
      parts.removeFirst();
    }
    parts.add(event);
  }

  /** What became of parts, the oldest first. */
  public synchronized List<PartEvent> parts() {
    return new ArrayList<>(parts);
  }
}
