package io.coppice.parts.scan;

import io.coppice.parts.stream.DirectMemory;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.OversizedAllocationException;

/**
 * A scan on the threads of an executor: some tasks ahead are read at once, batches come in the
 * order of a serial scan. A reader keeps to one thread at a time; free readers are taken again.
 */
final class ParallelBatches implements BatchStream {
  private final BufferAllocator allocator;
  private final AutoCloseable lease;
  private final Schema schema;
  private final Supplier<GranuleReader> readers;
  private final Iterator<GranuleReader.Task> tasks;
  private final Executor executor;
  private final int ahead;
  private final ScanReport chosen;
  private final Deque<FutureTask<VectorSchemaRoot>> running = new ArrayDeque<>();
  private final ConcurrentLinkedDeque<GranuleReader> free = new ConcurrentLinkedDeque<>();
  private final ConcurrentLinkedDeque<GranuleReader> all = new ConcurrentLinkedDeque<>();
  private Optional<VectorSchemaRoot> current = Optional.empty();
  private long rowsLeft;
  private long rowsReturned;
  private volatile boolean closed;

  /**
   * @param ahead most tasks that are being read or wait to be taken
   */
  ParallelBatches(
      BufferAllocator allocator,
      AutoCloseable lease,
      Schema schema,
      Supplier<GranuleReader> readers,
      Iterator<GranuleReader.Task> tasks,
      Executor executor,
      int ahead,
      ScanReport chosen,
      long limit) {
    this.allocator = allocator;
    this.lease = lease;
    this.schema = schema;
    this.readers = readers;
    this.tasks = tasks;
    this.executor = executor;
    this.ahead = ahead;
    this.chosen = chosen;
    this.rowsLeft = limit;
  }

  @Override
  public Schema schema() {
    return schema;
  }

  private void submit() {
    while (running.size() < ahead && tasks.hasNext()) {
      GranuleReader.Task task = tasks.next();
      FutureTask<VectorSchemaRoot> reading = new FutureTask<>(() -> read(task));
      running.add(reading);
      if (running.size() > 1 || tasks.hasNext()) { // one alone is read by who waits for it
        executor.execute(reading);
      }
    }
  }

  private VectorSchemaRoot read(GranuleReader.Task task) throws IOException {
    if (closed) {
      throw new CancellationException("the scan is closed");
    }
    GranuleReader reader = free.pollFirst();
    if (reader == null) {
      reader = readers.get();
      all.add(reader);
    }
    List<FieldVector> vectors =
        schema.getFields().stream().map(f -> f.createVector(allocator)).toList();
    VectorSchemaRoot root = new VectorSchemaRoot(schema, vectors, 0);
    boolean done = false;
    try {
      reader.fill(task, root);
      done = true;
      return root;
    } catch (OutOfMemoryException | OversizedAllocationException e) {
      throw DirectMemory.lacking(e, "reading part " + task.part().name());
    } finally {
      if (!done) {
        root.close();
      }
      free.addFirst(reader);
    }
  }

  @Override
  public boolean next() throws IOException {
    if (closed) {
      throw new IllegalStateException("the scan is closed");
    }
    current.ifPresent(VectorSchemaRoot::close);
    current = Optional.empty();
    while (rowsLeft > 0) {
      submit();
      FutureTask<VectorSchemaRoot> first = running.peek();
      if (first == null) {
        return false;
      }
      first.run(); // does nothing if a thread has begun it
      VectorSchemaRoot root = await(first);
      running.remove();
      current = Optional.of(root);
      int rows = root.getRowCount();
      if (rows > rowsLeft) {
        rows = (int) rowsLeft;
        Limits.cut(root, rows);
      }
      if (rows > 0) {
        rowsLeft -= rows;
        rowsReturned += rows;
        submit();
        return true;
      }
      root.close();
      current = Optional.empty();
    }
    return false;
  }

  static <T> T await(Future<T> future) throws IOException {
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new java.io.InterruptedIOException("the scan was interrupted");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof java.io.UncheckedIOException io) {
        throw io.getCause();
      }
      if (cause instanceof IOException io) {
        throw io;
      }
      if (cause instanceof RuntimeException runtime) {
        throw runtime;
      }
      if (cause instanceof Error error) {
        throw error;
      }
      throw new IOException(cause);
    }
  }

  /** What was read, waited for even when the thread is interrupted: its memory is in use. */
  private static VectorSchemaRoot ended(FutureTask<VectorSchemaRoot> reading) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return reading.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public VectorSchemaRoot batch() {
    return current.orElseThrow(() -> new IllegalStateException("no batch: call next first"));
  }

  @Override
  public ScanReport report() {
    long rows = 0;
    long compressed = 0;
    long uncompressed = 0;
    for (GranuleReader reader : all) {
      rows += reader.rowsRead();
      compressed += reader.compressedBytes();
      uncompressed += reader.uncompressedBytes();
    }
    return Limits.report(chosen, rows, rowsReturned, compressed, uncompressed);
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    current.ifPresent(VectorSchemaRoot::close);
    for (FutureTask<VectorSchemaRoot> reading : running) {
      try {
        reading.run(); // what nobody has begun ends at once
        ended(reading).close(); // what is being read cannot be taken back, only waited for
      } catch (IOException | RuntimeException ignored) {
        // Its failure is of no interest any more; its vectors were closed where it failed.
      }
    }
    running.clear();
    AutoCloseable[] owned = new AutoCloseable[all.size() + 2];
    int i = 0;
    for (GranuleReader reader : all) {
      owned[i++] = reader;
    }
    owned[i++] = lease;
    owned[i] = allocator;
    Limits.closeAll(owned);
  }
}
