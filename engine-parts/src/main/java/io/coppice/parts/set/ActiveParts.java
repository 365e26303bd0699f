package io.coppice.parts.set;

import io.coppice.base.error.EngineException;
import io.coppice.parts.format.FormatVersionFile;
import io.coppice.parts.name.PartName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which directories of a table's directory are parts that count, told by their names alone, as
 * {@link PartSet} chooses them: a part that another covers does not count, nor does what is being
 * written or deleted. For those who look and change nothing; a part that turns out to be broken
 * does not bring those back that it covers.
 *
 * <p>Immutable.
 *
 * @param active directories of parts that no other part covers, in the order of their names
 * @param leftOut directories that do not count
 * @param others directories whose name is no part's, in order
 */
public record ActiveParts(List<String> active, List<LeftOut> leftOut, List<String> others) {
  /**
   * A directory that does not count.
   *
   * @param coveredBy the active part that has its rows; empty for what is being written or deleted
   */
  public record LeftOut(String directory, Optional<String> coveredBy) {
    /** Why it does not count, as part of a sentence: {@code covered by all_1_2_1}. */
    public String reason() {
      return coveredBy
          .map(part -> "covered by " + part)
          .orElse(
              directory.startsWith(PartSet.DELETING_PREFIX)
                  ? "being deleted"
                  : "left by something that was writing it");
    }
  }

  public ActiveParts {
    active = List.copyOf(active);
    leftOut = List.copyOf(leftOut);
    others = List.copyOf(others);
  }

  /**
   * Sorts the names of directories.
   *
   * @param format how parts are named, where that is known; else every name is read as either
   * @throws EngineException LOGICAL_ERROR when two parts have blocks in common and neither covers
   *     the other: which rows count cannot be told
   */
  public static ActiveParts of(Collection<String> directories, Optional<FormatVersionFile> format) {
    Map<PartName, String> parts = new TreeMap<>();
    List<LeftOut> leftOut = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (String directory : new TreeSet<>(directories)) {
      Optional<PartName> name = name(directory, format);
      if (PartDirectory.temporary(directory)) {
        leftOut.add(new LeftOut(directory, Optional.empty()));
      } else if (name.isEmpty() || parts.putIfAbsent(name.get(), directory) != null) {
        others.add(directory);
      }
    }
    List<PartName> uncovered = PartDirectory.uncovered(new TreeSet<>(parts.keySet()));
    List<String> active = uncovered.stream().map(parts::get).toList();
    Set<PartName> counted = new HashSet<>(uncovered);
    for (Map.Entry<PartName, String> part : parts.entrySet()) {
      if (!counted.contains(part.getKey())) {
        Optional<String> by =
            uncovered.stream().filter(u -> u.covers(part.getKey())).findFirst().map(parts::get);
        leftOut.add(new LeftOut(part.getValue(), by));
      }
    }
    return new ActiveParts(active, leftOut, others);
  }

  /** The part's name that a directory has, in either form where the form is not known. */
  public static Optional<PartName> name(String directory, Optional<FormatVersionFile> format) {
    if (format.isEmpty()) {
      return PartName.tryParse(directory).or(() -> PartName.tryParseWithDays(directory));
    }
    return switch (format.get()) {
      case MONTHLY -> PartName.tryParseWithDays(directory);
      case CUSTOM_PARTITIONING -> PartName.tryParse(directory);
    };
  }
}
