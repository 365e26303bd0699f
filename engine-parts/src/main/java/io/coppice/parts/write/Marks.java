package io.coppice.parts.write;

import io.coppice.base.bytes.ByteWriter;
import io.coppice.parts.table.TableSettings;
import java.io.IOException;

/** Writes the file of marks of a stream, or of all streams of a Compact part. Stateless. */
final class Marks {
  private Marks() {}

  /**
   * @param marks per granule, and for the final mark, {@code perGranule} pairs of file offset and
   *     offset in the frame
   * @param granules rows of each granule
   * @param compact whether these are the marks of a Compact part
   */
  static void write(
      PartFiles files,
      String stream,
      long[] marks,
      int perGranule,
      int[] granules,
      TableSettings settings,
      boolean compact)
      throws IOException {
    write(
        files,
        stream,
        extension(compact, settings),
        marks,
        perGranule,
        granules,
        settings,
        compact || settings.adaptive());
  }

  /** The same with the extension given and, if {@code withRows}, the rows of each granule. */
  static void write(
      PartFiles files,
      String stream,
      String extension,
      long[] marks,
      int perGranule,
      int[] granules,
      TableSettings settings,
      boolean withRows)
      throws IOException {
    int count = perGranule == 0 ? granules.length : marks.length / (2 * perGranule);
    ByteWriter out = new ByteWriter();
    for (int granule = 0; granule < count; granule++) {
      for (int i = 0; i < 2 * perGranule; i++) {
        out.u64(marks[granule * 2 * perGranule + i]);
      }
      if (withRows) {
        out.u64(granule < granules.length ? granules[granule] : 0);
      }
    }
    if (settings.compressMarks()) {
      files.writeCompressed(
          stream + ".c" + extension,
          out.toByteArray(),
          settings.marksCodec(),
          settings.marksBlockSize());
    } else {
      files.write(stream + "." + extension, out.toByteArray());
    }
  }

  private static String extension(boolean compact, TableSettings settings) {
    if (compact) {
      return settings.marksForSubstreams() ? "mrk4" : "mrk3";
    }
    return settings.adaptive() ? "mrk2" : "mrk";
  }
}
