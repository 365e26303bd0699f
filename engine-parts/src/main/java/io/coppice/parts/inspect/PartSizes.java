package io.coppice.parts.inspect;

import io.coppice.parts.column.Encoding.Mode;
import io.coppice.parts.column.Encoding.Substream;
import io.coppice.parts.column.Encodings;
import io.coppice.parts.format.ChecksumsFile;
import io.coppice.parts.format.PrimaryIndexFile;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.table.ArrowMapping;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Bytes of a part by what they are for, as {@code system.parts} of ClickHouse counts them: data of
 * columns, marks of columns, primary index, skip indexes. Only small files are read. Immutable.
 *
 * @param onDisk of all files that checksums.txt lists, of all files where it is absent
 * @param uncompressed what is in all compressed files
 * @param data of columns
 * @param marks of columns
 * @param primaryIndex as stored
 * @param indexes of skip indexes
 * @param indexMarks their marks
 */
public record PartSizes(
    long onDisk,
    long uncompressed,
    Amount data,
    long marks,
    long primaryIndex,
    Amount indexes,
    long indexMarks) {
  private static final String INDEX_PREFIX = "skp_idx_";

  /** Bytes as stored and as they are when decompressed. */
  public record Amount(long compressed, long uncompressed) {
    /** Nothing. */
    public static final Amount NONE = new Amount(0, 0);

    Amount plus(long moreCompressed, long moreUncompressed) {
      return new Amount(compressed + moreCompressed, uncompressed + moreUncompressed);
    }
  }

  /**
   * Bytes of one column.
   *
   * @param streams names of its files without their ending; none in a Compact part
   */
  public record OfColumn(Amount data, long marks, List<String> streams) {
    public OfColumn {
      streams = List.copyOf(streams);
    }

    /** Data and marks as stored. */
    public long onDisk() {
      return data.compressed() + marks;
    }
  }

  /** The bytes of a part. */
  public static PartSizes of(LoadedPart part) {
    long onDisk = part.checksums().map(ChecksumsFile::totalSizeBytes).orElse(0L);
    boolean listed = onDisk > 0;
    long uncompressed = 0;
    if (part.checksums().isPresent()) {
      for (ChecksumsFile.Entry entry : part.checksums().get().files().values()) {
        uncompressed += entry.content().map(ChecksumsFile.Content::sizeBytes).orElse(0L);
      }
    }
    long marks = 0;
    long indexMarks = 0;
    Amount data = Amount.NONE;
    Amount indexes = Amount.NONE;
    for (Map.Entry<String, Long> file : part.files().entrySet()) {
      String name = file.getKey();
      long size = file.getValue();
      boolean index = name.startsWith(INDEX_PREFIX);
      onDisk += listed ? 0 : size;
      if (name.endsWith(part.markFormat().extension())) {
        marks += index ? 0 : size;
        indexMarks += index ? size : 0;
      } else if (index) {
        indexes = indexes.plus(size, uncompressed(part, name));
      } else if (name.endsWith(".bin")) {
        data = data.plus(size, uncompressed(part, name));
      }
    }
    return new PartSizes(
        onDisk, uncompressed, data, marks, primaryIndex(part), indexes, indexMarks);
  }

  private static long primaryIndex(LoadedPart part) {
    return part.files()
        .getOrDefault(
            PrimaryIndexFile.COMPRESSED_NAME, part.files().getOrDefault(PrimaryIndexFile.NAME, 0L));
  }

  private static long uncompressed(LoadedPart part, String file) {
    return part.checksums()
        .map(sums -> sums.files().get(file))
        .flatMap(ChecksumsFile.Entry::content)
        .map(ChecksumsFile.Content::sizeBytes)
        .orElse(0L);
  }

  /**
   * The bytes of every readable column, in the part's order.
   *
   * @param allocator for reading marks of a Compact part in passing
   */
  public static Map<String, OfColumn> columns(LoadedPart part, BufferAllocator allocator)
      throws IOException {
    Map<String, OfColumn> columns = new LinkedHashMap<>();
    List<String> names = List.copyOf(part.columns().keySet());
    if (part.compact()) {
      CompactSizes sizes = CompactSizes.of(part, allocator);
      for (int i = 0; i < names.size(); i++) {
        Amount data = new Amount(sizes.compressedBytes(i), sizes.uncompressedBytes(i));
        columns.put(names.get(i), new OfColumn(data, 0, List.of()));
      }
      return columns;
    }
    for (String name : names) {
      if (ArrowMapping.readable(part.columns().get(name))) {
        columns.put(name, wide(part, name));
      }
    }
    return columns;
  }

  /** The bytes of a readable column of a Wide part. */
  public static OfColumn wide(LoadedPart part, String column) {
    Amount data = Amount.NONE;
    long marks = 0;
    List<String> streams = new ArrayList<>();
    for (Substream stream :
        Encodings.streams(column, part.columns().get(column), part.options(column, Mode.WIDE))) {
      Optional<String> stem = part.fileOf(stream);
      if (stem.isEmpty()) {
        continue;
      }
      String file = stem.get() + ".bin";
      data = data.plus(part.files().getOrDefault(file, 0L), uncompressed(part, file));
      marks += part.files().getOrDefault(stem.get() + part.markFormat().extension(), 0L);
      streams.add(stem.get());
    }
    return new OfColumn(data, marks, streams);
  }
}
