package io.coppice.base.check;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;

/** Executable statements: of callers ({@link #argument}) and of ourselves ({@link #invariant}). */
public final class Check {
  private Check() {}

  /** Refuses a caller's argument with {@link IllegalArgumentException}. */
  @FormatMethod
  public static void argument(boolean holds, @FormatString String message, Object... values) {
    if (!holds) {
      throw new IllegalArgumentException(String.format(message, values));
    }
  }

  /** Stops with {@link AssertionError} when what we believe of our own state is not so. */
  @FormatMethod
  public static void invariant(boolean holds, @FormatString String message, Object... values) {
    if (!holds) {
      throw new AssertionError(String.format(message, values));
    }
  }
}
