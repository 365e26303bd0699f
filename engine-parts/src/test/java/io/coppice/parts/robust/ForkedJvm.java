package io.coppice.parts.robust;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a class's {@code main} in a JVM of its own with as little memory as it is to live on. */
final class ForkedJvm {
  private ForkedJvm() {}

  /**
   * Runs {@code main} and fails unless it ends with 0.
   *
   * @param heapMegabytes most heap
   * @param directMegabytes most direct memory
   * @return what it printed
   */
  static String run(Class<?> main, int heapMegabytes, int directMegabytes, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heapMegabytes + "m");
    command.add("-XX:MaxDirectMemorySize=" + directMegabytes + "m");
    command.add("-XX:+ExitOnOutOfMemoryError");
    command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
    if (Runtime.version().feature() >= 24) {
      command.add("--sun-misc-unsafe-memory-access=allow");
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String printed;
    try (var out = process.getInputStream()) {
      printed = new String(out.readAllBytes(), StandardCharsets.UTF_8);
    }
    assertThat(process.waitFor()).as(printed).isZero();
    return printed;
  }
}
