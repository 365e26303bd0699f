package io.coppice.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.base.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Small inserts gathered to large ones, as ClickHouse's {@code async_insert} does: those into one
 * table with the same columns, settings and format are written together, when they are enough or
 * the first has waited long enough. Each learns what became of its own rows, and not before these
 * are durable as far as the engine's {@link Durability} goes.
 *
 * <p>Thread-safe. A thread that watches the time is started with the first insert; closing the
 * engine writes what waits.
 */
public final class AsyncInserts {
  /** Tables and kinds of inserts whose pace is remembered. */
  private static final int MOST_PACES = 1000;

  private static final double GROWTH = 1.2;

  private final TimeSource time;
  private final Executor executor;
  private final Function<Runnable, Thread> threads;
  private final EngineStatistics statistics;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  @GuardedBy("lock")
  private final Map<GatheredInserts.Key, GatheredInserts> gathering = new LinkedHashMap<>();

  @GuardedBy("lock")
  private final Set<GatheredInserts> writing = new HashSet<>();

  @GuardedBy("lock")
  private final Map<GatheredInserts.Key, Pace> paces =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<GatheredInserts.Key, Pace> eldest) {
          return size() > MOST_PACES;
        }
      };

  /** Watches the time; null until the first insert. */
  @GuardedBy("lock")
  private Thread watch;

  @GuardedBy("lock")
  private boolean closed;

  /** How long inserts of a kind wait, and when they were last written. */
  private record Pace(Duration waited, long writtenNanos) {}

  /**
   * What inserts must share with others to be written with them, besides table and settings.
   *
   * @param columns that rows come with
   * @param query text of the statement without data, to be shown
   * @param format name of the form that the data came in
   */
  public record Origin(List<String> columns, String query, String format) {
    public Origin {
      columns = List.copyOf(columns);
    }
  }

  AsyncInserts(
      TimeSource time,
      Executor executor,
      Function<Runnable, Thread> threads,
      EngineStatistics statistics) {
    this.time = time;
    this.executor = executor;
    this.threads = threads;
    this.statistics = statistics;
  }

  /**
   * Takes an insert.
   *
   * @param rows batches of the engine's memory, which are taken over whatever happens
   * @param sizeBytes of the data, which counts for how much is gathered
   * @param token by which the rows are known again, if they are, instead of by their values
   * @return what becomes of the rows: done when they are durable, or failed by what is wrong with
   *     them. It tells the insert's own rows; parts and bytes are those of all that were written
   *     together
   * @throws EngineException ABORTED when the engine is closed
   */
  public CompletableFuture<InsertResult> add(
      Table table,
      Origin origin,
      List<VectorSchemaRoot> rows,
      long sizeBytes,
      Optional<String> token,
      InsertSettings settings,
      AsyncInsertSettings when) {
    GatheredInserts.Key key =
        new GatheredInserts.Key(
            table, origin.columns(), origin.query(), origin.format(), settings, when.deduplicate());
    GatheredInserts.Entry entry =
        new GatheredInserts.Entry(List.copyOf(rows), sizeBytes, token, new CompletableFuture<>());
    GatheredInserts full = null;
    lock.lock();
    try {
      if (closed) {
        entry.close();
        throw EngineException.of(
            ErrorCode.ABORTED,
            "rows for table %s are not taken: the engine is closed",
            table.name().text());
      }
      startWatch();
      GatheredInserts together =
          gathering.computeIfAbsent(
              key,
              k ->
                  new GatheredInserts(
                      k, time.wallMillis(), time.monotonicNanos() + wait(k, when).toNanos()));
      together.add(entry);
      if (together.full(when)) {
        gathering.remove(key);
        writing.add(together);
        full = together;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    statistics.count(Event.ASYNC_INSERT_QUERY, 1);
    statistics.count(Event.ASYNC_INSERT_BYTES, sizeBytes);
    CompletableFuture<InsertResult> unused =
        entry
            .result()
            .whenComplete(
                (done, failure) -> {
                  if (failure != null) {
                    statistics.count(Event.FAILED_ASYNC_INSERT_QUERY, 1);
                  }
                });
    if (full != null) {
      begin(full);
    }
    return entry.result();
  }

  /** How long the first of some inserts waits: longer from time to time while they keep coming. */
  @GuardedBy("lock")
  private Duration wait(GatheredInserts.Key key, AsyncInsertSettings when) {
    if (!when.adaptive()) {
      return when.maxWait();
    }
    long now = time.monotonicNanos();
    Pace before = paces.get(key);
    double nanos = when.minWait().toNanos();
    if (before != null) {
      boolean busy = now - before.writtenNanos() < before.waited().toNanos() * 2;
      nanos = before.waited().toNanos() * (busy ? GROWTH : 1 / GROWTH);
    }
    nanos =
        Math.max(
            (double) when.minWait().toNanos(), Math.min((double) when.maxWait().toNanos(), nanos));
    Duration wait = Duration.ofNanos((long) nanos);
    paces.put(key, new Pace(wait, now + wait.toNanos()));
    return wait;
  }

  @GuardedBy("lock")
  private void startWatch() {
    if (watch == null) {
      watch = threads.apply(this::watch);
      watch.start();
    }
  }

  private void watch() {
    lock.lock();
    try {
      while (!closed) {
        List<GatheredInserts> due = takeDue();
        if (!due.isEmpty()) {
          lock.unlock();
          try {
            due.forEach(this::begin);
          } finally {
            lock.lock();
          }
        } else if (gathering.isEmpty()) {
          changed.await();
        } else {
          long next =
              gathering.values().stream().mapToLong(GatheredInserts::dueNanos).min().getAsLong();
          time.await(lock, changed, next);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // what waits is written when the engine is closed
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private List<GatheredInserts> takeDue() {
    long now = time.monotonicNanos();
    List<GatheredInserts> due = new ArrayList<>();
    Iterator<GatheredInserts> all = gathering.values().iterator();
    while (all.hasNext()) {
      GatheredInserts one = all.next();
      if (one.dueNanos() - now <= 0) {
        due.add(one);
        all.remove();
      }
    }
    writing.addAll(due);
    return due;
  }

  private void begin(GatheredInserts together) {
    Runnable job =
        () -> {
          try {
            together.write();
          } finally {
            lock.lock();
            try {
              writing.remove(together);
            } finally {
              lock.unlock();
            }
          }
        };
    try {
      executor.execute(job);
    } catch (RejectedExecutionException e) {
      job.run();
    }
  }

  /** What waits to be written, in the order in which it began. */
  public List<WaitingInserts> waiting() {
    lock.lock();
    try {
      return gathering.values().stream().map(GatheredInserts::waiting).toList();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Writes what waits, and returns when each of the inserts knows what became of it.
   *
   * @param table whose inserts are meant; all if it is absent
   */
  public void flush(Optional<Table> table) {
    List<GatheredInserts> taken = new ArrayList<>();
    List<GatheredInserts> meant = new ArrayList<>();
    lock.lock();
    try {
      for (GatheredInserts one : List.copyOf(gathering.values())) {
        if (table.isEmpty() || one.key().table() == table.get()) {
          taken.add(one);
          gathering.remove(one.key());
        }
      }
      writing.addAll(taken);
      writing.stream()
          .filter(one -> table.isEmpty() || one.key().table() == table.get())
          .forEach(meant::add);
    } finally {
      lock.unlock();
    }
    taken.forEach(this::begin);
    meant.forEach(one -> one.written().join());
  }

  /**
   * Waits for what becomes of an insert.
   *
   * @throws EngineException what is wrong with it; TIMEOUT_EXCEEDED when it is not known by then:
   *     the rows may still be written; QUERY_WAS_CANCELLED when the thread is interrupted
   */
  public InsertResult await(CompletableFuture<InsertResult> result, Duration most) {
    ReentrantLock own = new ReentrantLock();
    Condition done = own.newCondition();
    CompletableFuture<InsertResult> unused =
        result.whenComplete(
            (value, failure) -> {
              own.lock();
              try {
                done.signalAll();
              } finally {
                own.unlock();
              }
            });
    long until = time.monotonicNanos() + most.toNanos();
    own.lock();
    try {
      while (!result.isDone()) {
        if (until - time.monotonicNanos() <= 0) {
          throw EngineException.of(
              ErrorCode.TIMEOUT_EXCEEDED,
              "an asynchronous insert is not written after %d ms, as wait_for_async_insert_timeout"
                  + " says; its rows may be there later",
              most.toMillis());
        }
        time.await(own, done, until);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException(
          ErrorCode.QUERY_WAS_CANCELLED,
          "waiting for an asynchronous insert was interrupted; its rows may be there later",
          e);
    } finally {
      own.unlock();
    }
    return outcome(result);
  }

  private static InsertResult outcome(CompletableFuture<InsertResult> result) {
    try {
      return result.join();
    } catch (java.util.concurrent.CompletionException e) {
      if (e.getCause() instanceof EngineException known) {
        throw known;
      }
      throw new EngineException(
          ErrorCode.CANNOT_WRITE_TO_FILE_DESCRIPTOR,
          "an asynchronous insert failed: " + e.getCause(),
          e.getCause());
    }
  }

  /** Takes no more, writes what waits, and ends the thread. */
  void close() {
    Thread ending;
    lock.lock();
    try {
      closed = true;
      ending = watch;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    flush(Optional.empty());
    boolean interrupted = false;
    while (ending != null && ending.isAlive()) {
      try {
        ending.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
