package io.coppice.engine.catalog;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The symbolic links of a data directory. ClickHouse makes them for people, and chDB looks for its
 * default database behind one; nothing else depends on them, and a disk that has none does without.
 */
public interface Links {
  /** No links: for disks that know none. */
  Links NONE =
      new Links() {
        @Override
        public void make(String link, String target) {}

        @Override
        public void remove(String link) {}

        @Override
        public Optional<String> target(String link) {
          return Optional.empty();
        }
      };

  /** Makes a link to another path of the directory; what link was there is replaced. */
  void make(String link, String target) throws IOException;

  /** Removes a link, if it is there. */
  void remove(String link) throws IOException;

  /** The last name of what a link points to, if there is one. */
  Optional<String> target(String link) throws IOException;

  /** The links below a directory of the machine. */
  static Links below(Path root) {
    return new Links() {
      @Override
      public void make(String link, String target) throws IOException {
        Path at = root.resolve(link);
        if (Files.exists(at, java.nio.file.LinkOption.NOFOLLOW_LINKS)
            && !Files.isSymbolicLink(at)) {
          return; // something else that somebody put there
        }
        Files.createDirectories(at.getParent());
        Files.deleteIfExists(at);
        try {
          Files.createSymbolicLink(at, at.getParent().relativize(root.resolve(target)));
        } catch (FileAlreadyExistsException | UnsupportedOperationException e) {
          // Somebody else was faster, or the file system has no links: nothing depends on it.
          return;
        }
      }

      @Override
      public void remove(String link) throws IOException {
        Path at = root.resolve(link);
        if (Files.isSymbolicLink(at)) {
          Files.deleteIfExists(at);
        }
      }

      @Override
      public Optional<String> target(String link) throws IOException {
        Path at = root.resolve(link);
        if (!Files.isSymbolicLink(at)) {
          return Optional.empty();
        }
        try {
          Path name = Files.readSymbolicLink(at).getFileName();
          return Optional.ofNullable(name).map(Path::toString);
        } catch (NoSuchFileException e) {
          return Optional.empty();
        }
      }
    };
  }
}
