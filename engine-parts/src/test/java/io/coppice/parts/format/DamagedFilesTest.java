package io.coppice.parts.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.bytes.ByteReader;
import io.coppice.base.error.EngineException;
import io.coppice.fixtures.Golden;
import io.coppice.language.parse.Parser;
import io.coppice.language.type.DataType;
import io.coppice.parts.compress.Decompressor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every kind of file cut at every length, with every byte changed, and with absurd numbers written
 * over it: it is read as something else or refused by an {@link EngineException}, with memory of
 * the size of the file.
 */
class DamagedFilesTest {
  private static final long DIRECT_LIMIT = 64 << 20;

  @TempDir Path temp;

  private BufferAllocator allocator;
  private Decompressor decompressor;
  private final Map<String, int[]> counts = new LinkedHashMap<>();

  @BeforeEach
  void open() {
    allocator = new RootAllocator(DIRECT_LIMIT);
    decompressor = new Decompressor(allocator);
  }

  @AfterEach
  void close() {
    decompressor.close();
    assertThat(allocator.getAllocatedMemory()).isZero();
    allocator.close();
  }

  private void tryIt(String kind, byte[] bytes, Consumer<byte[]> reader) {
    int[] count = counts.computeIfAbsent(kind, k -> new int[2]);
    try {
      reader.accept(bytes);
      count[0]++;
    } catch (EngineException e) {
      assertThat(e.getMessage()).as(kind).isNotEmpty();
      count[1]++;
    }
  }

  private void sweep(String kind, byte[] good, Random random, Consumer<byte[]> reader) {
    reader.accept(good);
    for (int size = 0; size < good.length; size++) {
      tryIt(kind, Arrays.copyOf(good, size), reader);
    }
    for (int at = 0; at < good.length; at++) {
      byte[] flipped = good.clone();
      flipped[at] ^= (byte) (1 << random.nextInt(8));
      tryIt(kind, flipped, reader);
      byte[] other = good.clone();
      other[at] = (byte) random.nextInt();
      tryIt(kind, other, reader);
    }
    // Numbers as they are stored: 2^60 and 2^64 - 1 of variable length, 8 bytes of ones, 2^62.
    byte[][] absurd = {
      {-128, -128, -128, -128, -128, -128, -128, -128, 16},
      {-1, -1, -1, -1, -1, -1, -1, -1, -1, 1},
      {-1, -1, -1, -1, -1, -1, -1, -1},
      {0, 0, 0, 0, 0, 0, 0, 64},
      "99999999999999999999".getBytes(StandardCharsets.US_ASCII)
    };
    for (byte[] number : absurd) {
      for (int at = 0; at <= good.length - number.length; at++) {
        byte[] written = good.clone();
        System.arraycopy(number, 0, written, at, number.length);
        tryIt(kind, written, reader);
      }
    }
    byte[] longer = Arrays.copyOf(good, good.length + 1);
    tryIt(kind, longer, reader);
  }

  private void withVectors(List<DataType> types, Consumer<List<FieldVector>> work) {
    List<FieldVector> vectors = new ArrayList<>();
    types.forEach(type -> vectors.add(TestVectors.of(type, allocator)));
    try {
      work.accept(vectors);
    } finally {
      vectors.forEach(FieldVector::close);
    }
  }

  private GoldenParts.Part part(String name) {
    Golden golden = Golden.of(Golden.Engine.V26_7, name);
    return new GoldenParts.Part(golden, golden.unpackParts(temp.resolve(name)).get(0));
  }

