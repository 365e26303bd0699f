package io.coppice.parts.write;

import io.coppice.parts.format.MarkFile;
import io.coppice.parts.format.MarkFormat;
import io.coppice.parts.table.TableSettings;
import java.io.IOException;

/** Writes files of marks as a table's settings want them. Stateless. */
final class Marks {
  private Marks() {}

  /** The format of the marks of a part. */
  static MarkFormat format(boolean compact, TableSettings settings) {
    boolean compressed = settings.compressMarks();
    if (compact) {
      return settings.marksForSubstreams()
          ? compressed ? MarkFormat.CMRK4 : MarkFormat.MRK4
          : compressed ? MarkFormat.CMRK3 : MarkFormat.MRK3;
    }
    return settings.adaptive()
        ? compressed ? MarkFormat.CMRK2 : MarkFormat.MRK2
        : compressed ? MarkFormat.CMRK : MarkFormat.MRK;
  }

  /**
   * Writes the marks of a stream, or of all streams of a Compact part.
   *
   * @param marks per granule, and for the final mark, {@code perGranule} pairs of file offset and
   *     offset in the frame
   * @param granules rows of each granule
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
    MarkFormat format = format(compact, settings);
    MarkFile.Builder builder = MarkFile.builder(format, perGranule);
    int count = marks.length / (2 * perGranule);
    for (int granule = 0; granule < count; granule++) {
      for (int i = 0; i < perGranule; i++) {
        int at = 2 * (granule * perGranule + i);
        builder.place(marks[at], marks[at + 1]);
      }
      builder.end(granule < granules.length ? granules[granule] : 0);
    }
    write(files, stream + format.extension(), builder.build().content(), settings);
  }

  /** Writes the content of a file of marks, in frames if the settings say so. */
  static void write(PartFiles files, String file, byte[] content, TableSettings settings)
      throws IOException {
    if (settings.compressMarks()) {
      files.writeCompressed(file, content, settings.marksCodec(), settings.marksBlockSize());
    } else {
      files.write(file, content);
    }
  }
}
