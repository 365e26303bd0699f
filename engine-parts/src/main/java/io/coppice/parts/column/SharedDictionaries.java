package io.coppice.parts.column;

import java.util.ArrayList;
import java.util.List;

/**
 * Of the LowCardinality values of a column that were read at once: how wide indexes into the
 * dictionary of the part are, for each place of the type in order. Immutable.
 *
 * @param indexBytes 0 where values have a dictionary of their own
 */
public record SharedDictionaries(List<Integer> indexBytes) {
  /** Nothing is shared. */
  public static final SharedDictionaries NONE = new SharedDictionaries(List.of());

  public SharedDictionaries {
    indexBytes = List.copyOf(indexBytes);
  }

  /** Those of what an encoding has read last. */
  public static SharedDictionaries of(Encoding encoding) {
    List<Integer> bytes = new ArrayList<>();
    encoding.indexBytes(bytes);
    return bytes.isEmpty() ? NONE : new SharedDictionaries(bytes);
  }

  /** Takes them one by one. Confined to one thread. */
  static final class Cursor {
    private final SharedDictionaries shared;
    private int next;

    Cursor(SharedDictionaries shared) {
      this.shared = shared;
    }

    /** Width of an index into the next dictionary, 0 if it is not shared. */
    int next() {
      int index = next++;
      return index < shared.indexBytes().size() ? shared.indexBytes().get(index) : 0;
    }
  }
}
