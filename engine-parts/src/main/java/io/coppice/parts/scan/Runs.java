package io.coppice.parts.scan;

import io.coppice.parts.stream.DirectMemory;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.OversizedAllocationException;

/**
 * A scan cut to runs of neighbouring batches, each worked off by the thread that reads it. What is
 * cut does not depend on the number of threads, and runs come in the order of the rows: so a result
 * put together of them depends on neither.
 *
 * <p>Confined to one thread. The caller closes it.
 */
public final class Runs<S extends BatchSink> implements AutoCloseable {
  /** Runs of a large scan, about. */
  private static final int RUNS = 8;

  /** Batches of a run at least, where there are so many. */
  private static final int FEWEST_BATCHES = 4;

  private final BufferAllocator allocator;
  private final AutoCloseable lease;
  private final Schema schema;
  private final Supplier<GranuleReader> readers;
  private final Supplier<S> sinks;
  private final Iterator<List<GranuleReader.Task>> runs;
  private final Optional<Executor> executor;
  private final int ahead;
  private final ScanReport chosen;
  private final Deque<CompletableFuture<S>> running = new ArrayDeque<>();
  private final ConcurrentLinkedDeque<GranuleReader> free = new ConcurrentLinkedDeque<>();
  private final ConcurrentLinkedDeque<GranuleReader> all = new ConcurrentLinkedDeque<>();
  private volatile boolean stopped;
  private boolean closed;

  /**
   * @param executor where runs are worked off; the calling thread when there is none
   * @param ahead most runs that are worked off or wait to be taken
   */
  Runs(
      BufferAllocator allocator,
      AutoCloseable lease,
      Schema schema,
      Supplier<GranuleReader> readers,
      Supplier<S> sinks,
      List<GranuleReader.Task> tasks,
      Optional<Executor> executor,
      int ahead,
      ScanReport chosen) {
    this.allocator = allocator;
    this.lease = lease;
    this.schema = schema;
    this.readers = readers;
    this.sinks = sinks;
    List<List<GranuleReader.Task>> cut = cut(tasks);
    this.runs = cut.iterator();
    // What is one run is done sooner by the thread that waits for it.
    this.executor = cut.size() > 1 ? executor : Optional.empty();
    this.ahead = ahead;
    this.chosen = chosen;
  }

  private static List<List<GranuleReader.Task>> cut(List<GranuleReader.Task> tasks) {
    int size = Math.max(FEWEST_BATCHES, (tasks.size() + RUNS - 1) / RUNS);
    List<List<GranuleReader.Task>> runs = new ArrayList<>();
    for (int from = 0; from < tasks.size(); from += size) {
      runs.add(tasks.subList(from, Math.min(tasks.size(), from + size)));
    }
    return runs;
  }

  /** What the next run's batches went into; the caller closes it. Empty at the end. */
  public Optional<S> next() throws IOException {
    if (closed) {
      throw new IllegalStateException("the scan is closed");
    }
    while (running.size() < ahead && runs.hasNext()) {
      List<GranuleReader.Task> run = runs.next();
      running.add(
          executor.isPresent()
              ? CompletableFuture.supplyAsync(() -> work(run), executor.get())
              : CompletableFuture.completedFuture(work(run)));
    }
    if (running.isEmpty()) {
      return Optional.empty();
    }
    S done = ParallelBatches.await(running.peek());
    running.remove();
    return Optional.of(done);
  }

  private S work(List<GranuleReader.Task> run) {
    S sink = sinks.get();
    List<FieldVector> vectors =
        schema.getFields().stream().map(f -> f.createVector(allocator)).toList();
    boolean done = false;
    try (VectorSchemaRoot root = new VectorSchemaRoot(schema, vectors, 0)) {
      GranuleReader reader = free.pollFirst();
      if (reader == null) {
        reader = readers.get();
        all.add(reader);
      }
      try {
        for (GranuleReader.Task task : run) {
          if (stopped) {
            break;
          }
          if (reader.fill(task, root) > 0) {
            sink.add(root);
          }
        }
      } finally {
        free.addFirst(reader);
      }
      done = true;
      return sink;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (OutOfMemoryException | OversizedAllocationException e) {
      throw DirectMemory.lacking(e, "reading part " + run.get(0).part().name());
    } finally {
      if (!done) {
        sink.close();
      }
    }
  }

  /** What was read and left out so far. */
  public ScanReport report() {
    long rows = 0;
    long compressed = 0;
    long uncompressed = 0;
    for (GranuleReader reader : all) {
      rows += reader.rowsRead();
      compressed += reader.compressedBytes();
      uncompressed += reader.uncompressedBytes();
    }
    return Limits.report(chosen, rows, 0, compressed, uncompressed);
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    stopped = true;
    for (CompletableFuture<S> future : running) {
      try {
        future.join().close(); // what is being worked off ends soon, and is of no interest
      } catch (RuntimeException ignored) {
        // Its failure is of no interest any more; its sink was closed where it failed.
      }
    }
    running.clear();
    List<AutoCloseable> owned = new ArrayList<>(all);
    owned.add(lease);
    owned.add(allocator);
    Limits.closeAll(owned.toArray(AutoCloseable[]::new));
  }
}
