package io.coppice.bench;

import io.coppice.fixtures.peer.ChdbPeer;
import io.coppice.parts.scan.BatchStream;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.scan.MarkCache;
import io.coppice.parts.scan.Scan;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
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
 * How long does it take to read all columns of the rows of one key, which lie in one granule of one
 * of six parts? Beside chDB (its own time in {@code engineMicros}).
 *
 * <pre>bench/run LineitemPoint</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 8, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(3)
public class LineitemPoint {
  private static final long SEED = 0x5EED;

  @Param("1")
  public double scale;

  private final MarkCache marks = new MarkCache(64L << 20);
  private final TableDefinition table = BenchData.table();
  private SplittableRandom random;
  private BufferAllocator allocator;
  private List<LoadedPart> parts;
  private ChdbPeer chdb;

  /** Builds what is not there and opens the engines. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    random = new SplittableRandom(SEED);
    allocator = new RootAllocator();
    parts = BenchData.parts(scale, allocator);
  }

  /** Closes the engines. */
  @TearDown(Level.Trial)
  public void close() {
    if (chdb != null) {
      chdb.close();
    }
    allocator.close();
  }

  private String condition() {
    return "l_orderkey = " + (1 + random.nextInt((int) (6_000_000 * scale)));
  }

  @Benchmark
  public long coppice() throws IOException {
    long rows = 0;
    try (BatchStream batches =
        Scan.of(parts).markCache(marks).table(table).where(condition()).open(allocator)) {
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
            "SELECT * FROM lineitem WHERE " + condition() + " SETTINGS max_threads = 1", "Null");
    time.add(answer.millis());
    return answer.ok();
  }
}
