package io.coppice.bench;

import io.coppice.base.disk.ReadableFile;
import io.coppice.parts.compress.Decompressor;
import io.coppice.parts.compress.FrameHeader;
import io.coppice.parts.scan.LoadedPart;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The limit of scanning four Float64 columns: their frames, in memory already, decompressed one
 * after another into the same place; with and without verifying checksums.
 *
 * <pre>bench/run Lz4Limit</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(3)
public class Lz4Limit {
  private BufferAllocator allocator;
  private final List<ArrowBuf> files = new ArrayList<>();
  private ArrowBuf target;
  private Decompressor decompressor;

  /** Loads the files. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    allocator = new RootAllocator();
    decompressor = new Decompressor(allocator);
    target = allocator.buffer(1 << 21);
    for (LoadedPart part : BenchData.parts(1, allocator)) {
      for (String column : List.of("l_quantity", "l_extendedprice", "l_discount", "l_tax")) {
        try (ReadableFile file = part.disk().open(column + ".bin")) {
          ArrowBuf bytes = allocator.buffer(file.sizeBytes());
          ByteBuffer view = bytes.nioBuffer(0, (int) file.sizeBytes());
          file.read(0, view);
          bytes.writerIndex(file.sizeBytes());
          files.add(bytes);
        }
      }
    }
  }

  /** Frees the files. */
  @TearDown(Level.Trial)
  public void close() {
    files.forEach(ArrowBuf::close);
    target.close();
    decompressor.close();
    allocator.close();
  }

  private long all(boolean verify) {
    long total = 0;
    for (ArrowBuf file : files) {
      long at = 0;
      while (at < file.writerIndex()) {
        long address = file.memoryAddress() + at;
        FrameHeader header = FrameHeader.read(address, file.writerIndex() - at, "file", at);
        if (verify) {
          decompressor.verify(header, address, "file", at);
        }
        decompressor.decompress(header, address, target.memoryAddress(), "file", at);
        total += header.uncompressedSizeBytes();
        at += header.frameSizeBytes();
      }
    }
    return total;
  }

  @Benchmark
  public long decompress() {
    return all(false);
  }

  @Benchmark
  public long verifyAndDecompress() {
    return all(true);
  }
}
