package io.coppice.query;

import java.io.IOException;
import java.util.List;

/** Closes several things, all of them also when one fails. */
final class Closing {
  private Closing() {}

  static void all(List<? extends Rows> rows) throws IOException {
    IOException first = null;
    for (Rows one : rows) {
      try {
        one.close();
      } catch (IOException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
