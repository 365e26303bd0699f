package io.coppice.merge.select;

/** Why a merge is done. */
public enum MergeKind {
  /** To have fewer parts. */
  REGULAR("RegularMerge"),
  /** To be rid of parts whose rows have all expired; nothing need be read. */
  TTL_DROP("TTLDropMerge"),
  /** To be rid of rows that have expired. */
  TTL_DELETE("TTLDeleteMerge"),
  /** To have old rows in another codec. */
  TTL_RECOMPRESS("TTLRecompressMerge");

  private final String text;

  MergeKind(String text) {
    this.text = text;
  }

  /** What {@code system.part_log} calls it as {@code merge_reason}. */
  public String text() {
    return text;
  }

  /** Whether it counts against {@code max_number_of_merges_with_ttl_in_pool}. */
  public boolean forTtl() {
    return this != REGULAR;
  }
}
