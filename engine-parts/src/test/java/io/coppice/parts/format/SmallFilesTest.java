package io.coppice.parts.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.base.hash.Hash128;
import io.coppice.parts.compress.CodecChain;
import io.coppice.parts.compress.Compressor;
import io.coppice.parts.compress.Decompressor;
import io.coppice.parts.format.SerializationFile.Info;
import io.coppice.parts.format.SerializationFile.Kind;
import io.coppice.parts.format.TtlFile.RuleKind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

/** Texts that 26.7 wrote and that are in no golden part, and what each file says in particular. */
class SmallFilesTest {
  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void refused(ErrorCode code, Runnable read) {
    assertThatThrownBy(read::run)
        .isInstanceOfSatisfying(EngineException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void columnsWithNamesThatNeedEscapes() {
    byte[] bytes =
        utf8(
            "columns format version: 1\n2 columns:\n`q\"\\\\/\u0001\\n\\t\u007fä` UInt8\n"
                + "`z'\\`` Tuple(a UInt8, b String)\n");
    ColumnsFile file = ColumnsFile.read(bytes, "columns.txt");
    assertThat(file.columns())
        .containsExactly(
            new ColumnsFile.Column("q\"\\/\u0001\n\t\u007fä", "UInt8"),
            new ColumnsFile.Column("z'`", "Tuple(a UInt8, b String)"));
    assertThat(file.write()).isEqualTo(bytes);
  }

  @Test
  void columnsThatContradictThemselvesAreRefused() {
    String good = "columns format version: 1\n1 columns:\n`a` UInt8\n";
    ColumnsFile.read(utf8(good), "columns.txt");
    ErrorCode syntax = ErrorCode.CANNOT_PARSE_INPUT_ASSERTION_FAILED;
    for (String bad :
        List.of(
            good.replace("\n", "\r\n"),
            good.replace("version: 1", "version: 2"),
            good.replace("1 columns", "2 columns"),
            good.replace("1 columns", "0 columns"),
            good.replace("1 columns", "9999999999 columns"),
            good.replace("`a`", "a"),
            good + "x")) {
      refused(syntax, () -> ColumnsFile.read(utf8(bad), "columns.txt"));
    }
    String twice = "columns format version: 1\n2 columns:\n`a` UInt8\n`a` UInt8\n";
    refused(ErrorCode.DUPLICATE_COLUMN, () -> ColumnsFile.read(utf8(twice), "columns.txt"));
  }

  @Test
  void serializationOfVersionZeroHasColumnsOnly() {
    byte[] bytes =
        utf8(
            "{\"columns\":[{\"kind\":\"Default\",\"name\":\"id\",\"num_defaults\":1,\"num_rows\":100},"
                + "{\"kind\":\"Sparse\",\"name\":\"q\\\"\\\\\\/\\u0001\\n\\t\u007fä\",\"num_defaults\":100,"
                + "\"num_rows\":100},{\"kind\":\"Default\",\"name\":\"t\",\"num_defaults\":100,"
                + "\"num_rows\":100,\"subcolumns\":[{\"kind\":\"Sparse\",\"num_defaults\":100,"
                + "\"num_rows\":100},{\"kind\":\"Sparse\",\"num_defaults\":100,\"num_rows\":100}]}],"
                + "\"version\":0}");
    SerializationFile file = SerializationFile.read(bytes, "serialization.json");
    assertThat(file.version()).isZero();
    assertThat(file.stringsWithSizes()).isFalse();
    assertThat(file.info("q\"\\/\u0001\n\t\u007fä")).contains(new Info(Kind.SPARSE, 100, 100));
    assertThat(file.info("t").orElseThrow().subcolumns().orElseThrow()).hasSize(2);
    assertThat(file.info("z")).isEmpty();
    assertThat(file.write()).isEqualTo(bytes);
  }

  @Test
  void serializationSaysWhichTypesHaveNewForms() {
    SerializationFile file =
        new SerializationFile(
            1,
            true,
            Map.of("string", 1, "nullable", 1),
            List.of(new SerializationFile.Column("n", new Info(Kind.SPARSE, 98, 100))));
    assertThat(new String(file.write(), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"columns\":[{\"kind\":\"Sparse\",\"name\":\"n\",\"num_defaults\":98,\"num_rows\":100}],"
                + "\"propagate_types_serialization_versions_to_nested_types\":true,"
                + "\"types_serialization_versions\":{\"nullable\":1,\"string\":1},\"version\":1}");
    assertThat(SerializationFile.read(file.write(), "serialization.json")).isEqualTo(file);
    for (String bad :
        List.of(
            "{}",
            "{\"columns\":[],\"version\":9}",
            "{\"columns\":[],\"version\":1}x",
            "{\"columns\":[],\"version\":1,\"surprise\":1}",
            "{\"columns\":[{\"kind\":\"Default\"}],\"version\":1}",
            "[".repeat(100_000))) {
      refused(
          ErrorCode.CORRUPTED_DATA, () -> SerializationFile.read(utf8(bad), "serialization.json"));
    }
  }

  @Test
  void ttlOfEveryKind() {
    byte[] bytes =
        utf8(
            "ttl format version: 1\n{\"columns\":[{\"name\":\"v\",\"min\":564773504,\"max\":564773603,"
                + "\"finished\":0},{\"name\":\"w\\\"\\/ä\\\\\",\"min\":249240704,\"max\":249240803,"
                + "\"finished\":0}],\"table\":{\"min\":533237504,\"max\":533237603,\"finished\":0},"
                + "\"moves\":[{\"expression\":\"d + toIntervalYear(95)\",\"min\":407007104,"
                + "\"max\":407007203,\"finished\":0}],\"recompression\":[{\"expression\":"
                + "\"d + toIntervalYear(80)\",\"min\":4228588800,\"max\":4228588899,\"finished\":0}],"
                + "\"group_by\":[{\"expression\":\"d + toIntervalYear(97)\",\"min\":470165504,"
                + "\"max\":470165603,\"finished\":0}],\"rows_where\":[{\"expression\":"
                + "\"d + toIntervalYear(100)\",\"min\":564773510,\"max\":564773603,\"finished\":0}]}");
    TtlFile file = TtlFile.read(bytes, "ttl.txt");
    assertThat(file.table()).contains(new TtlFile.Times(533237504, 533237603, false));
    assertThat(file.columns().get(1).subject()).isEqualTo("w\"/ä\\");
    assertThat(file.rules().keySet()).containsExactly(RuleKind.values());
    assertThat(file.write()).isEqualTo(bytes);
  }

  @Test
  void checksumsOfOldAndOfNoVersions() {
    try (BufferAllocator allocator = new RootAllocator();
        Compressor compressor = new Compressor(allocator);
        Decompressor decompressor = new Decompressor(allocator)) {
      String text =
          "checksums format version: 2\n2 files:\nid.bin\n\tsize: 57\n\thash: 1 18446744073709551615\n"
              + "\tcompressed: 1\n\tuncompressed size: 80\n\tuncompressed hash: 3 4\nid.mrk\n\tsize: 16\n"
              + "\thash: 5 6\n\tcompressed: 0\n";
      ChecksumsFile file = ChecksumsFile.read(utf8(text), "checksums.txt", decompressor);
      SortedMap<String, ChecksumsFile.Entry> files = ChecksumsFile.newFiles();
      files.put("id.bin", ChecksumsFile.Entry.of(57, new Hash128(1, -1), 80, new Hash128(3, 4)));
      files.put("id.mrk", ChecksumsFile.Entry.of(16, new Hash128(5, 6)));
      assertThat(file).isEqualTo(new ChecksumsFile(files));
      assertThat(file.writeText()).isEqualTo(utf8(text));
      assertThat(file.totalSizeBytes()).isEqualTo(73);
      for (CodecChain chain : List.of(CodecChain.LZ4, CodecChain.NONE)) {
        byte[] written = file.write(compressor, chain, ChecksumsFile.BLOCK_BYTES);
        assertThat(ChecksumsFile.read(written, "checksums.txt", decompressor)).isEqualTo(file);
      }
      assertThat(
              ChecksumsFile.read(utf8("checksums format version: 1\n"), "v1", decompressor).files())
          .isEmpty();
      refused(
          ErrorCode.UNKNOWN_FORMAT,
          () -> ChecksumsFile.read(file.minimalistic(), "checksums.txt", decompressor));
      refused(
          ErrorCode.INCORRECT_FILE_NAME,
          () ->
              ChecksumsFile.read(
                  utf8(text.replace("id.mrk", "../id.mrk")), "checksums.txt", decompressor));
    }
  }

  @Test
  void packedFilesLieOneAfterTheOther() {
    PackedFile file =
        new PackedFile(
            0,
            List.of(
                new PackedFile.Entry("statistics_a.stats", 0, new byte[] {1, 2, 3}),
                new PackedFile.Entry("statistics_b.stats", 0, new byte[] {})));
    PackedFile read = PackedFile.read(file.write(), PackedFile.STATISTICS);
    assertThat(read.entry("statistics_a.stats").orElseThrow().content()).containsExactly(1, 2, 3);
    assertThat(read.entry("statistics_c.stats")).isEmpty();
    assertThat(read.write()).isEqualTo(file.write());
  }

  @Test
  void singleFactsAreKept() {
    UUID uuid = UUID.fromString("61f0c404-5cb3-11e7-907b-a6006ad3dba0");
    assertThat(UuidFile.read(new UuidFile(uuid).write(), "uuid.txt").uuid()).isEqualTo(uuid);
    assertThat(FormatVersionFile.read(utf8("1"), "format_version.txt"))
        .isEqualTo(FormatVersionFile.CUSTOM_PARTITIONING);
    assertThat(FormatVersionFile.read(utf8("0\n"), "format_version.txt"))
        .isEqualTo(FormatVersionFile.MONTHLY);
    refused(
        ErrorCode.UNKNOWN_FORMAT, () -> FormatVersionFile.read(utf8("2"), "format_version.txt"));
    for (String text : List.of("version: 1", "version: 1\n", "version: 1\ncreation_csn: 7\n")) {
      assertThat(TxnVersionFile.read(utf8(text), "txn_version.txt").write()).isEqualTo(utf8(text));
    }
    assertThat(Optional.of(new CountFile(0).write())).contains(utf8("0"));
    for (String text : List.of("", "01", "-1", "1\n", "9223372036854775808", "1e3", " 1")) {
      refused(
          ErrorCode.CANNOT_PARSE_INPUT_ASSERTION_FAILED,
          () -> CountFile.read(utf8(text), "count.txt"));
    }
  }

  @Test
  void marksThatGoBackOrAreImpossibleAreRefused() {
    try (BufferAllocator allocator = new RootAllocator();
        Compressor compressor = new Compressor(allocator);
        Decompressor decompressor = new Decompressor(allocator)) {
      MarkFile.Builder good = MarkFile.builder(MarkFormat.MRK2, 1);
      good.place(0, 0).end(8192).place(0, 32768).end(8192).place(500, 0).end(0);
      MarkFile marks = good.build();
      assertThat(marks.granuleCount()).isEqualTo(2);
      assertThat(marks.totalRowCount()).isEqualTo(16384);
      assertThat(marks.frameOffset(2, 0)).isEqualTo(500);
      assertThat(marks.offsetInFrame(1, 0)).isEqualTo(32768);
      marks.checkWithin(500, "x.mrk2");
      refused(ErrorCode.CORRUPTED_DATA, () -> marks.checkWithin(499, "x.mrk2"));

      long[][] bad = {
        {10, 0, 5, 9, 0, 5}, // goes back
        {0, 9, 5, 0, 8, 5}, // goes back inside a frame
        {-1, 0, 5, 0, 0, 5},
        {0, 1L << 40, 5, 0, 0, 5},
        {0, 0, 0, 0, 0, 5}, // 0 rows before the end
        {0, 0, 1L << 40, 0, 0, 5},
      };
      for (long[] numbers : bad) {
        MarkFile.Builder built = MarkFile.builder(MarkFormat.MRK2, 1);
        built.place(numbers[0], numbers[1]).end(numbers[2]);
        built.place(numbers[3], numbers[4]).end(numbers[5]);
        byte[] bytes = built.build().write(compressor, CodecChain.ZSTD_3);
        refused(
            ErrorCode.CORRUPTED_DATA,
            () -> MarkFile.read(bytes, "x.mrk2", MarkFormat.MRK2, 1, decompressor));
      }
    }
  }
}
