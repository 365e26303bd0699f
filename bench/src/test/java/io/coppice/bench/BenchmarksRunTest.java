package io.coppice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Every benchmark of ours runs, once and on little data; what it says of time is of no interest
 * here.
 */
class BenchmarksRunTest {
  @TempDir Path data;

  @Test
  void eachRunsOnce() throws Exception {
    System.setProperty("coppice.bench.dir", data.toString());
    Options options =
        new OptionsBuilder()
            .include("Lineitem.*\\.coppice")
            .param("scale", "0.01")
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(1))
            .shouldFailOnError(true)
            .build();
    java.util.Collection<RunResult> results = new Runner(options).run();
    System.out.printf("%d benchmarks ran%n", results.size());
    assertThat(results).hasSize(6);
  }

  @Test
  void queriesRunAndPrintARowEach() throws Exception {
    System.setProperty("coppice.bench.dir", data.toString());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Queries.Options options =
        Queries.Options.of("--scale", "0.01", "--rounds", "1", "--no-chdb", "--only", "lineitem");
    new Queries(options, new PrintStream(out, true, StandardCharsets.UTF_8)).run();
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .as(out.toString(StandardCharsets.UTF_8))
        .filteredOn(line -> line.startsWith("lineitem "))
        .hasSize(1 + QuerySet.lineitem(0.01).questions().size());
  }
}
