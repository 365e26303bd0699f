package io.coppice.merge.select;

import io.coppice.base.check.Check;
import io.coppice.parts.name.PartName;
import java.util.Optional;
import java.util.Set;

/**
 * What choosing needs to know of an active part.
 *
 * @param sizeBytes of all its files, as {@code bytes_on_disk} of {@code system.parts}; without the
 *     share of deleted rows if {@code exclude_deleted_rows_for_part_size_in_merge} says so
 * @param rowCount rows it holds
 * @param ageSeconds since it was written, whole seconds
 * @param projections names of the projections that it holds unbroken
 * @param ttl when its rows expire; empty if its table has no TTL
 */
public record CandidatePart(
    PartName name,
    long sizeBytes,
    long rowCount,
    long ageSeconds,
    Set<String> projections,
    Optional<PartTtl> ttl) {
  public CandidatePart {
    Check.argument(sizeBytes >= 0, "part %s of %d bytes", name, sizeBytes);
    Check.argument(rowCount >= 0, "part %s of %d rows", name, rowCount);
    Check.argument(ageSeconds >= 0, "part %s, %d seconds old", name, ageSeconds);
    projections = Set.copyOf(projections);
  }

  /** A part of a table without projections and without TTL. */
  public CandidatePart(PartName name, long sizeBytes, long rowCount, long ageSeconds) {
    this(name, sizeBytes, rowCount, ageSeconds, Set.of(), Optional.empty());
  }
}
