package io.coppice.parts.set;

import io.coppice.parts.name.DetachedName;
import io.coppice.parts.name.PartName;
import java.util.List;
import java.util.Optional;

/**
 * What was found in a table's directory when it was loaded.
 *
 * @param active parts that count
 * @param outdated parts covered by those
 * @param broken parts that do not count
 * @param leftovers paths of what a crash had left, which were deleted or renamed back unless
 *     nothing is changed
 */
public record LoadReport(int active, int outdated, List<Broken> broken, List<String> leftovers) {
  /**
   * A part that does not load.
   *
   * @param movedTo its name in {@code detached/}; absent if it stays, as nothing is changed
   * @param sizeBytes bytes of its files
   * @param reason what is wrong with it
   */
  public record Broken(
      PartName part, Optional<DetachedName> movedTo, long sizeBytes, String reason) {}

  public LoadReport {
    broken = List.copyOf(broken);
    leftovers = List.copyOf(leftovers);
  }
}
