package io.coppice.engine;

import io.coppice.parts.write.BlockLimits;
import io.coppice.parts.write.PartitionLimit;
import java.util.OptionalLong;

/**
 * How an insert is carried out. Immutable; each {@code with} method gives a changed copy.
 *
 * @param blocks how large the blocks are that parts are made of
 * @param partitions of how many partitions the rows of a block may be
 * @param partsToDelay {@code parts_to_delay_insert}, instead of the table's
 * @param partsToThrow {@code parts_to_throw_insert}, instead of the table's
 * @param withoutViews whether rows go into a table although materialized views are to get them too,
 *     which they do not here: {@code materialized_views_ignore_errors}
 */
public record InsertSettings(
    BlockLimits blocks,
    PartitionLimit partitions,
    OptionalLong partsToDelay,
    OptionalLong partsToThrow,
    boolean withoutViews) {
  /** Those of ClickHouse 26.7. */
  public static final InsertSettings DEFAULT =
      new InsertSettings(
          BlockLimits.DEFAULT,
          PartitionLimit.DEFAULT,
          OptionalLong.empty(),
          OptionalLong.empty(),
          false);

  /** How large blocks are. */
  public InsertSettings withBlocks(BlockLimits other) {
    return new InsertSettings(other, partitions, partsToDelay, partsToThrow, withoutViews);
  }

  /** Of how many partitions the rows of a block may be. */
  public InsertSettings withPartitions(PartitionLimit other) {
    return new InsertSettings(blocks, other, partsToDelay, partsToThrow, withoutViews);
  }

  /** With how many parts in a partition inserts wait, and with how many they are refused. */
  public InsertSettings withParts(OptionalLong toDelay, OptionalLong toThrow) {
    return new InsertSettings(blocks, partitions, toDelay, toThrow, withoutViews);
  }

  /** Whether rows go into a table although materialized views are to get them too. */
  public InsertSettings withoutViews(boolean without) {
    return new InsertSettings(blocks, partitions, partsToDelay, partsToThrow, without);
  }
}
