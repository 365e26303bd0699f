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
import java.util.HashSet;
import java.util.Set;

/**
 * What a command talks to: its input, its output, where messages go and whether a person watches.
 * Belongs to the thread of the command.
 */
final class Shell {
  private final InputStream in;
  private final ResultStream out;
  private final PrintStream err;
  private final boolean terminal;
  private final boolean outTerminal;
  private final boolean inTerminal;
  private final Set<String> noted = new HashSet<>();

  Shell(InputStream in, OutputStream out, PrintStream err, boolean terminal) {
    this(in, out, err, terminal, false, false);
  }

  /** With what is a terminal: messages, results, input. */
  Shell(
      InputStream in,
      OutputStream out,
      PrintStream err,
      boolean terminal,
      boolean outTerminal,
      boolean inTerminal) {
    this.outTerminal = outTerminal;
    this.inTerminal = inTerminal;
    this.in = in;
    this.out = new ResultStream(out);
    this.err = err;
    this.terminal = terminal;
  }

  static Shell ofProcess() {
    OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16);
    PrintStream err =
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    return new Shell(
        System.in,
        out,
        err,
        Boolean.getBoolean("coppice.terminal"),
        Boolean.getBoolean("coppice.terminal.out"),
        Boolean.getBoolean("coppice.terminal.in"));
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

  /** Whether results are read by a person. */
  boolean outTerminal() {
    return outTerminal;
  }

  /** Whether a person types the input. */
  boolean inTerminal() {
    return inTerminal;
  }

  /**
   * A line of results, whatever is in it made plain. When whoever reads has seen enough, the line
   * is dropped: the command goes on, for its exit status.
   */
  void line(String text) {
    print(Plain.text(text) + "\n");
  }

  /** Results that are JSON. */
  void json(String text) {
    print(Plain.json(text) + "\n");
  }

  private void print(String text) {
    try {
      if (!out.closedByReader()) {
        out.write(text.getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      if (!out.closedByReader()) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** A note, said once however many parts it is about. */
  void note(String message) {
    if (noted.add(message)) {
      error("note: " + message);
    }
  }

  /** An error, on one line. */
  void error(String message) {
    err.println("coppice: " + Plain.line(message));
  }

  /** Whether the output has failed, so that what a command throws follows from that. */
  boolean failed() {
    return out.failure().isPresent();
  }

  void flush() {
    try {
      out.flush();
    } catch (IOException e) {
      err.flush(); // finish() tells it
      return;
    }
    err.flush();
  }

  /**
   * Ends the command.
   *
   * @return its exit status: WRONG when not all results could be written
   */
  int finish(int status) {
    flush();
    if (out.failure().isEmpty() || out.closedByReader()) {
      return status;
    }
    error("the results could not be written: " + out.failure().get().getMessage());
    return Main.WRONG;
  }
}
