package io.coppice.parts.format;

import java.util.Optional;

/**
 * Which of the kinds of mark file it is, as the extension tells.
 *
 * <pre>
 *   .mrk    Wide, fixed granularity          .cmrk    the same in frames
 *   .mrk2   Wide, adaptive granularity       .cmrk2
 *   .mrk3   Compact, a place per column      .cmrk3
 *   .mrk4   Compact, a place per stream      .cmrk4
 * </pre>
 */
public enum MarkFormat {
  MRK(".mrk", false, false, false, false),
  CMRK(".cmrk", false, false, false, true),
  MRK2(".mrk2", false, true, false, false),
  CMRK2(".cmrk2", false, true, false, true),
  MRK3(".mrk3", true, true, false, false),
  CMRK3(".cmrk3", true, true, false, true),
  MRK4(".mrk4", true, true, true, false),
  CMRK4(".cmrk4", true, true, true, true);

  private final String extension;
  private final boolean compact;
  private final boolean rows;
  private final boolean perStream;
  private final boolean compressed;

  MarkFormat(
      String extension, boolean compact, boolean rows, boolean perStream, boolean compressed) {
    this.extension = extension;
    this.compact = compact;
    this.rows = rows;
    this.perStream = perStream;
    this.compressed = compressed;
  }

  /** The format of a file of that name, empty if it is no mark file. */
  public static Optional<MarkFormat> ofFileName(String name) {
    int dot = name.lastIndexOf('.');
    for (MarkFormat format : values()) {
      if (dot >= 0 && name.substring(dot).equals(format.extension)) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }

  /** With its dot. */
  public String extension() {
    return extension;
  }

  /** Whether it belongs to a Compact part: one file for all columns. */
  public boolean compact() {
    return compact;
  }

  /** Whether each mark says how many rows its granule has. */
  public boolean rows() {
    return rows;
  }

  /** Whether each stream has a place of its own; else each column has one. */
  public boolean perStream() {
    return perStream;
  }

  /** Whether the marks are in frames. */
  public boolean compressed() {
    return compressed;
  }
}