  @Test
  void filesAreReadOrRefused() {
    String given = System.getProperty("coppice.seed", "");
    long seed = given.isEmpty() ? 5 : Long.decode(given);
    System.out.println("-Dcoppice.seed=" + seed);
    Random random = new Random(seed);
    GoldenParts.Part tuples = part("b_composite_wide");
    GoldenParts.Part minmax = part("f_part_minmax_multi");
    GoldenParts.Part keys = part("g_pk_types");
    GoldenParts.Part ttl = part("l_ttl_column");
    GoldenParts.Part patch = part("k_lw_update_part");
    for (GoldenParts.Part each :
        GoldenParts.all(temp.resolve("all"), Golden.Engine.V26_7, "k_lw_update_part")) {
      patch = each.has(SourcePartsFile.NAME) ? each : patch;
    }
    GoldenParts.Part compact = part("d_sparse_compact");

    sweep(
        "columns.txt",
        tuples.bytes(ColumnsFile.NAME),
        random,
        bytes -> ColumnsFile.read(bytes, "columns.txt"));
    sweep(
        "columns_substreams.txt",
        tuples.bytes(ColumnsSubstreamsFile.NAME),
        random,
        bytes -> ColumnsSubstreamsFile.read(bytes, "columns_substreams.txt"));
    sweep(
        "serialization.json",
        tuples.bytes(SerializationFile.NAME),
        random,
        bytes -> SerializationFile.read(bytes, "serialization.json"));
    sweep(
        "count.txt",
        "1234567".getBytes(StandardCharsets.US_ASCII),
        random,
        bytes -> CountFile.read(bytes, "count.txt"));
    sweep(
        "metadata_version.txt",
        "12".getBytes(StandardCharsets.US_ASCII),
        random,
        bytes -> MetadataVersionFile.read(bytes, "metadata_version.txt"));
    sweep(
        "default_compression_codec.txt",
        "CODEC(Delta(4), ZSTD(2))".getBytes(StandardCharsets.US_ASCII),
        random,
        bytes -> DefaultCodecFile.read(bytes, "default_compression_codec.txt"));
    sweep(
        "uuid.txt",
        "61f0c404-5cb3-11e7-907b-a6006ad3dba0".getBytes(StandardCharsets.US_ASCII),
        random,
        bytes -> UuidFile.read(bytes, "uuid.txt"));
    sweep(
        "format_version.txt",
        "1".getBytes(StandardCharsets.US_ASCII),
        random,
        bytes -> FormatVersionFile.read(bytes, "format_version.txt"));
    sweep(
        "txn_version.txt",
        "version: 1\ncreation_tid: (1, 1, 00000000-0000-0000-0000-000000000000)\ncreation_csn: 7"
            .getBytes(StandardCharsets.US_ASCII),
        random,
        bytes -> TxnVersionFile.read(bytes, "txn_version.txt"));
    sweep("ttl.txt", ttl.bytes(TtlFile.NAME), random, bytes -> TtlFile.read(bytes, "ttl.txt"));
    sweep(
        "source_parts.dat",
        patch.bytes(SourcePartsFile.NAME),
        random,
        bytes -> SourcePartsFile.read(bytes, "source_parts.dat"));
    sweep(
        "skp_idx.packed",
        part("h_skip_packed").bytes(PackedFile.SKIP_INDEXES),
        random,
        bytes -> PackedFile.read(bytes, "skp_idx.packed"));

    ChecksumsFile checksums =
        ChecksumsFile.read(tuples.bytes(ChecksumsFile.NAME), "checksums.txt", decompressor);
    sweep(
        "checksums.txt 4",
        tuples.bytes(ChecksumsFile.NAME),
        random,
        bytes -> ChecksumsFile.read(bytes, "checksums.txt", decompressor));
    sweep(
        "checksums.txt 3",
        checksums.writeUncompressed(),
        random,
        bytes -> ChecksumsFile.read(bytes, "checksums.txt", decompressor));
    sweep(
        "checksums.txt 2",
        checksums.writeText(),
        random,
        bytes -> ChecksumsFile.read(bytes, "checksums.txt", decompressor));

    String marks = "id.cmrk2";
    sweep(
        ".cmrk2",
        tuples.bytes(marks),
        random,
        bytes -> MarkFile.read(bytes, marks, MarkFormat.CMRK2, 1, decompressor));
    byte[] plain = decompressor.decompressAll(tuples.bytes(marks), 0, marks, 1 << 20);
    sweep(
        ".mrk2",
        plain,
        random,
        bytes ->
            MarkFile.read(bytes, "id.mrk2", MarkFormat.MRK2, 1, decompressor)
                .checkWithin(100, "id.mrk2"));
    int places =
        ColumnsSubstreamsFile.read(compact.bytes(ColumnsSubstreamsFile.NAME), "").streams().size();
    byte[] compactMarks =
        decompressor.decompressAll(compact.bytes("data.cmrk4"), 0, "data", 1 << 20);
    sweep(
        ".mrk4",
        compactMarks,
        random,
        bytes -> MarkFile.read(bytes, "data.mrk4", MarkFormat.MRK4, places, decompressor));

    List<DataType> keyTypes = GoldenKeys.primaryKey(Parser.createTable(keys.golden().createSql()));
    byte[][] index = new byte[1][];
    withVectors(
        keyTypes,
        vectors -> {
          byte[] all = keys.bytes(PrimaryIndexFile.NAME);
          new KeyValues(keyTypes, vectors).read(new ByteReader(all, "primary.idx"), 5);
          index[0] = PrimaryIndexFile.write(keyTypes, vectors, 0, 5);
        });
    sweep(
        "primary.idx",
        index[0],
        random,
        bytes ->
            withVectors(
                keyTypes,
                vectors -> PrimaryIndexFile.read(bytes, "primary.idx", keyTypes, vectors, 5)));
    List<DataType> partitionTypes =
        GoldenKeys.partitionKey(Parser.createTable(minmax.golden().createSql()));
    sweep(
        "partition.dat",
        minmax.bytes(PartitionFile.NAME),
        random,
        bytes ->
            withVectors(
                partitionTypes,
                vectors -> PartitionFile.read(bytes, "partition.dat", partitionTypes, vectors)));
    for (String type : List.of("String", "Array(String)", "Map(String, Nullable(UInt8))", "Bool")) {
      DataType parsed = Parser.type(type);
      byte[] two =
          type.equals("Bool")
              ? new byte[] {0, 1}
              : type.equals("String")
                  ? new byte[] {1, 'a', 2, 'b', 'c'}
                  : type.startsWith("Array")
                      ? new byte[] {0, 2, 1, 'a', 2, 'b', 'c'}
                      : new byte[] {0, 2, 1, 'a', 1, 2, 'b', 'c', 0, 7};
      sweep(
          "minmax of " + type,
          two,
          random,
          bytes ->
              withVectors(
                  List.of(parsed),
                  vectors -> MinMaxFile.read(bytes, "minmax_x.idx", parsed, vectors.get(0))));
    }
    int all = 0;
    for (Map.Entry<String, int[]> kind : counts.entrySet()) {
      int[] n = kind.getValue();
      all += n[0] + n[1];
      System.out.println(kind.getKey() + ": " + n[1] + " refused, " + n[0] + " read");
    }
    System.out.println("damaged files: " + all);
  }
}
