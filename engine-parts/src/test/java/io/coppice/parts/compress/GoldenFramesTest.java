package io.coppice.parts.compress;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.bytes.Memory;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.fixtures.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every frame of every golden part is opened, and made again to equal bytes. */
class GoldenFramesTest {
  @TempDir Path temp;

  private final Map<String, int[]> counts = new TreeMap<>();
  private int unsupported;

  @Test
  void everyFrameIsOpenedAndMadeAgain() throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        Compressor compressor = new Compressor(allocator);
        Decompressor decompressor = new Decompressor(allocator);
        DirectBytes file = new DirectBytes(allocator);
        DirectBytes content = new DirectBytes(allocator);
        DirectBytes again = new DirectBytes(allocator)) {
      for (Golden.Engine engine : Golden.Engine.values()) {
        String archive = engine == Golden.Engine.V26_7 ? "parts.tar.gz" : "part.tar";
        for (Golden golden : Golden.all(engine)) {
          if (!golden.has(archive) || golden.name().equals("h_text_index")) {
            continue; // postings of a text index are not frames
          }
          Path target = temp.resolve(engine.version()).resolve(golden.name());
          golden.unpackParts(target);
          for (Path path : framed(target)) {
            byte[] bytes = Files.readAllBytes(path);
            file.clear();
            file.append(bytes, 0, bytes.length);
            frames(allocator, compressor, decompressor, file, content, again, path.toString());
          }
        }
      }
    }
    counts.forEach(
        (chain, n) -> System.out.println(chain + ": " + n[0] + " equal, " + n[1] + " not"));
    System.out.println("files of methods that are not supported: " + unsupported);
    assertThat(unsupported).as("ALP and ZXC").isEqualTo(5);
    assertThat(counts.values()).allSatisfy(n -> assertThat(n[1]).isZero());
  }

  private static List<Path> framed(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      return paths
          .filter(Files::isRegularFile)
          .filter(path -> path.getFileName().toString().matches(".*\\.(bin|idx2|cidx|cmrk[234]?)"))
          .sorted()
          .toList();
    }
  }

  private void frames(
      BufferAllocator allocator,
      Compressor compressor,
      Decompressor decompressor,
      DirectBytes file,
      DirectBytes content,
      DirectBytes again,
      String name) {
    long at = 0;
    while (at < file.sizeBytes()) {
      long frame = file.address() + at;
      FrameHeader header = FrameHeader.read(frame, file.sizeBytes() - at, name, at);
      decompressor.verify(header, frame, name, at);
      content.clear();
      long target = content.reserve(header.uncompressedSizeBytes());
      try {
        decompressor.decompress(header, frame, target, name, at);
      } catch (EngineException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_COMPRESSION_METHOD);
        unsupported++;
        return;
      }
      CodecChain chain = FrameChains.of(allocator, decompressor, frame);
      CodecChain found = null;
      for (CodecChain candidate : FrameChains.withLevels(chain)) {
        again.clear();
        compressor.compress(candidate, target, header.uncompressedSizeBytes(), again);
        if (found == null && equal(frame, header.frameSizeBytes(), again)) {
          found = candidate;
        }
      }
      String text = found == null ? chain.text() : found.text();
      counts.computeIfAbsent(text, k -> new int[2])[found == null ? 1 : 0]++;
      at += header.frameSizeBytes();
    }
  }

  private static boolean equal(long frame, int sizeBytes, DirectBytes again) {
    if (again.sizeBytes() != sizeBytes) {
      return false;
    }
    for (int i = 0; i < sizeBytes; i++) {
      if (Memory.getByte(frame + i) != Memory.getByte(again.address() + i)) {
        return false;
      }
    }
    return true;
  }
}
