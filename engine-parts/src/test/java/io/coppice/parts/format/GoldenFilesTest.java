package io.coppice.parts.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.hash.FileHash;
import io.coppice.base.hash.Hash128;
import io.coppice.fixtures.Golden;
import io.coppice.parts.compress.CodecChain;
import io.coppice.parts.compress.Compressor;
import io.coppice.parts.compress.Decompressor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every file of every golden part is read, and written again to equal bytes. */
class GoldenFilesTest {
  private static List<GoldenParts.Part> parts;

  private BufferAllocator allocator;
  private Compressor compressor;
  private Decompressor decompressor;

  @BeforeAll
  static void unpack(@TempDir Path temp) {
    parts = GoldenParts.all(temp);
  }

  @BeforeEach
  void open() {
    allocator = new RootAllocator();
    compressor = new Compressor(allocator);
    decompressor = new Decompressor(allocator);
  }

  @AfterEach
  void close() {
    compressor.close();
    decompressor.close();
    allocator.close();
  }

  /** The file written again; empty for kinds that this test leaves to others. */
  private Optional<byte[]> again(GoldenParts.Part part, String file) {
    byte[] bytes = part.bytes(file);
    String name = part + "/" + file;
    return switch (file) {
      case ColumnsFile.NAME -> Optional.of(ColumnsFile.read(bytes, name).write());
      case ColumnsSubstreamsFile.NAME ->
          Optional.of(ColumnsSubstreamsFile.read(bytes, name).write());
      case CountFile.NAME -> Optional.of(CountFile.read(bytes, name).write());
      case MetadataVersionFile.NAME -> Optional.of(MetadataVersionFile.read(bytes, name).write());
      case DefaultCodecFile.NAME -> Optional.of(DefaultCodecFile.read(bytes, name).write());
      case SerializationFile.NAME -> Optional.of(SerializationFile.read(bytes, name).write());
      case TtlFile.NAME -> Optional.of(TtlFile.read(bytes, name).write());
      case SourcePartsFile.NAME -> Optional.of(SourcePartsFile.read(bytes, name).write());
      case PackedFile.SKIP_INDEXES, PackedFile.STATISTICS ->
          Optional.of(PackedFile.read(bytes, name).write());
      case ChecksumsFile.NAME -> {
        ChecksumsFile read = ChecksumsFile.read(bytes, name, decompressor);
        byte[] lz4 = read.write(compressor, CodecChain.LZ4, ChecksumsFile.BLOCK_BYTES);
        yield Optional.of(Arrays.equals(lz4, bytes) ? lz4 : inDefaultCodec(part, read));
      }
      default -> MarkFormat.ofFileName(file).map(format -> marks(part, file, bytes, format));
    };
  }

  private byte[] inDefaultCodec(GoldenParts.Part part, ChecksumsFile file) {
    // 18.16.1 had ZSTD in its configuration for these cases.
    CodecChain chain =
        part.has(DefaultCodecFile.NAME)
            ? DefaultCodecFile.read(part.bytes(DefaultCodecFile.NAME), "").chain()
            : CodecChain.parse("ZSTD(1)");
    return file.write(compressor, chain, ChecksumsFile.BLOCK_BYTES);
  }

  private byte[] marks(GoldenParts.Part part, String file, byte[] bytes, MarkFormat format) {
    int places = 1;
    if (file.startsWith("data.")) {
      places =
          format.perStream()
              ? ColumnsSubstreamsFile.read(part.bytes(ColumnsSubstreamsFile.NAME), "")
                  .streams()
                  .size()
              : ColumnsFile.read(part.bytes(ColumnsFile.NAME), "").columns().size();
    }
    MarkFile marks = MarkFile.read(bytes, part + "/" + file, format, places, decompressor);
    String stem = file.substring(0, file.lastIndexOf('.'));
    for (String extension : List.of(".bin", ".idx", ".idx2")) {
      if (part.has(stem + extension)) {
        marks.checkWithin(part.bytes(stem + extension).length, file);
      }
    }
    if (format.rows() && !file.startsWith("skp_idx_") && marks.hasFinalMark()) {
      long count = CountFile.read(part.bytes(CountFile.NAME), "").rowCount();
      assertThat(marks.totalRowCount()).as("%s/%s", part, file).isEqualTo(count);
    }
    return marks.write(compressor, CodecChain.ZSTD_3);
  }

