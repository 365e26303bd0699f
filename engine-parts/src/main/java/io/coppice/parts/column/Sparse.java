package io.coppice.parts.column;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.parts.stream.Sink;
import io.coppice.parts.stream.Source;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.apache.arrow.vector.FieldVector;

/**
 * Sparse columns: only the values that are not the default, and where they stand.
 *
 * <pre>
 *   X.sparse.idx   per granule: varint, how many defaults stand before each other value;
 *                  then varint, how many stand behind the last, with bit 62 set
 *   X (and .size)  the values that are not the default, in the inner type's form
 * </pre>
 *
 * <p>Of a Nullable column, NULL is the default and the values are those of the inner type.
 */
final class Sparse extends Encoding {
  private static final long END_OF_GRANULE = 1L << 62;

  private final Substream positions;
  private final Encoding values;
  private final Defaults defaults;
  private final Supplier<FieldVector> newValues;

  private final boolean wholeGranules;

  private long defaultsLeft;
  private boolean valueWaits;
  private boolean sawEnd;

  /**
   * @param values how the values lie; reads into what {@code newValues} makes
   * @param defaults which rows are left out
   * @param wholeGranules whether a read ends with its granule, whose values then follow the
   *     positions in the same stream, as in Compact parts
   */
  Sparse(
      Substream positions,
      Encoding values,
      Defaults defaults,
      Supplier<FieldVector> newValues,
      boolean wholeGranules) {
    this.wholeGranules = wholeGranules;
    this.positions = positions;
    this.values = values;
    this.defaults = defaults;
    this.newValues = newValues;
  }

  @Override
  void prefixStreams(List<Substream> to) {
    values.prefixStreams(to);
  }

  @Override
  void dataStreams(List<Substream> to) {
    to.add(positions);
    values.dataStreams(to);
  }

  @Override
  public void write(FieldVector vector, int from, int to, Sinks sinks) throws IOException {
    Sink sink = sinks.at(positions);
    int before = 0;
    int count = 0;
    int[] rows = new int[to - from];
    for (int row = from; row < to; row++) {
      if (defaults.isDefault(vector, row)) {
        before++;
      } else {
        sink.putVarUInt(before);
        rows[count++] = row;
        before = 0;
      }
    }
    sink.putVarUInt(before | END_OF_GRANULE);
    if (count == 0) {
      values.visit(sinks);
      return;
    }
    if (count == rows.length) {
      values.write(vector, from, to, sinks);
      return;
    }
    // At once: an inner encoding with several streams in one file writes each stream whole.
    try (FieldVector kept = newValues.get()) {
      Gather.append(vector, rows, 0, count, kept, 0);
      Vectors.finish(kept, count);
      values.write(kept, 0, count, sinks);
    }
  }

  @Override
  public void sought() {
    defaultsLeft = 0;
    valueWaits = false;
    sawEnd = false;
    values.sought();
  }

  /** Moves over {@code rows} rows; puts where values stand into {@code at}; returns how many. */
  private int walk(Source source, int rows, int[] at) throws IOException {
    int found = 0;
    int row = 0;
    while (row < rows) {
      if (defaultsLeft > 0) {
        int n = (int) Math.min(defaultsLeft, rows - row);
        defaultsLeft -= n;
        row += n;
        continue;
      }
      if (valueWaits) {
        at[found++] = row++;
        valueWaits = false;
        continue;
      }
      long group = source.readVarUInt();
      boolean end = (group & END_OF_GRANULE) != 0;
      if (group < 0 || (group & ~END_OF_GRANULE) > Integer.MAX_VALUE) {
        throw EngineException.of(
            ErrorCode.CORRUPTED_DATA,
            "%s: a run of %s defaults in a sparse column",
            source.place(),
            Long.toUnsignedString(group & ~END_OF_GRANULE));
      }
      if (end && group == END_OF_GRANULE && sawEnd && source.atEnd()) {
        throw EngineException.of(
            ErrorCode.CANNOT_READ_ALL_DATA,
            "%s: a sparse column ends %d rows early",
            source.place(),
            rows - row);
      }
      sawEnd = end;
      defaultsLeft = group & ~END_OF_GRANULE;
      valueWaits = !end;
    }
    if (wholeGranules) {
      readEnd(source);
    }
    // Else the mark of the granule's end, if it is next, is left to the following read: it says
    // nothing new when no default stands before it, and is read there as a run of length 0.
    return found;
  }

  /** Moves over the mark of the granule's end, if a value was the last thing before it. */
  private void readEnd(Source source) throws IOException {
    boolean ended = sawEnd;
    if (!ended) {
      long group = source.readVarUInt();
      sawEnd = true;
      ended = group == END_OF_GRANULE;
    }
    if (!ended || defaultsLeft > 0 || valueWaits) {
      throw EngineException.of(
          ErrorCode.CORRUPTED_DATA,
          "%s: the positions of a sparse column do not end with the granule",
          source.place());
    }
  }

  @Override
  public void read(Sources sources, int rows, FieldVector vector, int at) throws IOException {
    if (rows == 0) {
      return;
    }
    int[] places = new int[rows];
    int found = walk(sources.at(positions), rows, places);
    try (FieldVector read = newValues.get()) {
      values.read(sources, found, read, 0);
      if (read.getField().isNullable()) {
        Vectors.reserve(read, found + 1);
        Vectors.setValid(read, 0, found);
      }
      defaults.append(read, found);
      Vectors.finish(read, found + 1);
      int[] indexes = new int[rows];
      Arrays.fill(indexes, found);
      for (int i = 0; i < found; i++) {
        indexes[places[i]] = i;
      }
      Gather.append(read, indexes, 0, rows, vector, at);
    }
  }

  @Override
  public void skip(Sources sources, int rows) throws IOException {
    values.skip(sources, walk(sources.at(positions), rows, new int[rows]));
  }

  @Override
  public void close() {
    values.close();
  }
}
