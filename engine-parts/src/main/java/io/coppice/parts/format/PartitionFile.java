package io.coppice.parts.format;

import io.coppice.base.bytes.ByteReader;
import io.coppice.base.bytes.ByteWriter;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import java.util.List;
import org.apache.arrow.vector.FieldVector;

/**
 * The values of the partition key, equal for all rows of a part: {@code partition.dat}.
 *
 * <p>No header; the columns of the key in order, each in the form of {@link SingleValue}. Tables
 * without a partition key have no such file. Checked on reading: exactly one row. Golden files:
 * {@code golden/26.7/f_*}, {@code golden/18.16.1/part_*}.
 */
public final class PartitionFile {
  /** The file's name. */
  public static final String NAME = "partition.dat";

  /** Most bytes read. */
  public static final int LIMIT_BYTES = 1 << 26;

  private PartitionFile() {}

  /**
   * Reads the file into row 0 of vectors, one per column of the key; sets their value counts to 1.
   *
   * @param name for messages
   * @param vectors borrowed; of the types' Arrow mapping
   * @throws EngineException CORRUPTED_DATA and those of {@link SingleValue}
   */
  public static void read(
      byte[] bytes, String name, List<DataType> types, List<FieldVector> vectors) {
    ByteReader in = new ByteReader(bytes, name);
    int rowCount = new KeyValues(types, vectors).read(in, 1);
    if (rowCount != 1 || !in.atEnd()) {
      throw EngineException.of(
          ErrorCode.CORRUPTED_DATA,
          "%s: %d bytes, of which the partition key takes %d",
          name,
          bytes.length,
          in.offset());
    }
  }

  /** The bytes of the file: row {@code row} of the vectors. */
  public static byte[] write(List<DataType> types, List<FieldVector> vectors, int row) {
    ByteWriter out = new ByteWriter();
    new KeyValues(types, vectors).write(out, row, row + 1);
    return out.toByteArray();
  }
}
