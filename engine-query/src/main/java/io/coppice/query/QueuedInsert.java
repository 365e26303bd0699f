package io.coppice.query;

import io.coppice.engine.AsyncInserts;
import io.coppice.engine.InsertResult;
import io.coppice.engine.Table;
import io.coppice.language.statement.Insert;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.text.BatchReader;
import io.coppice.parts.text.DataFormat;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * An INSERT of data with {@code async_insert = 1}: its rows are read at once, so that what is wrong
 * with the text is known at once, and then wait for others to be written with.
 */
final class QueuedInsert {
  private final Context context;

  QueuedInsert(Context context) {
    this.context = context;
  }

  /** Whether an INSERT is gathered with others: one whose data comes with it. */
  static boolean wanted(Insert insert, Context context) {
    return InsertSetting.ASYNC.of(context.settings()) == 1
        && insert.source() instanceof Insert.Source.Data
        && insert.infile().isEmpty();
  }

  /** The most data that is gathered; an INSERT of more is large enough by itself. */
  int mostBytes() {
    return (int) Math.min(Integer.MAX_VALUE - 16, InsertSetting.ASYNC_BYTES.of(context.settings()));
  }

  /**
   * Carries it out.
   *
   * @param data all of it
   * @param token by which the rows are known again
   */
  InsertResult insert(
      Insert insert,
      Table table,
      List<ColumnDefinition> columns,
      DataFormat format,
      byte[] data,
      Optional<String> token)
      throws IOException {
    List<String> names = columns.stream().map(ColumnDefinition::name).toList();
    List<VectorSchemaRoot> batches = read(table, names, format, data);
    long rows = batches.stream().mapToLong(VectorSchemaRoot::getRowCount).sum();
    if (rows == 0) {
      return new InsertResult(0, List.of(), 0, 0);
    }
    AsyncInserts queue = context.engine().asyncInserts();
    CompletableFuture<InsertResult> result =
        queue.add(
            table,
            new AsyncInserts.Origin(names, insert.text(), format.text()),
            batches,
            data.length,
            token,
            InsertSetting.insert(context.settings()),
            InsertSetting.async(context.settings()));
    if (InsertSetting.ASYNC_WAIT.of(context.settings()) == 0) {
      return new InsertResult(rows, List.of(), 0, 0);
    }
    return queue.await(
        result, Duration.ofSeconds(InsertSetting.ASYNC_WAIT_SECONDS.of(context.settings())));
  }

  /** The rows, in memory of the engine, as they outlast the statement. */
  private List<VectorSchemaRoot> read(
      Table table, List<String> names, DataFormat format, byte[] data) throws IOException {
    List<VectorSchemaRoot> batches = new ArrayList<>();
    boolean done = false;
    try (BatchReader reader =
        BatchReader.open(
            format,
            new ByteArrayInputStream(data),
            Inserts.DATA,
            table.definition(),
            InputTable.options(context, names),
            context.engine().allocator())) {
      for (Optional<VectorSchemaRoot> next = reader.next();
          next.isPresent();
          next = reader.next()) {
        batches.add(next.get());
      }
      done = true;
    } finally {
      if (!done) {
        batches.forEach(VectorSchemaRoot::close);
      }
    }
    return batches;
  }
}
