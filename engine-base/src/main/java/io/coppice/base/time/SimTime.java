package io.coppice.base.time;

import io.coppice.base.check.Check;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Time that stands still until a test moves it. Thread-safe. */
public final class SimTime implements TimeSource {
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong wallOffsetMillis;

  /** Starts at {@code wallMillis} since 1970, with the monotonic clock at zero. */
  public SimTime(long wallMillis) {
    this.wallOffsetMillis = new AtomicLong(wallMillis);
  }

  /** Lets time pass, on both clocks. */
  public void advance(Duration time) {
    Check.argument(!time.isNegative(), "time does not go back: %s", time);
    nanos.addAndGet(time.toNanos());
  }

  /** Sets the wall clock, forward or back, as an operator may; the monotonic one goes on. */
  public void setWallMillis(long wallMillis) {
    wallOffsetMillis.set(wallMillis - nanos.get() / 1_000_000);
  }

  @Override
  public long wallMillis() {
    return wallOffsetMillis.get() + nanos.get() / 1_000_000;
  }

  @Override
  public long monotonicNanos() {
    return nanos.get();
  }
}
