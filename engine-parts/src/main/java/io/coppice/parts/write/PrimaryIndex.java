package io.coppice.parts.write;

import io.coppice.base.bytes.ByteWriter;
import io.coppice.parts.format.PrimaryIndexFile;
import io.coppice.parts.format.SingleValue;
import io.coppice.parts.table.TableSettings;
import java.io.IOException;
import java.util.List;

/**
 * Writes the primary index: the key of the first row of each granule, and of the last row.
 * Stateless.
 */
final class PrimaryIndex {
  private PrimaryIndex() {}

  /**
   * @param finalMark whether marks, and so the index, end with an entry for the part's end
   */
  static void write(
      PartFiles files,
      PartWriter.Block block,
      int[] granules,
      boolean finalMark,
      TableSettings settings)
      throws IOException {
    if (block.primaryKey().isEmpty()) {
      return;
    }
    ByteWriter out = new ByteWriter();
    List<SingleValue> values =
        block.primaryKey().stream().map(k -> SingleValue.of(k.type(), k.vector())).toList();
    int row = 0;
    for (int rows : granules) {
      int first = row;
      values.forEach(v -> v.write(out, first));
      row += rows;
    }
    if (finalMark && block.rows() > 0) {
      values.forEach(v -> v.write(out, block.rows() - 1));
    }
    if (settings.compressPrimaryKey()) {
      files.writeCompressed(
          PrimaryIndexFile.COMPRESSED_NAME,
          out.toByteArray(),
          settings.primaryKeyCodec(),
          settings.primaryKeyBlockSize());
    } else {
      files.write(PrimaryIndexFile.NAME, out.toByteArray());
    }
  }
}
