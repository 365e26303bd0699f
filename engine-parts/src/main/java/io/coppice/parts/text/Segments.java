package io.coppice.parts.text;

/** Counts off the segments of a text. Confined to one thread. */
final class Segments {
  private final BatchReader.Segment most;
  private long rows;
  private long from;
  private boolean ended;

  Segments(BatchReader.Segment most) {
    this.most = most;
  }

  /** Counts lines before the rows, which are of the first segment. */
  void head(long lines) {
    rows += lines;
  }

  /**
   * Counts a row.
   *
   * @param consumed bytes of the input up to the end of the row
   * @return whether the segment ends with it
   */
  boolean row(long consumed) {
    rows++;
    ended = rows >= most.rows() || consumed - from >= most.bytes();
    if (ended) {
      rows = 0;
      from = consumed;
    }
    return ended;
  }

  /** Whether the row that was counted last was the last of its segment. */
  boolean ended() {
    return ended;
  }
}
