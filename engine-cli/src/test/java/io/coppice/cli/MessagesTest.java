package io.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.fixtures.ArrowBatches;
import io.coppice.fixtures.Flights;
import io.coppice.fixtures.Golden;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every error says of which file, and where in it; no output is lost without one. */
class MessagesTest {
  @TempDir Path directory;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private Cli.Result build(Path schema, Path input, Object... more) {
    Object[] arguments = {
      "part", "build", "--schema", schema, "--input", input, "--out", directory.resolve("out")
    };
    Object[] all = Arrays.copyOf(arguments, arguments.length + more.length);
    System.arraycopy(more, 0, all, arguments.length, more.length);
    return Cli.run(all);
  }

  /** Fails as a full disk does, or as a pipe does whose reader has gone. */
  private static final class Failing extends OutputStream {
    private final String message;

    Failing(String message) {
      this.message = message;
    }

    @Override
    public void write(int b) throws IOException {
      throw new IOException(message);
    }
  }

  @Test
  void aFullDiskUnderTheOutputIsAnErrorOfEveryCommandAndAClosedPipeIsNone() throws IOException {
    Path part =
        Golden.of(Golden.Engine.V26_7, "a_scalars_compact")
            .unpackParts(directory.resolve("g"))
            .get(0);
    Path schema = file("t.sql", "CREATE TABLE t (a UInt8) ENGINE = MergeTree ORDER BY a");
    Path input = file("t.tsv", "1\n");
    Object[][] commands = {
      {"--help"},
      {"--version"},
      {"part", "cat", "--help"},
      {"completion"},
      {"part", "info", part},
      {"part", "info", part, "--json"},
      {"part", "verify", part},
      {"part", "cat", part},
      {"part", "cat", part, "--format", "CSVWithNames"},
      {"part", "cat", part, "--format", "Native"},
      {"part", "cat", part, "--format", "ArrowStream"},
      {"part", "diff", part, part},
      {"demo", "--rows", "1"},
      {
        "part",
        "build",
        "--schema",
        schema,
        "--input",
        input,
        "--out",
        directory.resolve("o"),
        "--first-block",
        "1"
      },
    };
    int tried = 0;
    for (Object[] command : commands) {
      Cli.Result full = Cli.runTo(new Failing("No space left on device"), command);
      assertThat(full.status()).as("%s: %s", List.of(command), full.err()).isEqualTo(1);
      assertThat(full.err()).contains("could not be written: No space left on device");
      assertThat(full.err().lines()).hasSize(1);
      if (command.length > 8) {
        command[9] = "2"; // the first is there now
      }
      Cli.Result closed = Cli.runTo(new Failing("Broken pipe"), command);
      assertThat(closed.status()).as("%s: %s", List.of(command), closed.err()).isZero();
      assertThat(closed.err()).isEmpty();
      tried++;
    }
    if (Files.exists(Path.of("/dev/full"))) {
      try (OutputStream full = new FileOutputStream("/dev/full")) {
        assertThat(Cli.runTo(full, "part", "info", part).status()).isEqualTo(1);
      }
    }
    System.out.printf("output that cannot be written: %d commands%n", tried);
    Files.write(part.resolve("count.txt"), new byte[] {'7'});
    assertThat(Cli.runTo(new Failing("Broken pipe"), "part", "verify", part).status())
        .as("what was found counts, whoever reads")
        .isEqualTo(1);
  }

  @Test
  void errorsOfInputsNameTheFileAndTheRow() throws IOException {
    Path schema =
        file(
            "n.sql",
            """
            CREATE TABLE n (a UInt32, b UInt32, c UInt32 DEFAULT intDiv(100, b))
            ENGINE = MergeTree PARTITION BY intDiv(10, a) ORDER BY a
            """);
    Path gz = directory.resolve("cut.tsv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(gz))) {
      out.write("1\t2\t3\n".repeat(10_000).getBytes(StandardCharsets.UTF_8));
    }
    Files.write(gz, Arrays.copyOf(Files.readAllBytes(gz), 60));
    Object[][] cases = {
      {file("d.jsonl", "{\"a\":1,\"b\":1}\n{\"a\":2,\"b\":0}\n"), "row 2 of 2", "column c"},
      {file("k.tsv", "1\t1\t1\n2\t1\t1\n0\t1\t1\n"), "row 3 of 3", "intDiv(10, a)"},
      {file("x.native", "this is no Native at all"), "", ""},
      {file("x.arrows", "this is no Arrow stream at all, for sure"), "", "Arrow"},
      {file("x.arrow", "ARROW1\0\0and then nothing that is Arrow"), "", "Arrow"},
      {file("x.parquet", "this is no Parquet file at all"), "does not end with PAR1", "Parquet"},
      {file("x.tsv", "1\t2\n"), "line 1", "fields"},
      {file("x.csv", "1,\"2\n"), "line 1", "quote"},
      {file("x.json", "[{\"a\":1}"), "line 1", "array"},
      {file("no.csv.gz", "no gzip"), "", ""},
      {gz, "", "too early"},
      {directory, "is a directory", ""},
      {directory.resolve("none.tsv"), "no such file", ""},
    };
    for (Object[] one : cases) {
      Path input = (Path) one[0];
      Cli.Result result =
          input.equals(directory)
              ? build(schema, input, "--input-format", "TSV")
              : build(schema, input);
      assertThat(result.status()).as("%s: %s", input, result.err()).isEqualTo(1);
      assertThat(result.err())
          .contains(input.toString(), (String) one[1], (String) one[2])
          .doesNotContain("Exception", "java.", "unexpected");
      assertThat(result.err().lines()).as(result.err()).hasSize(1);
      assertThat(result.err().split(input.toString() + ": ", -1).length).isLessThanOrEqualTo(2);
      assertThat(directory.resolve("out")).doesNotExist();
    }
    System.out.printf("errors of inputs: %d cases%n", cases.length);
  }

