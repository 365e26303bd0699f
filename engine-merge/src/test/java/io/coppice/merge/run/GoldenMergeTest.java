package io.coppice.merge.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.disk.LocalDisk;
import io.coppice.fixtures.Golden;
import io.coppice.fixtures.PartFiles;
import io.coppice.parts.name.PartName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parts of goldens, merged as the engine merged them: same name, same bytes. */
class GoldenMergeTest {
  @TempDir Path directory;

  @Test
  void threePartsBecomeTheOneThatTheEngineMade() throws Exception {
    Golden sources = Golden.of(Golden.Engine.V26_7, "j_merge");
    Path ours = directory.resolve("ours");
    sources.unpackParts(ours);
    merge(
        Golden.of(Golden.Engine.V26_7, "j_merge_optimized"),
        ours,
        List.of("all_1_1_0", "all_2_2_0", "all_3_3_0"),
        false);
  }

  @Test
  void columnsMergedOneByOneBecomeThoseThatTheEngineMade() throws Exception {
    Golden golden = Golden.of(Golden.Engine.V26_7, "j_merge_vertical_optimized");
    StringBuilder first = new StringBuilder();
    StringBuilder second = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      String row = "\t1\t2\t%d\t[%d]\t%s\t%s\t1\t2\t3\t4\t5\t6%n";
      first.append(i * 2).append(row.formatted(i, i, i, "l"));
      second.append(i * 3).append(row.formatted(i, i, "\\N", "m"));
    }
    Path ours = Files.createDirectories(directory.resolve("ours"));
    Merges.insert(golden.createSql(), new LocalDisk(ours), 1, first.toString());
    Merges.insert(golden.createSql(), new LocalDisk(ours), 2, second.toString());
    merge(golden, ours, List.of("all_1_1_0", "all_2_2_0"), true);
  }

  @ParameterizedTest
  @ValueSource(strings = {"j_replacing", "j_replacing_ver", "j_replacing_del", "j_collapsing"})
  void rowsAreFoldedAsTheEngineFoldedThem(String name) throws Exception {
    Golden sources = Golden.of(Golden.Engine.V26_7, name);
    Path ours = directory.resolve("ours");
    sources.unpackParts(ours);
    merge(
        Golden.of(Golden.Engine.V26_7, name + "_optimized"),
        ours,
        sources.partNames().stream().sorted().toList(),
        false);
  }

  private void merge(Golden golden, Path ours, List<String> sources, boolean vertical)
      throws Exception {
    Path theirs = directory.resolve("theirs");
    golden.unpackParts(theirs);
    try (BufferAllocator allocator = new RootAllocator()) {
      Merges.Result result =
          Merges.merge(
              golden.createSql(),
              new LocalDisk(ours),
              sources.stream().map(PartName::parse).toList(),
              allocator);
      assertThat(golden.partNames()).containsExactly(result.name());
      assertThat(result.vertical()).isEqualTo(vertical);
      assertThat(PartFiles.differences(theirs.resolve(result.name()), ours.resolve(result.name())))
          .isEmpty();
    }
  }
}
