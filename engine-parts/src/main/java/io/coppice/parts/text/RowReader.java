package io.coppice.parts.text;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Reads rows in brackets one by one: a record is a row, batches end with so many rows or bytes.
 * Confined to one thread.
 */
abstract class RowReader implements BatchReader {
  private static final long MOST_BATCH_BYTES = 64L << 20;
  private static final int BUFFER_BYTES = 1 << 20;
  private static final int ROWS_AT_FIRST = 1024;

  final String name;
  final TableDefinition table;
  final Options options;
  final BufferAllocator allocator;
  final RecordInput input;
  final TextCursor cursor = new TextCursor();

  /** Where blocks end, of formats that 26.7 reads in segments. */
  final Optional<Segments> segments;

  /**
   * @param segmented whether 26.7 reads the format in segments, which end blocks
   */
  RowReader(
      boolean segmented,
      InputStream in,
      String name,
      TableDefinition table,
      Options options,
      BufferAllocator allocator) {
    this.input = new RecordInput(in, BUFFER_BYTES);
    this.segments = segmented ? Optional.of(new Segments(options.segment())) : Optional.empty();
    this.name = name;
    this.table = table;
    this.options = options;
    this.allocator = allocator;
  }

  /** Moves to the next row's opening bracket; false at the end. */
  abstract boolean findRow() throws IOException;

  /** The columns of the rows, known once a row was looked for. */
  abstract List<ColumnDefinition> columns();

  /** Reads the row that stands next. */
  abstract void row(RowBatch batch) throws IOException;

  @Override
  public final boolean blockEnds() {
    return segments.map(Segments::ended).orElse(false);
  }

  @Override
  public final Optional<VectorSchemaRoot> next() throws IOException {
    if (!findRow()) {
      return Optional.empty();
    }
    String start = input.where(0);
    RowBatch batch =
        new RowBatch(
            table, columns(), options, Math.min(options.batchRows(), ROWS_AT_FIRST), allocator);
    boolean done = false;
    try {
      long from = input.consumed();
      boolean more = true;
      while (more && batch.rows() < options.batchRows()) {
        row(batch);
        boolean ends = segments.isPresent() && segments.get().row(input.consumed());
        more = !ends && input.consumed() - from < MOST_BATCH_BYTES && findRow();
      }
      VectorSchemaRoot root = batch.finish();
      done = true;
      return Optional.of(root);
    } catch (EngineException e) {
      throw e.getMessage().startsWith(name + ", ") ? e : e.within(name + ", from " + start + " on");
    } finally {
      if (!done) {
        batch.close();
      }
    }
  }

  EngineException at(int place, String message) {
    return EngineException.of(
        ErrorCode.INCORRECT_DATA, "%s, %s: %s", name, input.where(place), message);
  }

  /** The size of the row at the start of the record. */
  final int rowSize(String what) throws IOException {
    int size = input.behindBrackets(0, false, name);
    if (size < 0) {
      throw at(0, "expected the end of the " + what + " that starts here");
    }
    return size;
  }

  @Override
  public void close() {}
}
