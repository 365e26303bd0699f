package io.coppice.cli;

import io.coppice.base.error.EngineException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.regex.Pattern;

/** Errors in the words of whoever reads them, without the names of classes. Stateless. */
final class Words {
  private static final Pattern CLASSES =
      Pattern.compile("\\b[a-z]+(?:\\.[a-z0-9]+)+\\.[A-Z]\\w*(?:Exception|Error)(?:: )?");

  private Words() {}

  static String of(Throwable e) {
    if (e instanceof EngineException) {
      return tidy(String.valueOf(e.getMessage()));
    }
    if (e instanceof IOException io) {
      return ofIo(io);
    }
    if (e instanceof InvalidPathException path) {
      return "not the name of a file: " + path.getInput();
    }
    String said = e.getMessage() == null ? "in " + e.getClass().getSimpleName() : e.getMessage();
    return "unexpected: "
        + said
        + "; this is a fault of coppice, please report it with what --debug prints";
  }

  private static String ofIo(IOException e) {
    String message = String.valueOf(e.getMessage());
    if (e instanceof NoSuchFileException) {
      return "no such file or directory: " + message + Locales.hint(message);
    }
    if (e instanceof FileAlreadyExistsException) {
      return "there already: " + message;
    }
    if (e instanceof NotDirectoryException) {
      return "no directory: " + message;
    }
    if (e instanceof AccessDeniedException) {
      return "access denied: " + message;
    }
    if (e instanceof DirectoryNotEmptyException) {
      return "not empty: " + message;
    }
    if (e instanceof FileSystemLoopException) {
      return "symbolic links in a circle: " + message;
    }
    if (e instanceof InterruptedIOException) {
      return "interrupted";
    }
    if (e instanceof EOFException) {
      return "ends too early" + (e.getMessage() == null ? "" : ": " + message);
    }
    return e.getMessage() == null ? "reading or writing failed" : tidy(message);
  }

  /**
   * {@code a: a: b} as {@code a: b}, {@code a: a at 5: b} as {@code a at 5: b}; without the classes
   * of exceptions that libraries put into their messages.
   */
  static String tidy(String message) {
    String rest = CLASSES.matcher(message).replaceAll("");
    StringBuilder said = new StringBuilder();
    while (true) {
      int colon = rest.indexOf(": ");
      if (colon < 0) {
        return said.append(rest).toString();
      }
      String first = rest.substring(0, colon);
      String behind = rest.substring(colon + 2);
      boolean doubled =
          !first.isEmpty()
              && behind.startsWith(first)
              && (behind.startsWith(": ", first.length())
                  || behind.startsWith(", ", first.length())
                  || behind.startsWith(" at ", first.length()));
      if (!doubled) {
        said.append(first).append(": ");
      }
      rest = behind;
    }
  }
}
