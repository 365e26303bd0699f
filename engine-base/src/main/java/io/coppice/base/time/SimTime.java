package io.coppice.base.time;

import io.coppice.base.check.Check;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** Time that stands still until a test moves it. Thread-safe. */
public final class SimTime implements TimeSource {
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong wallOffsetMillis;
  private final Set<Waiting> waitings = ConcurrentHashMap.newKeySet();

  /** Somebody who waits for time to pass; equal to itself only. */
  private static final class Waiting {
    private final Lock lock;
    private final Condition signal;

    Waiting(Lock lock, Condition signal) {
      this.lock = lock;
      this.signal = signal;
    }

    Lock lock() {
      return lock;
    }

    Condition signal() {
      return signal;
    }
  }

  /** Starts at {@code wallMillis} since 1970, with the monotonic clock at zero. */
  public SimTime(long wallMillis) {
    this.wallOffsetMillis = new AtomicLong(wallMillis);
  }

  /** Lets time pass, on both clocks. */
  public void advance(Duration time) {
    Check.argument(!time.isNegative(), "time does not go back: %s", time);
    nanos.addAndGet(time.toNanos());
    for (Waiting waiting : waitings) {
      waiting.lock().lock();
      try {
        waiting.signal().signalAll();
      } finally {
        waiting.lock().unlock();
      }
    }
  }

  /** Sets the wall clock, forward or back, as an operator may; the monotonic one goes on. */
  public void setWallMillis(long wallMillis) {
    wallOffsetMillis.set(wallMillis - nanos.get() / 1_000_000);
  }

  /** Lets time pass at once. */
  @Override
  public void pause(Duration time) {
    advance(time);
  }

  @Override
  public long wallMillis() {
    return wallOffsetMillis.get() + nanos.get() / 1_000_000;
  }

  @Override
  public long monotonicNanos() {
    return nanos.get();
  }

  /** Waits for a signal, or until a test has moved time so far. */
  @Override
  public void await(Lock lock, Condition signal, long untilNanos) throws InterruptedException {
    Waiting waiting = new Waiting(lock, signal);
    waitings.add(waiting);
    try {
      if (nanos.get() < untilNanos) { // whoever moves time later finds this one waiting
        signal.await();
      }
    } finally {
      waitings.remove(waiting);
    }
  }
}
