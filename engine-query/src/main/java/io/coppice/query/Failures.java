package io.coppice.query;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Faults of the system under a statement, with ClickHouse's codes. Stateless. */
final class Failures {
  private Failures() {}

  /** What is thrown for a fault; an {@link EngineException} is that itself. */
  static EngineException told(Exception e) {
    if (e instanceof EngineException engine) {
      return engine;
    }
    ErrorCode code =
        e instanceof InterruptedIOException
            ? ErrorCode.QUERY_WAS_CANCELLED
            : e instanceof NoSuchFileException
                ? ErrorCode.FILE_DOESNT_EXIST
                : e instanceof AccessDeniedException
                    ? ErrorCode.CANNOT_OPEN_FILE
                    : ErrorCode.CANNOT_WRITE_TO_FILE_DESCRIPTOR;
    return new EngineException(code, said(e), e);
  }

  private static String said(Exception e) {
    if (e instanceof InterruptedIOException) {
      return "the thread that waits for the query was interrupted";
    } else if (e instanceof FileSystemException file && file.getReason() == null) {
      String what =
          e instanceof NoSuchFileException
              ? "there is no such file"
              : e instanceof AccessDeniedException
                  ? "access is denied"
                  : e.getClass().getSimpleName();
      return file.getFile() + ": " + what;
    }
    return String.valueOf(e.getMessage());
  }

  /** As {@link #told}, for what has a type that a method declares: others go on as they are. */
  static IOException orItself(IOException e) {
    if (e instanceof FileSystemException || e instanceof InterruptedIOException) {
      throw told(e);
    }
    return e;
  }
}
