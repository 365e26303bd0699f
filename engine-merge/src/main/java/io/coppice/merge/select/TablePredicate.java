package io.coppice.merge.select;

import io.coppice.parts.name.PartName;
import java.util.Collection;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * What may be merged in a table that is not replicated: parts of one partition that nothing merges
 * or mutates already, that the same mutations went through and that have the same projections. No
 * merge closes a gap in which a part of a higher level lies that waits to be deleted: it may come
 * back when the table is loaded. Immutable.
 */
public final class TablePredicate implements MergePredicate {
  private final Set<PartName> inUse;
  private final NavigableSet<Long> mutations;
  private final OptionalLong firstUpdate;
  private final NavigableSet<PartName> others;

  /**
   * @param inUse sources of merges and mutations that run or wait to run
   * @param mutations block numbers of the table's mutations that are still known
   * @param firstUpdate the lowest block number of a lightweight update that is being written
   * @param others parts that are not active but still there
   */
  public TablePredicate(
      Collection<PartName> inUse,
      Collection<Long> mutations,
      OptionalLong firstUpdate,
      Collection<PartName> others) {
    this.inUse = Set.copyOf(inUse);
    this.mutations = new TreeSet<>(mutations);
    this.firstUpdate = firstUpdate;
    this.others = new TreeSet<>(others);
  }

  /** That of a table where nothing happens and nothing has happened. */
  public static TablePredicate idle() {
    return new TablePredicate(Set.of(), Set.of(), OptionalLong.empty(), Set.of());
  }

  @Override
  public Optional<String> against(CandidatePart part) {
    PartName name = part.name();
    if (inUse.contains(name)) {
      return Optional.of("part " + name + " is being merged or mutated");
    }
    if (firstUpdate.isPresent() && name.dataVersion() >= firstUpdate.getAsLong()) {
      return Optional.of(
          "part %s has data version %d, and update %d before it is still being written"
              .formatted(name, name.dataVersion(), firstUpdate.getAsLong()));
    }
    return Optional.empty();
  }

  @Override
  public Optional<String> against(CandidatePart left, CandidatePart right) {
    PartName first = left.name();
    PartName second = right.name();
    if (!first.partition().equals(second.partition())) {
      return Optional.of("parts %s and %s are of two partitions".formatted(first, second));
    }
    if (!left.projections().equals(right.projections())) {
      return Optional.of(
          "parts %s and %s have unlike projections: %s, %s"
              .formatted(first, second, sorted(left.projections()), sorted(right.projections())));
    }
    if (!Objects.equals(mutationOf(first), mutationOf(second))) {
      return Optional.of(
          "parts %s and %s have gone through unlike mutations".formatted(first, second));
    }
    long level = levelBetween(first, second);
    if (level > Math.max(first.level(), second.level())) {
      return Optional.of(
          "between parts %s and %s lies an outdated one of level %d"
              .formatted(first, second, level));
    }
    return Optional.empty();
  }

  private static Set<String> sorted(Set<String> names) {
    return new TreeSet<>(names);
  }

  /** The last mutation that the part has gone through or came after; null if none. */
  private Long mutationOf(PartName name) {
    return mutations.floor(name.dataVersion());
  }

  private long levelBetween(PartName left, PartName right) {
    return others.subSet(left, right).stream().mapToLong(PartName::level).max().orElse(0);
  }
}
