package io.coppice.base.time;

/** Where time comes from. Thread-safe. */
public interface TimeSource {
  /** Milliseconds since 1970-01-01 00:00 UTC. May jump when the clock is set. */
  long wallMillis();

  /** Nanoseconds since some moment, the same for all calls. Never goes back. */
  long monotonicNanos();

  /** The machine's clock. */
  static TimeSource system() {
    return SystemTime.INSTANCE;
  }
}
