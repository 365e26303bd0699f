package io.coppice.parts.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM started without Arrow's flag is told so at the door, whichever door it is. */
class ArrowFlagsTest {
  @TempDir Path directory;

  @Test
  void aForgottenFlagIsNamedAtEveryDoor() throws Exception {
    List<String> lines = run();
    assertThat(lines).hasSize(9);
    assertThat(lines)
        .allSatisfy(
            line ->
                assertThat(line)
                    .matches("[A-Za-z]+ 344 .*")
                    .contains(ArrowFlags.FLAG, "<argLine>", "jvmArgs", "JAVA_TOOL_OPTIONS"));
  }

  @Test
  void withTheFlagTheDoorsOpen() throws Exception {
    assertThat(run(ArrowFlags.FLAG)).filteredOn(line -> line.contains(" 344 ")).isEmpty();
  }

  private List<String> run(String... flags) throws Exception {
    List<String> command =
        Stream.of(
                Stream.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()),
                Stream.of(flags),
                Stream.of(
                    "-cp",
                    System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path")),
                    ForgottenFlag.class.getName(),
                    directory.toString()))
            .flatMap(s -> s)
            .toList();
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String printed;
    try (var out = process.getInputStream()) {
      printed = new String(out.readAllBytes(), StandardCharsets.UTF_8);
    }
    assertThat(process.waitFor()).as(printed).isZero();
    return printed.lines().toList();
  }
}
