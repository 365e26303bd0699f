package io.coppice.engine;

import io.coppice.parts.name.PartName;
import java.util.List;

/**
 * What an insert did.
 *
 * @param rows rows that are in the table now
 * @param parts the parts that hold them, in the order they were written
 * @param sizeBytes bytes of those parts' files
 */
public record InsertResult(long rows, List<PartName> parts, long sizeBytes) {
  public InsertResult {
    parts = List.copyOf(parts);
  }
}
