package io.coppice.parts.inspect;

import io.coppice.base.error.ErrorCode;
import java.util.OptionalLong;

/**
 * One thing that is wrong with a part.
 *
 * @param file concerned, relative to the part; empty when it is the part as a whole
 * @param offset in that file in bytes, where one can be named
 * @param code what kind of fault, by ClickHouse's number
 * @param message what was expected and what was found
 */
public record Fault(String file, OptionalLong offset, ErrorCode code, String message) {
  static Fault of(String file, ErrorCode code, String message) {
    return new Fault(file, OptionalLong.empty(), code, message);
  }

  static Fault at(String file, long offset, ErrorCode code, String message) {
    return new Fault(file, OptionalLong.of(offset), code, message);
  }

  /** {@code price.bin at 65536: …}, on one line. */
  public String text() {
    String place =
        file.isEmpty() ? "" : file + (offset.isPresent() ? " at " + offset.getAsLong() : "") + ": ";
    return place + message;
  }
}
