package io.coppice.parts.skip;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The plain pieces of a LIKE pattern, between {@code %} and {@code _}; a backslash makes the next
 * character plain.
 *
 * @param pieces in order, none empty
 * @param startsPlain whether the first piece begins the pattern
 * @param endsPlain whether the last piece ends it
 */
record LikePattern(List<byte[]> pieces, boolean startsPlain, boolean endsPlain) {
  static LikePattern of(byte[] pattern) {
    List<byte[]> pieces = new ArrayList<>();
    ByteArrayOutputStream piece = new ByteArrayOutputStream();
    boolean startsPlain = pattern.length > 0 && pattern[0] != '%' && pattern[0] != '_';
    boolean endsPlain = false;
    for (int i = 0; i < pattern.length; i++) {
      byte b = pattern[i];
      endsPlain = true;
      if (b == '\\' && i + 1 < pattern.length) {
        byte next = pattern[++i];
        if (next != '%' && next != '_' && next != '\\') {
          piece.write('\\'); // stands for itself before other characters
        }
        piece.write(next);
      } else if (b == '%' || b == '_') {
        endsPlain = false;
        if (piece.size() > 0) {
          pieces.add(piece.toByteArray());
          piece.reset();
        }
      } else {
        piece.write(b);
      }
    }
    if (piece.size() > 0) {
      pieces.add(piece.toByteArray());
    }
    return new LikePattern(pieces, startsPlain, endsPlain);
  }

  /** What every match begins with; may be empty. */
  byte[] prefix() {
    return startsPlain && !pieces.isEmpty() ? pieces.get(0) : new byte[0];
  }
}
