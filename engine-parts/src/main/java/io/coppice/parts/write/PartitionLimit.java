package io.coppice.parts.write;

import io.coppice.base.check.Check;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;

/**
 * Of how many partitions the rows of one block may be.
 *
 * @param most {@code max_partitions_per_insert_block}; 0 for no limit
 * @param refusing {@code throw_on_max_partitions_per_insert_block}; a warning otherwise
 */
public record PartitionLimit(long most, boolean refusing) {
  /** No limit. */
  public static final PartitionLimit NONE = new PartitionLimit(0, true);

  /** That of an INSERT unless settings say otherwise. */
  public static final PartitionLimit DEFAULT = new PartitionLimit(100, true);

  public PartitionLimit {
    Check.argument(most >= 0, "at most %d partitions", most);
  }

  /** Looks at a block before it is written. */
  void check(String table, int rows, int partitions) {
    if (most == 0 || partitions <= most) {
      return;
    }
    EngineException refusal =
        EngineException.of(
            ErrorCode.TOO_MANY_PARTS,
            "a block of %d rows for table %s has rows of %d partitions, which would be as many"
                + " parts, expected at most %d; choose a coarser partition key, insert rows in its"
                + " order, or raise max_partitions_per_insert_block",
            rows,
            table,
            partitions,
            most);
    if (refusing) {
      throw refusal;
    }
    System.getLogger(PartitionLimit.class.getName())
        .log(System.Logger.Level.WARNING, refusal.getMessage());
  }
}
