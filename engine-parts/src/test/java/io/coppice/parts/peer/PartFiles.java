package io.coppice.parts.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Compares the files of parts byte for byte. */
final class PartFiles {
  private PartFiles() {}

  /** What differs between two part directories, a line a file. */
  static List<String> differences(Path theirs, Path ours) throws IOException {
    TreeSet<String> names = new TreeSet<>(files(theirs));
    names.addAll(files(ours));
    List<String> differences = new ArrayList<>();
    for (String name : names) {
      Path a = theirs.resolve(name);
      Path b = ours.resolve(name);
      if (!Files.exists(a) || !Files.exists(b)) {
        differences.add((Files.exists(a) ? "only theirs: " : "only ours: ") + name);
        continue;
      }
      byte[] expected = Files.readAllBytes(a);
      byte[] found = Files.readAllBytes(b);
      if (!Arrays.equals(expected, found)) {
        differences.add(
            "%s differs at %d of %d and %d"
                .formatted(name, Arrays.mismatch(expected, found), expected.length, found.length));
      }
    }
    return differences;
  }

  private static List<String> files(Path root) throws IOException {
    if (!Files.isDirectory(root)) {
      return List.of();
    }
    try (Stream<Path> walk = Files.walk(root)) {
      return walk.filter(Files::isRegularFile).map(p -> root.relativize(p).toString()).toList();
    }
  }
}
