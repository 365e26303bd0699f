package io.coppice.parts.text;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The bytes of a file, which also may be opened anew by those who jump in it. What comes through a
 * pipe is put into a temporary file first, which goes when the stream is closed.
 *
 * <p>Confined to one thread; the owner closes it.
 */
public final class FileStream extends BufferedInputStream {
  private static final int BUFFER_BYTES = 1 << 20;

  private final Path path;
  private final boolean temporary;

  private FileStream(Path path, boolean temporary) throws IOException {
    super(Files.newInputStream(path), BUFFER_BYTES);
    this.path = path;
    this.temporary = temporary;
  }

  /** Opens a file. */
  public static FileStream open(Path path) throws IOException {
    return new FileStream(path, false);
  }

  /** The bytes that a stream, which stays open, still has; the stream itself when it is one. */
  public static FileStream of(InputStream in) throws IOException {
    if (in instanceof FileStream file) {
      return file;
    }
    Path path = Files.createTempFile("coppice", ".input");
    boolean done = false;
    try {
      Files.copy(in, path, StandardCopyOption.REPLACE_EXISTING);
      FileStream file = new FileStream(path, true);
      done = true;
      return file;
    } finally {
      if (!done) {
        Files.deleteIfExists(path);
      }
    }
  }

  /** Where the file is, as long as the stream is open. */
  public Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      if (temporary) {
        Files.deleteIfExists(path);
      }
    }
  }
}