  @Test
  void aFailedBuildTakesBackTheDirectoriesThatItMadeAndNoOthers() throws IOException {
    Path schema = file("t.sql", "CREATE TABLE t (a UInt8) ENGINE = MergeTree ORDER BY a");
    Path bad = file("bad.tsv", "x\n");
    Path deep = directory.resolve("a/b/c");
    Files.createDirectories(directory.resolve("a"));
    Cli.Result failed = Cli.run("part", "build", "--schema", schema, "--input", bad, "--out", deep);
    assertThat(failed.status()).isEqualTo(1);
    assertThat(directory.resolve("a")).exists().isEmptyDirectory();
    Path half = file("half.tsv", "1\n2\nx\n");
    Cli.Result partly =
        Cli.run(
            "part",
            "build",
            "--schema",
            schema,
            "--input",
            half,
            "--out",
            deep,
            "--max-block-rows",
            "1");
    assertThat(partly.status()).isEqualTo(1);
    assertThat(partly.err()).contains("half.tsv, line 3", "a UInt8");
    Cli.Result onFile =
        Cli.run("part", "build", "--schema", schema, "--input", bad, "--out", schema);
    assertThat(onFile.status()).isEqualTo(1);
    assertThat(onFile.err()).contains(schema + ": is a file, expected a directory");
  }

  @Test
  void errorsOfSchemasNameFileAndLine() throws IOException {
    Object[][] cases = {
      {"\n\nCREATE TABLE t (a UInt8\n b UInt8) ENGINE = MergeTree ORDER BY a", 4},
      {"CREATE TABLE t (\n  a UInt8,\n  b Nonsense\n) ENGINE = MergeTree ORDER BY a", 3},
      {"CREATE TABLE t (\n  a UInt8\n)\nENGINE = MergeTree\nORDER BY nope", 5},
      {"CREATE TABLE t (\n  a UInt8\n)\nENGINE = Log", 4},
      {"CREATE TABLE t (a UInt8)\nENGINE = MergeTree ORDER BY a\nSETTINGS nonsense = 1", 3},
      {"", 1},
    };
    Path part =
        Golden.of(Golden.Engine.V26_7, "a_scalars_compact")
            .unpackParts(directory.resolve("g"))
            .get(0);
    for (Object[] one : cases) {
      Path schema = file("s.sql", (String) one[0]);
      List<Cli.Result> results = new ArrayList<>();
      results.add(build(schema, file("s.tsv", "1\n")));
      if (!((String) one[0]).contains("nope")) { // what a key is made of is asked when it is built
        results.add(Cli.run("part", "verify", part, "--schema", schema));
      }
      for (Cli.Result result : results) {
        assertThat(result.status()).as("%s: %s", one[0], result.err()).isEqualTo(1);
        assertThat(result.err()).contains(schema.toString(), "line " + one[1]);
        assertThat(result.err().lines()).hasSize(1);
      }
    }
    System.out.printf("errors of schemas: %d cases%n", cases.length);
    assertThat(Cli.run("part", "info", part, "--schema", directory).err())
        .contains(directory + " is a directory");
  }

