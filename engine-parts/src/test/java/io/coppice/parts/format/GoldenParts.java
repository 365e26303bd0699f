package io.coppice.parts.format;

import io.coppice.fixtures.Golden;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The parts of all golden cases, unpacked, those of projections among them. */
final class GoldenParts {
  /** A directory that is a part, or a projection inside one. */
  record Part(Golden golden, Path directory) {
    List<String> files() {
      try (Stream<Path> paths = Files.list(directory)) {
        return paths
            .filter(Files::isRegularFile)
            .map(path -> path.getFileName().toString())
            .sorted()
            .toList();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    boolean has(String file) {
      return Files.exists(directory.resolve(file));
    }

    byte[] bytes(String file) {
      try {
        return Files.readAllBytes(directory.resolve(file));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    String name() {
      return directory.getFileName().toString();
    }

    boolean projection() {
      return name().endsWith(".proj");
    }

    @Override
    public String toString() {
      return golden + "/" + name();
    }
  }

  private GoldenParts() {}

  static List<Part> all(Path temp) {
    List<Part> parts = new ArrayList<>();
    for (Golden.Engine engine : Golden.Engine.values()) {
      parts.addAll(all(temp, engine, ""));
    }
    return parts;
  }

  /** The parts of the cases of one engine whose names begin with {@code prefix}. */
  static List<Part> all(Path temp, Golden.Engine engine, String prefix) {
    List<Part> parts = new ArrayList<>();
    String archive = engine == Golden.Engine.V26_7 ? "parts.tar.gz" : "part.tar";
    for (Golden golden : Golden.group(engine, prefix)) {
      if (golden.has(archive)) {
        Path target = temp.resolve(engine.version()).resolve(golden.name());
        for (Path part : golden.unpackParts(target)) {
          parts.add(new Part(golden, part));
          try (Stream<Path> inside = Files.list(part)) {
            inside.filter(Files::isDirectory).sorted().forEach(p -> parts.add(new Part(golden, p)));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      }
    }
    return parts;
  }
}
