package io.coppice.merge.select;

import io.coppice.base.check.Check;
import java.util.Optional;

/**
 * When the rows of a part expire, from its {@code ttl.txt} and the table's TTL.
 *
 * @param minSeconds the first moment at which something of the part expires, seconds since 1970; 0
 *     if nothing does
 * @param maxSeconds the moment at which all of it has expired, seconds since 1970; 0 if it never
 *     does
 * @param unfinished whether there is a TTL that a merge has not yet carried out in full
 * @param calculated whether {@code ttl.txt} tells of every TTL that the table has
 * @param recompression what the table's RECOMPRESS asks of this part; empty if nothing yet
 */
public record PartTtl(
    long minSeconds,
    long maxSeconds,
    boolean unfinished,
    boolean calculated,
    Optional<Recompression> recompression) {
  public PartTtl {
    Check.argument(minSeconds >= 0, "earliest TTL %d", minSeconds);
    Check.argument(maxSeconds >= 0, "latest TTL %d", maxSeconds);
  }

  /**
   * A rule of RECOMPRESS that applies to the part.
   *
   * @param dueSeconds from when on, seconds since 1970
   * @param changesCodec whether its codec is another than the part's
   */
  public record Recompression(long dueSeconds, boolean changesCodec) {
    public Recompression {
      Check.argument(dueSeconds >= 0, "recompression due at %d", dueSeconds);
    }
  }
}
