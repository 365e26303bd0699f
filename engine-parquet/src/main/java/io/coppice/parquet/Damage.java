package io.coppice.parquet;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.io.IOException;
import java.nio.file.FileSystemException;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.util.OversizedAllocationException;

/** Turns what goes wrong in a damaged file into an error that names it. Stateless. */
final class Damage {
  private Damage() {}

  /** Work on a file. */
  interface Work<T> {
    T run() throws IOException;
  }

  /** Does it; whatever the bytes of the file cause is INCORRECT_DATA. */
  static <T> T named(String what, Work<T> work) throws IOException {
    try {
      return work.run();
    } catch (EngineException | OutOfMemoryException | OversizedAllocationException e) {
      throw e;
    } catch (RuntimeException e) {
      throw of(what, e);
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      throw of(what, e);
    }
  }

  private static EngineException of(String what, Exception e) {
    String said = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return new EngineException(
        ErrorCode.INCORRECT_DATA, what + " is no Parquet file, or is damaged: " + said, e);
  }

  /** The error that something of a file cannot be. */
  static IOException broken(String format, Object... arguments) {
    return new IOException(String.format(java.util.Locale.ROOT, format, arguments));
  }
}
