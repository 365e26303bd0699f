package io.coppice.base.error;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;

/**
 * The one exception of the public API. Its message says what was being done to what, expected
 * against found, and the next step if there is one; callers decide by {@link #code()}, never by the
 * message.
 */
public class EngineException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  public EngineException(ErrorCode code, String message) {
    super(message);
    this.code = code;
  }

  public EngineException(ErrorCode code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /** An error whose message is {@code format} filled with {@code values}. */
  @FormatMethod
  public static EngineException of(ErrorCode code, @FormatString String format, Object... values) {
    return new EngineException(code, String.format(format, values));
  }

  public ErrorCode code() {
    return code;
  }

  /**
   * This error with {@code context} before its message, for example the part and file concerned.
   */
  public EngineException within(String context) {
    return new EngineException(code, context + ": " + getMessage(), this);
  }
}
