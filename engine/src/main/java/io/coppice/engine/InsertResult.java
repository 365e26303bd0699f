package io.coppice.engine;

import io.coppice.parts.name.PartName;
import java.util.List;

/**
 * What an insert did.
 *
 * @param rows rows that are in the table now
 * @param parts the parts that hold them, in the order they were written
 * @param sizeBytes bytes of those parts' files
 * @param duplicateRows rows left out, because the table has taken the same block of rows before
 */
public record InsertResult(long rows, List<PartName> parts, long sizeBytes, long duplicateRows) {
  public InsertResult {
    parts = List.copyOf(parts);
  }
}
