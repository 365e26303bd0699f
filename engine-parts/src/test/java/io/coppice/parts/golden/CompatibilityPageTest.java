package io.coppice.parts.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.fixtures.Golden;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/compatibility.md} says what the golden tests hold. {@code -Dcoppice.pages=write}
 * writes it anew.
 */
class CompatibilityPageTest {
  @Test
  void pageSaysWhatTheGoldensShow() throws Exception {
    StringBuilder page = new StringBuilder();
    page.append("# Compatibility with ClickHouse, part by part\n\n");
    page.append(
        "Written by `CompatibilityPageTest` from parts that real engines wrote (`data-fixtures`). *Read*: the"
            + " rows are those that the\nengine printed. *Rebuilt*: the inserted rows, built here with the"
            + " table's settings, give the same files, byte for byte.\nThe tests `GoldenReadTest` and"
            + " `GoldenRebuildTest` fail when a line of this page is not so.\n");
    for (Golden.Engine engine : Golden.Engine.values()) {
      int read = 0;
      int rebuilt = 0;
      StringBuilder table = new StringBuilder();
      for (Golden golden : Golden.all(engine)) {
        Optional<String> unread = GoldenReadTest.unread(golden);
        String exception = GoldenRebuildTest.EXCEPTIONS.get(golden.name());
        boolean rebuilds = GoldenRebuildTest.rebuilds(golden);
        read += unread.isEmpty() ? 1 : 0;
        rebuilt += rebuilds && exception == null ? 1 : 0;
        table
            .append("| `")
            .append(golden.name())
            .append("` | ")
            .append(unread.map(r -> "no: " + r).orElse("yes"))
            .append(" | ")
            .append(!rebuilds ? "" : exception == null ? "equal bytes" : "differs: " + exception)
            .append(" |\n");
      }
      page.append("\n## ")
          .append(engine.version())
          .append("\n\n")
          .append(Golden.all(engine).size())
          .append(" goldens, ")
          .append(read)
          .append(" read, ")
          .append(rebuilt)
          .append(" rebuilt to equal bytes.\n\n| golden | read | rebuilt |\n| --- | --- | --- |\n")
          .append(table);
      System.out.printf(
          "%s: %d goldens, %d read, %d rebuilt to equal bytes%n",
          engine.version(), Golden.all(engine).size(), read, rebuilt);
    }
    Path file = root().resolve("docs/compatibility.md");
    if ("write".equals(System.getProperty("coppice.pages"))) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, page);
    }
    assertThat(Files.readString(file, StandardCharsets.UTF_8))
        .as("docs/compatibility.md is stale; run this test with -Dcoppice.pages=write")
        .isEqualTo(page.toString());
  }

  private static Path root() {
    Path at = Path.of("").toAbsolutePath();
    while (!Files.exists(at.resolve("engine-parts"))) {
      at = at.getParent();
    }
    return at;
  }
}
