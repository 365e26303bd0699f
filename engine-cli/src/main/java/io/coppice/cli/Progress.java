package io.coppice.cli;

import java.util.Locale;

/**
 * A bar on the terminal of whoever waits: what is done, of how much, how fast. Writes nothing where
 * nobody watches. Closing wipes the bar for good. Any thread may use it.
 */
final class Progress implements AutoCloseable {
  private static final long REDRAW_NANOS = 100_000_000;
  private static final int WIDTH = 30;

  private final Shell shell;
  private final String what;
  private final String unit;
  private final long total;
  private final long started = System.nanoTime();
  private long drawn;
  private boolean any;
  private boolean closed;

  /**
   * @param total how much there is to do; 0 when that is not known
   */
  Progress(Shell shell, String what, String unit, long total) {
    this.shell = shell;
    this.what = what;
    this.unit = unit;
    this.total = total;
  }

  /** Says how much is done. */
  void at(long done) {
    at(done, 0);
  }

  /** Says how much is done, and how many bytes that were; 0 when that is not known. */
  synchronized void at(long done, long bytes) {
    if (closed || !shell.terminal()) {
      return;
    }
    long now = System.nanoTime();
    if (now - drawn < REDRAW_NANOS) {
      return;
    }
    drawn = now;
    any = true;
    double seconds = Math.max(1e-3, (now - started) / 1e9);
    StringBuilder line = new StringBuilder("\r\u001b[K").append(what).append(' ');
    if (total > 0) {
      int filled = (int) Math.min(WIDTH, done * WIDTH / total);
      line.append('[').append("#".repeat(filled)).append(" ".repeat(WIDTH - filled)).append("] ");
      line.append(Math.min(100, done * 100 / total)).append("% ");
    }
    line.append(
        String.format(Locale.ROOT, "%,d %s, %,.0f/s, %.0f s", done, unit, done / seconds, seconds));
    if (bytes > 0) {
      line.append(", ").append(Amounts.bytes((long) (bytes / seconds))).append("/s");
    }
    shell.err().print(line);
    shell.err().flush();
  }

  /** Takes the bar away, so that something else can be said; it comes back by itself. */
  synchronized void wipe() {
    if (any) {
      any = false;
      shell.err().print("\r\u001b[K");
      shell.err().flush();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    wipe();
  }
}