  @Test
  void anArrowFileIsReadAsAStreamIs() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (BufferAllocator allocator = new RootAllocator();
        ArrowBatches flights = Flights.open(allocator, 1000)) {
      flights.next();
      try (ArrowFileWriter writer =
          new ArrowFileWriter(
              flights.batch(),
              new DictionaryProvider.MapDictionaryProvider(),
              Channels.newChannel(bytes))) {
        writer.writeBatch();
      }
    }
    Path schema = file("f.sql", Flights.createSql("flights"));
    Path input = directory.resolve("in.arrow");
    Files.write(input, bytes.toByteArray());
    Cli.Result built = build(schema, input);
    assertThat(built.status()).as(built.err()).isZero();
    assertThat(built.text()).contains("1,000 rows");
    Cli.Result piped =
        Cli.runWith(
            bytes.toByteArray(),
            "part",
            "build",
            "--schema",
            schema,
            "--input",
            "-",
            "--input-format",
            "arrow",
            "--out",
            directory.resolve("piped"));
    assertThat(piped.status()).as(piped.err()).isZero();
    Files.write(input, Arrays.copyOf(bytes.toByteArray(), bytes.size() - 6));
    Cli.Result cut = build(schema, input, "--first-block", "100");
    assertThat(cut.status()).isEqualTo(1);
    assertThat(cut.err()).contains(input + ": the Arrow file breaks off");
  }

  @Test
  void aPipeThatIsNamedAsInputOrSchemaIsRead() throws Exception {
    Path input = directory.resolve("rows.tsv.gz");
    Path schema = directory.resolve("schema.sql");
    for (Path pipe : List.of(input, schema)) {
      assertThat(new ProcessBuilder("mkfifo", pipe.toString()).inheritIO().start().waitFor())
          .isZero();
    }
    ByteArrayOutputStream members = new ByteArrayOutputStream();
    for (String rows : List.of("1\n2\n", "3\n")) { // as cat makes of two files
      try (OutputStream out = new GZIPOutputStream(members)) {
        out.write(rows.getBytes(StandardCharsets.UTF_8));
      }
    }
    byte[] create =
        "CREATE TABLE p (a UInt8) ENGINE = MergeTree ORDER BY a".getBytes(StandardCharsets.UTF_8);
    Thread writer =
        new Thread(
            () -> {
              try {
                Files.write(schema, create);
                Files.write(input, members.toByteArray());
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    writer.start();
    Cli.Result built = build(schema, input);
    assertThat(built.status()).as(built.err()).isZero();
    writer.join();
    assertThat(Cli.run("part", "cat", directory.resolve("out")).text()).isEqualTo("1\n2\n3\n");
  }

  @Test
  void theMostRowsOfAPartAreObeyedWhateverTheBatchesOfTheInput() throws IOException {
    Path schema =
        file("m.sql", "CREATE TABLE m (a UInt32, s String) ENGINE = MergeTree ORDER BY a");
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 25; i++) {
      rows.append(i).append('\t').append("s".repeat(i)).append('\n');
    }
    Path text = file("m.tsv", rows.toString());
    assertThat(build(schema, text).status()).isZero();
    Cli.Result whole = Cli.run("part", "cat", directory.resolve("out"), "--format", "Native");
    Path nativeFile = directory.resolve("m.native");
    Files.write(nativeFile, whole.out());
    for (Path input : List.of(text, nativeFile)) {
      Path out = directory.resolve("split-" + input.getFileName());
      Cli.Result built =
          Cli.run(
              "part",
              "build",
              "--schema",
              schema,
              "--input",
              input,
              "--input",
              input,
              "--out",
              out,
              "--max-block-rows",
              "7");
      assertThat(built.status()).as(built.err()).isZero();
      for (int block = 1; block <= 8; block++) {
        assertThat(built.text())
            .contains("all_" + block + "_" + block + "_0  " + (block == 8 ? 1 : 7) + " row");
      }
      List<String> all = Cli.run("part", "cat", out).text().lines().sorted().toList();
      List<String> expected = (rows + rows.toString()).lines().sorted().toList();
      assertThat(all).isEqualTo(expected);
    }
  }

  @Test
  void wrongArgumentsAreToldWithoutNamesOfClasses() {
    Object[][] cases = {
      {"demo", "--rows=-1"},
      {"demo", "--rows", "0"},
      {"part", "info", ""},
      {"part", "info", "a\0b"},
      {"part", "cat", "x", "--limit", "999999999999999999999"},
      {"part", "build", "--schema", "", "--input", "-", "--out", "x"},
    };
    for (Object[] arguments : cases) {
      Cli.Result result = Cli.run(arguments);
      assertThat(result.status()).as("%s: %s", List.of(arguments), result.err()).isEqualTo(2);
      assertThat(result.err()).startsWith("coppice: ").doesNotContain("java.", "Exception");
    }
  }

  @Test
  void doubledNamesAreSaidOnce() {
    assertThat(Words.tidy("part x: part x: a.bin at 5: broken"))
        .isEqualTo("part x: a.bin at 5: broken");
    assertThat(Words.tidy("part x: part x, column a: b")).isEqualTo("part x, column a: b");
    assertThat(Words.tidy("a.bin: a.bin at 5: b")).isEqualTo("a.bin at 5: b");
    assertThat(Words.tidy("a: b: c")).isEqualTo("a: b: c");
    assertThat(Plain.text("é\t\u001b[1m\u009b\u202e😀\uDCFF"))
        .isEqualTo("é\\t\\x1B[1m\\x9B\\u202E😀\\xFF");
    assertThat(Plain.json("{\"a\u009b\":\n1}")).isEqualTo("{\"a\\u009b\":\n1}");
    byte[] command = "java\0-cp\0é\0Main\0a\0b\0".getBytes(StandardCharsets.UTF_8);
    assertThat(Locales.anyLetterIn(command, 2)).isFalse();
    assertThat(Locales.anyLetterIn(command, 4)).isTrue();
    assertThat(Locales.anyLetterIn(command, 0)).isFalse();
    byte[] letter = "java\0Main\0é\0".getBytes(StandardCharsets.UTF_8);
    assertThat(Locales.anyLetterIn(letter, 1)).isTrue();
  }
}
