package io.coppice.base.time;

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
}
