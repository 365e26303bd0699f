package io.coppice.parts.set;

import io.coppice.base.check.Check;
import java.util.EnumSet;
import java.util.Set;

/**
 * The life of a part in memory.
 *
 * <pre>
 *   TEMPORARY -> PRE_ACTIVE -> ACTIVE -> OUTDATED -> DELETING -> GONE
 *       |            |                     ^  ^         |
 *       +-> GONE     +----- rollback ------+  +- retry -+
 * </pre>
 */
public enum PartState {
  /** Written under another name; its own name is kept free for it. {@code PartSet.prepare}. */
  TEMPORARY,
  /** On the disk under its name, not read yet: whoever added it may still take it back. */
  PRE_ACTIVE,
  /** Read by new snapshots. No two active parts have a block in common. */
  ACTIVE,
  /** Not in new snapshots; old ones may read it. The cleaner takes it when it is old enough. */
  OUTDATED,
  /** Held by no snapshot; the cleaner is taking its files away. */
  DELETING,
  /** Not on the disk under its name. The end. */
  GONE;

  private Set<PartState> next() {
    return switch (this) {
      case TEMPORARY -> EnumSet.of(PRE_ACTIVE, GONE);
      case PRE_ACTIVE -> EnumSet.of(ACTIVE, OUTDATED);
      case ACTIVE -> EnumSet.of(OUTDATED);
      case OUTDATED -> EnumSet.of(DELETING);
      case DELETING -> EnumSet.of(OUTDATED, GONE);
      case GONE -> EnumSet.noneOf(PartState.class);
    };
  }

  /** The state after a move, which must be one of the diagram's. */
  PartState to(PartState to) {
    Check.invariant(next().contains(to), "part went %s -> %s", this, to);
    return to;
  }
}
