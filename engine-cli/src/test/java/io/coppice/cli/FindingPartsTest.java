package io.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.fixtures.Golden;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which parts an argument means, and what becomes of the others when one of them is bad. */
class FindingPartsTest {
  @TempDir Path directory;

  private Path table;

  /** Three parts of a table: rows 1 and 2, row 3, and the merge of both. */
  @BeforeEach
  void buildTable() throws IOException {
    table = directory.resolve("table");
    build("1\n2\n", 1);
    build("3\n", 2);
    build("1\n2\n3\n", 3);
    Files.move(table.resolve("all_3_3_0"), table.resolve("all_1_2_1"));
    copy(table.resolve("all_2_2_0"), table.resolve("tmp_merge_all_1_2_2"));
    copy(table.resolve("all_2_2_0"), table.resolve("delete_tmp_all_9_9_0"));
    copy(table.resolve("all_2_2_0"), table.resolve("detached/all_7_7_0"));
  }

  private void build(String rows, int block) throws IOException {
    Path schema = directory.resolve("t.sql");
    Files.writeString(schema, "CREATE TABLE t (a UInt32) ENGINE = MergeTree ORDER BY a");
    Path input = Files.writeString(directory.resolve("t.tsv"), rows);
    Cli.Result built =
        Cli.run(
            "part",
            "build",
            "--schema",
            schema,
            "--input",
            input,
            "--out",
            table,
            "--first-block",
            block);
    assertThat(built.status()).as(built.err()).isZero();
  }

