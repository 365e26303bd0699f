package io.coppice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.bench.InsertPattern.Insert;
import io.coppice.bench.MergeSimulation.Result;
import io.coppice.bench.MergeSimulation.Simulated;
import io.coppice.merge.select.MergeSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Merges on virtual time: parts stay few, and no row is lost or doubled. */
class MergeSimulationTest {
  private static final long SEED = Long.getLong("coppice.seed", 20261201);
  private static final long MINUTES = 20;

  @TempDir Path directory;

  private static Result run(List<Insert> inserts, int threads) {
    return new MergeSimulation(MergeSettings.defaults(), threads, 100_000_000, SEED)
        .run(inserts, MINUTES * 60_000, 60);
  }

  @Test
  void everyRowIsInOnePart() {
    System.out.println("-Dcoppice.seed=" + SEED);
    for (InsertPattern pattern : InsertPattern.values()) {
      List<Insert> inserts = pattern.inserts(SEED, MINUTES * 60_000);
      Result result = run(inserts, 4);
      assertThat(result.active().stream().mapToLong(Simulated::rowCount).sum())
          .as("rows of %s", pattern)
          .isEqualTo(inserts.stream().mapToLong(Insert::rowCount).sum());
      for (int partition = 0; partition < 50; partition++) {
        int its = partition;
        List<Long> inserted = new ArrayList<>();
        for (int i = 0; i < inserts.size(); i++) {
          if (inserts.get(i).partition() == its) {
            inserted.add(i + 1L);
          }
        }
        List<Simulated> parts =
            result.active().stream()
                .filter(part -> part.name().partition().equals("%03d".formatted(its)))
                .toList();
        for (int i = 1; i < parts.size(); i++) {
          assertThat(parts.get(i).name().minBlock())
              .isGreaterThan(parts.get(i - 1).name().maxBlock());
        }
        List<Long> held =
            inserted.stream()
                .filter(
                    block ->
                        parts.stream()
                                .filter(part -> part.name().minBlock() <= block)
                                .filter(part -> block <= part.name().maxBlock())
                                .count()
                            == 1)
                .collect(Collectors.toList());
        assertThat(held).as("blocks of partition %d of %s", its, pattern).isEqualTo(inserted);
      }
    }
  }

  @Test
  void partsStayFewAndBytesAreNotWrittenOftenWhateverThePattern() {
    for (InsertPattern pattern : InsertPattern.values()) {
      Result result = run(pattern.inserts(SEED, MINUTES * 60_000), 4);
      assertThat(result.mostParts()).as("parts of a partition of %s", pattern).isLessThan(60);
      // Below the fixed cost of 5 MiB a part counts as much as the smallest, so that tiny blocks
      // are
      // merged with what they became again and again, which costs few bytes.
      double most = pattern == InsertPattern.TINY ? 40 : 6;
      assertThat(result.writtenTimes()).as("writes of %s", pattern).isBetween(1.5, most);
      assertThat(result.merges()).isPositive();
    }
  }

  @Test
  void partsGrowWhereThreadsAreTooSlow() {
    List<Insert> inserts = InsertPattern.STEADY.inserts(SEED, MINUTES * 60_000);
    Result slow =
        new MergeSimulation(MergeSettings.defaults(), 1, 1_500_000, SEED)
            .run(inserts, MINUTES * 60_000, 60);
    assertThat(slow.busyShare()).isGreaterThan(0.9);
    assertThat(slow.mostParts()).isGreaterThan(run(inserts, 4).mostParts());
  }

  @Test
  void theSameSeedDrawsTheSamePicture() throws IOException {
    List<String> printed = new ArrayList<>();
    List<String> drawn = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Path picture = directory.resolve(i + ".svg");
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      Merges.Options options =
          Merges.Options.of("--simulate", "--minutes", "5", "--picture", picture.toString());
      new Merges(options, new PrintStream(out, true, StandardCharsets.UTF_8)).run();
      printed.add(out.toString(StandardCharsets.UTF_8));
      drawn.add(Files.readString(picture));
    }
    assertThat(printed.get(0)).isEqualTo(printed.get(1)).contains("seed 20261201");
    assertThat(printed.get(0).lines()).hasSize(3 + 2 * InsertPattern.values().length);
    assertThat(drawn.get(0)).isEqualTo(drawn.get(1)).startsWith("<svg").endsWith("</svg>\n");
    assertThat(drawn.get(0).split("<polyline", -1).length - 1)
        .isEqualTo(6 * InsertPattern.values().length);
  }
}