  @Test
  void everyFileIsReadAndWrittenToEqualBytes() {
    Map<String, int[]> counts = new TreeMap<>();
    List<String> different = new ArrayList<>();
    for (GoldenParts.Part part : parts) {
      for (String file : part.files()) {
        Optional<byte[]> written = again(part, file);
        if (written.isPresent()) {
          String kind =
              MarkFormat.ofFileName(file).map(MarkFormat::extension).orElse(file)
                  + " of "
                  + part.golden().engine().version();
          boolean equal = Arrays.equals(written.get(), part.bytes(file));
          counts.computeIfAbsent(kind, k -> new int[2])[equal ? 0 : 1]++;
          if (!equal) {
            different.add(part + "/" + file);
          }
        }
      }
    }
    counts.forEach(
        (kind, n) -> System.out.println(kind + ": " + n[0] + " equal, " + n[1] + " not"));
    assertThat(different).isEmpty();
  }

  @Test
  void checksumsTellSizesAndHashesOfTheFiles() {
    int files = 0;
    for (GoldenParts.Part part : parts) {
      ChecksumsFile checksums =
          ChecksumsFile.read(part.bytes(ChecksumsFile.NAME), part.toString(), decompressor);
      for (Map.Entry<String, ChecksumsFile.Entry> file : checksums.files().entrySet()) {
        ChecksumsFile.Entry entry = file.getValue();
        if (file.getKey().endsWith(".proj")) {
          byte[] inside =
              new GoldenParts.Part(part.golden(), part.directory().resolve(file.getKey()))
                  .bytes(ChecksumsFile.NAME);
          ChecksumsFile of = ChecksumsFile.read(inside, file.getKey(), decompressor);
          assertThat(entry.sizeBytes()).isEqualTo(of.totalSizeBytes());
          assertThat(entry.hash()).isEqualTo(of.hashOfAllFiles());
        } else {
          byte[] bytes = part.bytes(file.getKey());
          assertThat((long) bytes.length).isEqualTo(entry.sizeBytes());
          assertThat(FileHash.of(bytes)).as("%s/%s", part, file.getKey()).isEqualTo(entry.hash());
        }
        files++;
      }
      assertThat(ChecksumsFile.read(checksums.writeUncompressed(), "v3", decompressor))
          .isEqualTo(checksums);
      assertThat(ChecksumsFile.read(checksums.writeText(), "v2", decompressor))
          .isEqualTo(checksums);
    }
    System.out.println("files compared with checksums.txt: " + files);
  }

  @Test
  void theThreeHashesAreThoseOfSystemParts() {
    int count = 0;
    for (GoldenParts.Part part : parts) {
      Golden golden = part.golden();
      List<String> lines =
          golden.has("parts.tsv") ? golden.text("parts.tsv").lines().toList() : List.of("");
      List<String> names = List.of(lines.get(0).split("\t"));
      int first = names.indexOf("hash_of_all_files");
      for (String line : lines.subList(1, lines.size())) {
        String[] cells = line.split("\t");
        if (cells[0].equals(part.name()) && cells[1].equals("1") && first > 0) {
          ChecksumsFile checksums =
              ChecksumsFile.read(part.bytes(ChecksumsFile.NAME), part.toString(), decompressor);
          List<Hash128> hashes =
              List.of(
                  checksums.hashOfAllFiles(),
                  checksums.hashOfUncompressedFiles(),
                  checksums.uncompressedHashOfCompressedFiles());
          assertThat(hashes.stream().map(Hash128::numberHex))
              .containsExactly(cells[first], cells[first + 1], cells[first + 2]);
          count++;
        }
      }
    }
    System.out.println("parts with the hashes of system.parts: " + count);
    assertThat(count).isGreaterThan(100);
  }
}
