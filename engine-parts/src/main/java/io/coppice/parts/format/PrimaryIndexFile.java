package io.coppice.parts.format;

import io.coppice.base.bytes.ByteReader;
import io.coppice.base.bytes.ByteWriter;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.parts.compress.CodecChain;
import io.coppice.parts.compress.Compressor;
import io.coppice.parts.compress.Decompressor;
import java.util.List;
import org.apache.arrow.vector.FieldVector;

/**
 * The primary key of each granule's first row: {@code primary.idx}, or {@code primary.cidx} with
 * the same content in frames (ZSTD(3) by default, cut every 64 KiB).
 *
 * <p>No header. Per mark the columns of the primary key in order, each in the form of {@link
 * SingleValue}. Where the marks have a final mark, one more row: the key of the part's last row.
 * Columns sorted in descending order are stored as they are. Tables without a key have no such
 * file.
 *
 * <p>Checked on reading: whole rows, as many as marks. Golden files: {@code golden/18.16.1}, {@code
 * golden/26.7/g_*} and most others.
 */
public final class PrimaryIndexFile {
  /** The file's name. */
  public static final String NAME = "primary.idx";

  /** The file's name when its content is in frames. */
  public static final String COMPRESSED_NAME = "primary.cidx";

  /** Most bytes read, in frames or out of them. */
  public static final int LIMIT_BYTES = 1 << 30;

  /** Where the frames of the compressed file are cut. */
  public static final int BLOCK_BYTES = 65536;

  private PrimaryIndexFile() {}

  /** What the file holds: the bytes themselves, or for {@code primary.cidx} those in its frames. */
  public static byte[] content(byte[] bytes, String name, Decompressor decompressor) {
    return name.endsWith(".cidx") ? decompressor.decompressAll(bytes, 0, name, LIMIT_BYTES) : bytes;
  }

  /**
   * Reads the content of the file into vectors, one per column of the key; sets their value counts.
   *
   * @param name for messages
   * @param vectors borrowed; of the types' Arrow mapping
   * @param markCount rows expected, the final mark's included
   * @throws EngineException CORRUPTED_DATA and those of {@link SingleValue}
   */
  public static void read(
      byte[] content, String name, List<DataType> types, List<FieldVector> vectors, int markCount) {
    ByteReader in = new ByteReader(content, name);
    int rowCount = new KeyValues(types, vectors).read(in, markCount);
    if (rowCount != markCount || !in.atEnd()) {
      throw EngineException.of(
          ErrorCode.CORRUPTED_DATA,
          "%s: %d keys, then %d bytes left, expected %d keys as there are marks",
          name,
          rowCount,
          in.remaining(),
          markCount);
    }
  }

  /** The content of the file: rows {@code from} to {@code to} of the vectors. */
  public static byte[] write(List<DataType> types, List<FieldVector> vectors, int from, int to) {
    ByteWriter out = new ByteWriter();
    new KeyValues(types, vectors).write(out, from, to);
    return out.toByteArray();
  }

  /** The bytes of {@code primary.cidx} with that content. */
  public static byte[] compress(byte[] content, Compressor compressor, CodecChain chain) {
    return compressor.compressAll(chain, content, BLOCK_BYTES);
  }
}
