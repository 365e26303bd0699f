package io.coppice.cli;

import io.coppice.base.error.EngineException;
import io.coppice.engine.Engine;
import io.coppice.language.parse.Script;
import io.coppice.parts.text.BatchWriter;
import io.coppice.parts.text.DataFormat;
import io.coppice.query.QueryResult;
import io.coppice.query.Session;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Carries out the statements of texts and writes their results. Confined to one thread. */
final class Statements {
  private static final long PROGRESS_MILLIS = 100;

  private final Shell shell;
  private final Engine engine;
  private final Session session;
  private final Optional<String> format;
  private final boolean time;
  private final boolean progress;

  /**
   * @param format of results whose statement names none, if it was said
   * @param time whether the seconds of each statement are told
   * @param progress whether rows are told while they come
   */
  Statements(
      Shell shell,
      Engine engine,
      Session session,
      Optional<String> format,
      boolean time,
      boolean progress) {
    this.shell = shell;
    this.engine = engine;
    this.session = session;
    this.format = format;
    this.time = time;
    this.progress = progress;
  }

  /**
   * Carries out all statements of a text, up to the first that fails.
   *
   * @param data for an INSERT that brings none
   * @return 0, or the exit status of the error
   */
  int run(String text, InputStream data) throws IOException {
    try {
      Script script = new Script(text);
      for (Optional<Script.Item> item = script.next(); item.isPresent(); item = script.next()) {
        run(item.get(), data);
        if (shell.failed()) {
          return 0; // whoever reads has seen enough
        }
      }
      return 0;
    } catch (EngineException e) {
      return failed(shell, e);
    }
  }

  /**
   * What a statement did.
   *
   * @param gaveRows whether it is one that gives rows, be they none
   * @param rows that it gave or wrote
   */
  record Done(boolean gaveRows, long rows) {}

  /** The same with progress told, as a shell does. */
  Statements watched() {
    return new Statements(shell, engine, session, format, time, true);
  }

  /** Ends the statement that runs, from any thread, as soon as its next rows are there. */
  void cancel() {
    session.cancel();
  }

  /** Carries out one statement. */
  Done run(Script.Item item, InputStream data) throws IOException {
    long started = System.nanoTime();
    boolean brings = item.data().isPresent() && item.data().get().isBlank();
    long rows = 0;
    boolean gaveRows;
    try (Watch watch = new Watch();
        QueryResult result = brings ? session.execute(item, data) : session.execute(item)) {
      gaveRows = result.givesRows();
      rows = gaveRows ? write(result, started, watch) : result.writtenRows();
    }
    shell.flush();
    if (progress && !shell.terminal()) {
      shell.err().printf(Locale.ROOT, "%d rows, %.3f s%n", rows, Amounts.secondsSince(started));
    }
    if (time) {
      shell.err().printf(Locale.ROOT, "%.3f%n", Amounts.secondsSince(started));
    }
    return new Done(gaveRows, rows);
  }

  private long write(QueryResult result, long started, Watch watch) throws IOException {
    DataFormat wanted =
        DataFormat.named(
            result.format().or(() -> format).orElse(shell.outTerminal() ? "PrettyCompact" : "TSV"));
    BatchWriter.Options options =
        new BatchWriter.Options(result.zone(), result.formats(), shell.outTerminal());
    long rows = 0;
    try (BatchWriter writer =
        BatchWriter.open(wanted, shell.out(), result.schema(), options, engine.allocator())) {
      while (result.next()) {
        if (shell.outTerminal()) {
          watch.close(); // rows and a bar would get in each other's way
        }
        writer.write(result.batch());
        rows += result.batch().getRowCount();
      }
      writer.finish(
          new BatchWriter.Statistics(
              Amounts.secondsSince(started),
              session.read().rows(),
              session.read().bytes(),
              OptionalLong.empty()));
    }
    return rows;
  }

  /** Draws what is read on the terminal while a statement runs, if that is wanted. */
  private final class Watch implements AutoCloseable {
    private final Progress bar = new Progress(shell, "reading", "rows", 0);
    private final ScheduledExecutorService timer;

    Watch() {
      if (!progress || !shell.terminal()) {
        timer = null;
        return;
      }
      timer = Threads.timer();
      timer.scheduleAtFixedRate(
          () -> bar.at(session.read().rows(), session.read().bytes()),
          PROGRESS_MILLIS,
          PROGRESS_MILLIS,
          TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
      if (timer != null) {
        timer.shutdownNow();
      }
      bar.close();
    }
  }

  /** Tells an error as ClickHouse does; gives the exit status for it. */
  static int failed(Shell shell, EngineException e) {
    shell.flush();
    shell.err().println(text(e));
    int status = e.code().number() & 0xFF;
    return status == 0 ? Main.WRONG : status;
  }

  /** {@code Code: 60. DB::Exception: … (UNKNOWN_TABLE)}. */
  static String text(EngineException e) {
    return "Code: "
        + e.code().number()
        + ". DB::Exception: "
        + Plain.line(e.getMessage())
        + " ("
        + e.code()
        + ")";
  }
}
