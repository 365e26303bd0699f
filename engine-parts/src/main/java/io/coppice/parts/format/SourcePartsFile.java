package io.coppice.parts.format;

import io.coppice.base.bytes.ByteReader;
import io.coppice.base.bytes.ByteWriter;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.parts.name.FileNames;
import java.util.ArrayList;
import java.util.List;

/**
 * Which parts the rows of a patch part update: {@code source_parts.dat}.
 *
 * <pre>
 *   offset  size  field
 *        0     1  version, 0
 *        1     8  count of parts
 *        9        per part: name (variable-length size, bytes), 8 bytes lowest data version, 8 bytes
 *                 highest data version
 * </pre>
 *
 * <p>Golden files: the patch parts of {@code golden/26.7/k_lw_update*}.
 */
public record SourcePartsFile(List<Source> sources) {
  /** The file's name. */
  public static final String NAME = "source_parts.dat";

  /** Most bytes read. */
  public static final int LIMIT_BYTES = 1 << 26;

  private static final int SHORTEST_SOURCE = 1 + 1 + 8 + 8;

  /** A part, and between which data versions of it the patch applies. */
  public record Source(String part, long minDataVersion, long maxDataVersion) {}

  public SourcePartsFile {
    sources = List.copyOf(sources);
  }

  /**
   * Reads the file.
   *
   * @param name for messages
   * @throws EngineException UNKNOWN_FORMAT, INCORRECT_DATA and those of {@link ByteReader}
   */
  public static SourcePartsFile read(byte[] bytes, String name) {
    ByteReader in = new ByteReader(bytes, name);
    int version = in.u8();
    if (version != 0) {
      throw EngineException.of(
          ErrorCode.UNKNOWN_FORMAT, "%s: version %d, expected 0", name, version);
    }
    long count = in.u64();
    if (count < 0 || count > in.remaining() / SHORTEST_SOURCE) {
      throw EngineException.of(
          ErrorCode.INCORRECT_DATA,
          "%s: %s parts in %d bytes",
          name,
          Long.toUnsignedString(count),
          in.remaining());
    }
    List<Source> sources = new ArrayList<>((int) count);
    for (long i = 0; i < count; i++) {
      String part = FileNames.checkStaysInside(in.string(255), name);
      sources.add(new Source(part, in.u64(), in.u64()));
    }
    in.expectEnd();
    return new SourcePartsFile(sources);
  }

  /** The bytes of the file. */
  public byte[] write() {
    ByteWriter out = new ByteWriter().u8(0).u64(sources.size());
    for (Source source : sources) {
      out.string(source.part()).u64(source.minDataVersion()).u64(source.maxDataVersion());
    }
    return out.toByteArray();
  }
}
