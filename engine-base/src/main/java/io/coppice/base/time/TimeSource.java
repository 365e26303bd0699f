package io.coppice.base.time;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;

/** Where time comes from. Thread-safe. */
public interface TimeSource {
  /** Milliseconds since 1970-01-01 00:00 UTC. May jump when the clock is set. */
  long wallMillis();

  /** Nanoseconds since some moment, the same for all calls. Never goes back. */
  long monotonicNanos();

  /**
   * Lets time pass: returns when so much has, or earlier when the thread is interrupted, which
   * stays interrupted.
   */
  default void pause(Duration time) {
    long start = monotonicNanos();
    long left = time.toNanos();
    while (left > 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(left);
      left = time.toNanos() - (monotonicNanos() - start);
    }
  }

  /**
   * Waits for a signal, at most until the monotonic clock is there. Who calls holds the lock, which
   * is free while it waits; it may return early.
   *
   * @param signal of the lock
   */
  default void await(Lock lock, Condition signal, long untilNanos) throws InterruptedException {
    long left = untilNanos - monotonicNanos();
    if (left > 0) {
      signal.awaitNanos(left);
    }
  }

  /** The machine's clock. */
  static TimeSource system() {
    return SystemTime.INSTANCE;
  }
}
