package io.coppice.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory that is deleted with all below it when closed, or when the process is ended. */
final class Temporary implements AutoCloseable {
  private final Path directory;
  private final Thread hook = new Thread(this::deleteQuietly);

  Temporary(String prefix) throws IOException {
    this.directory = Files.createTempDirectory(prefix);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  Path directory() {
    return directory;
  }

  private void deleteQuietly() {
    try {
      delete();
    } catch (IOException e) {
      // The process ends; what is left lies in the system's temporary directory.
      System.err.println("coppice: left behind: " + directory);
    }
  }

  private void delete() throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> walk = Files.walk(directory)) {
      all = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : all) {
      Files.deleteIfExists(path);
    }
  }

  @Override
  public void close() throws IOException {
    delete();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // the process is ending: the hook runs by itself
    }
  }
}
