package io.coppice.engine;

import io.coppice.base.disk.Disk;
import io.coppice.parts.name.PartName;
import io.coppice.parts.write.PartBuilder;
import io.coppice.parts.write.WrittenPart;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;

/**
 * Rows on their way into a table, as many batches as there are. Blocks of about a million rows
 * become parts while rows still come; none of them is seen before {@link #finish}, which makes all
 * of them active.
 *
 * <p>Confined to one thread; whoever began it closes it. Closing without {@link #finish} leaves
 * nothing behind.
 */
public final class TableInsert implements AutoCloseable {
  private final Disk directory;
  private final String temporary;
  private final Commit commit;
  private final PartBuilder builder;
  private final Runnable release;
  private final EngineStatistics statistics;
  private boolean closed;

  /** Puts parts that were written into the table; says how they are called there. */
  interface Commit {
    List<PartName> run(List<WrittenPart> written) throws IOException;
  }

  /**
   * @param directory of the table
   * @param temporary the name of a directory in it that nobody else uses
   * @param commit puts what was written into the table
   * @param release called once when this is closed
   */
  TableInsert(
      Disk directory,
      String temporary,
      Commit commit,
      PartBuilder builder,
      Runnable release,
      EngineStatistics statistics) {
    this.statistics = statistics;
    this.directory = directory;
    this.temporary = temporary;
    this.commit = commit;
    this.builder = builder;
    this.release = release;
  }

  /** Adds the rows of a batch, which is borrowed for the call. */
  public void add(VectorSchemaRoot batch) throws IOException {
    builder.add(batch);
  }

  /** Adds the rows of a batch with dictionary-encoded columns. */
  public void add(VectorSchemaRoot batch, DictionaryProvider dictionaries) throws IOException {
    builder.add(batch, dictionaries);
  }

  /**
   * Puts all rows into the table. When this returns they are seen by every scan that begins, and
   * with {@link Durability#DURABLE} they are there after a power cut.
   */
  public InsertResult finish() throws IOException {
    List<WrittenPart> written = builder.finish();
    long rows = 0;
    long bytes = 0;
    for (WrittenPart part : written) {
      rows += part.rowCount();
      bytes += part.sizeBytes();
    }
    List<PartName> parts = commit.run(written);
    statistics.count(Event.INSERTED_ROWS, rows);
    statistics.count(Event.INSERTED_BYTES, bytes);
    return new InsertResult(rows, parts, bytes);
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      builder.close();
      directory.deleteRecursively(temporary);
    } finally {
      release.run();
    }
  }
}