  static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  private static byte[] tar(Path of) throws IOException {
    java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
    try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes);
        Stream<Path> walk = Files.walk(of)) {
      for (Path file : walk.filter(Files::isRegularFile).sorted().toList()) {
        byte[] content = Files.readAllBytes(file);
        TarArchiveEntry entry = new TarArchiveEntry("data/" + of.relativize(file), true);
        entry.setSize(content.length);
        tar.putArchiveEntry(entry);
        tar.write(content);
        tar.closeArchiveEntry();
      }
    }
    return bytes.toByteArray();
  }

  @Test
  void ofATableTheActivePartsAreMeantAndTheOthersAreNamed() throws IOException {
    Files.write(directory.resolve("t.tar"), tar(table));
    Path gz = directory.resolve("t.tgz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(gz))) {
      out.write(tar(table));
    }
    for (Path holder : List.of(table, directory.resolve("t.tar"), gz)) {
      Cli.Result cat = Cli.run("part", "cat", holder);
      assertThat(cat.status()).as(cat.err()).isZero();
      assertThat(cat.text()).as("%s", holder).isEqualTo("1\n2\n3\n");
      assertThat(cat.err())
          .contains("all_1_1_0 (covered by all_1_2_1)", "all_2_2_0 (covered by all_1_2_1)")
          .contains("tmp_merge_all_1_2_2 (left by", "delete_tmp_all_9_9_0 (being deleted)")
          .contains("to have one of them, name it: " + holder);
      assertThat(cat.err().lines()).hasSize(1);
      Cli.Result verify = Cli.run("part", "verify", holder);
      assertThat(verify.status()).as(verify.text() + verify.err()).isZero();
      assertThat(verify.text().lines().filter(line -> line.contains(": fine"))).hasSize(1);
      assertThat(verify.err()).contains("left out");
      assertThat(Cli.run("part", "info", holder, "--json").text())
          .contains("\"all_1_2_1\"")
          .doesNotContain("\"all_1_1_0\"", "\"all_7_7_0\"");
    }
    for (String named :
        List.of("all_1_1_0", "all_2_2_0", "tmp_merge_all_1_2_2", "delete_tmp_all_9_9_0")) {
      Cli.Result cat = Cli.run("part", "cat", table.resolve(named));
      assertThat(cat.status()).as(cat.err()).isZero();
      assertThat(cat.err()).isEmpty();
    }
    assertThat(Cli.run("part", "cat", directory.resolve("t.tar/data/all_1_1_0")).text())
        .isEqualTo("1\n2\n");
    assertThat(Cli.run("part", "cat", table.resolve("detached")).text()).isEqualTo("3\n");
  }

  @Test
  void inATableOnlyNamesOfPartsCount() throws IOException {
    copy(table.resolve("all_1_2_1"), table.resolve("all_1_2_1 copy"));
    copy(table.resolve("all_1_2_1"), table.resolve("broken-on-start_all_1_2_1"));
    copy(table.resolve("all_1_2_1"), table.resolve("detached/all_3_3_0"));
    Files.write(directory.resolve("copies.tar"), tar(table));
    for (Path holder : List.of(table, directory.resolve("copies.tar"))) {
      Cli.Result cat = Cli.run("part", "cat", holder);
      assertThat(cat.status()).as(cat.err()).isZero();
      assertThat(cat.text()).as("%s", holder).isEqualTo("1\n2\n3\n");
      assertThat(cat.err())
          .contains("all_1_2_1 copy (no part's name)")
          .contains("broken-on-start_all_1_2_1 (no part's name)")
          .contains("detached (parts that do not count)");
    }
    // Where there is no table a part may be called as its owner likes.
    copy(table.resolve("all_1_2_1"), directory.resolve("mine/first of all"));
    assertThat(Cli.run("part", "cat", directory.resolve("mine")).text()).isEqualTo("1\n2\n3\n");
    assertThat(Cli.run("part", "cat", table.resolve("all_1_2_1 copy")).text())
        .isEqualTo("1\n2\n3\n");
  }

  @Test
  void partsThatOverlapWithoutCoveringAreNotChosenFrom() throws IOException {
    copy(table.resolve("all_2_2_0"), table.resolve("all_2_5_1"));
    Cli.Result cat = Cli.run("part", "cat", table);
    assertThat(cat.status()).isEqualTo(1);
    assertThat(cat.out()).isEmpty();
    assertThat(cat.err()).contains(table + ": parts all_1_2_1 and all_2_5_1");
  }

  @Test
  void oneBadPartHidesNoOther() throws IOException {
    copy(table.resolve("all_1_2_1"), table.resolve("all_4_4_0"));
    copy(table.resolve("all_1_2_1"), table.resolve("all_5_5_0"));
    copy(table.resolve("all_1_2_1"), table.resolve("all_6_6_0"));
    Files.delete(table.resolve("all_1_2_1/columns.txt"));
    Files.write(table.resolve("all_4_4_0/checksums.txt"), new byte[] {1, 2, 3});
    Files.write(table.resolve("all_5_5_0/data.bin"), new byte[0]);
    Cli.Result verify = Cli.run("part", "verify", directory.resolve("none"), table);
    assertThat(verify.status()).isEqualTo(1);
    assertThat(verify.text())
        .contains("all_1_2_1: 1 fault", "no columns.txt")
        .contains("all_4_4_0: 1 fault", "all_5_5_0: 1 fault", "all_6_6_0: fine");
    assertThat(verify.err()).contains("no such file or directory: " + directory.resolve("none"));
    Cli.Result info = Cli.run("part", "info", table);
    assertThat(info.status()).isEqualTo(1);
    assertThat(info.text()).contains("all_6_6_0\n");
    assertThat(info.err())
        .contains("all_1_2_1: no columns.txt", "all_4_4_0", "all_5_5_0")
        .doesNotContain("Exception");
    Cli.Result json = Cli.run("part", "info", "--json", table);
    assertThat(json.status()).isEqualTo(1);
    assertThat(json.text())
        .contains("\"error_code\" : \"NO_FILE_IN_DATA_PART\"", "\"name\" : \"all_6_6_0\"");
    assertThat(json.text().split("\"path\"", -1)).hasSize(5);
  }

  @Test
  void aPipeInAPartIsAFaultAndNobodyWaitsForIt() throws Exception {
    for (String file : List.of("data.bin", "columns.txt", "checksums.txt", "count.txt", "new")) {
      Path part = directory.resolve("pipe-" + file + "/all_1_1_0");
      copy(table.resolve("all_1_1_0"), part);
      Files.deleteIfExists(part.resolve(file));
      pipe(part.resolve(file));
      Cli.Result verify = Cli.run("part", "verify", part);
      assertThat(verify.status()).isEqualTo(1);
      assertThat(verify.text())
          .contains("1 fault ", file + ": cannot be read: is no regular file but a pipe");
      if (!file.equals("new")) {
        Cli.Result cat = Cli.run("part", "cat", part);
        assertThat(cat.status()).as(file).isEqualTo(1);
        assertThat(cat.err()).contains(file).contains(part.toString());
      }
    }
    Path pipe = directory.resolve("a.tar");
    pipe(pipe);
    Cli.Result info = Cli.run("part", "info", pipe);
    assertThat(info.status()).isEqualTo(1);
    assertThat(info.err()).contains("is a pipe");
    pipe(table.resolve("create.sql"));
    Cli.Result beside = Cli.run("part", "cat", table);
    assertThat(beside.status()).as(beside.err()).isZero();
    assertThat(beside.err()).contains("create.sql");
  }

  private static void pipe(Path path) throws Exception {
    assertThat(new ProcessBuilder("mkfifo", path.toString()).inheritIO().start().waitFor())
        .isZero();
  }

  @Test
  void anArchiveCutAnywhereIsRefused() throws IOException {
    Path part = directory.resolve("cut/all_1_1_0");
    copy(table.resolve("all_1_1_0"), part);
    byte[] whole = tar(part.getParent());
    int end = whole.length; // the writer pads to records of 10 KiB
    while (whole[end - 1] == 0) {
      end--;
    }
    int needed = (end + 511) / 512 * 512 + 1024;
    Path cut = directory.resolve("cut.tar");
    int cuts = 0;
    int step = 100; // then before, at, and in the middle of blocks
    for (int size = 0; size < needed; size += step) {
      step = size == 0 ? 100 : size == 100 ? 411 : size % 512 == 511 ? 1 : 511;
      Files.write(cut, Arrays.copyOf(whole, size));
      for (String command : List.of("verify", "info", "cat")) {
        Cli.Result result = Cli.run("part", command, cut);
        assertThat(result.status()).as("%s, %d bytes", command, size).isEqualTo(1);
        assertThat(result.err()).startsWith("coppice: " + cut).contains("cut off");
      }
      cuts++;
    }
    Files.write(cut, Arrays.copyOf(whole, needed));
    assertThat(Cli.run("part", "verify", cut).status()).isZero();
    System.out.printf("archives: cut at %d places of %d bytes, all refused%n", cuts, needed);
    Path gz = directory.resolve("cut.tar.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(gz))) {
      out.write(whole, 0, needed - 512);
    }
    Cli.Result zipped = Cli.run("part", "verify", gz);
    assertThat(zipped.status()).isEqualTo(1);
    assertThat(zipped.err()).contains("cut.tar.gz: the archive is cut off");
    Files.write(gz, Arrays.copyOf(Files.readAllBytes(gz), 100));
    Cli.Result broken = Cli.run("part", "verify", gz);
    assertThat(broken.status()).isEqualTo(1);
    assertThat(broken.err()).contains("cut.tar.gz: cannot be unpacked").doesNotContain("Exception");
  }

  @Test
  void theColumnsOfACompactPartHaveSizes() {
    Path part =
        Golden.of(Golden.Engine.V26_7, "a_scalars_compact")
            .unpackParts(directory.resolve("b"))
            .get(0);
    Cli.Result info = Cli.run("part", "info", part, "--json");
    assertThat(info.status()).as(info.err()).isZero();
    long total = 0;
    long compressed = 0;
    long all = 0;
    for (String line : info.text().split("\n", -1)) {
      String number = line.replaceAll("[^0-9]", "");
      if (line.strip().startsWith("\"uncompressed_bytes\"")) {
        total += Long.parseLong(number);
      } else if (line.strip().startsWith("\"compressed_bytes\"")) {
        compressed += Long.parseLong(number);
      } else if (line.strip().startsWith("\"data_uncompressed_bytes\"")) {
        all = Long.parseLong(number);
      }
    }
    assertThat(total).isPositive().isEqualTo(all);
    assertThat(compressed).isPositive();
    assertThat(Cli.run("part", "info", part).text()).contains(" of ");
  }

  @Test
  void aNameOutOfAPartMovesNoCursor() throws IOException {
    Path part = table.resolve("all_1_1_0");
    Files.writeString(
        part.resolve("columns.txt"),
        "columns format version: 1\n1 columns:\n`a\u001b[2J\u009b1m` UInt32\n");
    Files.writeString(part.resolve("odd\u001b[31m.bin"), "x", StandardCharsets.UTF_8);
    for (String command : List.of("verify", "info", "cat")) {
      Cli.Result result = Cli.run("part", command, part);
      String said = result.text() + result.err();
      assertThat(said).as(command).doesNotContain("\u001b", "\u009b");
    }
    assertThat(Cli.run("part", "verify", part).text()).contains("odd\\x1B[31m.bin");
    assertThat(Cli.run("part", "info", table.resolve("none\u001b[31m")).err())
        .contains("none\\x1B[31m");
  }
}
