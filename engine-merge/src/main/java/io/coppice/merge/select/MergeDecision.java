package io.coppice.merge.select;

import io.coppice.base.check.Check;
import io.coppice.parts.name.PartName;
import java.util.Optional;

/** What to merge now. */
public sealed interface MergeDecision {
  /** The merge to do; empty if there is none. */
  Optional<Merge> merge();

  /**
   * To merge these parts.
   *
   * @param range the sources; one part is merged with itself
   * @param wholePartition whether they are all parts of their partition and its last merge was
   *     asked for, by FINAL or by age
   * @param cleanup whether deleted rows of a ReplacingMergeTree go with it
   */
  record Merge(PartRange range, MergeKind kind, boolean wholePartition, boolean cleanup)
      implements MergeDecision {
    @Override
    public Optional<Merge> merge() {
      return Optional.of(this);
    }

    /** The name of the result. */
    public PartName resultName() {
      return range.resultName();
    }
  }

  /**
   * To do nothing, as nothing can or need be done.
   *
   * @param reason for an operator
   */
  record Nothing(String reason) implements MergeDecision {
    public Nothing {
      Check.argument(!reason.isBlank(), "no reason for no merge");
    }

    @Override
    public Optional<Merge> merge() {
      return Optional.empty();
    }
  }

  /** To do nothing, as the partition is one merged part: what was asked for is there. */
  record MergedAlready(String partition) implements MergeDecision {
    @Override
    public Optional<Merge> merge() {
      return Optional.empty();
    }
  }
}
