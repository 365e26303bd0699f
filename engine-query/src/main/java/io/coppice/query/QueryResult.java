package io.coppice.query;

import io.coppice.engine.InsertResult;
import io.coppice.parts.stream.DirectMemory;
import io.coppice.parts.text.FormatSettings;
import java.io.IOException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.OversizedAllocationException;

/**
 * What a statement gives: for a query its rows as Arrow batches, for an INSERT how many rows went
 * in, for other statements nothing.
 *
 * <pre>{@code
 * try (QueryResult result = session.execute("SELECT a FROM t")) {
 *   while (result.next()) { … result.batch() … }
 * }
 * }</pre>
 *
 * <p>Confined to one thread. The caller closes it; closing early is fine, and twice is harmless.
 */
public final class QueryResult implements AutoCloseable {
  private final Rows rows;
  private final Context context;
  private final Optional<String> format;
  private final long writtenRows;
  private final Optional<InsertResult> inserted;
  private boolean closed;

  private QueryResult(
      Rows rows,
      Context context,
      Optional<String> format,
      long writtenRows,
      Optional<InsertResult> inserted) {
    this.rows = rows;
    this.context = context;
    this.format = format;
    this.writtenRows = writtenRows;
    this.inserted = inserted;
  }

  /** Rows and the allocator of their statement, both taken over. */
  static QueryResult of(Rows rows, Context context, Optional<String> format) {
    return new QueryResult(rows, context, format, 0, Optional.empty());
  }

  /** A result without rows. */
  static QueryResult written(long rows) {
    return new QueryResult(null, null, Optional.empty(), rows, Optional.empty());
  }

  /** What an INSERT did. */
  static QueryResult inserted(InsertResult result) {
    return new QueryResult(null, null, Optional.empty(), result.rows(), Optional.of(result));
  }

  /** The columns of the rows; none when the statement gives no rows. */
  public List<ResultColumn> columns() {
    return rows == null ? List.of() : rows.columns();
  }

  /** The Arrow schema of every batch; each field names its ClickHouse type in its metadata. */
  public Schema schema() {
    return Batches.schema(columns());
  }

  /** The format that the statement asks its rows in, if it does. */
  public Optional<String> format() {
    return format;
  }

  /** The zone of times in the rows that name none. */
  public ZoneId zone() {
    return context == null ? ZoneOffset.UTC : context.surroundings().zone();
  }

  /** How the statement wants its rows written. */
  public FormatSettings formats() {
    return context == null ? FormatSettings.DEFAULT : context.formats();
  }

  /** Whether the statement gives rows, be they none. */
  public boolean givesRows() {
    return rows != null;
  }

  /** Rows that an INSERT or a query INTO OUTFILE wrote. */
  public long writtenRows() {
    return writtenRows;
  }

  /** Rows, parts and bytes that an INSERT, or CREATE TABLE AS SELECT, wrote. */
  public Optional<InsertResult> inserted() {
    return inserted;
  }

  /**
   * Moves to the next batch, which has a row at least; false at the end.
   *
   * @throws io.coppice.base.error.EngineException for what goes wrong while rows are computed
   */
  public boolean next() throws IOException {
    if (closed) {
      throw new IllegalStateException("the result is closed");
    }
    try {
      while (rows != null && advance()) {
        if (rows.batch().getRowCount() > 0) {
          return true;
        }
      }
      return false;
    } catch (OutOfMemoryException | OversizedAllocationException e) {
      throw DirectMemory.lacking(e, "the query");
    } catch (IOException e) {
      throw Failures.orItself(e);
    }
  }

  private boolean advance() throws IOException {
    context.read().refuseIfCancelled();
    return rows.next();
  }

  /**
   * The batch moved to, which stays owned by the result and is valid until the next call of next.
   *
   * @throws IllegalStateException before the first call of next, and where a statement gave no rows
   */
  public VectorSchemaRoot batch() {
    VectorSchemaRoot batch = rows == null ? null : rows.batch();
    if (batch == null) {
      throw new IllegalStateException("there is no batch: next() has not said that there is one");
    }
    return batch;
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    if (rows != null) {
      try {
        rows.close();
      } finally {
        context.allocator().close();
      }
    }
  }
}
