package io.coppice.parts.scan;

import io.coppice.language.type.DataType;
import io.coppice.parts.column.SharedDictionaries;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.compress.Decompressor;
import io.coppice.parts.table.ArrowMapping;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/**
 * The columns of a part as they are stored, granule by granule: rows that a lightweight DELETE has
 * taken out are among them. For those who write the part anew; who wants rows opens a {@link Scan}.
 *
 * <p>Confined to one thread; the owner closes it.
 */
public final class StoredColumns implements AutoCloseable {
  private static final long MARKS_BYTES = 16 << 20;

  private final LoadedPart part;
  private final BufferAllocator allocator;
  private final Decompressor decompressor;
  private final PartCursor cursor;

  /** Opens a part's columns; the part is borrowed. */
  public StoredColumns(LoadedPart part, BufferAllocator allocator) {
    this.part = part;
    this.allocator = allocator;
    this.decompressor = new Decompressor(allocator);
    this.cursor =
        new PartCursor(
            part, new MarkCache(MARKS_BYTES), allocator, decompressor, new FrameSource.Counters());
  }

  /** The values of granules [from, to) of a column that the part holds; the caller closes them. */
  public FieldVector read(String column, int from, int to) throws IOException {
    return read(column, part.columns().get(column), from, to);
  }

  /**
   * The values of granules [from, to) of a column of the table: converted if the part has it with
   * another type, defaults of the type if the part lacks it. The caller closes them.
   */
  public FieldVector read(String column, DataType type, int from, int to) throws IOException {
    FieldVector vector = ArrowMapping.field(column, type).createVector(allocator);
    boolean read = false;
    try {
      cursor.read(column, type, from, to, vector, 0);
      Vectors.finish(vector, Math.toIntExact(part.granuleStart(to) - part.granuleStart(from)));
      read = true;
      return vector;
    } finally {
      if (!read) {
        vector.close();
      }
    }
  }

  /** The dictionaries that the values of a column read last have in common with the part. */
  public SharedDictionaries shared(String column) {
    return cursor.shared(column);
  }

  /** Closes the files of a column, which is not read any more for now. */
  public void forget(String column) throws IOException {
    cursor.forget(column);
  }

  @Override
  public void close() throws IOException {
    try {
      cursor.close();
    } finally {
      decompressor.close();
    }
  }
}
