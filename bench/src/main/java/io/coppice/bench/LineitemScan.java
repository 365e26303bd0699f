package io.coppice.bench;

import io.coppice.fixtures.peer.ChdbPeer;
import io.coppice.parts.scan.BatchStream;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.scan.Scan;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.duckdb.DuckDBResultSet;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How fast are columns of 6 M lineitem rows read into memory on one thread, from a warm file cache?
 * Beside chDB ({@code FORMAT Null}, its own time in {@code engineMicros}) and DuckDB (its Arrow
 * stream), each on its own table.
 *
 * <p>The best possible: LZ4 decompresses about 4 GB/s here, and checksums cost a tenth of that;
 * four Float64 columns are 192 MB, so some 55 ms.
 *
 * <pre>bench/run LineitemScan</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(3)
public class LineitemScan {
  /** Which columns. */
  @Param({"four_floats", "four_integers", "two_strings", "all_sixteen"})
  public String columns;

  @Param("1")
  public double scale;

  private BufferAllocator allocator;
  private List<LoadedPart> parts;
  private List<String> names;
  private ChdbPeer chdb;
  private Connection duckdb;

  /** Builds what is not there and opens the engines. */
  @Setup(Level.Trial)
  public void open() throws IOException, SQLException {
    allocator = new RootAllocator();
    parts = BenchData.parts(scale, allocator);
    names =
        switch (columns) {
          case "four_floats" -> List.of("l_quantity", "l_extendedprice", "l_discount", "l_tax");
          case "four_integers" -> List.of("l_orderkey", "l_partkey", "l_suppkey", "l_linenumber");
          case "two_strings" -> List.of("l_shipmode", "l_comment");
          default -> BenchData.table().columns().stream().map(c -> c.name()).toList();
        };
  }

  /** Closes the engines. */
  @TearDown(Level.Trial)
  public void close() throws SQLException {
    if (chdb != null) {
      chdb.close();
    }
    if (duckdb != null) {
      duckdb.close();
    }
    allocator.close();
  }

  @Benchmark
  public long coppice() throws IOException {
    long rows = 0;
    try (BatchStream batches = Scan.of(parts).columns(names).open(allocator)) {
      while (batches.next()) {
        rows += batches.batch().getRowCount();
      }
    }
    return rows;
  }

  @Benchmark
  public boolean chdb(EngineTime time) throws IOException {
    if (chdb == null) {
      chdb = ChdbPeer.start();
      LineitemTables.insert(chdb, BenchData.nativeFile(scale, allocator));
    }
    ChdbPeer.Answer answer =
        chdb.ask(
            "SELECT " + String.join(", ", names) + " FROM lineitem SETTINGS max_threads = 1",
            "Null");
    time.add(answer.millis());
    return answer.ok();
  }

  @Benchmark
  public long duckdb() throws IOException, SQLException {
    if (duckdb == null) {
      duckdb = LineitemTables.duckdb();
      LineitemTables.insert(duckdb, BenchData.nativeFile(scale, allocator), allocator);
    }
    long rows = 0;
    try (Statement statement = duckdb.createStatement();
        DuckDBResultSet result =
            (DuckDBResultSet)
                statement.executeQuery("SELECT " + String.join(", ", names) + " FROM lineitem");
        ArrowReader batches = (ArrowReader) result.arrowExportStream(allocator, 65_536)) {
      while (batches.loadNextBatch()) {
        rows += batches.getVectorSchemaRoot().getRowCount();
      }
    }
    return rows;
  }
}
