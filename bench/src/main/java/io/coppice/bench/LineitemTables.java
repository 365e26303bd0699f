package io.coppice.bench;

import io.coppice.fixtures.peer.ChdbPeer;
import io.coppice.parts.nativeformat.NativeReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.duckdb.DuckDBConnection;

/** The lineitem table in the engines that Coppice is measured beside. Stateless. */
final class LineitemTables {
  private LineitemTables() {}

  /** Inserts the Native file into chDB, one thread; returns the engine's own time, milliseconds. */
  static double insert(ChdbPeer peer, Path nativeFile) {
    peer.run("DROP TABLE IF EXISTS lineitem SYNC");
    peer.run(BenchData.createSql("lineitem"));
    peer.run("SYSTEM STOP MERGES lineitem");
    ChdbPeer.Answer answer =
        peer.ask(
            "INSERT INTO lineitem FROM INFILE '"
                + nativeFile
                + "' SETTINGS max_threads = 1, max_insert_threads = 1 FORMAT Native",
            "Null");
    if (!answer.ok()) {
      throw new IllegalStateException(answer.error());
    }
    return answer.millis();
  }

  /** Opens DuckDB with one thread. */
  static Connection duckdb() throws SQLException {
    Connection connection = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET threads = 1");
    }
    return connection;
  }

  /** Makes the table in DuckDB of the batches of the Native file. */
  static void insert(Connection duckdb, Path nativeFile, BufferAllocator allocator)
      throws IOException, SQLException {
    try (FileChannel channel = FileChannel.open(nativeFile);
        NativeBatches batches =
            new NativeBatches(
                new NativeReader(channel, nativeFile.toString(), allocator), allocator);
        ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator);
        Statement statement = duckdb.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS lineitem");
      Data.exportArrayStream(allocator, batches, stream);
      duckdb.unwrap(DuckDBConnection.class).registerArrowStream("incoming", stream);
      statement.execute("CREATE TABLE lineitem AS SELECT * FROM incoming");
    }
  }
}
