package io.coppice.cli;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The threads of scans: one per processor, ended with the command. */
final class Threads {
  static final int COUNT = Runtime.getRuntime().availableProcessors();

  private Threads() {}

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
