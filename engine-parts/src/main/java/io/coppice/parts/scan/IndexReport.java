package io.coppice.parts.scan;

import java.util.List;

/**
 * What one kind of index left of what those before it left, over all parts.
 *
 * @param kind as EXPLAIN calls it: Min-Max, Partition, PrimaryKey or Skip
 * @param name of a skip index, else empty
 * @param description type and granularity of a skip index, else empty
 * @param keys expressions that the condition tells something of
 * @param condition what is asked of the keys, as ClickHouse's EXPLAIN prints it; empty for an index
 *     that is asked otherwise
 * @param algorithm how the key's order is searched, as ClickHouse calls it; empty if it isn't
 * @param partsBefore parts that came to it
 * @param granulesBefore their granules
 */
public record IndexReport(
    String kind,
    String name,
    String description,
    List<String> keys,
    String condition,
    String algorithm,
    int partsBefore,
    int parts,
    long granulesBefore,
    long granules) {
  public IndexReport {
    keys = List.copyOf(keys);
  }

  /** The same index over other parts as well. */
  IndexReport with(IndexReport other) {
    return new IndexReport(
        kind,
        name,
        description,
        keys,
        condition,
        algorithm,
        partsBefore + other.partsBefore,
        parts + other.parts,
        granulesBefore + other.granulesBefore,
        granules + other.granules);
  }
}
