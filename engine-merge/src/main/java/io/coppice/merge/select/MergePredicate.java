package io.coppice.merge.select;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which parts may be merged, whatever the use. The answers are reasons against, for operators. */
public interface MergePredicate {
  /** Why no merge may take this part now; empty if one may. */
  Optional<String> against(CandidatePart part);

  /**
   * Why no merge may take both of these parts, each of which one may take; empty if one may.
   *
   * @param left the part before {@code right} among those of the table
   */
  Optional<String> against(CandidatePart left, CandidatePart right);

  /**
   * The longest ranges within which any neighbours may be merged.
   *
   * @param parts active parts of a table, in their order
   */
  default List<PartRange> ranges(List<CandidatePart> parts) {
    List<PartRange> ranges = new ArrayList<>();
    List<CandidatePart> now = new ArrayList<>();
    for (CandidatePart part : parts) {
      boolean usable = against(part).isEmpty();
      boolean follows =
          usable && !now.isEmpty() && against(now.get(now.size() - 1), part).isEmpty();
      if (!follows && !now.isEmpty()) {
        ranges.add(new PartRange(now));
        now.clear();
      }
      if (usable) {
        now.add(part);
      }
    }
    if (!now.isEmpty()) {
      ranges.add(new PartRange(now));
    }
    return ranges;
  }

  /** Why these parts may not be merged to one; empty if they may. */
  default Optional<String> againstAll(List<CandidatePart> parts) {
    for (CandidatePart part : parts) {
      Optional<String> reason = against(part);
      if (reason.isPresent()) {
        return reason;
      }
    }
    for (int i = 1; i < parts.size(); i++) {
      Optional<String> reason = against(parts.get(i - 1), parts.get(i));
      if (reason.isPresent()) {
        return reason;
      }
    }
    return Optional.empty();
  }
}
