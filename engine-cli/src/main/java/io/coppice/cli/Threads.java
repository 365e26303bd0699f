package io.coppice.cli;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** The threads of scans: one per processor, ended with the command. */
final class Threads {
  static final int COUNT = Runtime.getRuntime().availableProcessors();

  private Threads() {}

  /** A thread for what is done again and again, ended by who asked for it. */
  static ScheduledExecutorService timer() {
    return Executors.newSingleThreadScheduledExecutor(
        task -> {
          Thread thread = new Thread(task, "coppice-progress");
          thread.setDaemon(true);
          return thread;
        });
  }

  static ExecutorService pool() {
    return Executors.newFixedThreadPool(
        COUNT,
        task -> {
          Thread thread = new Thread(task, "coppice-scan");
          thread.setDaemon(true);
          return thread;
        });
  }
}
