package io.coppice.bench;

import io.coppice.fixtures.peer.ChdbPeer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
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
 * How fast do 6 M lineitem rows of a Native file become parts, on one thread and without fsync?
 * Beside chDB ({@code INSERT … FROM INFILE … FORMAT Native}, its own time in {@code engineMicros})
 * and DuckDB (a table of the same batches).
 *
 * <p>The best possible: 0.7 GB read, checked for order, compressed at 0.6 GB/s and hashed: some 1.3
 * s.
 *
 * <pre>bench/run LineitemBuild</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
@Fork(3)
public class LineitemBuild {
  @Param("1")
  public double scale;

  private BufferAllocator allocator;
  private Path file;
  private Path target;
  private ChdbPeer chdb;
  private Connection duckdb;

  /** Makes the Native file. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    allocator = new RootAllocator();
    file = BenchData.nativeFile(scale, allocator);
    target = BenchData.directory().resolve("built");
  }

  /** Removes what the last round built. */
  @Setup(Level.Iteration)
  public void clear() throws IOException {
    BenchData.deleteRecursively(target);
  }

  /** Closes the engines. */
  @TearDown(Level.Trial)
  public void close() throws IOException, SQLException {
    BenchData.deleteRecursively(target);
    if (chdb != null) {
      chdb.close();
    }
    if (duckdb != null) {
      duckdb.close();
    }
    allocator.close();
  }

  @Benchmark
  public int coppice() throws IOException {
    return BenchData.build(file, target, allocator).size();
  }

  @Benchmark
  public void chdb(EngineTime time) {
    if (chdb == null) {
      chdb = ChdbPeer.start();
    }
    time.add(LineitemTables.insert(chdb, file));
  }

  @Benchmark
  public void duckdb() throws IOException, SQLException {
    if (duckdb == null) {
      duckdb = LineitemTables.duckdb();
    }
    LineitemTables.insert(duckdb, file, allocator);
  }
}
