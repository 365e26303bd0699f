package io.coppice.bench;

import io.coppice.parts.nativeformat.NativeReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBResultSet;

/** The tables in DuckDB, in a file of its own. Confined to one thread. */
final class DuckDbTables implements AutoCloseable {
  private static final long BATCH_ROWS = 65_409;

  private final Connection connection;
  private final BufferAllocator allocator;

  private DuckDbTables(Connection connection, BufferAllocator allocator) {
    this.connection = connection;
    this.allocator = allocator;
  }

  /** Opens an empty database in a directory. */
  static DuckDbTables open(Path directory, int threads, BufferAllocator allocator)
      throws IOException, SQLException {
    BenchData.deleteRecursively(directory);
    Files.createDirectories(directory);
    Connection connection =
        DriverManager.getConnection("jdbc:duckdb:" + directory.resolve("bench.duckdb"));
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET threads = " + threads);
      statement.execute("SET TimeZone = 'UTC'");
    }
    return new DuckDbTables(connection, allocator);
  }

  /**
   * Makes a table of the batches of a Native file, sorted; returns milliseconds.
   *
   * @param columns what to select of the batches, where times are numbers of seconds
   */
  double load(String table, Path nativeFile, String columns, String orderBy)
      throws IOException, SQLException {
    try (FileChannel channel = FileChannel.open(nativeFile);
        NativeBatches batches =
            new NativeBatches(
                new NativeReader(channel, nativeFile.toString(), allocator), allocator);
        ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator);
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS " + table);
      Data.exportArrayStream(allocator, batches, stream);
      connection.unwrap(DuckDBConnection.class).registerArrowStream("incoming", stream);
      long start = System.nanoTime();
      statement.execute(
          "CREATE TABLE " + table + " AS SELECT " + columns + " FROM incoming ORDER BY " + orderBy);
      statement.execute("CHECKPOINT");
      return (System.nanoTime() - start) / 1e6;
    }
  }

  /** Asks a question of {@link QuerySet} and reads its answer to Arrow; returns milliseconds. */
  double ask(String sql) throws IOException, SQLException {
    long start = System.nanoTime();
    try (Statement statement = connection.createStatement();
        DuckDBResultSet result = (DuckDBResultSet) statement.executeQuery(dialect(sql));
        ArrowReader reader = (ArrowReader) result.arrowExportStream(allocator, BATCH_ROWS)) {
      while (reader.loadNextBatch()) {
        // Read, as the other engines' are.
      }
    }
    return (System.nanoTime() - start) / 1e6;
  }

  /** The question in DuckDB's words. */
  static String dialect(String sql) {
    return sql.replaceAll("toDate\\(('[^']*')\\)", "DATE $1")
        .replace("countIf(", "count_if(")
        .replaceAll("uniqExact\\((\\w+)\\)", "count(DISTINCT $1)");
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
