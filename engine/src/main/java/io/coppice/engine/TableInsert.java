package io.coppice.engine;

import io.coppice.base.disk.Disk;
import io.coppice.base.hash.Hash128;
import io.coppice.base.hash.SipHash;
import io.coppice.parts.name.PartName;
import io.coppice.parts.write.PartBuilder;
import io.coppice.parts.write.WrittenPart;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
  private boolean deduplicated;
  private Optional<String> token = Optional.empty();
  private boolean closed;

  /** Puts parts that were written into the table. */
  interface Commit {
    /**
     * Puts them there.
     *
     * @param blocks the id of each part's block, none if blocks are not to be known again
     * @return how each is called there, null for a duplicate
     */
    List<PartName> run(List<WrittenPart> written, List<String> blocks) throws IOException;
  }

  /**
   * @param directory of the table
   * @param temporary the name of a directory in it that nobody else uses
   * @param commit puts what was written into the table
   * @param release called once when this is closed
   * @param deduplicated whether the table knows blocks again
   */
  TableInsert(
      Disk directory,
      String temporary,
      Commit commit,
      PartBuilder builder,
      Runnable release,
      EngineStatistics statistics,
      boolean deduplicated) {
    this.deduplicated = deduplicated;
    this.statistics = statistics;
    this.directory = directory;
    this.temporary = temporary;
    this.commit = commit;
    this.builder = builder;
    this.release = release;
  }

  /** Adds the rows of a batch, which is borrowed for the call, as a block of the input. */
  public void add(VectorSchemaRoot batch) throws IOException {
    builder.add(batch);
  }

  /**
   * Adds rows of a block of the input.
   *
   * @param batch borrowed for the call
   * @param ends whether the block ends behind them
   */
  public void add(VectorSchemaRoot batch, boolean ends) throws IOException {
    builder.add(batch, ends);
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
    prepare();
    return commit();
  }

  /** Writes the last parts; nothing of the insert is in the table when this fails. */
  void prepare() throws IOException {
    builder.finish();
  }

  /** Puts what is prepared into the table. */
  InsertResult commit() throws IOException {
    List<WrittenPart> written = builder.written();
    List<PartName> parts = commit.run(written, deduplicated ? blockIds(written) : List.of());
    List<PartName> taken = new ArrayList<>();
    long rows = 0;
    long bytes = 0;
    long duplicateRows = 0;
    for (int i = 0; i < written.size(); i++) {
      if (parts.get(i) == null) {
        duplicateRows += written.get(i).rowCount();
        continue;
      }
      taken.add(parts.get(i));
      rows += written.get(i).rowCount();
      bytes += written.get(i).sizeBytes();
    }
    statistics.count(Event.INSERTED_ROWS, rows);
    statistics.count(Event.INSERTED_BYTES, bytes);
    return new InsertResult(rows, taken, bytes, duplicateRows);
  }

  /** What ClickHouse calls the blocks of parts: the same rows or token, the same id. */
  private List<String> blockIds(List<WrittenPart> written) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < written.size(); i++) {
      PartBuilder.Block block = builder.blocks().get(i);
      String data =
          token.map(text -> "user-token-" + text).orElseGet(() -> decimal(block.hash(), "_"));
      String source = data + ":source-id-empty:source-number-" + block.number();
      Hash128 hash = SipHash.hash128(source.getBytes(StandardCharsets.UTF_8));
      ids.add(written.get(i).name().partition() + "_" + decimal(hash, "_"));
    }
    return ids;
  }

  private static String decimal(Hash128 hash, String between) {
    return Long.toUnsignedString(hash.low()) + between + Long.toUnsignedString(hash.high());
  }

  /** Takes rows that the table has taken before as well; before the first batch. */
  public TableInsert withoutDeduplication() {
    deduplicated = false;
    return this;
  }

  /**
   * Knows rows again by the values of these columns in this order, as ClickHouse does by those that
   * an INSERT names; before the first batch. Otherwise all count that are not MATERIALIZED.
   */
  public TableInsert ofColumns(List<String> given) {
    if (deduplicated) {
      builder.hashingBlocks(given);
    }
    return this;
  }

  /** Knows rows again by this text instead of by their values; before the first batch. */
  public TableInsert withToken(String text) {
    token = Optional.of(text);
    return this;
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
