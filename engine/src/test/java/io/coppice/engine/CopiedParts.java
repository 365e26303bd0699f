package io.coppice.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Many parts made of one: its files under the names of the blocks that follow. Stateless. */
final class CopiedParts {
  /** A file has so many names at most; file systems allow some ten thousands. */
  private static final int NAMES_OF_A_FILE = 20_000;

  private CopiedParts() {}

  /**
   * Gives a table of one part {@code all_1_1_0} as many as {@code count}, {@code all_1_1_0} to
   * {@code all_count_count_0}. No engine has it open.
   */
  static void make(Path table, int count) throws IOException {
    Path original = table.resolve("all_1_1_0");
    List<Path> names;
    try (Stream<Path> files = Files.list(original)) {
      names = files.map(Path::getFileName).toList();
    }
    Path source = original;
    for (int block = 2; block <= count; block++) {
      Path part = Files.createDirectory(table.resolve("all_" + block + "_" + block + "_0"));
      boolean copied = block % NAMES_OF_A_FILE == 0;
      for (Path name : names) {
        if (copied) {
          Files.copy(source.resolve(name), part.resolve(name));
        } else {
          Files.createLink(part.resolve(name), source.resolve(name));
        }
      }
      source = copied ? part : source;
    }
  }
}
