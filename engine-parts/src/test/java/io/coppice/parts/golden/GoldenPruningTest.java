package io.coppice.parts.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.disk.LocalDisk;
import io.coppice.fixtures.Golden;
import io.coppice.parts.scan.BatchStream;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.scan.Scan;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Queries that 26.7 explained: the same rows are found, in the same granules or fewer. */
class GoldenPruningTest {
  private static final Pattern EXPLAIN =
      Pattern.compile("-- EXPLAIN indexes=1 SELECT count\\(\\) FROM \\S+ WHERE (.*) SETTINGS .*");
  private static final Pattern READ = Pattern.compile("Parts: \\d+ \\| Granules: (\\d+)");

  private static int questions;
  private static int fewer;
  private static int asked;

  @TempDir Path directory;

  @AfterAll
  static void say() {
    System.out.printf(
        "%d explained queries: same rows, same granules; fewer granules in %d%n", questions, fewer);
  }

  private record Question(String where, long granules, long rows) {}

  @TestFactory
  Stream<DynamicTest> granulesAreThoseThatTheEngineReadOrFewer() {
    return Golden.all(Golden.Engine.V26_7).stream()
        .filter(g -> g.queries().isPresent())
        .filter(g -> !g.name().startsWith("i_"))
        .flatMap(
            g ->
                questions(g.queries().orElseThrow()).stream()
                    .map(
                        q ->
                            DynamicTest.dynamicTest(g.name() + ": " + q.where(), () -> ask(g, q))));
  }

  private static List<Question> questions(String text) {
    List<Question> questions = new ArrayList<>();
    String where = null;
    long granules = -1;
    String[] lines = text.split("\n");
    for (int i = 0; i < lines.length; i++) {
      Matcher explain = EXPLAIN.matcher(lines[i]);
      Matcher read = READ.matcher(lines[i]);
      if (explain.matches()) {
        where = explain.group(1);
        granules = -1;
      } else if (read.find() && where != null && granules < 0) {
        granules = Long.parseLong(read.group(1));
      } else if (lines[i].startsWith("-- SELECT count()") && where != null) {
        questions.add(
            new Question(where, Math.max(granules, 0), Long.parseLong(lines[i + 1].strip())));
        where = null;
      }
    }
    return questions;
  }

  private void ask(Golden golden, Question question) throws Exception {
    TableDefinition table = TableDefinition.parse(golden.createSql(), Profile.MODERN);
    List<LoadedPart> parts = new ArrayList<>();
    try (BufferAllocator allocator = new RootAllocator()) {
      for (Path path : golden.unpackParts(directory.resolve("q" + asked++))) {
        parts.add(
            LoadedPart.open(
                new LocalDisk(path),
                path.getFileName().toString(),
                new LoadedPart.Hints(OptionalLong.empty()),
                allocator));
      }
      Scan scan = Scan.of(parts).table(table).where(question.where());
      long granules;
      long rows = 0;
      try (BatchStream batches = scan.columns(List.of()).open(allocator)) {
        while (batches.next()) {
          rows += batches.batch().getRowCount();
        }
        granules = batches.report().granulesAfterIndexes();
      }
      long all = 0;
      try (BatchStream batches = scan.pruning(false).open(allocator)) {
        while (batches.next()) {
          all += batches.batch().getRowCount();
        }
      }
      assertThat(rows).as("rows where %s", question.where()).isEqualTo(question.rows());
      assertThat(all).as("rows without pruning where %s", question.where()).isEqualTo(rows);
      assertThat(granules)
          .as("granules where %s", question.where())
          .isLessThanOrEqualTo(question.granules());
      questions++;
      fewer += granules < question.granules() ? 1 : 0;
    }
  }
}
