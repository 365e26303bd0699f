package io.coppice.engine;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Inserts into one table that are written together, as one block. What one of them does wrong is
 * its own error: the others are written without it.
 *
 * <p>Guarded by the queue while it gathers, then confined to the thread that writes it.
 */
final class GatheredInserts {
  /** What inserts must share to be written together. */
  record Key(
      Table table,
      List<String> columns,
      String query,
      String format,
      InsertSettings settings,
      boolean deduplicate) {}

  /** One insert, whose batches are owned. */
  record Entry(
      List<VectorSchemaRoot> batches,
      long sizeBytes,
      Optional<String> token,
      CompletableFuture<InsertResult> result) {
    long rows() {
      return batches.stream().mapToLong(VectorSchemaRoot::getRowCount).sum();
    }

    void close() {
      batches.forEach(VectorSchemaRoot::close);
    }
  }

  private final Key key;
  private final long firstMillis;
  private final long dueNanos;
  private final List<Entry> entries = new ArrayList<>();
  private final CompletableFuture<Void> written = new CompletableFuture<>();
  private final List<Runnable> outcomes = new ArrayList<>();
  private long sizeBytes;

  GatheredInserts(Key key, long firstMillis, long dueNanos) {
    this.key = key;
    this.firstMillis = firstMillis;
    this.dueNanos = dueNanos;
  }

  Key key() {
    return key;
  }

  /** When it is to be written at the latest. */
  long dueNanos() {
    return dueNanos;
  }

  /** Done when each insert knows what became of it. */
  CompletableFuture<Void> written() {
    return written;
  }

  void add(Entry entry) {
    entries.add(entry);
    sizeBytes += entry.sizeBytes();
  }

  boolean full(AsyncInsertSettings settings) {
    return sizeBytes >= settings.maxBytes() || entries.size() >= settings.maxInserts();
  }

  WaitingInserts waiting() {
    return new WaitingInserts(
        key.table(),
        key.query(),
        key.format(),
        firstMillis,
        entries.stream().map(Entry::sizeBytes).toList());
  }

  /** Writes all, and tells each insert what became of it. */
  void write() {
    try {
      if (key.deduplicate()) {
        entries.forEach(entry -> write(List.of(entry)));
      } else {
        write(entries);
      }
    } finally {
      entries.forEach(Entry::close);
      outcomes.forEach(Runnable::run); // when nothing more is held
      EngineException lost =
          EngineException.of(
              ErrorCode.ABORTED,
              "writing asynchronous inserts into table %s was broken off",
              key.table().name().text());
      entries.forEach(entry -> entry.result().completeExceptionally(lost)); // if nothing else did
      written.complete(null);
    }
  }

  private void write(List<Entry> together) {
    List<Entry> left = new ArrayList<>(together);
    boolean again = true;
    while (again && !left.isEmpty()) {
      again = false;
      boolean committing = false;
      try (TableInsert into = begin(left.get(0))) {
        again = !addAll(left, into);
        if (!again && !left.isEmpty()) {
          into.prepare();
          committing = true;
          InsertResult result = into.commit();
          left.forEach(entry -> outcomes.add(() -> entry.result().complete(own(entry, result))));
        }
      } catch (IOException | RuntimeException e) {
        fail(left, e, committing);
        return;
      }
    }
  }

  /** Whether it was whose is not known: when they are several, each is tried by itself. */
  private void fail(List<Entry> left, Exception cause, boolean committing) {
    if (left.size() > 1 && !committing) {
      left.forEach(entry -> write(List.of(entry)));
    } else {
      left.forEach(entry -> outcomes.add(() -> entry.result().completeExceptionally(cause)));
    }
  }

  private TableInsert begin(Entry first) {
    TableInsert into = key.table().insert(key.settings()).ofColumns(key.columns());
    if (!key.deduplicate()) {
      into.withoutDeduplication();
    } else {
      first.token().ifPresent(into::withToken);
    }
    return into;
  }

  /**
   * Adds the rows of all; those that are refused are taken out and told so.
   *
   * @return false when rows of a refused one are in already, so that all is to be done anew
   */
  private boolean addAll(List<Entry> left, TableInsert into) throws IOException {
    for (Entry entry : List.copyOf(left)) {
      int added = 0;
      try {
        for (VectorSchemaRoot batch : entry.batches()) {
          into.add(batch, false);
          added++;
        }
      } catch (EngineException e) {
        left.remove(entry);
        outcomes.add(() -> entry.result().completeExceptionally(e));
        if (added > 0) {
          return false;
        }
      }
    }
    return true;
  }

  private InsertResult own(Entry entry, InsertResult all) {
    boolean duplicate = all.parts().isEmpty() && all.duplicateRows() > 0;
    return new InsertResult(
        duplicate ? 0 : entry.rows(), all.parts(), all.sizeBytes(), all.duplicateRows());
  }
}
