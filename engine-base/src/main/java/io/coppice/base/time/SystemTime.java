package io.coppice.base.time;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;

/** The machine's clock: the one place that asks the JDK for the time. */
enum SystemTime implements TimeSource {
  INSTANCE;

  @Override
  public long wallMillis() {
    return System.currentTimeMillis();
  }

  @Override
  public long monotonicNanos() {
    return System.nanoTime();
  }

  @Override
  public void pause(Duration time) {
    long start = System.nanoTime();
    long left = time.toNanos();
    while (left > 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(left);
      left = time.toNanos() - (System.nanoTime() - start);
    }
  }

  @Override
  public void await(Lock lock, Condition signal, long untilNanos) throws InterruptedException {
    long left = untilNanos - System.nanoTime();
    if (left > 0) {
      signal.awaitNanos(left);
    }
  }
}
