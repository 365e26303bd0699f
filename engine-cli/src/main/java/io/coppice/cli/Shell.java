package io.coppice.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * What a command talks to: its input, its output, where messages go and whether a person watches.
 * Belongs to the thread of the command.
 */
final class Shell {
  private final InputStream in;
  private final OutputStream out;
  private final PrintStream err;
  private final boolean terminal;

  Shell(InputStream in, OutputStream out, PrintStream err, boolean terminal) {
    this.in = in;
    this.out = out;
    this.err = err;
    this.terminal = terminal;
  }

  static Shell ofProcess() {
    OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16);
    PrintStream err =
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    return new Shell(System.in, out, err, Boolean.getBoolean("coppice.terminal"));
  }

  InputStream in() {
    return in;
  }

  /** Results, and nothing else. */
  OutputStream out() {
    return out;
  }

  /** Messages. */
  PrintStream err() {
    return err;
  }

  /** Whether messages are read by a person. */
  boolean terminal() {
    return terminal;
  }

  /** A line of results. */
  void line(String text) {
    try {
      out.write((text + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An error, on one line. */
  void error(String message) {
    err.println("coppice: " + message.replaceAll("\\s*\\R\\s*", " "));
  }

  void flush() {
    try {
      out.flush();
    } catch (IOException e) {
      // Nobody reads any more; there is nobody to tell either.
      err.flush();
      return;
    }
    err.flush();
  }
}
