package io.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Arguments that are read without picocli mean what picocli reads in them. */
class LocalWordsTest {
  private static final List<String> VALUES =
      List.of("SELECT 1", "TSV", "-", "--", "a=b", "", "@file", "-t", "-x", "'q'", "\"q\"", "1");

  private static LocalCommand command() {
    OutputStream out = OutputStream.nullOutputStream();
    PrintStream err = new PrintStream(out, true, StandardCharsets.UTF_8);
    return new LocalCommand(new Shell(new ByteArrayInputStream(new byte[0]), out, err, false));
  }

  private static List<Object> fields(LocalOptions o) {
    return Stream.of(
            o.path,
            o.queries,
            o.files,
            o.format,
            o.database,
            o.structure,
            o.inputFormat,
            o.file,
            o.table,
            o.progress,
            o.time,
            o.readOnly,
            o.multiquery,
            o.rest)
        .map(v -> (Object) Optional.ofNullable(v))
        .toList();
  }

  /** As picocli reads the arguments behind the command's name. */
  private static List<Object> byPicocli(List<String> arguments) {
    LocalCommand command = command();
    CommandLine line = new CommandLine(command);
    line.parseArgs(arguments.toArray(new String[0]));
    return fields(command.options());
  }

  private static Optional<LocalOptions> quickly(List<String> arguments) {
    return LocalWords.read(
        Stream.concat(Stream.of("local"), arguments.stream()).toArray(String[]::new));
  }

  static Stream<List<String>> plain() {
    return Stream.of(
        List.of(),
        List.of("--query", "SELECT 1"),
        List.of("-q", "SELECT 1", "-q", "SELECT 2", "-t", "-n"),
        List.of("--query=SELECT 1 = 1", "--path=a/b", "--format", "JSON"),
        List.of("--path", "d", "--readonly", "--progress", "--time", "--multiquery"),
        List.of("--queries-file", "a.sql", "--queries-file=b.sql", "--output-format", "CSV"),
        List.of("-S", "a Int8", "-N", "t", "-f", "-", "--input-format", "CSV", "-d", "x"),
        List.of("--max_threads", "2", "--session_timezone=UTC", "-q", "SELECT 1", "--flag"));
  }

  @ParameterizedTest
  @MethodSource("plain")
  void plainArgumentsAreReadAlike(List<String> arguments) {
    assertThat(quickly(arguments).map(LocalWordsTest::fields)).contains(byPicocli(arguments));
  }

  @Test
  void everyOptionThatPicocliKnowsIsReadOrLeftToIt() {
    for (OptionSpec option : new CommandLine(command()).getCommandSpec().options()) {
      for (String name : option.names()) {
        List<String> arguments =
            option.arity().max() == 0 ? List.of(name) : List.of(name, Path.of("v").toString());
        Optional<LocalOptions> read = quickly(arguments);
        if (option.usageHelp() || option.versionHelp()) {
          assertThat(read).as(name).isEmpty();
        } else {
          assertThat(read.map(LocalWordsTest::fields)).as(name).contains(byPicocli(arguments));
        }
      }
    }
  }

  @Test
  void whateverIsReadIsWhatPicocliReads() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    List<String> names =
        new CommandLine(command())
            .getCommandSpec().options().stream().flatMap(o -> Stream.of(o.names())).toList();
    int read = 0;
    for (int i = 0; i < 5000; i++) {
      List<String> arguments =
          Stream.generate(() -> word(random, names)).limit(random.nextInt(6)).toList();
      Optional<LocalOptions> quick = quickly(arguments);
      if (quick.isPresent()) {
        read++;
        assertThat(fields(quick.get()))
            .as("seed %d, arguments %s", seed, arguments)
            .isEqualTo(byPicocli(arguments));
      }
    }
    assertThat(read).as("seed %d", seed).isPositive();
  }

  private static String word(Random random, List<String> names) {
    String name = names.get(random.nextInt(names.size()));
    String value = VALUES.get(random.nextInt(VALUES.size()));
    return switch (random.nextInt(6)) {
      case 0, 1 -> name;
      case 2 -> name + "=" + value;
      case 3 -> "--max_threads";
      default -> value;
    };
  }
}
