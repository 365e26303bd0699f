package io.coppice.parts.format;

import io.coppice.base.bytes.ByteReader;
import io.coppice.base.bytes.ByteWriter;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.parts.name.FileNames;
import java.util.List;
import org.apache.arrow.vector.FieldVector;

/**
 * The least and the greatest value that a column of the partition key's expression has in a part:
 * {@code minmax_<escaped column>.idx}.
 *
 * <p>No header; the least, then the greatest, each in the form of {@link SingleValue}; for Nullable
 * a NULL as the greatest means that there are NULLs, as both that there is nothing else. One file
 * per column used in the expression; in tables of format version 0 for the date column. Checked on
 * reading: exactly two values. Golden files: {@code golden/26.7/f_*}, {@code golden/18.16.1}.
 */
public final class MinMaxFile {
  /** Most bytes read. */
  public static final int LIMIT_BYTES = 1 << 26;

  private MinMaxFile() {}

  /** The name of the file of {@code column}. */
  public static String name(String column) {
    return "minmax_" + FileNames.escape(column) + ".idx";
  }

  /**
   * Reads the file into rows 0 (least) and 1 (greatest); sets the value count to 2.
   *
   * @param name for messages
   * @param vector borrowed; of the type's Arrow mapping
   * @throws EngineException CORRUPTED_DATA and those of {@link SingleValue}
   */
  public static void read(byte[] bytes, String name, DataType type, FieldVector vector) {
    ByteReader in = new ByteReader(bytes, name);
    int rowCount = new KeyValues(List.of(type), List.of(vector)).read(in, 2);
    if (rowCount != 2 || !in.atEnd()) {
      throw EngineException.of(
          ErrorCode.CORRUPTED_DATA,
          "%s: %d bytes, of which %d values of type %s take %d",
          name,
          bytes.length,
          rowCount,
          type.text(),
          in.offset());
    }
  }

  /**
   * The bytes of the file of a column.
   *
   * @param vector borrowed; of the type's Arrow mapping
   * @param rows numbers of the part's rows in it, at least one
   */
  public static byte[] write(DataType type, FieldVector vector, int[] rows) {
    Extremes extremes = Extremes.of(type);
    ByteWriter out = new ByteWriter();
    extremes.write(out, extremes.over(vector, rows));
    return out.toByteArray();
  }
}
