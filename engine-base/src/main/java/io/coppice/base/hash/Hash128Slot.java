package io.coppice.base.hash;

/**
 * A place that a 128-bit hash is written to, reused from call to call so that hashing makes no
 * garbage. Confined to one thread.
 */
public final class Hash128Slot {
  long low;
  long high;

  /** A slot holding {@link Hash128#ZERO}. */
  public Hash128Slot() {}

  /** Overwrites both halves. */
  public void set(long newLow, long newHigh) {
    this.low = newLow;
    this.high = newHigh;
  }

  /** The 64 bits stored first. */
  public long low() {
    return low;
  }

  /** The 64 bits stored after them. */
  public long high() {
    return high;
  }

  /** What the slot holds now, as a value. */
  public Hash128 value() {
    return new Hash128(low, high);
  }

  @Override
  public String toString() {
    return value().toString();
  }
}
