package io.coppice.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Ways in which rows come to a table, for the simulation of merges. The same seed, the same rows.
 */
enum InsertPattern {
  /** A block of a megabyte or so each second. */
  STEADY("1 MB a second") {
    @Override
    void add(Random random, long untilMillis, List<Insert> to) {
      for (long at = 0; at < untilMillis; at += 1000) {
        to.add(insert(at, 0, 1_000_000, random));
      }
    }
  },
  /** Many tiny blocks. */
  TINY("10 KB ten times a second") {
    @Override
    void add(Random random, long untilMillis, List<Insert> to) {
      for (long at = 0; at < untilMillis; at += 100) {
        to.add(insert(at, 0, 10_000, random));
      }
    }
  },
  /** Quiet for ten minutes, then many blocks at once. */
  BURSTS("300 blocks of 2 MB within 15 s, every ten minutes") {
    @Override
    void add(Random random, long untilMillis, List<Insert> to) {
      for (long from = 0; from < untilMillis; from += 600_000) {
        for (int i = 0; i < 300; i++) {
          to.add(insert(from + i * 50L, 0, 2_000_000, random));
        }
      }
    }
  },
  /** Blocks of one partition of many, some more often than others. */
  PARTITIONS("1 MB twice a second, to one of 50 partitions") {
    @Override
    void add(Random random, long untilMillis, List<Insert> to) {
      for (long at = 0; at < untilMillis; at += 500) {
        int partition = Math.min(random.nextInt(50), random.nextInt(50));
        to.add(insert(at, partition, 1_000_000, random));
      }
    }
  },
  /** Blocks that get larger, from kilobytes to tens of megabytes. */
  GROWING("10 KB growing to 40 MB, every two seconds") {
    @Override
    void add(Random random, long untilMillis, List<Insert> to) {
      for (long at = 0; at < untilMillis; at += 2000) {
        long bytes = (long) (10_000 * Math.pow(4000, (double) at / untilMillis));
        to.add(insert(at, 0, bytes, random));
      }
    }
  };

  private static final long BYTES_PER_ROW = 100;

  private final String words;

  InsertPattern(String words) {
    this.words = words;
  }

  /** A block of rows. */
  record Insert(long atMillis, int partition, long sizeBytes, long rowCount) {}

  /** What it is, for a caption. */
  String words() {
    return words;
  }

  /** All inserts before {@code untilMillis}, in the order of time. */
  List<Insert> inserts(long seed, long untilMillis) {
    List<Insert> all = new ArrayList<>();
    add(new Random(seed), untilMillis, all);
    return all;
  }

  abstract void add(Random random, long untilMillis, List<Insert> to);

  private static Insert insert(long at, int partition, long bytes, Random random) {
    long its = (long) (bytes * (0.7 + 0.6 * random.nextDouble()));
    return new Insert(at, partition, its, Math.max(1, its / BYTES_PER_ROW));
  }
}
