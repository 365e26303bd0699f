package io.coppice.parts.format;

import io.coppice.base.bytes.ByteReader;
import io.coppice.base.bytes.ByteWriter;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.parts.name.FileNames;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Several small files in one: {@code skp_idx.packed} (version 1) and {@code statistics.packed}
 * (version 0).
 *
 * <pre>
 *   offset  size  field
 *        0     1  version
 *        1     8  count of files
 *        9        per file: name (variable-length size, bytes), 8 bytes offset in this file, 8 bytes
 *                 size, in version 1 also 8 bytes uncompressed size (0 for marks)
 *                 the files one after the other, in the same order
 * </pre>
 *
 * <p>Checked on reading: each file lies behind the table, right after the one before it; the last
 * ends where this file ends; no name twice. Golden files: {@code golden/26.7/h_skip_packed}, {@code
 * h_stats*}.
 *
 * @param version 0 or 1
 */
public record PackedFile(int version, List<Entry> entries) {
  /** The file of small skip indexes. */
  public static final String SKIP_INDEXES = "skp_idx.packed";

  /** The file of statistics. */
  public static final String STATISTICS = "statistics.packed";

  /** Most bytes read. */
  public static final int LIMIT_BYTES = 1 << 30;

  /**
   * One file inside.
   *
   * @param uncompressedSizeBytes 0 in version 0 and for files that are not compressed
   * @param content the array is not copied and must not be changed
   */
  @SuppressWarnings("ArrayRecordComponent") // a megabyte is not worth a copy to be comparable
  public record Entry(String name, long uncompressedSizeBytes, byte[] content) {}

  public PackedFile {
    entries = List.copyOf(entries);
  }

  /**
   * Reads the file.
   *
   * @param name for messages
   * @throws EngineException UNKNOWN_FORMAT, INCORRECT_DATA, INCORRECT_FILE_NAME and those of {@link
   *     ByteReader}
   */
  public static PackedFile read(byte[] bytes, String name) {
    ByteReader in = new ByteReader(bytes, name);
    int version = in.u8();
    if (version > 1) {
      throw EngineException.of(
          ErrorCode.UNKNOWN_FORMAT, "%s: version %d, expected 0 or 1", name, version);
    }
    int shortest = 1 + 1 + 8 * (2 + version);
    long count = in.u64();
    if (count < 0 || count > in.remaining() / shortest) {
      throw EngineException.of(
          ErrorCode.INCORRECT_DATA,
          "%s: %s files in %d bytes",
          name,
          Long.toUnsignedString(count),
          in.remaining());
    }
    record Place(String name, long offset, long size, long uncompressedSize) {}
    List<Place> places = new ArrayList<>((int) count);
    Set<String> names = new HashSet<>();
    for (long i = 0; i < count; i++) {
      String file = FileNames.checkStaysInside(in.string(255), name);
      if (!names.add(file)) {
        throw EngineException.of(ErrorCode.INCORRECT_DATA, "%s: %s is there twice", name, file);
      }
      places.add(new Place(file, in.u64(), in.u64(), version == 0 ? 0 : in.u64()));
    }
    List<Entry> entries = new ArrayList<>((int) count);
    for (Place place : places) {
      if (place.offset() != in.offset() || place.size() < 0 || place.size() > in.remaining()) {
        throw EngineException.of(
            ErrorCode.INCORRECT_DATA,
            "%s: %s at %d with %d bytes, expected it at %d with at most %d",
            name,
            place.name(),
            place.offset(),
            place.size(),
            in.offset(),
            in.remaining());
      }
      entries.add(new Entry(place.name(), place.uncompressedSize(), in.bytes((int) place.size())));
    }
    in.expectEnd();
    return new PackedFile(version, entries);
  }

  /** The file of that name. */
  public Optional<Entry> entry(String name) {
    return entries.stream().filter(entry -> entry.name().equals(name)).findFirst();
  }

  /** The bytes of the file. */
  public byte[] write() {
    ByteWriter table = new ByteWriter();
    for (int round = 0; round < 2; round++) { // the first only finds how long the table is
      long offset = table.size();
      table.clear();
      table.u8(version).u64(entries.size());
      for (Entry entry : entries) {
        table.string(entry.name()).u64(offset).u64(entry.content().length);
        if (version == 1) {
          table.u64(entry.uncompressedSizeBytes());
        }
        offset += entry.content().length;
      }
    }
    for (Entry entry : entries) {
      table.bytes(entry.content());
    }
    return table.toByteArray();
  }
}
