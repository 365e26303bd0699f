package io.coppice.cli;

import java.util.Locale;

/** Numbers as people read them. Stateless. */
final class Amounts {
  private Amounts() {}

  /** {@code 1.5 MiB}. */
  static String bytes(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    String[] units = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = bytes;
    int unit = -1;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, value < 10 ? "%.2f %s" : "%.1f %s", value, units[unit]);
  }

  /** {@code 3,000,000}. */
  static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** {@code 1 part}, {@code 2 parts}. */
  static String count(long count, String noun) {
    return count(count) + " " + noun + (count == 1 ? "" : "s");
  }

  /** Seconds since a moment of {@link System#nanoTime()}. */
  static double secondsSince(long nanos) {
    return (System.nanoTime() - nanos) / 1e9;
  }
}
