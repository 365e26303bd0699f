package io.coppice.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs commands in this process. */
final class Cli {
  /** What a command did. */
  record Result(int status, byte[] out, String err) {
    String text() {
      return new String(out, StandardCharsets.UTF_8);
    }

    /** Lines of the output, byte for character, so that any bytes are kept apart. */
    List<String> lines() {
      String whole = new String(out, StandardCharsets.ISO_8859_1);
      List<String> lines = new ArrayList<>(Arrays.asList(whole.split("\n", -1)));
      lines.remove(lines.size() - 1);
      return lines;
    }
  }

  private Cli() {}

  static Result run(Object... arguments) {
    return runWith(new byte[0], arguments);
  }

  static Result runWith(byte[] input, Object... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Result result = run(input, out, arguments);
    return new Result(result.status(), out.toByteArray(), result.err());
  }

  /** With the results going to {@code out}, which may fail. */
  static Result runTo(OutputStream out, Object... arguments) {
    return run(new byte[0], out, arguments);
  }

  private static Result run(byte[] input, OutputStream out, Object... arguments) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8);
    Shell shell = new Shell(new ByteArrayInputStream(input), out, errors, false);
    int status =
        Main.run(shell, Arrays.stream(arguments).map(Object::toString).toArray(String[]::new));
    errors.flush();
    return new Result(status, new byte[0], err.toString(StandardCharsets.UTF_8));
  }
}
