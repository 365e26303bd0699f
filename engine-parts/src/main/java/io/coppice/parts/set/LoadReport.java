package io.coppice.parts.set;

import io.coppice.parts.name.DetachedName;
import io.coppice.parts.name.PartName;
import java.util.List;

/**
 * What was found in a table's directory when it was loaded.
 *
 * @param active parts that count
 * @param outdated parts covered by those
 * @param broken parts that were moved to {@code detached/}
 * @param leftovers paths of what a crash had left, which were deleted or renamed back
 */
public record LoadReport(int active, int outdated, List<Broken> broken, List<String> leftovers) {
  /**
   * A part that does not load.
   *
   * @param movedTo its name in {@code detached/}
   * @param sizeBytes bytes of its files
   * @param reason what is wrong with it
   */
  public record Broken(PartName part, DetachedName movedTo, long sizeBytes, String reason) {}

  public LoadReport {
    broken = List.copyOf(broken);
    leftovers = List.copyOf(leftovers);
  }
}
