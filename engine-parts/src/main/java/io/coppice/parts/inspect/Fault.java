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
  /** The message without the file's name before it, which the fault says anyway. */
  public Fault {
    String named = file + ": ";
    String placed = offset.isPresent() ? file + " at " + offset.getAsLong() + ": " : named;
    boolean again = !file.isEmpty();
    while (again) {
      if (message.startsWith(named)) {
        message = message.substring(named.length());
      } else if (message.startsWith(file + ", ")) { // and a line
        message = message.substring(file.length() + 2);
      } else if (message.startsWith(placed)) {
        message = message.substring(placed.length());
      } else {
        again = false;
      }
    }
  }

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
