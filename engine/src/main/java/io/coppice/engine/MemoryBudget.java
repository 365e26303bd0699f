package io.coppice.engine;

import java.lang.management.ManagementFactory;

/** How much memory an engine takes when nobody says. */
final class MemoryBudget {
  private static final long LEAST_BYTES = 256L << 20;

  private MemoryBudget() {}

  /**
   * Three quarters of what the machine or container has besides the JVM's heap, at least 256 MiB,
   * and never more than the JVM lets direct memory grow to if that was said.
   */
  static long ofThisMachine() {
    long total = LEAST_BYTES;
    if (ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.OperatingSystemMXBean system) {
      total = system.getTotalMemorySize(); // that of the container, if it has a limit
    }
    long beside = total - Runtime.getRuntime().maxMemory();
    return Math.max(LEAST_BYTES, beside / 4 * 3);
  }
}
