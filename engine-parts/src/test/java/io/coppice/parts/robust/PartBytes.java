package io.coppice.parts.robust;

import io.coppice.base.hash.FileHash;
import io.coppice.parts.compress.CodecChain;
import io.coppice.parts.compress.Compressor;
import io.coppice.parts.compress.Decompressor;
import io.coppice.parts.format.ChecksumsFile;
import io.coppice.parts.format.MarkFile;
import io.coppice.parts.format.MarkFormat;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Damages what lies inside a file's frames and seals it again: frames get their checksums, marks
 * point to where frames went, checksums.txt has the new sizes and hashes. What reads the values
 * then meets nonsense that no checksum told of.
 */
final class PartBytes implements AutoCloseable {
  private final Decompressor decompressor;
  private final Compressor compressor;

  PartBytes(BufferAllocator allocator) {
    this.decompressor = new Decompressor(allocator);
    this.compressor = new Compressor(allocator);
  }

  ChecksumsFile checksums(Map<String, byte[]> part) {
    return ChecksumsFile.read(part.get(ChecksumsFile.NAME), ChecksumsFile.NAME, decompressor);
  }

  /** The part with the content of frame {@code frame} of a file replaced; marks are moved. */
  Map<String, byte[]> withFrame(
      Map<String, byte[]> part, String file, int frame, UnaryOperator<byte[]> damage) {
    byte[] bytes = part.get(file);
    TreeMap<Long, Long> moved = new TreeMap<>();
    byte[] out = new byte[0];
    int index = 0;
    int at = 0;
    while (at < bytes.length) {
      int size = 16 + int32(bytes, at + 17);
      byte[] whole = Arrays.copyOfRange(bytes, at, at + size);
      moved.put((long) at, (long) out.length);
      if (index == frame) {
        byte[] content = decompressor.decompressAll(whole, 0, file, 1 << 28);
        byte[] damaged = damage.apply(content);
        whole =
            damaged.length == 0
                ? new byte[0]
                : compressor.compressAll(CodecChain.LZ4, damaged, damaged.length);
      }
      out = concat(out, whole);
      index++;
      at += size;
    }
    moved.put((long) bytes.length, (long) out.length);
    Map<String, byte[]> result = new TreeMap<>(part);
    result.put(file, out);
    String stem = file.substring(0, file.lastIndexOf('.'));
    for (String marks : part.keySet()) {
      Optional<MarkFormat> format = MarkFormat.ofFileName(marks);
      if (format.isPresent() && marks.equals(stem + format.get().extension())) {
        move(part, marks, format.get(), moved).ifPresent(m -> result.put(marks, m));
      }
    }
    return sealed(result);
  }

  int frames(byte[] file) {
    int count = 0;
    for (int at = 0; at < file.length; at += 16 + int32(file, at + 17)) {
      count++;
    }
    return count;
  }

  private Optional<byte[]> move(
      Map<String, byte[]> part, String file, MarkFormat format, TreeMap<Long, Long> moved) {
    int places = format.compact() && file.startsWith("data.") ? places(part, file, format) : 1;
    MarkFile marks = MarkFile.read(part.get(file), file, format, places, decompressor);
    MarkFile.Builder builder = MarkFile.builder(format, places);
    for (int mark = 0; mark < marks.markCount(); mark++) {
      for (int place = 0; place < places; place++) {
        builder.place(
            moved.getOrDefault(marks.frameOffset(mark, place), 0L),
            marks.offsetInFrame(mark, place));
      }
      builder.end(format.rows() ? marks.rowCount(mark) : 0);
    }
    return Optional.of(builder.build().write(compressor, CodecChain.LZ4));
  }

  /** Places in a mark of a Compact part: the longest that the size of the file allows. */
  private int places(Map<String, byte[]> part, String file, MarkFormat format) {
    byte[] content =
        format.compressed()
            ? decompressor.decompressAll(part.get(file), 0, file, 1 << 28)
            : part.get(file);
    for (int places = 4096; places > 0; places--) {
      if (content.length % (8 * (2 * places + 1)) == 0) {
        try {
          MarkFile marks = MarkFile.read(part.get(file), file, format, places, decompressor);
          if (marks.hasFinalMark() && marks.granuleCount() > 0) {
            return places;
          }
        } catch (RuntimeException notThatMany) {
          continue;
        }
      }
    }
    throw new AssertionError("no places in " + file);
  }

  /** The part with one file replaced, and checksums.txt that agrees. */
  Map<String, byte[]> with(Map<String, byte[]> part, String file, byte[] content) {
    Map<String, byte[]> result = new TreeMap<>(part);
    result.put(file, content);
    return sealed(result);
  }

  private Map<String, byte[]> sealed(Map<String, byte[]> part) {
    SortedMap<String, ChecksumsFile.Entry> entries = ChecksumsFile.newFiles();
    checksums(part)
        .files()
        .forEach(
            (file, entry) -> {
              byte[] bytes = part.get(file);
              entries.put(
                  file, new ChecksumsFile.Entry(bytes.length, FileHash.of(bytes), entry.content()));
            });
    part.put(
        ChecksumsFile.NAME,
        new ChecksumsFile(entries).write(compressor, CodecChain.LZ4, ChecksumsFile.BLOCK_BYTES));
    return part;
  }

  static int int32(byte[] bytes, int at) {
    return (bytes[at] & 0xff)
        | (bytes[at + 1] & 0xff) << 8
        | (bytes[at + 2] & 0xff) << 16
        | (bytes[at + 3] & 0xff) << 24;
  }

  static byte[] concat(byte[] a, byte[] b) {
    byte[] both = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    return both;
  }

  @Override
  public void close() {
    decompressor.close();
    compressor.close();
  }
}
