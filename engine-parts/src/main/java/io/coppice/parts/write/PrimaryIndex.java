package io.coppice.parts.write;

import io.coppice.base.bytes.ByteWriter;
import io.coppice.parts.format.PrimaryIndexFile;
import io.coppice.parts.format.SingleValue;
import io.coppice.parts.table.TableSettings;
import java.io.IOException;
import java.util.List;

/**
 * The primary index of a part that is being written: the key of the first row of each granule, and
 * of the last row. Confined to one thread.
 */
final class PrimaryIndex {
  private final TableSettings settings;
  private final ByteWriter keys = new ByteWriter();
  private final ByteWriter last = new ByteWriter();

  PrimaryIndex(TableSettings settings) {
    this.settings = settings;
  }

  /**
   * Adds the next rows.
   *
   * @param key values of the key's elements, borrowed
   * @param rows how many, at least one
   * @param pieces that they are cut into
   */
  void add(List<PartWriter.KeyColumn> key, int rows, List<Granules.Piece> pieces) {
    List<SingleValue> values = key.stream().map(k -> SingleValue.of(k.type(), k.vector())).toList();
    for (Granules.Piece piece : pieces) {
      if (piece.starts()) {
        values.forEach(v -> v.write(keys, piece.from()));
      }
    }
    last.clear();
    values.forEach(v -> v.write(last, rows - 1));
  }

  /** Writes the file, with an entry for the part's end where marks have one. */
  void finish(PartFiles files) throws IOException {
    if (settings.adaptive()) {
      keys.bytes(last.array(), 0, last.size());
    }
    if (settings.compressPrimaryKey()) {
      files.writeCompressed(
          PrimaryIndexFile.COMPRESSED_NAME,
          keys.toByteArray(),
          settings.primaryKeyCodec(),
          settings.primaryKeyBlockSize());
    } else {
      files.write(PrimaryIndexFile.NAME, keys.toByteArray());
    }
  }
}
