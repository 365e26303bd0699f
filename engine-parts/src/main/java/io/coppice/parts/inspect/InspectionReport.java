package io.coppice.parts.inspect;

import java.util.List;

/**
 * What {@link PartInspector} found.
 *
 * @param part its name
 * @param rowCount rows that were read of the column that could be read furthest
 * @param fileCount files looked at, those of projections included
 * @param sizeBytes bytes of those files
 * @param frameCount compressed frames whose checksum was compared
 * @param faults what is wrong, in the order found
 * @param notes what was not looked at, and why
 */
public record InspectionReport(
    String part,
    long rowCount,
    int fileCount,
    long sizeBytes,
    long frameCount,
    List<Fault> faults,
    List<String> notes) {
  public InspectionReport {
    faults = List.copyOf(faults);
    notes = List.copyOf(notes);
  }

  /** Whether nothing is wrong. */
  public boolean sound() {
    return faults.isEmpty();
  }
}
