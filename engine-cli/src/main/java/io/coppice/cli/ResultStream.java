package io.coppice.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/**
 * Results on their way out, with what became of them: who writes to it may swallow the error, as a
 * PrintWriter does, and the command still ends with it. Belongs to the thread of the command.
 */
final class ResultStream extends OutputStream {
  private final OutputStream out;
  private Optional<IOException> failure = Optional.empty();

  ResultStream(OutputStream out) {
    this.out = out;
  }

  private interface Step {
    void run() throws IOException;
  }

  private void attempt(Step step) throws IOException {
    try {
      step.run();
    } catch (IOException e) {
      failure = failure.or(() -> Optional.of(e));
      throw e;
    }
  }

  @Override
  public void write(int b) throws IOException {
    attempt(() -> out.write(b));
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    attempt(() -> out.write(bytes, offset, length));
  }

  @Override
  public void flush() throws IOException {
    if (failure.isEmpty()) {
      attempt(out::flush);
    }
  }

  /** Why not everything was written. */
  Optional<IOException> failure() {
    return failure;
  }

  /** Whether whoever reads has seen enough. */
  boolean closedByReader() {
    return failure.isPresent() && String.valueOf(failure.get().getMessage()).contains("roken pipe");
  }
}
