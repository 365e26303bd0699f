package io.coppice.parts.write;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Where the pieces of a job are worked off: on the thread that asks, and on those of an executor
 * that are free. Who asks takes the pieces that nobody has begun, so that a job ends even when no
 * thread of the executor is free, and jobs may be asked for within jobs.
 *
 * <p>Immutable; any thread may call it.
 */
final class Workers {
  /** Everything is done by the thread that asks, piece after piece. */
  static final Workers NONE = new Workers(Runnable::run, 1);

  /** Values below which handing work over costs more than it saves. */
  private static final long WORTH_VALUES = 1 << 15;

  private final Executor executor;
  private final int threads;

  /**
   * @param threads that work at once, the one that asks among them
   */
  Workers(Executor executor, int threads) {
    this.executor = executor;
    this.threads = threads;
  }

  /** A piece of a job. */
  interface Piece {
    /** Does the piece of this number. */
    void run(int number) throws IOException;
  }

  /** Whether there are threads besides the one that asks. */
  boolean several() {
    return threads > 1;
  }

  /** These for a job over so many values, or none when it is too small for them. */
  Workers forValues(long values) {
    return values < WORTH_VALUES ? NONE : this;
  }

  /** Begins something that the caller ends with {@link #end}. */
  <T> FutureTask<T> begin(Callable<T> job) {
    FutureTask<T> task = new FutureTask<>(job);
    try {
      executor.execute(task);
    } catch (RejectedExecutionException e) {
      task.run();
    }
    return task;
  }

  /** Waits for what was begun, or does it here when no thread has begun it. */
  static <T> T end(FutureTask<T> task) throws IOException {
    task.run();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true; // its vectors are in use until it ends
        }
      }
    } catch (ExecutionException e) {
      throw rethrown(e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** As {@link #end}, whatever comes of it. */
  static void settle(FutureTask<?> task) {
    if (task.isDone()) {
      return;
    }
    try {
      end(task);
    } catch (IOException | RuntimeException e) {
      // Nobody wants its result any more.
    }
  }

  /**
   * Does the pieces [0, count), each once; returns when all are done. After a failure no further
   * piece is begun, and the failure is thrown.
   */
  void each(int count, Piece piece) throws IOException {
    int helpers = Math.min(threads, count) - 1;
    if (helpers <= 0) {
      for (int i = 0; i < count; i++) {
        piece.run(i);
      }
      return;
    }
    Job job = new Job(count, piece);
    try {
      for (int i = 0; i < helpers; i++) {
        executor.execute(job);
      }
    } catch (RejectedExecutionException e) {
      // The executor is ending: all is done here.
    }
    job.run();
    job.await();
  }

  private static final class Job implements Runnable {
    private final int count;
    private final Piece piece;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final CountDownLatch left;

    Job(int count, Piece piece) {
      this.count = count;
      this.piece = piece;
      this.left = new CountDownLatch(count);
    }

    @Override
    public void run() {
      for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
        try {
          if (failure.get() == null) {
            piece.run(i);
          }
        } catch (Throwable e) {
          failure.compareAndSet(null, e);
        } finally {
          left.countDown();
        }
      }
    }

    void await() throws IOException {
      boolean interrupted = false;
      while (left.getCount() > 0) {
        try {
          left.await();
        } catch (InterruptedException e) {
          interrupted = true; // vectors are in use until all pieces have ended
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      if (failure.get() != null) {
        throw rethrown(failure.get());
      }
    }
  }

  private static IOException rethrown(Throwable e) {
    if (e instanceof RuntimeException runtime) {
      throw runtime;
    }
    if (e instanceof Error error) {
      throw error;
    }
    return e instanceof IOException io ? io : new IOException(e);
  }
}
