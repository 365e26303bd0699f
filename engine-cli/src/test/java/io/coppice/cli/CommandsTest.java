package io.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.fixtures.Golden;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandsTest {
  private static final String CREATE =
      """
      CREATE TABLE visits
      (
          `day` Date,
          `user` UInt32,
          `page` LowCardinality(String) DEFAULT concat('page ', toString(user)),
          `tags` Array(String),
          `place` Tuple(x Float32, y Float32)
      )
      ENGINE = MergeTree PARTITION BY toYYYYMM(day) ORDER BY (user, day)
      """;

  @TempDir Path directory;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private Path golden(String name) {
    Path target = directory.resolve("golden-" + name);
    return Golden.of(Golden.Engine.V26_7, name).unpackParts(target).get(0);
  }

  private static void ok(Cli.Result result) {
    assertThat(result.status()).as(result.err() + result.text()).isZero();
  }

  /** Rows of two months, as CSV. */
  private Cli.Result build(Object... more) throws IOException {
    Path schema = file("visits.sql", CREATE + ";\n");
    Path input =
        file(
            "visits.csv",
            """
            2024-01-02,7,,"['a','b']",1.5,2
            2024-02-03,3,"home, sweet",[],0,-1
            2024-01-01,7,start,"['it''s']",3,4
            """);
    List<Object> arguments =
        new ArrayList<>(
            List.of(
                "part",
                "build",
                "--schema",
                schema,
                "--input",
                input,
                "--out",
                directory.resolve("out")));
    arguments.addAll(List.of(more));
    return Cli.run(arguments.toArray());
  }

  @Test
  void buildsPartsByPartitionSortedWithDefaultsAndSaysWhatToDoNext() throws IOException {
    Cli.Result built = build("--first-block", "5");
    ok(built);
    assertThat(built.text())
        .contains(
            "202401_5_5_0", "202402_6_6_0", "3 rows", "ATTACH PART '202401_5_5_0'", "detached/");
    Files.writeString(directory.resolve("out/create.sql"), CREATE);
    Cli.Result cat = Cli.run("part", "cat", directory.resolve("out"), "--format", "TSVWithNames");
    ok(cat);
    assertThat(cat.text())
        .isEqualTo(
            """
            day\tuser\tpage\ttags\tplace
            2024-01-01\t7\tstart\t['it\\'s']\t(3,4)
            2024-01-02\t7\tpage 7\t['a','b']\t(1.5,2)
            2024-02-03\t3\thome, sweet\t[]\t(0,-1)
            """);
    Cli.Result verified = Cli.run("part", "verify", directory.resolve("out"));
    ok(verified);
    assertThat(verified.text()).doesNotContain("note:");
  }

  @Test
  void readsFromTheStandardInputAndSplitsByRows() throws IOException {
    Path schema = file("t.sql", "CREATE TABLE t (a UInt32) ENGINE = MergeTree ORDER BY a");
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 200_000; i++) {
      rows.append("{\"a\": ").append(i).append("}\n");
    }
    Cli.Result result =
        Cli.runWith(
            rows.toString().getBytes(StandardCharsets.UTF_8),
            "part",
            "build",
            "--schema",
            schema,
            "--input",
            "-",
            "--input-format",
            "JSONEachRow",
            "--max-block-rows",
            "70000",
            "--out",
            directory.resolve("many"));
    ok(result);
    assertThat(result.text())
        .contains("200,000 rows from", "all_1_1_0  70,000 rows", "all_2_2_0  70,000 rows")
        .contains("all_3_3_0  60,000 rows")
        .doesNotContain("all_4_4_0");
    Cli.Result count =
        Cli.run("part", "cat", directory.resolve("many"), "--where", "a % 1000 = 7", "--stats");
    ok(count);
    assertThat(count.lines()).hasSize(200);
    assertThat(count.err()).contains("rows      200,000 read, 200 returned");
  }

  @Test
  void whatCatPrintsInAnyFormatIsBuiltToTheSamePartAgain() throws IOException {
    int trips = 0;
    for (String name :
        List.of("a_scalars_wide", "b_composite_wide", "d_sparse_compact", "f_part_enum8")) {
      Golden golden = Golden.of(Golden.Engine.V26_7, name);
      Path part = golden(name);
      // The table exists, whatever a CREATE of it would need today.
      Path schema =
          file(name + ".sql", golden.createSql().replaceFirst("CREATE TABLE", "ATTACH TABLE"));
      for (String format :
          List.of(
              "TSV",
              "TSVWithNames",
              "TSVWithNamesAndTypes",
              "CSV",
              "CSVWithNames",
              "JSONEachRow",
              "Native",
              "ArrowStream",
              "Parquet")) {
        if (format.equals("Parquet") && name.matches("[ab]_.*")) {
          continue; // they have types without a form in Parquet
        }
        Cli.Result first = Cli.run("part", "cat", part, "--format", format);
        ok(first);
        Path out = directory.resolve(name + format);
        ok(
            Cli.runWith(
                first.out(),
                "part",
                "build",
                "--schema",
                schema,
                "--input",
                "-",
                "--input-format",
                format,
                "--out",
                out));
        Cli.Result second = Cli.run("part", "cat", out, "--format", format);
        ok(second);
        boolean lossy =
            format.equals("JSONEachRow") && name.startsWith("a_"); // NaN is null in JSON
        if (!lossy) {
          assertThat(second.text()).as("%s as %s", name, format).isEqualTo(first.text());
          Cli.Result diff = Cli.run("part", "diff", part, out);
          assertThat(diff.text()).as("%s as %s", name, format).contains("rows: all ");
        }
        trips++;
      }
    }
    System.out.printf("part cat to part build and back: %d trips%n", trips);
  }

  @Test
  void anExistingPartIsNotOverwritten() throws IOException {
    ok(build());
    Cli.Result again = build();
    assertThat(again.status()).isEqualTo(1);
    assertThat(again.err()).contains("202401_1_1_0").doesNotContain("\tat ");
    ok(build("--first-block", "10"));
  }

  @Test
  void theClassicProfileWritesWhatOldServersRead() throws IOException {
    Path schema =
        file("c.sql", "CREATE TABLE c (a UInt32, s String) ENGINE = MergeTree ORDER BY a");
    Path input = file("c.tsv", "2\ty\n1\tx\n");
    ok(
        Cli.run(
            "part",
            "build",
            "--schema",
            schema,
            "--input",
            input,
            "--out",
            directory.resolve("c"),
            "--profile",
            "classic"));
    assertThat(directory.resolve("c/all_1_1_0/a.mrk")).exists();
    Cli.Result cat = Cli.run("part", "cat", directory.resolve("c/all_1_1_0"));
    ok(cat);
    assertThat(cat.text()).isEqualTo("1\tx\n2\ty\n");
  }

  @Test
  void columnsConditionLimitAndFormatAreObeyed() {
    Path part = golden("n_multigranule");
    Cli.Result all =
        Cli.run("part", "cat", part, "--format", "TSVWithNamesAndTypes", "--limit", "3");
    ok(all);
    assertThat(all.lines()).hasSize(5);
    String first = all.text().lines().findFirst().orElseThrow().split("\t")[0];
    Cli.Result one =
        Cli.run("part", "cat", part, "--columns", first, "--format", "JSONEachRow", "--limit", "1");
    ok(one);
    assertThat(one.text()).startsWith("{\"" + first + "\":");
    assertThat(Cli.run("part", "cat", part, "--limit", "0").out()).isEmpty();
  }

  @Test
  void partsAreFoundInArchivesAndDirectories() throws IOException {
    Path part = golden("a_scalars_compact");
    Path tar = directory.resolve("backup.tar");
    try (OutputStream out = Files.newOutputStream(tar);
        TarArchiveOutputStream archive = new TarArchiveOutputStream(out)) {
      put(
          archive,
          "data/db/t/create.sql",
          Golden.of(Golden.Engine.V26_7, "a_scalars_compact").bytes("create.sql"));
      try (Stream<Path> files = Files.list(part)) {
        for (Path f : files.toList()) {
          put(archive, "data/db/t/all_1_1_0/" + f.getFileName(), Files.readAllBytes(f));
        }
      }
      put(archive, "../outside.txt", new byte[] {1});
    }
    Cli.Result direct = Cli.run("part", "cat", part);
    ok(direct);
    assertThat(Cli.run("part", "cat", tar).out()).isEqualTo(direct.out());
    assertThat(Cli.run("part", "cat", directory.resolve("backup.tar/data/db/t/all_1_1_0")).out())
        .isEqualTo(direct.out());
    assertThat(Cli.run("part", "cat", part.getParent()).out()).isEqualTo(direct.out());
    Cli.Result verified = Cli.run("part", "verify", tar);
    ok(verified);
    assertThat(verified.text())
        .contains("backup.tar/data/db/t/all_1_1_0: fine")
        .doesNotContain("note:");
    ok(Cli.run("part", "diff", part, tar));
    assertThat(Cli.run("part", "cat", directory.resolve("backup.tar/data/none")).status())
        .isEqualTo(1);
  }

  private static void put(TarArchiveOutputStream archive, String name, byte[] bytes)
      throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry(name, true);
    entry.setSize(bytes.length);
    archive.putArchiveEntry(entry);
    archive.write(bytes);
    archive.closeArchiveEntry();
  }

  @Test
  void metadataOfAServersDirectoriesIsFound() throws IOException {
    Golden golden = Golden.of(Golden.Engine.V26_7, "g_pk_multi");
    String uuid = "0a1b2c3d-0000-4000-8000-000000000001";
    Path table = directory.resolve("server/store/0a1/" + uuid);
    golden.unpackParts(table);
    Path metadata =
        Files.createDirectories(
            directory.resolve("server/store/fff/fff00000-0000-4000-8000-000000000000"));
    Files.writeString(
        metadata.resolve("t.sql"),
        golden.createSql().replaceFirst("CREATE TABLE \\S+", "ATTACH TABLE _ UUID '" + uuid + "'"));
    Cli.Result result = Cli.run("part", "info", table, "--json");
    ok(result);
    assertThat(result.text()).contains("\"sorting_key\"");

    Path old = directory.resolve("old/data/db/hits");
    golden.unpackParts(old.resolve("detached"));
    Files.createDirectories(directory.resolve("old/metadata/db"));
    Files.writeString(directory.resolve("old/metadata/db/hits.sql"), golden.createSql());
    Cli.Result detached = Cli.run("part", "info", old.resolve("detached"), "--json");
    ok(detached);
    assertThat(detached.text()).contains("\"sorting_key\"");
  }

  @Test
  void verifyNamesFileAndOffsetGoesOnAndFails() throws IOException {
    Path part = golden("b_composite_wide");
    List<Path> files;
    try (Stream<Path> list = Files.list(part)) {
      files = list.filter(f -> f.toString().endsWith(".bin")).sorted().toList();
    }
    for (Path f : files.subList(0, 2)) {
      byte[] bytes = Files.readAllBytes(f);
      bytes[bytes.length - 1] ^= 1;
      Files.write(f, bytes);
    }
    Cli.Result result = Cli.run("part", "verify", part);
    assertThat(result.status()).isEqualTo(1);
    for (Path f : files.subList(0, 2)) {
      assertThat(result.text()).contains(f.getFileName() + " at 0: ", "CHECKSUM_DOESNT_MATCH");
    }
    assertThat(result.text()).doesNotContain("\tat ");
    Cli.Result cat = Cli.run("part", "cat", part);
    assertThat(cat.status()).isEqualTo(1);
    assertThat(cat.err().lines()).hasSize(1);
    assertThat(cat.err()).startsWith("coppice: part " + part);
  }

  @Test
  void diffSaysWhichFilesAndRowsDiffer() throws IOException {
    Path schema =
        file("d.sql", "CREATE TABLE d (a UInt32, s String) ENGINE = MergeTree ORDER BY a");
    Path one = file("one.tsv", "1\tx\n2\ty\n3\tz\n");
    Path two = file("two.tsv", "1\tx\n2\tother\n3\tz\n");
    Path three = file("three.tsv", "1\tx\n");
    for (Path input : List.of(one, two, three)) {
      String out = input.getFileName() + ".out";
      ok(
          Cli.run(
              "part",
              "build",
              "--schema",
              schema,
              "--input",
              input,
              "--out",
              directory.resolve(out)));
    }
    Path a = directory.resolve("one.tsv.out");
    Path b = directory.resolve("two.tsv.out");
    Path c = directory.resolve("three.tsv.out");
    Cli.Result same = Cli.run("part", "diff", a, a);
    ok(same);
    assertThat(same.text()).contains("files: all ", "rows: all 3 equal in 2 columns");
    Cli.Result other = Cli.run("part", "diff", a, b);
    assertThat(other.status()).isEqualTo(1);
    assertThat(other.text())
        .contains("data.bin: differs at byte", "row 1, s: y and other", "rows: 1 of 3 differ");
    Cli.Result shorter = Cli.run("part", "diff", a, c);
    assertThat(shorter.status()).isEqualTo(1);
    assertThat(shorter.text()).contains("3 in A and 1 in B");
  }

  @Test
  void badInputIsNamedByLineAndColumn() throws IOException {
    Path schema = file("e.sql", "CREATE TABLE e (a UInt8, d Date) ENGINE = MergeTree ORDER BY a");
    Object[][] cases = {
      {"e.tsv", "1\t2024-01-01\n300\t2024-01-01\n", "line 2, column 1, a UInt8", "found '300'"},
      {"e.csv", "1,2024-01-01\n2,2024-02-3x\n", "line 2, column 3, d Date", "found '2024-02-3x'"},
      {"e.jsonl", "{\"a\":1}\n{\"a\":1,\"b\":2}\n", "line 2, column", "a column b"},
      {"e2.tsv", "1\n", "line 1, column 2", "1 fields, expected 2"},
    };
    for (Object[] one : cases) {
      Path input = file((String) one[0], (String) one[1]);
      Cli.Result result =
          Cli.run(
              "part",
              "build",
              "--schema",
              schema,
              "--input",
              input,
              "--out",
              directory.resolve("e"));
      assertThat(result.status()).as(result.err()).isEqualTo(1);
      assertThat(result.err()).contains((String) one[2], (String) one[3]);
      assertThat(result.err().lines()).hasSize(1);
    }
  }

  @Test
  void wrongUsageIsStatusTwoAndOneClearLine() throws IOException {
    Path part = golden("f_part_bool");
    Path schema = file("u.sql", "CREATE TABLE u (a UInt8) ENGINE = MergeTree ORDER BY a");
    Object[][] cases = {
      {},
      {"part"},
      {"nonsense"},
      {"part", "cat"},
      {"part", "cat", part, "--format", "XML"},
      {"part", "cat", part, "--columns", "nope"},
      {"part", "cat", part, "--columns", ""},
      {"part", "cat", part, "--columns", "a,,b"},
      {"part", "cat", part, "--where", "nope = 1"},
      {"part", "cat", part, "--where", "1 +"},
      {"part", "cat", part, "--limit", "x"},
      {"part", "cat", part, "--limit", "-1"},
      {"part", "cat", part, "--timezone", "Mars/Base"},
      {"part", "build", "--schema", schema},
      {"part", "build", "--schema", schema, "--input", "-", "--out", directory.resolve("u")},
      {
        "part", "build", "--schema", schema, "--input", "x.unknown", "--out", directory.resolve("u")
      },
      {
        "part",
        "build",
        "--schema",
        schema,
        "--input",
        "x.tsv",
        "--out",
        directory.resolve("u"),
        "--profile",
        "x"
      },
      {"part", "diff", part},
    };
    for (Object[] arguments : cases) {
      Cli.Result result = Cli.run(arguments);
      assertThat(result.status()).as("%s: %s", List.of(arguments), result.err()).isEqualTo(2);
      assertThat(result.err()).startsWith("coppice: ").contains("--help").doesNotContain("\tat ");
      assertThat(result.out()).isEmpty();
    }
    System.out.printf("wrong usage: %d cases%n", cases.length);
  }

  @Test
  void whatIsNotThereIsStatusOne() throws IOException {
    Path empty = Files.createDirectories(directory.resolve("empty"));
    for (Object path : List.of(directory.resolve("none"), empty, file("x.txt", "x"))) {
      Cli.Result result = Cli.run("part", "info", path);
      assertThat(result.status()).isEqualTo(1);
      assertThat(result.err()).startsWith("coppice: ").contains(path.toString());
      assertThat(result.err().lines()).hasSize(1);
    }
    Path noTar =
        file(
            "bad.tar",
            "this is no archive at all, but long enough to look at: " + "x".repeat(2000));
    assertThat(Cli.run("part", "info", noTar).status()).isEqualTo(1);
  }

  @Test
  void helpVersionAndCompletionArePrinted() {
    for (List<String> command :
        List.of(
            List.of("--help"),
            List.of("part", "--help"),
            List.of("part", "info", "--help"),
            List.of("part", "cat", "--help"),
            List.of("part", "verify", "--help"),
            List.of("part", "build", "--help"),
            List.of("part", "diff", "--help"),
            List.of("demo", "--help"),
            List.of("--version"))) {
      Cli.Result result = Cli.run(command.toArray());
      ok(result);
      assertThat(result.text()).as("%s", command).isNotBlank();
    }
    Cli.Result completion = Cli.run("completion");
    ok(completion);
    assertThat(completion.text()).contains("complete -F", "coppice");
  }

  @Test
  void theDemoLoadsAsksAndDraws() throws Exception {
    Path picture = directory.resolve("flights.svg");
    Cli.Result result = Cli.run("demo", "--rows", "131072", "--picture", picture);
    ok(result);
    assertThat(result.text())
        .contains("Loaded ", "131,072 flights", "WHERE origin = 'SFO'", "deleted again")
        .containsPattern("[1-9][0-9,]* of 131,072 rows skipped by keys");
    assertThat(Files.readString(picture)).startsWith("<svg ").contains("<title>200101_1_1_0: ");
  }

  @Test
  void aTableIsDrawn() throws Exception {
    Path data = directory.resolve("data");
    ok(
        Cli.run(
            "local",
            "--path",
            data,
            "-q",
            "CREATE TABLE t (a Int64, p UInt8) ENGINE = MergeTree PARTITION BY p ORDER BY a;"
                + " INSERT INTO t SELECT number, number % 2 FROM numbers(1000);"
                + " INSERT INTO t VALUES (1, 7)"));
    Path picture = directory.resolve("t.svg");

    ok(Cli.run("table", "picture", data, "--table", "t", "--out", picture));
    String byName = Files.readString(picture);
    Path parts;
    try (java.util.stream.Stream<Path> all = Files.walk(data)) {
      parts = all.filter(path -> path.endsWith("0_1_1_0")).findFirst().orElseThrow().getParent();
    }
    ok(Cli.run("table", "picture", parts, "--out", picture));

    assertThat(byName)
        .contains(
            ">t: 3 parts, 1,001 rows, ",
            "<title>0_1_1_0: 500 rows, ",
            "<title>7_3_3_0: 1 row, ",
            "level 0, blocks 3 to 3</title>")
        .endsWith("</svg>\n");
    assertThat(Files.readString(picture)).contains("<title>1_2_2_0: 500 rows, ");
    assertThat(Cli.run("table", "picture", directory.resolve("none"), "--out", picture).status())
        .isEqualTo(Main.WRONG);
  }
}
