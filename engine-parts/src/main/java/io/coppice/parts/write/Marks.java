package io.coppice.parts.write;

import io.coppice.parts.format.MarkFile;
import io.coppice.parts.format.MarkFormat;
import io.coppice.parts.table.TableSettings;
import java.io.IOException;
import java.util.Arrays;

/** Writes files of marks as a table's settings want them. Stateless. */
final class Marks {
  private Marks() {}

  /** Pairs of an offset in the file and one in the frame there, in order; grows. */
  static final class Places {
    private long[] pairs = new long[4];
    private int count;

    void add(long inFile, long inFrame) {
      set(count, inFile, inFrame);
    }

    /** Sets a pair, perhaps behind the last. */
    void set(int index, long inFile, long inFrame) {
      if (2 * index >= pairs.length) {
        pairs = Arrays.copyOf(pairs, Math.max(2 * index + 2, pairs.length * 2));
      }
      pairs[2 * index] = inFile;
      pairs[2 * index + 1] = inFrame;
      count = Math.max(count, index + 1);
    }

    int count() {
      return count;
    }
  }

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
   * @param marks per granule, and for the final mark, {@code perGranule} places
   */
  static void write(
      PartFiles files,
      String stream,
      Places marks,
      int perGranule,
      Granules granules,
      TableSettings settings,
      boolean compact)
      throws IOException {
    MarkFormat format = format(compact, settings);
    MarkFile.Builder builder = MarkFile.builder(format, perGranule);
    int count = marks.count() / perGranule;
    for (int granule = 0; granule < count; granule++) {
      for (int i = 0; i < perGranule; i++) {
        int at = 2 * (granule * perGranule + i);
        builder.place(marks.pairs[at], marks.pairs[at + 1]);
      }
      builder.end(granule < granules.count() ? granules.rows(granule) : 0);
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
